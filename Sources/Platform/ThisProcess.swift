import CPlatform

/// What the system knows about this process.
package enum ThisProcess {
  /// A path of the program that runs, whatever became of its name.
  package static var programPath: String { "/proc/self/exe" }

  /// A file with a line for each mapping of this process (proc_pid_maps(5)).
  package static var mapsPath: String { "/proc/self/maps" }

  /// The environment, as `execve` and `posix_spawn` take it.
  ///
  /// Soundness: this program does not change its environment.
  @unsafe package static var environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    unsafe environ
  }

  /// How many threads the machine can run at the same time; at least 1.
  package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The most memory that the process ever had, in bytes; with mapped files.
  package static var peakByteCount: UInt64 {
    var usage = rusage()
    guard unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return .max }
    return UInt64(clamping: usage.ru_maxrss) * 1024
  }
}

/// The memory that the C library manages.
package enum Heap {
  /// What is in use, in bytes, without mapped files.
  ///
  /// Cost: the C library walks all that is free, which may take milliseconds.
  package static var usedByteCount: UInt64 {
    let heap = mallinfo2()
    return UInt64(heap.uordblks) + UInt64(heap.hblkhd)
  }

  /// Keeps memory that is freed, as far as it is less than `limit` bytes at the end of a heap.
  package static func keepFreed(upTo limit: Int) {
    mallopt(M_TRIM_THRESHOLD, CInt(clamping: limit))
    // No allocation of less is a mapping of its own. The C library allows no more than this.
    mallopt(M_MMAP_THRESHOLD, CInt(clamping: min(limit, 32 << 20)))
  }
}

/// The system's clocks.
package enum Clock {
  /// Since 1970-01-01 00:00 UTC.
  package static var secondsSince1970: Int64 { Int64(time(nil)) }

  /// Of a clock that nobody sets and that starts anywhere; 0 if the system has none.
  package static var monotonicNanoseconds: UInt64 {
    var now = timespec()
    guard unsafe clock_gettime(CLOCK_MONOTONIC, &now) == 0 else { return 0 }
    return UInt64(clamping: now.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: now.tv_nsec)
  }
}

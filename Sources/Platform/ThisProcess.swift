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

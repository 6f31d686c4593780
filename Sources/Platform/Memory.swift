import CPlatform

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

/// A file without a name, which is in memory only and ends with its last descriptor.
///
/// - Returns: its descriptor, which another program does not inherit; -1 with `errno` if there is
///   none to give.
package func makeMemoryFile(name: String) -> CInt {
  unsafe memfd_create(name, SYMBOLICATE_MFD_CLOEXEC)
}

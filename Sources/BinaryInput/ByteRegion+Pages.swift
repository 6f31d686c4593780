import Platform

extension ByteRegion {
  /// Gives the memory back that the whole pages of a mapped file take in this process; they are
  /// read again when they are next needed. Nothing happens to bytes that are not of a file.
  ///
  /// It is for large files that are read once. The file must not have been given to a library that
  /// writes to its private pages, because these get the content of the file again.
  package func releasePages() {
    guard storage.file != nil, let base = unsafe storage.bytes.baseAddress else { return }
    // Soundness: the range is that of the mapping, which begins at a page.
    _ = unsafe madvise(
      UnsafeMutableRawPointer(mutating: base), storage.bytes.count, MADV_DONTNEED)
  }
}

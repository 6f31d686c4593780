import FileSystem
import Platform

/// The owner of bytes that do not change: the mapping of a file, or a buffer that is filled once.
///
/// Its regions (`ByteRegion`) keep it alive, and the bytes are released with the last of them.
///
/// Soundness: `bytes` is set at initialisation, never reassigned, and valid until `deinit`. After
/// initialisation this module only reads through it, so threads may share it. If a C library writes
/// through the pointer, it writes to private pages of this process. A mapping may be longer than
/// `bytes`; its own size is kept for the release.
@safe package final class ByteStorage: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer
  /// The file that is mapped; nil if it has no name, or if the bytes are in memory of this process.
  let file: Source?
  private let release: Release

  /// A mapped file: the path that led to it when it was opened, and which file that was.
  struct Source: Sendable {
    let path: String
    let identity: FileIdentity
  }

  private enum Release {
    /// `size` is that of the mapping, in bytes.
    case unmap(size: Int)
    case free
  }

  /// Takes over a mapping, made with `mmap`, of all of `file`; nil for a file without a name.
  init(takingMapping bytes: UnsafeMutableRawBufferPointer, of file: Source?) {
    self.file = file
    unsafe self.bytes = UnsafeRawBufferPointer(bytes)
    self.release = .unmap(size: bytes.count)
  }

  /// A copy of `bytes`.
  package init(copying bytes: some Collection<UInt8>) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    unsafe buffer.copyBytes(from: bytes)
    unsafe self.bytes = UnsafeRawBufferPointer(buffer)
    self.file = nil
    self.release = .free
  }

  /// A buffer of up to `capacity` bytes that `fill` writes; nil if the system has not enough
  /// memory. Bytes at the end that `fill` does not write are not part of the storage. Pages that
  /// are never written cost no memory.
  package init?<Failure: Error>(
    capacity: Int, fill: (inout OutputRawSpan) throws(Failure) -> Void
  ) throws(Failure) {
    let base = unsafe mmap(
      nil, max(capacity, 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
      -1, 0)
    guard let base = unsafe base, unsafe base != MAP_FAILED else { return nil }
    let buffer = unsafe UnsafeMutableRawBufferPointer(start: base, count: capacity)
    var output = unsafe OutputRawSpan(buffer: buffer, initializedCount: 0)
    do {
      try fill(&output)
    } catch {
      unsafe munmap(base, max(capacity, 1))
      throw error
    }
    let count = unsafe output.finalize(for: buffer)
    unsafe self.bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
    self.file = nil
    self.release = .unmap(size: max(capacity, 1))
  }

  deinit {
    switch release {
    case .unmap(let size):
      if let base = unsafe bytes.baseAddress {
        unsafe munmap(UnsafeMutableRawPointer(mutating: base), size)
      }
    case .free:
      unsafe bytes.deallocate()
    }
  }
}

import Glibc

/// The owner of an unchanging run of bytes: a file's mapping, or a buffer filled once.
///
/// Regions of it (`ByteRegion`) keep it alive; the bytes are released with the last of them.
///
/// Soundness: `bytes` is set at initialisation, never reassigned, and valid until `deinit`. After
/// initialisation this module only reads through it, so it may be shared between threads. A C
/// library that is handed the pointer writes, if it does, into private pages of this process only.
/// A mapping may be longer than `bytes`; its own size is kept for its release.
@safe package final class ByteStorage: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer
  private let release: Release

  private enum Release {
    /// The size is the mapping's, in bytes.
    case unmap(size: Int)
    case free
  }

  /// Takes over a mapping made with `mmap`.
  init(takingMapping bytes: UnsafeMutableRawBufferPointer) {
    unsafe self.bytes = UnsafeRawBufferPointer(bytes)
    self.release = .unmap(size: bytes.count)
  }

  /// A copy of `bytes`.
  package init(copying bytes: some Collection<UInt8>) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    unsafe buffer.copyBytes(from: bytes)
    unsafe self.bytes = UnsafeRawBufferPointer(buffer)
    self.release = .free
  }

  /// A buffer of `capacity` bytes that `fill` writes, or nil where the system has no such room. What
  /// `fill` leaves unwritten at the end is not part of the storage. Pages that are never written cost
  /// no memory.
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

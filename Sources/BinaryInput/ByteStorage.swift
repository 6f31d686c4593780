import Glibc

/// The owner of an unchanging run of bytes: a file's mapping, or a buffer filled once.
///
/// Regions of it (`ByteRegion`) keep it alive; the bytes are released with the last of them.
///
/// Soundness: `bytes` is set at initialisation, never reassigned, and valid until `deinit`. After
/// initialisation this module only reads through it, so it may be shared between threads. A C
/// library that is handed the pointer writes, if it does, into private pages of this process only.
@safe package final class ByteStorage: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer
  private let release: Release

  private enum Release {
    case unmap
    case free
  }

  /// Takes over a mapping made with `mmap`, or the empty buffer.
  init(takingMapping bytes: UnsafeMutableRawBufferPointer) {
    unsafe self.bytes = UnsafeRawBufferPointer(bytes)
    self.release = .unmap
  }

  /// A copy of `bytes`.
  package init(copying bytes: some Collection<UInt8>) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    unsafe buffer.copyBytes(from: bytes)
    unsafe self.bytes = UnsafeRawBufferPointer(buffer)
    self.release = .free
  }

  deinit {
    switch release {
    case .unmap:
      if let base = unsafe bytes.baseAddress {
        unsafe munmap(UnsafeMutableRawPointer(mutating: base), bytes.count)
      }
    case .free:
      unsafe bytes.deallocate()
    }
  }
}

import BinaryInput
import FileSystem
import SymbolicationModel
import SystemPackage

/// The place of unpacked bytes that no cache keeps: memory if they are few, else a temporary file
/// without a name, which is mapped.
///
/// Where no temporary file has room, memory takes them, within the limit of the run.
struct UnpackedBytes {
  let size: UInt64
  let limits: ArchiveLimits
  /// Where a temporary file may be before the other places; nil for none.
  var firstFolder: String?
  /// Makes the error that `fill` throws.
  let error: (ArchiveFault) -> ArchiveError

  /// So many bytes are not worth a file.
  private static let sizeInMemory: UInt64 = 1 << 20

  init(
    size: UInt64, limits: ArchiveLimits, firstFolder: String? = nil,
    error: @escaping (ArchiveFault) -> ArchiveError
  ) {
    self.size = size
    self.limits = limits
    self.firstFolder = firstFolder
    self.error = error
  }

  /// The bytes that `unpack` hands over, at most `size`. It is called once.
  func fill(
    _ unpack: ((RawSpan) -> Bool) throws(ArchiveError) -> Void
  ) throws(ArchiveError) -> ByteRegion {
    if size <= Self.sizeInMemory, limits.usage.addToMemory(size, limit: limits.memory) {
      return try fillMemory(unpack)
    }
    if let file = ScratchFile.open(
      in: [firstFolder].compactMap(\.self) + (limits.scratchFolders ?? ScratchFile.userFolders),
      size: size)
    {
      defer { try? file.close() }
      guard let region = try Self.fill(file, unpack) else { throw error(.outOfMemory(size: size)) }
      return region
    }
    guard limits.usage.addToMemory(size, limit: limits.memory) else {
      throw error(.tooLargeForMemory(size: size, limit: limits.memory))
    }
    return try fillMemory(unpack)
  }

  private func fillMemory(
    _ unpack: ((RawSpan) -> Bool) throws(ArchiveError) -> Void
  ) throws(ArchiveError) -> ByteRegion {
    guard let capacity = Int(exactly: size),
      let region = try ByteRegion(unpackedSize: capacity, unpack)
    else { throw error(.outOfMemory(size: size)) }
    return region
  }

  /// Writes the bytes to a file, and maps it: nil if the system refuses.
  static func fill<Failure: Error>(
    _ file: FileDescriptor, _ unpack: ((RawSpan) -> Bool) throws(Failure) -> Void
  ) throws(Failure) -> ByteRegion? {
    var size = 0
    var isWritten = true
    try unpack { block in
      isWritten =
        isWritten && (try? unsafe block.withUnsafeBytes { try unsafe file.writeAll($0) }) != nil
      size += block.byteCount
      return isWritten
    }
    guard isWritten else { return nil }
    return size == 0 ? ByteRegion(copying: []) : MappedFile.mapUnnamed(file, size: size)
  }
}

extension ByteRegion {
  /// The bytes that `unpack` hands over, in memory; nil if the system has not enough. They must not
  /// be more than `size`.
  init?<Failure: Error>(
    unpackedSize size: Int, _ unpack: ((RawSpan) -> Bool) throws(Failure) -> Void
  ) throws(Failure) {
    let storage = try ByteStorage(capacity: size) { (output) throws(Failure) in
      // A span that is being filled cannot be captured by the closure.
      var filled = 0
      try unsafe output.withUnsafeMutableBytes { (buffer, count) throws(Failure) in
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
        try unpack { block in
          guard block.byteCount <= room.count - filled else { return false }
          unsafe block.withUnsafeBytes {
            unsafe UnsafeMutableRawBufferPointer(rebasing: room[filled...]).copyMemory(from: $0)
          }
          filled += block.byteCount
          return true
        }
        count += filled
      }
    }
    guard let storage else { return nil }
    self.init(storage)
  }
}

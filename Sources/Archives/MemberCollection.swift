package import BinaryInput
import FileSystem
import SymbolicationModel
import SystemPackage

/// The contents of many members, which are unpacked one after the other into one temporary file.
///
/// So thousands of members take one pass over their archive, one file and no memory. Members that
/// lie uncompressed in the archive stay there. If no temporary file can be had, memory takes them,
/// within the limit of the run.
package final class MemberCollection {
  private enum Part {
    case region(ByteRegion)
    case written(offset: UInt64, count: UInt64)
  }

  private let file: FileDescriptor?
  private var size: UInt64 = 0
  private var parts: [Part] = []

  package init(limits: ArchiveLimits) {
    file = ScratchFile.open(in: limits.scratchFolders ?? ScratchFile.userFolders, size: 0)
  }

  deinit { try? file?.close() }

  /// - Parameters:
  ///   - inPlace: the member, if its bytes are there.
  ///   - unpack: hands over the bytes of the member. What it throws is thrown, and no member added.
  ///   - whole: unpacks the member without the file.
  func add(
    _ inPlace: ByteRegion?,
    orWritten unpack: ((RawSpan) -> Bool) throws(ArchiveError) -> Void,
    orAlone whole: () throws(ArchiveError) -> ByteRegion?,
    error: (ArchiveFault) -> ArchiveError
  ) throws(ArchiveError) {
    if let inPlace { return parts.append(.region(inPlace)) }
    guard let file else {
      if let region = try whole() { parts.append(.region(region)) }
      return
    }
    let start = size
    var isWritten = true
    try unpack { block in
      isWritten = (try? unsafe block.withUnsafeBytes { try unsafe file.writeAll($0) }) != nil
      size += UInt64(block.byteCount)
      return isWritten
    }
    guard isWritten else { throw error(.outOfMemory(size: size - start)) }
    parts.append(.written(offset: start, count: size - start))
  }

  /// The contents in the order in which they were added; nil if the file cannot be mapped.
  package func contents() -> [ByteRegion]? {
    var written = ByteRegion(copying: [])
    if let file, let size = Int(exactly: size), size > 0 {
      guard let region = MappedFile.mapUnnamed(file, size: size) else { return nil }
      written = region
    }
    var contents: [ByteRegion] = []
    for part in parts {
      switch part {
      case .region(let region): contents.append(region)
      case .written(let offset, let count):
        guard let region = try? written.subregion(offset: offset, count: count) else { return nil }
        contents.append(region)
      }
    }
    return contents
  }
}

import BinaryInput
import Decompression
import FileSystem
import SymbolicationModel

/// An ELF file's reference to the file that holds its debug information (`.gnu_debuglink`, as
/// `objcopy --add-gnu-debuglink` writes it; GDB manual, "Separate Debug Files").
package struct DebugLink: Hashable, Sendable {
  /// The file's name. Bytes that are not UTF-8 are replaced by U+FFFD.
  package let name: String
  /// The CRC-32 of the whole file.
  package let checksum: UInt32
}

extension ObjectFile {
  /// The reference to the file with this one's debug information; nil if there is none. Throws
  /// `truncated`. Cost: a walk over the section names and a read of one small section.
  package func debugLink() throws(ObjectFileError) -> DebugLink? {
    guard format == .elf, let content = try debugSection(".gnu_debuglink") else { return nil }
    var reader = content.reader(byteOrder: byteOrder)
    do throws(ByteReadError) {
      // The name, 1 to 4 zeros up to a multiple of 4, the checksum.
      let name = try reader.readCString()
      let odd = UInt64(reader.position % 4)
      if odd > 0 { try reader.skip(4 - odd) }
      return DebugLink(
        name: String(pathBytes: name), checksum: try reader.read())
    } catch {
      throw self.error(.truncation(.section(".gnu_debuglink"), error))
    }
  }

  /// The CRC-32 of the slice; an ELF file is one slice. Cost: every byte is read.
  package func checksum() -> UInt32 {
    region.withRawSpan { Crc32.checksum(of: $0) }
  }
}

/// An ELF file's reference to its supplementary file, which holds the debug information that it
/// shares with other files.
package struct SupplementaryLink: Hashable, Sendable {
  /// The section that holds the reference, and how it identifies the file.
  package enum Form: Hashable, Sendable {
    /// `.gnu_debugaltlink`: the supplementary file is identified by its GNU build-id.
    case gnu
    /// `.debug_sup` (DWARF 5, section 7.3.6): the supplementary file states the same checksum.
    case dwarf5
  }

  package let form: Form
  /// Absolute, or relative to the folder of the referring file.
  package let path: String
  /// The build-id or checksum. May be empty.
  package let identifier: [UInt8]
}

extension ObjectFile {
  /// The reference to the supplementary file that `dwz -m` writes; nil if this file has none. Cost:
  /// a walk over the section names and a read of one small section.
  ///
  /// Throws `truncated` and `unsupportedSupplementaryVersion`.
  package func supplementaryLink() throws(ObjectFileError) -> SupplementaryLink? {
    guard format == .elf else { return nil }
    if let content = try debugSection(".gnu_debugaltlink") {
      // The path, a zero, the build-id up to the section's end.
      return try reading(".gnu_debugaltlink", content) { (reader) throws(ByteReadError) in
        let path = try reader.readCString()
        let identifier = try reader.readRegion(count: UInt64(reader.remaining)).bytes
        return SupplementaryLink(
          form: .gnu, path: String(pathBytes: path), identifier: identifier)
      }
    }
    guard let header = try supplementaryHeader(), !header.isSupplementary else { return nil }
    return SupplementaryLink(form: .dwarf5, path: header.path, identifier: header.checksum)
  }

  /// The build-id or checksum that links of `form` to this file state; nil if this is not a
  /// supplementary file of that form. Throws as `supplementaryLink()` does.
  package func supplementaryIdentifier(
    for form: SupplementaryLink.Form
  ) throws(ObjectFileError) -> [UInt8]? {
    switch form {
    case .gnu: return identity?.bytes ?? []
    case .dwarf5:
      guard let header = try supplementaryHeader(), header.isSupplementary else { return nil }
      return header.checksum
    }
  }

  private func supplementaryHeader() throws(ObjectFileError) -> SupplementaryHeader? {
    guard let content = try debugSection(".debug_sup") else { return nil }
    let version = try reading(".debug_sup", content) { (reader) throws(ByteReadError) in
      try reader.read(UInt16.self)
    }
    guard version == 5 else { throw error(.unsupportedSupplementaryVersion(version)) }
    return try reading(".debug_sup", content) { (reader) throws(ByteReadError) in
      try SupplementaryHeader(&reader)
    }
  }

  private func reading<Result>(
    _ section: String, _ content: ByteRegion,
    _ read: (inout ByteReader) throws(ByteReadError) -> Result
  ) throws(ObjectFileError) -> Result {
    var reader = content.reader(byteOrder: byteOrder)
    do throws(ByteReadError) {
      return try read(&reader)
    } catch {
      throw self.error(.truncation(.section(section), error))
    }
  }
}

/// The content of `.debug_sup`.
private struct SupplementaryHeader {
  /// Whether this is the file that others refer to. If not, it refers to one.
  let isSupplementary: Bool
  let path: String
  let checksum: [UInt8]

  init(_ reader: inout ByteReader) throws(ByteReadError) {
    try reader.skip(2)  // version
    isSupplementary = try reader.read(UInt8.self) != 0
    path = String(pathBytes: try reader.readCString())
    let size = try reader.readUleb128()
    checksum = try reader.readRegion(count: size).bytes
  }
}

import BinaryInput
import Decompression

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
        name: String(decoding: name, as: UTF8.self), checksum: try reader.read())
    } catch {
      throw self.error(.truncation(.section(".gnu_debuglink"), error))
    }
  }

  /// The CRC-32 of the slice; an ELF file is one slice. Cost: every byte is read.
  package func checksum() -> UInt32 {
    region.withRawSpan { Crc32.checksum(of: $0) }
  }
}

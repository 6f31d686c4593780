import BinaryInput
import Decompression

/// What an ELF file says of the file that its debug information was moved to (`.gnu_debuglink`, as
/// `objcopy --add-gnu-debuglink` writes it; GDB manual, "Separate Debug Files").
package struct DebugLink: Hashable, Sendable {
  /// The file's name. Bytes that are not UTF-8 are replaced by U+FFFD.
  package let name: String
  /// The CRC-32 of the whole file.
  package let checksum: UInt32
}

extension ObjectFile {
  /// The file that this one's debug information was moved to; nil where it names none. Throws
  /// `truncated`. Cost: a walk over the section names and a read of one small section.
  package func debugLink() throws(ObjectFileError) -> DebugLink? {
    guard format == .elf, let content = try debugSection(".gnu_debuglink") else { return nil }
    var reader = content.reader(byteOrder: byteOrder)
    do throws(ByteReadError) {
      // The name, a zero, up to three more up to a multiple of 4, the checksum.
      let name = try reader.readCString()
      let odd = UInt64(reader.position % 4)
      if odd > 0 { try reader.skip(4 - odd) }
      return DebugLink(
        name: String(decoding: name, as: UTF8.self), checksum: try reader.read())
    } catch {
      throw self.error(.truncation(.section(".gnu_debuglink"), error))
    }
  }

  /// The CRC-32 of the slice, which of ELF is the whole file. Cost: every byte is read.
  package func checksum() -> UInt32 {
    region.withRawSpan { Crc32.checksum(of: $0) }
  }
}

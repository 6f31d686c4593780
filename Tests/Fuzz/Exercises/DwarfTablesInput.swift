import BinaryInput
import DwarfReader
import ObjectFiles
import SymbolicationModel

/// DWARF sections as a sequence of bytes, in which a fuzzer can move the borders.
///
/// A byte of flags (1: big-endian, 2: addresses of 4 bytes), then for each of `names` 2 bytes with
/// the size of the section in little-endian order, then the sections. The remaining bytes belong to
/// the last section. All addresses are code.
package enum DwarfTablesInput {
  static let names: [DwarfSectionName] = [
    .info, .abbreviations, .addressRanges, .rangeLists, .line,
  ]

  static func sections(_ bytes: [UInt8]) -> DwarfSections {
    var rest = bytes[...]
    let flags = rest.popFirst() ?? 0
    var sizes: [Int] = []
    for _ in names {
      let (low, high) = (rest.popFirst() ?? 0, rest.popFirst() ?? 0)
      sizes.append(Int(high) << 8 | Int(low))
    }
    var regions: [DwarfSectionName: ByteRegion] = [:]
    for (name, size) in zip(names, sizes) {
      let content = name == names.last ? rest : rest.prefix(size)
      rest = rest.dropFirst(content.count)
      if !content.isEmpty { regions[name] = ByteRegion(copying: content) }
    }
    return DwarfSections(
      regions: regions, byteOrder: flags & 1 == 0 ? .little : .big,
      addressSize: flags & 2 == 0 ? 8 : 4,
      codeRanges: [LinkAddress(0)..<LinkAddress(.max)])
  }

  /// An input for each slice of an object file, with its sections as far as their sizes fit.
  package static func inputs(fromObjectFile bytes: [UInt8]) -> [[UInt8]] {
    guard let container = try? ObjectContainer.parse(ByteRegion(copying: bytes), path: "seed")
    else {
      return []
    }
    return container.objectFiles.map { file in
      var input: [UInt8] = [
        (file.byteOrder == .big ? 1 : 0) | (file.addressSize == 4 ? 2 : 0)
      ]
      let contents = names.map { name -> [UInt8] in
        Array(((try? file.debugSection(name.rawValue))?.bytes ?? []).prefix(0x4000))
      }
      for content in contents {
        input += [UInt8(content.count & 0xff), UInt8(content.count >> 8)]
      }
      return input + contents.joined()
    }
  }
}

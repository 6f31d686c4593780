import BinaryInput
import DwarfReader
import ObjectFiles
import SymbolicationModel

/// The DWARF of an image, and of one file that it refers to, as a sequence of bytes, so that a
/// fuzzer changes DWARF and not the headers of an object file.
///
/// A byte of flags (1: big-endian, 2: addresses of 4 bytes), then records up to the end: a byte
/// with the kind of the record, 3 bytes with the size in little-endian order, and the content. A
/// size that is too great means all remaining bytes. The kind is the index of a section in
/// `DwarfSectionName.allCases`, plus `ofOtherFile` for one of the other file, or `codeRanges`.
/// Records of other kinds are ignored.
package struct DwarfReaderInput {
  /// The kind of a record with the code ranges of the image: pairs of 8 bytes in little-endian
  /// order, start and end (exclusive), ascending. Without it, all addresses are code.
  static let codeRanges: UInt8 = 0x1f
  static let ofOtherFile: UInt8 = 0x20

  let image: DwarfSections
  /// Used as the supplementary file and as a file of split units; nil if no section belongs to it.
  let other: DwarfSections?

  init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    let flags = rest.popFirst() ?? 0
    var imageRegions: [DwarfSectionName: ByteRegion] = [:]
    var otherRegions: [DwarfSectionName: ByteRegion] = [:]
    var ranges: [Range<LinkAddress>] = []
    while rest.count >= 4 {
      let kind = rest[rest.startIndex]
      let size = rest.dropFirst().prefix(3).reversed().reduce(0) { $0 << 8 | Int($1) }
      let content = rest.dropFirst(4).prefix(size)
      rest = rest.dropFirst(4 + content.count)
      if kind == Self.codeRanges {
        ranges = Self.ranges(content)
        continue
      }
      let names = DwarfSectionName.allCases
      let index = Int(kind & ~Self.ofOtherFile)
      guard names.indices.contains(index) else { continue }
      let region = ByteRegion(copying: content)
      if kind & Self.ofOtherFile == 0 {
        imageRegions[names[index]] = region
      } else {
        otherRegions[names[index]] = region
      }
    }
    if ranges.isEmpty { ranges = [LinkAddress(0)..<LinkAddress(.max)] }
    func sections(_ regions: [DwarfSectionName: ByteRegion]) -> DwarfSections {
      DwarfSections(
        regions: regions, byteOrder: flags & 1 == 0 ? .little : .big,
        addressSize: flags & 2 == 0 ? 8 : 4, codeRanges: ranges)
    }
    self.image = sections(imageRegions)
    self.other = otherRegions.isEmpty ? nil : sections(otherRegions)
  }

  /// The ascending ranges; those out of order are left out.
  private static func ranges(_ content: ArraySlice<UInt8>) -> [Range<LinkAddress>] {
    var ranges: [Range<LinkAddress>] = []
    var rest = content
    while rest.count >= 16 {
      let low = rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
      let high = rest.dropFirst(8).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
      rest = rest.dropFirst(16)
      if low < high, ranges.last.map({ $0.upperBound.value < low }) ?? true {
        ranges.append(LinkAddress(low)..<LinkAddress(high))
      }
    }
    return ranges
  }

  /// An input for each slice of the object file `image` with DWARF, with its sections and those of
  /// `other`, a file that the image refers to.
  package static func inputs(fromObjectFile image: [UInt8], other: [UInt8]? = nil) -> [[UInt8]] {
    let otherRecords = other.flatMap { files($0).first }.map {
      records(of: $0, mark: ofOtherFile)
    }
    return files(image).compactMap { file in
      guard file.hasDebugInfo else { return nil }
      var input: [UInt8] = [
        (file.byteOrder == .big ? 1 : 0) | (file.addressSize == 4 ? 2 : 0)
      ]
      let ranges = file.codeRanges.flatMap { range in
        [range.lowerBound.value, range.upperBound.value].flatMap { bound in
          (0..<8).map { UInt8(truncatingIfNeeded: bound >> (8 * UInt64($0))) }
        }
      }
      append(ranges, kind: codeRanges, to: &input)
      return input + records(of: file, mark: 0) + (otherRecords ?? [])
    }
  }

  static func files(_ bytes: [UInt8]) -> [ObjectFile] {
    (try? ObjectContainer.parse(ByteRegion(copying: bytes), path: "seed"))?.objectFiles ?? []
  }

  private static func records(of file: ObjectFile, mark: UInt8) -> [UInt8] {
    var records: [UInt8] = []
    for (index, region) in debugSections(of: file) {
      append(region.bytes, kind: UInt8(index) | mark, to: &records)
    }
    return records
  }

  /// The sections of `file` by their index in `DwarfSectionName.allCases`; those of split units by
  /// their names without `.dwo`. Sections that cannot be read are left out.
  static func debugSections(of file: ObjectFile) -> [(index: Int, region: ByteRegion)] {
    DwarfSectionName.allCases.enumerated().compactMap { index, name in
      let limit: UInt64 = 1 << 20
      let region =
        (try? file.debugSection(name.rawValue, inflatedSizeLimit: limit))
        ?? (try? file.debugSection(name.rawValue + ".dwo", inflatedSizeLimit: limit))
      return (region ?? nil).map { (index, $0) }
    }
  }

  private static func append(_ content: [UInt8], kind: UInt8, to input: inout [UInt8]) {
    guard !content.isEmpty, content.count < 1 << 24 else { return }
    input.append(kind)
    for shift in [0, 8, 16] { input.append(UInt8(truncatingIfNeeded: content.count >> shift)) }
    input += content
  }
}

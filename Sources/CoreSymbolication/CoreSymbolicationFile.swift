package import BinaryInput
package import SymbolicationModel

// Apple's own symbol files: `Symbols/UUID.symbols` in an `.ipa` and in what Xcode uploads. The
// framework CoreSymbolication writes and reads them. Apple has not described the format; this is
// what radare2 and rizin (`bin/format/mach0/coresymbolication.c`, `bin/p/bin_symbols.c`) and
// Frida's reader of signatures found out, and what files show. All numbers are little-endian.
//
// A signature, which lists images, here one:
//
//      0  4  0xff01ff02
//      4  4  version: 1
//     20  4  number of images
//     24 16  UUID
//     64  4  CPU type
//     68  4  CPU subtype
//     72  4  number of segments
//     76  4  size of the path
//     80  …  path of the DWARF file on the machine of the build, padded with zeros
//      …  …  segments: name (16), address (8), size (8)
//
// Then 16 bytes (0xa1b22b1a, a number, 0xa1b22b1a, size), and the symbols: `SymbolTables`.

/// A symbol file in the format of Apple's CoreSymbolication.
package struct CoreSymbolicationFile: Sendable {
  package let identity: ImageIdentity?
  package let architecture: Architecture
  /// The file that it was made from, on the machine of the build.
  package let sourcePath: String
  /// The link address of `__TEXT`. Addresses of symbols count from there.
  package let linkBase: LinkAddress
  /// The size of `__TEXT` in bytes.
  package let textSize: UInt64
  let tables: SymbolTables

  /// Opens the file that fills `region`.
  ///
  /// Throws if a field of a head has a value that is impossible or unknown, and if a table does not
  /// fit into the file. Names and addresses in the tables are read by lookups.
  ///
  /// Cost: reads the heads and the names of sections.
  package init(_ region: ByteRegion, path: String) throws(SymbolFileProblem) {
    let file = FieldReader(region: region, path: path, structure: "CoreSymbolication header")
    for (offset, field) in [(4, "version"), (20, "number of images")] {
      let number = try file.number(at: UInt64(offset))
      guard number == 1 else {
        throw file.problem(
          .unsupported(
            structure: "\(field) in the CoreSymbolication header", value: UInt64(number)))
      }
    }
    let uuid = try file.bytes(at: 24, count: 16)
    let (cpuType, cpuSubtype) = (try file.number(at: 64), try file.number(at: 68))
    let segmentCount = UInt64(try file.number(at: 72))
    let pathSize = UInt64(try file.number(at: 76))
    identity = ImageIdentity(bytes: uuid)
    architecture = Architecture(machCpuType: cpuType, subtype: cpuSubtype)
    sourcePath = try file.path(at: Self.pathOffset, count: pathSize, "path of the image")
    let segments = Self.pathOffset + pathSize
    let end = try file.end(
      ofTableAt: segments, count: segmentCount, stride: Self.segmentSize, "number of segments")
    guard
      let text = try Segment.all(in: file, at: segments, count: segmentCount)
        .first(where: { $0.name == Segment.text })
    else {
      throw file.problem(
        .damaged(structure: "segments of the CoreSymbolication header", offset: segments))
    }
    linkBase = LinkAddress(text.address)
    textSize = text.size
    try file.expect(Self.mark, at: end, in: "mark before the CoreSymbolication symbols")
    try file.expect(Self.mark, at: end + 8, in: "mark before the CoreSymbolication symbols")
    tables = try SymbolTables(
      file.part(from: end + 16, "CoreSymbolication symbols"), uuid: uuid, cpuType: cpuType,
      cpuSubtype: cpuSubtype)
  }

  private static let pathOffset: UInt64 = 80
  static let segmentSize: UInt64 = 32
  private static let mark: UInt32 = 0xa1b2_2b1a
}

/// A segment of the image, as the signature and the symbols list it.
struct Segment {
  let name: String
  let address: UInt64
  let size: UInt64

  static let text = "__TEXT"

  /// - Parameter nameIsLast: whether the name follows the numbers.
  static func all(
    in file: FieldReader, at offset: UInt64, count: UInt64, nameIsLast: Bool = false
  ) throws(SymbolFileProblem) -> [Segment] {
    var segments: [Segment] = []
    for index in 0..<count {
      let start = offset + index * CoreSymbolicationFile.segmentSize
      let name = try file.bytes(at: nameIsLast ? start + 16 : start, count: 16)
      let numbers = nameIsLast ? start : start + 16
      segments.append(
        Segment(
          name: String(decoding: name.prefix { $0 != 0 }, as: UTF8.self),
          address: try file.number64(at: numbers), size: try file.number64(at: numbers + 8)))
    }
    return segments
  }
}

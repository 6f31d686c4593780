import AddressResolver
import ObjectFiles
import SymbolIndex
import SymbolicationModel
import TestSupport

/// An index of one of the project's symbol files, made by `IndexBuilder`.
struct IndexFixture: CustomStringConvertible {
  let path: String
  var architecture: Architecture?

  init(_ path: String, _ architecture: Architecture? = nil) {
    self.path = path
    self.architecture = architecture
  }

  var description: String { path + (architecture.map { " (\($0))" } ?? "") }

  static let withDebugInformation: [IndexFixture] =
    [
      IndexFixture(
        "LetterShuffle/Letter Shuffle.app.dSYM/Contents/Resources/DWARF/Letter Shuffle"),
      IndexFixture("Inlines/Inlines.dSYM/Contents/Resources/DWARF/Inlines"),
      IndexFixture("ClangModule/ClangModule.dSYM/Contents/Resources/DWARF/Rack"),
      IndexFixture("MachO/arm64_32.dSYM/Contents/Resources/DWARF/Shapes"),
      IndexFixture("Elf/clerk-swift.elf"),
    ]
    + ["arm64-dwarf2", "arm64-dwarf4", "arm64-dwarf5", "x86_64-dwarf5"].map {
      IndexFixture("Dwarf/\($0).dSYM/Contents/Resources/DWARF/Shapes")
    }
    + ["x86_64", "arm64e"].map {
      IndexFixture("Fat/fat.dSYM/Contents/Resources/DWARF/Shapes", Architecture(name: $0))
    }
    + ["libshapes", "libshapes-zstd", "shapes-pie", "shapes-fixed", "shapes-aarch64", "shapes-gcc"]
    .map { IndexFixture("Elf/\($0).elf") }

  static let withSymbolsAlone = [
    "MachO/shapes-arm64", "MachO/libshapes.dylib", "Elf/libshapes-nodebug.elf",
  ]
  .map { IndexFixture($0) }

  func objectFile() throws -> ObjectFile {
    try ObjectContainer.openForUse(path: Fixtures.path(path))
      .preferredObjectFile(for: architecture)
  }

  /// The bytes of the index, with the trailer, which states the link base.
  func index() throws -> [UInt8] {
    let file = try objectFile()
    let pieces = try IndexBuilder(file).build(jobs: 1).pieces
    let ending = IndexTrailer.ending(
      linkBase: file.linkBase(), architecture: file.architecture,
      source: SourceStamp(
        size: 0, modificationSeconds: 0, modificationNanoseconds: 0, path: file.path),
      of: pieces)
    return pieces.flatMap(\.self) + ending
  }

  /// Every address of the image's code, and some around it.
  func addresses() throws -> [LinkAddress] {
    try objectFile().codeRanges.flatMap { range in
      (range.lowerBound.value &- 4..<range.upperBound.value + 4).map { LinkAddress($0) }
    }
  }
}

extension ResolvedAddress {
  /// The answer without columns, which no index holds.
  var withoutColumns: ResolvedAddress {
    ResolvedAddress(
      inlinedFrames: inlinedFrames.map(\.withoutColumn), function: function.withoutColumn,
      origin: origin)
  }
}

extension ResolvedFrame {
  fileprivate var withoutColumn: ResolvedFrame {
    ResolvedFrame(
      name: name, rawName: rawName,
      location: location.map { SourceLocation(path: $0.path, line: $0.line) },
      rangeStart: rangeStart)
  }
}

import DwarfReader
import SymbolicationModel
import Synchronization
import TestSupport
import Testing

/// Split DWARF (DWARF 5, section 7.3.2, and the older GNU extension of the same design). Expected
/// values are read off `SplitImage`. libdwarf is not given the other file.
@Suite struct SplitUnitTests {
  private typealias Place = SymbolicationModel.SourceLocation

  private func open(
    _ kind: DwarfReaderKind, _ units: SplitImage, _ split: DwarfSections? = nil
  ) throws -> any DwarfReading {
    try kind.open(
      units.image.sections(),
      referencedFiles: ReferencedFiles(splitFiles: [
        units.reference: split ?? units.split.sections(code: nil)
      ]))
  }

  /// The answers for `SplitImage`, whose code begins at `low`.
  static func expect(
    _ reader: any DwarfReading, low: UInt64 = 0x2000, suffix: String = ""
  ) throws {
    try expectEqual(reader.names(low), ["f" + suffix])
    try expectEqual(reader.names(low + 8), ["inner" + suffix, "f" + suffix])
    try expectEqual(reader.names(low + 0x10), ["f" + suffix])
    try expectEqual(
      reader.frames(low + 0xf).map(\.location),
      [Place(path: "/build/a.c", line: 5), Place(path: "/build/a.c", line: 33)])
    try expectEqual(reader.range(low + 0xf), code(low + 8, low + 0x10))
    for piece in [low + 0x40, low + 0x80] {
      try expectEqual(reader.names(piece), ["g" + suffix])
      try expectEqual(reader.range(piece + 0xf), code(piece, piece + 0x10))
      try expectEmpty(reader.frames(piece + 0x10))
    }
    try expectEmpty(reader.frames(low + 0x20))
    try expectEqual(reader.row(low + 0x20)?.line, 5)
  }

  @Test(arguments: DwarfReaderKind.withReferencedFiles, SplitImage.version4Formats)
  func version4(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let reader = try open(kind, SplitImage(format))
    try Self.expect(reader)
    expectEmpty(reader.faults)
  }

  @Test(arguments: DwarfReaderKind.withReferencedFiles, SplitImage.version5Formats)
  func version5(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let reader = try open(kind, SplitImage(format))
    try Self.expect(reader)
    expectEmpty(reader.faults)
  }

  /// swiftc and clang write such a unit for each imported module: it names a module file, which has
  /// no code. An index decodes every unit, and must not look for that file.
  @Test(arguments: [4, 5] as [UInt16])
  func unitsOfClangModulesAskForNoFile(version: UInt16) throws {
    let image = DwarfImageBuilder(DwarfFormat(version: version))
    image.addUnit { unit in
      unit.die(
        Tag.compileUnit,
        [
          .directory("/build"), .string(Attribute.gnuDwoName, "/cache/Deck.pcm"),
          .data8(Attribute.gnuDwoIdentifier, 1),
        ])
    }
    let files = CountingFiles()
    let source = try DwarfIndexSource(sections: image.sections(), referencedFiles: files)
    expectEqual(source.unitCount, 1)
    try expectEmpty(source.unit(0).faults)
    expectEqual(files.count, 0)
  }

  /// Several skeletons in one image, each with its own file, addresses and ranges.
  @Test(arguments: DwarfReaderKind.withReferencedFiles, [4, 5] as [UInt16])
  func severalSkeletons(kind: DwarfReaderKind, version: UInt16) throws {
    let format = DwarfFormat(version: version)
    let image = DwarfImageBuilder(format)
    let units = [1, 2, 3].map { (number: UInt64) in
      SplitImage(
        format, identifier: number << 40, low: 0x2000 * number, suffix: "\(number)", image: image)
    }
    image.addUnit("plain", 0x1000..<0x1010)
    let files = ReferencedFiles(
      splitFiles: Dictionary(
        uniqueKeysWithValues: units.map { ($0.reference, $0.split.sections(code: nil)) }))
    let reader = try kind.open(image.sections(), referencedFiles: files)
    for number: UInt64 in [3, 1, 2] {
      try Self.expect(reader, low: 0x2000 * number, suffix: "\(number)")
    }
    try expectEqual(reader.name(0x1000), "plain")
    expectEmpty(reader.faults)
  }

  /// The lines are in the image, and remain.
  @Test(arguments: DwarfReaderKind.withReferencedFiles, [4, 5] as [UInt16])
  func fileThatIsNotThere(kind: DwarfReaderKind, version: UInt16) throws {
    let image = SplitImage(DwarfFormat(version: version)).image
    for files in [nil, ReferencedFiles()] {
      let reader = try kind.open(image.sections(), referencedFiles: files)
      try expectEmpty(reader.frames(0x2000))
      try expectEqual(reader.row(0x2000)?.line, 5)
    }
  }

  /// clang's `-fsplit-dwarf-inlining` keeps functions with inlined calls in the skeleton, for use
  /// without the file.
  @Test(arguments: DwarfReaderKind.withReferencedFiles)
  func functionsInTheSkeleton(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    image.addUnit { unit in
      unit.die(
        Tag.compileUnit,
        [
          .directory("/build"), .string(Attribute.gnuDwoName, "a.dwo"),
          .data8(Attribute.gnuDwoIdentifier, 1),
        ], code: 0x1000..<0x1100
      ) { unit in
        let inner = unit.function("inner")
        unit.function("f", 0x1000..<0x1010) {
          $0.die(Tag.inlined, [.origin(inner)], code: 0x1000..<0x1008)
        }
      }
    }
    let reader = try kind.open(image.sections(), referencedFiles: ReferencedFiles())
    try expectEqual(reader.names(0x1000), ["inner", "f"])
  }

  /// A file from another build: no name is taken from it.
  @Test(arguments: DwarfReaderKind.withReferencedFiles, [4, 5] as [UInt16])
  func fileOfAnotherBuild(kind: DwarfReaderKind, version: UInt16) throws {
    let format = DwarfFormat(version: version)
    let units = SplitImage(format)
    let other = SplitImage(format, identifier: 7).split
    let reader = try open(kind, units, other.sections(code: nil))
    try expectEmpty(reader.frames(0x2000))
    try expectEqual(reader.row(0x2000)?.line, 5)
    expectEqual(reader.faults, [.splitUnitNotFound(name: "a.dwo", identifier: units.identifier)])
  }

  /// A file without sections, and one whose unit cannot be read.
  @Test(arguments: DwarfReaderKind.withReferencedFiles, [4, 5] as [UInt16])
  func fileThatIsDamaged(kind: DwarfReaderKind, version: UInt16) throws {
    let units = SplitImage(DwarfFormat(version: version))
    let damaged = DwarfImageBuilder(DwarfFormat(version: version))
    damaged.addUnit { $0.damage([0x55, 1, 2]) }
    for sections in [DwarfImageBuilder().sections(code: nil), damaged.sections(code: nil)] {
      let reader = try open(kind, units, sections)
      try expectEmpty(reader.frames(0x2000))
      try expectEqual(reader.row(0x2000)?.line, 5)
      expectFalse(reader.faults.isEmpty)
    }
  }

  /// The file also contains type units.
  @Test(arguments: DwarfReaderKind.withReferencedFiles)
  func typeUnitsInTheFile(kind: DwarfReaderKind) throws {
    let format = DwarfFormat(version: 5)
    let units = SplitImage(format)
    let file = DwarfImageBuilder(format)
    // The same sections with a type unit in front, whose abbreviations come behind the others.
    for section in [DwarfSectionName.abbreviations, .strings, .stringOffsets, .rangeLists] {
      file[section] = units.split[section]
    }
    file.addUnit(
      type: UnitType.splitType, header: [1, 2, 3, 4, 5, 6, 7, 8, 0x20, 0, 0, 0]
    ) { unit in
      unit.die(Tag.typeUnit, []) { $0.die(Tag.structure, [.name("S")]) }
    }
    file[.info].append(units.split[.info].bytes)
    let reader = try open(kind, units, file.sections(code: nil))
    try Self.expect(reader)
    expectEmpty(reader.faults)
  }
}

/// Finds nothing, and counts the requests for split units.
private final class CountingFiles: DwarfReferencedFiles {
  private let asked = Atomic(0)

  var count: Int { asked.load(ordering: .relaxed) }

  func supplementarySections() -> DwarfSections? { nil }

  func splitFile(for unit: DwarfSplitUnitReference) -> DwarfSplitFile? {
    asked.add(1, ordering: .relaxed)
    return nil
  }
}

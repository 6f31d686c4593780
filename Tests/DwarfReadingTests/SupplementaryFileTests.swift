import DwarfReader
import SymbolicationModel
import TestSupport
import Testing

/// Images whose shared parts dwz moved to a supplementary file. Expected values are read off the
/// two files that each test builds. libdwarf is not given the supplementary file.
@Suite struct SupplementaryFileTests {
  /// A supplementary file with a partial unit. It contains the function `_shared`, and one without
  /// a name of its own whose specification is the first. Returns their offsets, and that of a
  /// string.
  private func supplementary(
    _ format: DwarfFormat
  ) -> (sections: DwarfSections, function: Int, completion: Int, text: UInt64) {
    let image = DwarfImageBuilder(format)
    _ = image.add("padding", to: .strings)
    let text = image.add("text", to: .strings)
    image.addUnit(type: UnitType.partial) { unit in unit.die(Tag.partialUnit, [.name("other")]) }
    var function = 0
    var completion = 0
    image.addUnit(type: UnitType.partial) { unit in
      unit.die(Tag.partialUnit, []) { unit in
        let declared = unit.die(
          Tag.subprogram, [.stringPointer(Attribute.name, "shared"), .linkageName("_shared")])
        function = unit.sectionOffset(of: declared)
        completion = unit.sectionOffset(
          of: unit.die(Tag.subprogram, [.reference(Attribute.specification, declared)]))
      }
    }
    return (image.sections(code: nil), function, completion, text)
  }

  /// An image with three functions: one whose origin is `reference` in the supplementary file, one
  /// with a name of form `stringForm` at `text`, and one that inlines the first.
  private func image(
    _ format: DwarfFormat, reference: DieAttribute, stringForm: UInt64, text: UInt64
  ) -> DwarfSections {
    let image = DwarfImageBuilder(format)
    // In this file, the offsets of the supplementary file would be other DIEs and strings.
    _ = image.add("wrong wrong wrong", to: .strings)
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [], code: 0x1000..<0x1100) { unit in
        unit.die(Tag.subprogram, [reference], code: 0x1000..<0x1010)
        unit.die(
          Tag.subprogram, [.offset(Attribute.name, form: stringForm, text)],
          code: 0x1010..<0x1020)
        unit.function("outer", 0x1020..<0x1030) {
          $0.die(Tag.inlined, [reference], code: 0x1020..<0x1028)
        }
      }
    }
    return image.sections()
  }

  private func expect(_ reader: any DwarfReading) throws {
    let frames = try reader.frames(0x1000)
    expectEqual(frames.map(\.name), ["shared"])
    expectEqual(frames.map(\.linkageName), ["_shared"])
    try expectEqual(reader.names(0x1010), ["text"])
    try expectEqual(reader.names(0x1020), ["shared", "outer"])
    expectEmpty(reader.faults)
  }

  @Test(
    arguments: DwarfReaderKind.withReferencedFiles, DwarfFormat.all.filter { $0.version >= 4 })
  func gnuForms(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let other = supplementary(format)
    for target in [other.function, other.completion] {
      let sections = image(
        format,
        reference: .offset(Attribute.abstractOrigin, form: Form.gnuRefAlt, UInt64(target)),
        stringForm: Form.gnuStrpAlt, text: other.text)
      try expect(
        kind.open(sections, referencedFiles: ReferencedFiles(supplementary: other.sections)))
    }
  }

  @Test(
    arguments: DwarfReaderKind.withReferencedFiles,
    [(Form.refSup4, 4), (Form.refSup8, 8)] as [(UInt64, Int)])
  func formsOfVersion5(kind: DwarfReaderKind, form: (code: UInt64, size: Int)) throws {
    for format in DwarfFormat.all(of: 5) {
      let other = supplementary(format)
      let sections = image(
        format,
        reference: .fixed(
          Attribute.abstractOrigin, form: form.code, UInt64(other.completion), size: form.size),
        stringForm: Form.strpSup, text: other.text)
      try expect(
        kind.open(sections, referencedFiles: ReferencedFiles(supplementary: other.sections)))
    }
  }

  /// The two files need not have the same format.
  @Test(arguments: DwarfReaderKind.withReferencedFiles)
  func filesOfDifferentVersions(kind: DwarfReaderKind) throws {
    let other = supplementary(DwarfFormat(version: 5, is64Bit: true))
    let sections = image(
      DwarfFormat(version: 4),
      reference: .offset(Attribute.abstractOrigin, form: Form.gnuRefAlt, UInt64(other.function)),
      stringForm: Form.gnuStrpAlt, text: other.text)
    try expect(
      kind.open(sections, referencedFiles: ReferencedFiles(supplementary: other.sections)))
  }

  /// Without the supplementary file, the names are missing and the functions remain.
  @Test(arguments: DwarfReaderKind.withReferencedFiles)
  func fileThatIsNotThere(kind: DwarfReaderKind) throws {
    let format = DwarfFormat()
    let sections = image(
      format, reference: .offset(Attribute.abstractOrigin, form: Form.gnuRefAlt, 0x20),
      stringForm: Form.gnuStrpAlt, text: 8)
    for files in [nil, ReferencedFiles()] {
      let reader = try kind.open(sections, referencedFiles: files)
      try expectEqual(reader.names(0x1000), [nil])
      try expectEqual(reader.names(0x1010), [nil])
      try expectEqual(reader.names(0x1020), [nil, "outer"])
    }
  }

  /// Offsets behind the sections of the supplementary file, into the header of a unit and into the
  /// middle of a DIE; and a file without sections.
  @Test(arguments: DwarfReaderKind.withReferencedFiles)
  func offsetsThatLeadNowhere(kind: DwarfReaderKind) throws {
    let other = supplementary(DwarfFormat())
    for target: UInt64 in [0x7fff_ffff, 2, UInt64(other.function) + 2, 0] {
      let sections = image(
        DwarfFormat(), reference: .offset(Attribute.abstractOrigin, form: Form.gnuRefAlt, target),
        stringForm: Form.gnuStrpAlt, text: 0x7fff_ffff)
      let reader = try kind.open(
        sections, referencedFiles: ReferencedFiles(supplementary: other.sections))
      try expectEqual(reader.names(0x1000).count, 1)
      try expectEqual(reader.names(0x1010), [nil])
      try expectEqual(reader.names(0x1020).last, "outer")
      expectFalse(reader.faults.isEmpty)
    }
    let sections = image(
      DwarfFormat(),
      reference: .offset(Attribute.abstractOrigin, form: Form.gnuRefAlt, UInt64(other.function)),
      stringForm: Form.gnuStrpAlt, text: 8)
    let empty = DwarfImageBuilder().sections(code: nil)
    let reader = try kind.open(
      sections, referencedFiles: ReferencedFiles(supplementary: empty))
    try expectEqual(reader.names(0x1000), [nil])
    expectFalse(reader.faults.isEmpty)
  }
}

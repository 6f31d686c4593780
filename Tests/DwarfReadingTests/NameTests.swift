import DwarfReader
import SymbolicationModel
import TestSupport
import Testing

/// Names in all forms, and the references that lead to them. Expected values are read off the DIEs
/// that each test builds.
@Suite struct NameTests {
  private func image(
    _ format: DwarfFormat, unit attributes: [DieAttribute] = [], names: [DieAttribute]
  ) -> DwarfImageBuilder {
    let image = DwarfImageBuilder(format)
    add(names, attributes, at: 0x1000, to: image)
    return image
  }

  /// A unit with one function of 0x10 bytes.
  private func add(
    _ names: [DieAttribute], _ attributes: [DieAttribute], at low: UInt64,
    to image: DwarfImageBuilder
  ) {
    image.addUnit { unit in
      unit.die(Tag.compileUnit, attributes, code: low..<(low + 0x10)) { unit in
        unit.die(Tag.subprogram, names, code: low..<(low + 0x10))
      }
    }
  }

  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.all)
  func inlineAndInStringSections(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let image = image(
      format, names: [.stringPointer(Attribute.linkageName, "_f"), .string(Attribute.name, "f")])
    let reader = try kind.open(image)
    try expectEqual(reader.frames(0x1000).map(\.linkageName), ["_f"])
    try expectEqual(reader.names(0x1000), ["f"])
    expectEmpty(reader.faults)
  }

  @Test(arguments: DwarfReaderKind.allCases, [false, true])
  func inLineStrings(kind: DwarfReaderKind, is64Bit: Bool) throws {
    let image = DwarfImageBuilder(DwarfFormat(version: 5, is64Bit: is64Bit))
    _ = image.add("other", to: .lineStrings)
    let offset = image.add("f", to: .lineStrings)
    add([.offset(Attribute.name, form: Form.lineStrp, offset)], [], at: 0x1000, to: image)
    try expectEqual(kind.open(image).names(0x1000), ["f"])
  }

  /// Each unit has its own contribution to `.debug_str_offsets`; index 1 is another string in each.
  @Test(
    arguments: DwarfReaderKind.allCases,
    DwarfFormat.all(of: 5))
  func indices(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let all: [(UInt64, Int)] = [(0x25, 1), (0x26, 2), (0x27, 3), (0x28, 4), (Form.strx, 1)]
    let forms = all.filter { kind.knows(form: $0.0) }
    let image = DwarfImageBuilder(format)
    for (index, (form, size)) in forms.enumerated() {
      let base = image.addStringOffsets(["zero", "name\(index)", "_Zlinkage\(index)"])
      // The base attribute comes after a string that needs it.
      add(
        [
          .fixed(Attribute.name, form: form, 1, size: size),
          .fixed(Attribute.linkageName, form: form, 2, size: size),
        ],
        [
          .fixed(Attribute.compilationDirectory, form: form, 0, size: size),
          .sectionOffset(Attribute.stringOffsetsBase, base),
        ], at: 0x1000 * UInt64(index + 1), to: image)
    }
    let reader = try kind.open(image)
    for index in forms.indices {
      let frames = try reader.frames(0x1000 * UInt64(index + 1))
      expectEqual(frames.map(\.name), ["name\(index)"])
      expectEqual(frames.map(\.linkageName), ["_Zlinkage\(index)"])
    }
    expectEmpty(reader.faults)
  }

  /// An index behind the table, and an offset behind the strings: the function remains, without a
  /// name.
  @Test(arguments: DwarfReaderKind.safe) func namesThatLeadNowhere(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder(DwarfFormat(version: 5))
    let base = image.addStringOffsets(["zero", "one"])
    let unit: [DieAttribute] = [.sectionOffset(Attribute.stringOffsetsBase, base)]
    let names: [DieAttribute] = [
      .uleb128(Attribute.name, form: Form.strx, 99),
      .uleb128(Attribute.name, form: Form.strx, UInt64.max),
      .offset(Attribute.name, form: Form.strp, 0x7fff_ffff),
      .offset(Attribute.name, form: Form.lineStrp, 1),
    ]
    for (index, name) in names.enumerated() {
      add([name], unit, at: 0x1000 * UInt64(index + 1), to: image)
    }
    let reader = try kind.open(image)
    for index in names.indices {
      try expectEqual(reader.names(0x1000 * UInt64(index + 1)), [nil])
    }
    expectFalse(reader.faults.isEmpty)
  }

  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.versions)
  func linkageNames(kind: DwarfReaderKind, format: DwarfFormat) throws {
    for name in [Attribute.linkageName, Attribute.mipsLinkageName] {
      let reader = try kind.open(image(format, names: [.string(name, "_Z1fv"), .name("f")]))
      try expectEqual(reader.frames(0x1000).map(\.linkageName), ["_Z1fv"])
      try expectEqual(reader.names(0x1000), ["f"])
    }
    let both: [DieAttribute] = [
      .string(Attribute.mipsLinkageName, "old"), .string(Attribute.linkageName, "new"),
    ]
    let reader = try kind.open(image(format, names: both))
    try expectEqual(reader.frames(0x1000).map(\.linkageName), ["new"])
    try expectEqual(reader.names(0x1000), [nil])
  }

  @Test(arguments: DwarfReaderKind.allCases) func namesThatAreNoText(kind: DwarfReaderKind) throws {
    let empty = try kind.open(image(DwarfFormat(), names: [.name("")]))
    try expectEqual(empty.names(0x1000), [""])
    let none = try kind.open(image(DwarfFormat(), names: []))
    try expectEqual(none.names(0x1000), [nil])
    let unicode = try kind.open(image(DwarfFormat(), names: [.name("größe👋")]))
    try expectEqual(unicode.names(0x1000), ["größe👋"])
    let invalid = try kind.open(
      image(DwarfFormat(), names: [.raw(Attribute.name, form: Form.string, [0x61, 0xff, 0x62, 0])]))
    try expectEqual(invalid.names(0x1000), ["a\u{fffd}b"])
  }

  /// The function's own name takes precedence over that of its origin; a missing name comes from
  /// there.
  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.versions)
  func originsAndSpecifications(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let references: [(UInt64, Int)] = [
      (Form.ref1, 1), (Form.ref2, 2), (Form.ref4, 4), (Form.ref8, 8), (Form.refUdata, 1),
    ]
    for (form, size) in references {
      let image = DwarfImageBuilder(format)
      image.addUnit { unit in
        unit.die(Tag.compileUnit, [], code: 0x1000..<0x1100) { unit in
          let declaration = unit.function(
            "d", nil, [.string(Attribute.mipsLinkageName, "_d"), .flag(Attribute.declaration)])
          let definition = unit.die(
            Tag.subprogram,
            [.fixed(Attribute.specification, form: form, UInt64(declaration), size: size)])
          unit.function(
            "own", 0x1000..<0x1010,
            [.fixed(Attribute.abstractOrigin, form: form, UInt64(definition), size: size)])
        }
      }
      let frames = try kind.open(image).frames(0x1000)
      expectEqual(frames.map(\.name), ["own"])
      expectEqual(frames.map(\.linkageName), ["_d"])
    }
  }
}

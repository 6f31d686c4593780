import DwarfReader
import SymbolicationModel
import TestSupport
import Testing

/// Values of every form in front of what is looked up. Expected values are read off the DIEs that
/// each test builds.
@Suite struct FormTests {
  /// Each DIE has one attribute of each form of its version: the unit, a type that is skipped, and
  /// two functions, the second behind all of them.
  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.all)
  func everyFormIsPassedOver(kind: DwarfReaderKind, format: DwarfFormat) throws {
    for isIndirect in [false, true] {
      let samples = FormSample.all.filter {
        kind.knows(form: $0.code) && $0.version <= format.version
          && !(isIndirect && $0.implicit != nil)
      }
      let unknown = samples.map { isIndirect ? $0.indirect : $0.attribute }
      let image = DwarfImageBuilder(format)
      image.addUnit { unit in
        unit.die(Tag.compileUnit, unknown, code: 0x1000..<0x1100) { unit in
          unit.die(Tag.structure, unknown) { unit in
            unit.die(0x0d, unknown)
          }
          unit.function("f", 0x1000..<0x1010, unknown) { unit in unit.die(0x05, unknown) }
          unit.die(Tag.subprogram, unknown + [.name("g")], code: 0x1010..<0x1020)
        }
      }
      let reader = try kind.open(image)
      try expectEqual(reader.name(0x100f), "f")
      try expectEqual(reader.name(0x1010), "g")
      expectEmpty(reader.faults)
    }
  }

  /// One form at a time, so that a failure names it.
  @Test(arguments: DwarfReaderKind.allCases, FormSample.all)
  func formIsPassedOver(kind: DwarfReaderKind, sample: FormSample) throws {
    guard kind.knows(form: sample.code) else { return }
    for format in DwarfFormat.versions where format.version >= sample.version {
      let image = DwarfImageBuilder(format)
      image.addUnit { unit in
        unit.die(Tag.compileUnit, [sample.attribute], code: 0x1000..<0x1100) { unit in
          unit.die(Tag.subprogram, [sample.attribute, .name("f")], code: 0x1000..<0x1010)
          unit.function("g", 0x1010..<0x1020)
        }
      }
      let reader = try kind.open(image)
      try expectEqual(reader.name(0x1000), "f")
      try expectEqual(reader.name(0x1010), "g")
      expectEmpty(reader.faults)
    }
  }

  /// `DW_AT_high_pc` as a constant is a length, whatever its form (DWARF 4, section 2.17.2).
  @Test(
    arguments: DwarfReaderKind.allCases,
    [
      (Form.data1, [0x40]), (Form.data2, [0x40, 0]), (Form.data4, [0x40, 0, 0, 0]),
      (Form.data8, [0x40, 0, 0, 0, 0, 0, 0, 0]), (Form.udata, [0x40]), (Form.udata, [0xc0, 0]),
      (Form.sdata, [0xc0, 0]), (Form.indirect, [0x0b, 0x40]), (Form.addr, [0x40, 0x10]),
    ] as [(UInt64, [UInt8])])
  func highPc(kind: DwarfReaderKind, form: (code: UInt64, bytes: [UInt8])) throws {
    for version: UInt16 in [4, 5] {
      let image = DwarfImageBuilder(DwarfFormat(version: version))
      var bytes = form.bytes
      // As an address, it is the end itself.
      if form.code == Form.addr { bytes += [UInt8](repeating: 0, count: 6) }
      image.addUnit { unit in
        unit.die(Tag.compileUnit, [.lowPc(0x1000), .length(0x100)]) { unit in
          unit.die(
            Tag.subprogram,
            [.name("f"), .lowPc(0x1000), .raw(Attribute.highPc, form: form.code, bytes)])
        }
      }
      let reader = try kind.open(image)
      try expectEqual(reader.range(0x103f), code(0x1000, 0x1040))
      try expectNil(reader.answer(at: LinkAddress(0x1040)))
      expectEmpty(reader.faults)
    }
  }

  @Test(arguments: DwarfReaderKind.allCases, [0x40, 0x4000] as [Int64])
  func highPcAsImplicitConstant(kind: DwarfReaderKind, length: Int64) throws {
    let image = DwarfImageBuilder(DwarfFormat(version: 5))
    image.addUnit { unit in
      unit.die(
        Tag.compileUnit, [.lowPc(0x1000), .implicitConstant(Attribute.highPc, length)]
      ) { unit in
        unit.die(
          Tag.subprogram,
          [.name("f"), .lowPc(0x1000), .implicitConstant(Attribute.highPc, length)])
      }
    }
    let reader = try kind.open(image)
    try expectEqual(reader.range(0x103f), code(0x1000, 0x1000 + UInt64(length)))
    try expectNil(reader.answer(at: LinkAddress(0x1000 + UInt64(length))))
  }

  /// `DW_AT_low_pc` as an index of every size, with a base behind the first contribution.
  @Test(
    arguments: DwarfReaderKind.allCases,
    [
      (Form.addrx, [1]), (Form.addrx, [0x81, 0]), (0x29, [1]), (0x2a, [1, 0]), (0x2b, [1, 0, 0]),
      (0x2c, [1, 0, 0, 0]), (Form.indirect, [0x29, 1]),
    ] as [(UInt64, [UInt8])])
  func lowPcAsIndex(kind: DwarfReaderKind, form: (code: UInt64, bytes: [UInt8])) throws {
    guard kind.readsEveryAddressIndex || form.code == Form.addrx else { return }
    let image = DwarfImageBuilder(DwarfFormat(version: 5))
    _ = image.addAddresses([0x7000, 0x7000])
    let base = image.addAddresses([0x1000, 0x2000, 0x2080, 0x2090])
    image.addUnit { unit in
      // The base attribute comes after the index that needs it.
      unit.die(
        Tag.compileUnit,
        [
          .raw(Attribute.lowPc, form: form.code, form.bytes), .length(0x100),
          .sectionOffset(Attribute.addressBase, base),
        ]
      ) { unit in
        unit.die(
          Tag.subprogram,
          [.name("f"), .raw(Attribute.lowPc, form: form.code, form.bytes), .length(0x10)])
        unit.die(
          Tag.subprogram, [.name("g"), .addressIndex(Attribute.lowPc, 0), .length(0x10)])
        if kind.readsEveryAddressIndex {
          unit.die(
            Tag.subprogram,
            [.name("h"), .addressIndex(Attribute.lowPc, 2), .addressIndex(Attribute.highPc, 3)])
        }
      }
    }
    let reader = try kind.open(image)
    try expectEqual(reader.range(0x2000), code(0x2000, 0x2010))
    try expectNil(reader.answer(at: LinkAddress(0x2010)))
    if kind.readsEveryAddressIndex {
      try expectEqual(reader.range(0x2080), code(0x2080, 0x2090))
    }
    expectEmpty(reader.faults)
  }

  /// `DW_FORM_indirect` that refers to itself may be rejected or read, but must not loop forever.
  @Test(arguments: DwarfReaderKind.safe, [1, 2, 1000])
  func nestedIndirect(kind: DwarfReaderKind, count: Int) throws {
    let image = DwarfImageBuilder()
    let indirect = [UInt8](repeating: 0x16, count: count)
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [], code: 0x1000..<0x1100) { unit in
        unit.die(
          Tag.subprogram,
          [.raw(Attribute.unknown, form: Form.indirect, indirect + [0x0b, 7]), .name("f")],
          code: 0x1000..<0x1010)
      }
    }
    image.addUnit("g", 0x2000..<0x2010)
    let reader = try kind.open(image)
    let name = try? reader.name(0x1000)
    expectTrue(name == "f" || !reader.faults.isEmpty)
    try expectEqual(reader.name(0x2000), "g")
  }

  /// An unknown form cannot be skipped: its unit is lost, but no other.
  @Test(arguments: DwarfReaderKind.allCases, [0x2d, 0x1f22, 0x7f, 0x12345] as [UInt64])
  func unknownForm(kind: DwarfReaderKind, form: UInt64) throws {
    let image = DwarfImageBuilder()
    image.addUnit("g", 0x2000..<0x2010)
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [], code: 0x1000..<0x1100) { unit in
        unit.function("f", 0x1000..<0x1010)
        unit.die(0x34, [.raw(Attribute.unknown, form: form, [1, 2, 3]), .name("v")])
        unit.function("h", 0x1010..<0x1020)
      }
    }
    image.addUnit("i", 0x3000..<0x3010)
    let reader = try kind.open(image)
    _ = try? reader.name(0x1010)
    expectFalse(reader.faults.isEmpty)
    try expectEqual(reader.name(0x2000), "g")
    try expectEqual(reader.name(0x3000), "i")
  }
}

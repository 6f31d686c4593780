import ObjectFiles
import SymbolicationModel
import TestSupport
import Testing

/// Which symbols count follows from the gABI, chapter 4, and the ABIs of ARM (mapping symbols):
/// `info` is the binding (0 local, 1 global, 2 weak) times 16 plus the type (0 none, 1 object, 2
/// function, 3 section, 10 indirect function).
@Suite struct ElfSymbolTests {
  private func image(
    _ symbols: [ElfImage.Symbol], machine: UInt16 = 62, type: UInt16 = 2, name: String = ".symtab",
    tableType: UInt32 = 2, entrySize: UInt64? = nil
  ) -> ElfImage {
    var image = ElfImage(
      is64Bit: machine != 40, type: type, machine: machine,
      sections: [
        .text(0x1000, size: 0x100),
        .init(name: ".data", type: 8, flags: 3, address: 0x2000, size: 0x100),
      ])
    image.addSymbols(symbols, name: name, type: tableType, entrySize: entrySize)
    return image
  }

  /// Dart's file of symbols has its code in a section without a size. A label without a size would
  /// have no end there.
  @Test func sectionWithoutSize() throws {
    var image = ElfImage(sections: [.text(0x1000, size: 0)])
    image.addSymbols([
      .init(name: "Page.load", info: 0x02, value: 0x1010, size: 12),
      .init(name: "label", info: 0x02, value: 0x1020),
    ])
    let table = try parseThin(image.bytes).symbolTable()
    expectEqual(
      (0..<table.count).map { table[$0] },
      [Symbol(rawName: "Page.load", addresses: addresses(0x1010, 0x101c))])
  }

  private func all(_ symbols: [ElfImage.Symbol], machine: UInt16 = 62) throws -> [Symbol] {
    let table = try parseThin(image(symbols, machine: machine).bytes).symbolTable()
    expectEqual(table.faults, [])
    return (0..<table.count).map { table[$0] }
  }

  @Test func symbolsEndByTheirSizeOrAtTheNext() throws {
    let symbols = try all([
      .init(name: "sized", value: 0x1000, size: 0x10),
      .init(name: "label", info: 0x10, value: 0x1020),
      .init(name: "next", value: 0x1040, size: 0x10),
      .init(name: "last_label", info: 0, value: 0x1060),
      .init(name: "too_long", value: 0x10f0, size: 0x1000),
      .init(name: "endless", value: 0x10f8, size: .max),
    ])
    expectEqual(
      symbols,
      [
        Symbol(rawName: "sized", addresses: addresses(0x1000, 0x1010)),
        Symbol(rawName: "label", addresses: addresses(0x1020, 0x1040)),
        Symbol(rawName: "next", addresses: addresses(0x1040, 0x1050)),
        Symbol(rawName: "last_label", addresses: addresses(0x1060, 0x10f0)),
        Symbol(rawName: "too_long", addresses: addresses(0x10f0, 0x1100)),
        Symbol(rawName: "endless", addresses: addresses(0x10f8, 0x1100)),
      ])
  }

  /// The innermost symbol is the one that starts last. After its end, the outer one continues.
  @Test func findsNestedAndOverlappingSymbols() throws {
    let file = try parseThin(
      image([
        .init(name: "outer", value: 0x1000, size: 0x80),
        .init(name: "inner", value: 0x1010, size: 0x20),
        .init(name: "innermost", value: 0x1018, size: 4),
        .init(name: "second", value: 0x1040, size: 8),
        .init(name: "overlapping", value: 0x1070, size: 0x20),
        .init(name: "apart", value: 0x10a0, size: 1),
      ]).bytes)
    let table = try file.symbolTable()
    let expected: [(UInt64, String?)] = [
      (0xfff, nil), (0x1000, "outer"), (0x100f, "outer"), (0x1010, "inner"), (0x1017, "inner"),
      (0x1018, "innermost"), (0x101b, "innermost"), (0x101c, "inner"), (0x102f, "inner"),
      (0x1030, "outer"), (0x103f, "outer"), (0x1040, "second"), (0x1048, "outer"),
      (0x106f, "outer"), (0x1070, "overlapping"), (0x108f, "overlapping"), (0x1090, nil),
      (0x10a0, "apart"), (0x10a1, nil),
    ]
    for (address, name) in expected {
      expectEqual(
        table.symbol(at: LinkAddress(address))?.rawName, name, "\(String(address, radix: 16))")
    }
  }

  @Test func leavesOutWhatIsNoNameOfCode() throws {
    let symbols = try all([
      .init(name: "undefined", section: 0, value: 0x1000),
      .init(name: "absolute", section: 0xfff1, value: 0x1000),
      .init(name: "common", section: 0xfff2, value: 0x1000),
      .init(name: "beyond_16_bits", section: 0xffff, value: 0x1000),
      .init(name: "no_such_section", section: 6, value: 0x1000),
      .init(name: "data", section: 2, value: 0x2000),
      .init(name: "object", info: 0x11, value: 0x1000),
      .init(name: ".text", info: 0x03, value: 0x1000),
      .init(name: "file.c", info: 0x04, value: 0x1000),
      .init(name: "_etext", info: 0x10, value: 0x1100),
      .init(name: "before", value: 0xfff, size: 0x10),
      .init(name: "", value: 0x1000),
      .init(name: "$x", info: 0, value: 0x1000), .init(name: "$d.17", info: 0, value: 0x1004),
      .init(name: "$a", info: 0, value: 0x1008), .init(name: "$t", info: 0, value: 0x100c),
      .init(name: "$xrv64i2p1", info: 0, value: 0x1010),
      .init(name: "$s4main3runyyF", info: 0x12, value: 0x1020),
      .init(name: "$x_of_mine", info: 0x12, value: 0x1030),
      .init(name: "resolver", info: 0x1a, value: 0x1040),
      .init(name: "label", info: 0x00, value: 0x1050),
    ])
    expectEqual(symbols.map(\.rawName), ["$s4main3runyyF", "$x_of_mine", "resolver", "label"])
  }

  @Test func prefersSizesThenFunctionsThenWiderBindings() throws {
    let symbols = try all([
      .init(name: "unsized", info: 0x12, value: 0x1000),
      .init(name: "local", info: 0x02, value: 0x1000, size: 4),
      .init(name: "weak", info: 0x22, value: 0x1000, size: 8),
      .init(name: "global", info: 0x12, value: 0x1000, size: 2),
      .init(name: "label", info: 0x10, value: 0x1010),
      .init(name: "function", info: 0x02, value: 0x1010),
    ])
    expectEqual(
      symbols,
      [
        // Weak and global symbols rank equal, so the first in the table counts.
        Symbol(rawName: "weak", addresses: addresses(0x1000, 0x1008)),
        Symbol(rawName: "function", addresses: addresses(0x1010, 0x1100)),
      ])
  }

  /// ELF for the ARM architecture, section 5.5.3: bit 0 of a function's address marks Thumb code.
  @Test func thumbFunctionsStartAtEvenAddresses() throws {
    let symbols = try all(
      [
        .init(name: "thumb", value: 0x1011, size: 0x10),
        .init(name: "arm", value: 0x1000, size: 0x10),
        .init(name: "label", info: 0x10, value: 0x1031),
      ], machine: 40)
    expectEqual(
      symbols,
      [
        Symbol(rawName: "arm", addresses: addresses(0x1000, 0x1010)),
        Symbol(rawName: "thumb", addresses: addresses(0x1010, 0x1020)),
        Symbol(rawName: "label", addresses: addresses(0x1031, 0x1100)),
      ])
    let elsewhere = try all([.init(name: "odd", value: 0x1011, size: 0x10)])
    expectEqual(elsewhere.map(\.addresses), [addresses(0x1011, 0x1021)])
  }

  @Test func dynamicSymbolsServeWhereThereAreNoOthers() throws {
    let dynamic = image(
      [.init(name: "exported", value: 0x1000)], name: ".dynsym", tableType: 11)
    try expectEqual(parseThin(dynamic.bytes).symbolTable()[0].rawName, "exported")
    var both = dynamic
    both.addSymbols([.init(name: "private", value: 0x1000)])
    let file = try parseThin(both.bytes)
    try expectEqual(file.symbolTable()[0].rawName, "private")
    try expectEqual(file.dynamicSymbolTable()?[0].rawName, "exported")
    try expectNil(parseThin(dynamic.bytes).dynamicSymbolTable())
    try expectNil(parseThin(image([]).bytes).dynamicSymbolTable())
  }

  @Test func refusesTablesItCannotRead() throws {
    let symbol = ElfImage.Symbol(name: "f", value: 0x1000)
    let file = try parseThin(image([symbol], entrySize: 23).bytes)
    let error = #expect(throws: ObjectFileError.self) { try file.symbolTable() }
    expectEqual(error?.reason, .entrySize(.symbolTable, stated: 23, expected: 24))
    expectEqual(error?.architecture, .x86_64)

    let relocatable = try parseThin(image([symbol], type: 1).bytes)
    let relocation = #expect(throws: ObjectFileError.self) { try relocatable.symbolTable() }
    expectEqual(relocation?.reason, .needsRelocation(.symbolTable))
    expectEqual(relocatable.codeRanges, [])
  }

  @Test func namesOutsideTheStringTableAreCounted() throws {
    let symbols: [ElfImage.Symbol] = [
      .init(name: "lost", value: 0x1000, nameOffset: .max), .init(name: "fine", value: 0x1010),
    ]
    let table = try parseThin(image(symbols).bytes).symbolTable()
    expectEqual(table.count, 1)
    // The symbol at index 0 is the null symbol.
    expectEqual(
      table.faults.map(\.reason), [.namesOutsideStringTable(.symbolTable, count: 1, first: 1)])

    var unlinked = image(symbols)
    unlinked.sections[2].link = 99
    let nameless = try parseThin(unlinked.bytes).symbolTable()
    expectEqual(nameless.count, 0)
    expectEqual(
      nameless.faults.map(\.reason),
      [
        .namesOutsideStringTable(.symbolTable, count: 2, first: 1)
      ])
  }
}

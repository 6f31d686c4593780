import ObjectFiles
import SymbolicationModel
import TestSupport
import Testing

/// Which entries count follows from `<mach-o/nlist.h>`: types are N_EXT 0x01, N_SECT 0x0e, N_PEXT
/// 0x10, N_STAB 0xe0.
@Suite struct MachOSymbolTests {
  /// Two code sections with a gap between them, and a data section.
  private func image(_ symbols: [MachOImage.Symbol], is64Bit: Bool = true) -> MachOImage {
    MachOImage(
      is64Bit: is64Bit, cpuType: is64Bit ? 0x0100_000c : 12, cpuSubtype: is64Bit ? 0 : 9,
      fileType: 10,
      segments: [
        .init(
          name: "__TEXT", address: 0x1000, size: 0x1000,
          sections: [
            .text(0x1100, size: 0x100), .init(name: "__const", address: 0x1300, size: 0x100),
            .init(name: "__text_cold", address: 0x1500, size: 0x40, flags: 0x400),
          ])
      ], symbols: symbols)
  }

  private func all(_ symbols: [MachOImage.Symbol]) throws -> [Symbol] {
    let table = try parseThin(image(symbols).bytes).symbolTable()
    expectEqual(table.faults, [])
    return (0..<table.count).map { table[$0] }
  }

  @Test func symbolsReachToTheNextOrToTheEndOfTheirSection() throws {
    let symbols = try all([
      .init(name: "_cold", section: 3, value: 0x1500), .init(name: "_b", value: 0x1140),
      .init(name: "_a", value: 0x1100), .init(name: "_c", value: 0x11ff),
    ])
    expectEqual(
      symbols,
      [
        Symbol(rawName: "_a", addresses: addresses(0x1100, 0x1140)),
        Symbol(rawName: "_b", addresses: addresses(0x1140, 0x11ff)),
        Symbol(rawName: "_c", addresses: addresses(0x11ff, 0x1200)),
        Symbol(rawName: "_cold", addresses: addresses(0x1500, 0x1540)),
      ])
  }

  @Test func findsTheSymbolThatHoldsAnAddress() throws {
    let file = try parseThin(
      image([
        .init(name: "_a", value: 0x1110), .init(name: "_b", value: 0x1140),
        .init(name: "_cold", section: 3, value: 0x1500),
      ]).bytes)
    let table = try file.symbolTable()
    func name(_ address: UInt64) -> String? { table.symbol(at: LinkAddress(address))?.rawName }
    expectNil(name(0))
    expectNil(name(0x110f))
    expectEqual(name(0x1110), "_a")
    expectEqual(name(0x113f), "_a")
    expectEqual(name(0x1140), "_b")
    expectEqual(name(0x11ff), "_b")
    expectNil(name(0x1200))
    expectEqual(name(0x153f), "_cold")
    expectNil(name(0x1540))
    expectNil(name(.max))
    expectEqual(table.index(of: LinkAddress(0x1150)), 1)
  }

  @Test func leavesOutWhatIsNoNameOfCode() throws {
    let symbols = try all([
      .init(name: "_stab", type: 0x24, value: 0x1100),  // N_FUN
      .init(name: "_undefined", type: 0x01, section: 0, value: 0x1100),
      .init(name: "_absolute", type: 0x03, section: 0, value: 0x1100),
      .init(name: "_indirect", type: 0x0b, value: 0x1100),
      .init(name: "_data", section: 2, value: 0x1300),
      .init(name: "_no_section", section: 0, value: 0x1100),
      .init(name: "_no_such_section", section: 4, value: 0x1100),
      .init(name: "_last_section", section: 255, value: 0x1100),
      .init(name: "_before_its_section", value: 0x10ff),
      .init(name: "_at_the_end", value: 0x1200),
      .init(name: "", value: 0x1100),
      .init(name: "_index_0", value: 0x1100, nameOffset: 0),
      .init(name: "<redacted>", value: 0x1100), .init(name: "<redacted_by_tool>", value: 0x1100),
      // The label of clang's assembler for the start of a section in an object file.
      .init(name: "ltmp0", value: 0x1100),
      .init(name: "__mh_execute_header", value: 0x1100),
      .init(name: "__mh_dylib_header", value: 0x1100),
      .init(name: "__mh_bundle_header", value: 0x1100),
      .init(name: "__mh_dylinker_header", value: 0x1100),
      .init(name: "__mh_of_mine_header", value: 0x1180),
      .init(name: "__mh_execute_header_of_mine", value: 0x1190),
      .init(name: "<closure>", value: 0x11a0),
    ])
    expectEqual(
      symbols.map(\.rawName),
      [
        "__mh_of_mine_header", "__mh_execute_header_of_mine", "<closure>",
      ])
  }

  private func ranges(_ image: MachOImage) throws -> [String] {
    let table = try parseThin(image.bytes).symbolTable()
    return (0..<table.count).map { index in
      let symbol = table[index]
      let (low, high) = (symbol.addresses.lowerBound.value, symbol.addresses.upperBound.value)
      return "\(symbol.rawName) \(String(low, radix: 16)) \(String(high, radix: 16))"
    }
  }

  /// Differences as LC_FUNCTION_STARTS has them, from 0x1000: 0x1100, 0x1120, 0x1180, 0x1500. What
  /// begins at 0x1120 has no symbol; `_entry` (N_ALT_ENTRY, 0x0200) is within the function at
  /// 0x1180, and `_unlisted` begins where no function is said to begin.
  @Test func functionStartsEndSymbols() throws {
    var image = image([
      .init(name: "_a", value: 0x1100), .init(name: "_c", value: 0x1180),
      .init(name: "_entry", description: 0x200, value: 0x1190),
      .init(name: "_unlisted", value: 0x11a0), .init(name: "_cold", section: 3, value: 0x1500),
    ])
    image.functionStarts = [0x80, 0x02, 0x20, 0x60, 0x80, 0x07, 0]
    try expectEqual(
      ranges(image),
      [
        "_a 1100 1120", "_c 1180 1190", "_entry 1190 11a0", "_unlisted 11a0 1200",
        "_cold 1500 1540",
      ])
    // A damaged list limits symbols as far as it can be read; missing data limits none.
    image.functionStarts = [0x80, 0x02, 0x20, 0x80]
    try expectEqual(ranges(image)[0], "_a 1100 1120")
    try expectEqual(
      parseThin(image.bytes).symbolTable().faults.map(\.reason), [.damagedFunctionStarts(offset: 3)]
    )
  }

  /// The Thumb bit is not part of an address.
  @Test func functionStartsOfThumbCode() throws {
    var image = image([.init(name: "_thumb", description: 8, value: 0x1100)], is64Bit: false)
    image.functionStarts = [0x81, 0x02, 0x20]  // 0x1101, 0x1121
    try expectEqual(ranges(image), ["_thumb 1100 1120"])
  }

  @Test func symbolsWithHiddenNamesEndOthers() throws {
    let image = image([
      .init(name: "_a", value: 0x1100), .init(name: "<redacted>", value: 0x1120),
      .init(name: "<redacted>", value: 0x1120), .init(name: "_b", value: 0x1140),
      .init(name: "<redacted>", value: 0x1140),
    ])
    try expectEqual(ranges(image), ["_a 1100 1120", "_b 1140 1200"])
    let table = try parseThin(image.bytes).symbolTable()
    expectNil(table.lastHiddenStart(upTo: LinkAddress(0x111f)))
    expectEqual(table.lastHiddenStart(upTo: LinkAddress(0x1120)), LinkAddress(0x1120))
    expectEqual(table.lastHiddenStart(upTo: LinkAddress(.max)), LinkAddress(0x1140))
  }

  /// A symbol among stubs, of 12 bytes each, names one of them.
  @Test func symbolsOfStubsEndWithThem() throws {
    let image = MachOImage(
      segments: [
        .init(
          name: "__TEXT", address: 0x1000, size: 0x1000,
          sections: [
            .init(name: "__stubs", address: 0x1200, size: 66, flags: 0x8000_0408, reserved2: 12)
          ])
      ],
      symbols: [
        .init(name: "_first", value: 0x1200), .init(name: "_inside", value: 0x1210),
        .init(name: "_cut", value: 0x123d),
      ])
    try expectEqual(ranges(image), ["_first 1200 120c", "_inside 1210 1218", "_cut 123d 1242"])
  }

  @Test func prefersNamesThatAreKnownFurther() throws {
    let symbols = try all([
      .init(name: "_private", type: 0x0e, value: 0x1100),
      .init(name: "_private_external", type: 0x1f, value: 0x1100),
      .init(name: "_external", type: 0x0f, value: 0x1100),
      .init(name: "_external_too", type: 0x0f, value: 0x1100),
      .init(name: "_static", type: 0x0e, value: 0x1110),
      .init(name: "_was_private_external", type: 0x1e, value: 0x1110),
      .init(name: "_z_first", type: 0x0e, value: 0x1120),
      .init(name: "_a_second", type: 0x0e, value: 0x1120),
    ])
    expectEqual(symbols.map(\.rawName), ["_external", "_was_private_external", "_z_first"])
  }

  /// N_ARM_THUMB_DEF, 0x0008: the address is even already.
  @Test func thumbSymbolsKeepTheirAddresses() throws {
    let file = try parseThin(
      image(
        [
          .init(name: "_thumb", description: 8, value: 0x1102),
          .init(name: "_odd", description: 8, value: 0x1181),
        ], is64Bit: false
      ).bytes)
    expectEqual(file.architecture, .armv7)
    let table = try file.symbolTable()
    expectEqual(table[0], Symbol(rawName: "_thumb", addresses: addresses(0x1102, 0x1181)))
    expectEqual(table[1].addresses.lowerBound, LinkAddress(0x1181))
  }

  @Test func namesOutsideTheStringTableAreCounted() throws {
    let file = try parseThin(
      image([
        .init(name: "_fine", value: 0x1100),
        .init(name: "_lost", value: 0x1110, nameOffset: 1000),
        .init(name: "_lost_too", value: 0x1120, nameOffset: .max),
      ]).bytes)
    let table = try file.symbolTable()
    expectEqual(table.count, 1)
    expectEqual(
      table.faults.map(\.reason), [.namesOutsideStringTable(.symbolTable, count: 2, first: 1)])
  }

  /// The string table's size is in LC_SYMTAB, its last field.
  @Test func aNameWithoutAnEndRunsToTheEndOfTheTable() throws {
    let image = image([.init(name: "_function", value: 0x1100)])
    let size = image.commandOffset(1) + 20
    // A space, a zero, and four of the name's letters.
    let table = try parseThin(image.bytes.replacing(at: size, with: [6, 0, 0, 0])).symbolTable()
    expectEqual(table[0].rawName, "_fun")
  }

  @Test func namesAreDecodedLeniently() throws {
    let image = image([.init(name: "_xy", value: 0x1100)])
    var bytes = image.bytes
    bytes[bytes.count - 2] = 0xff
    try expectEqual(parseThin(bytes).symbolTable()[0].rawName, "_x\u{fffd}")
  }

  @Test func aFileWithoutSymbolsHasAnEmptyTable() throws {
    let table = try parseThin(image([]).bytes).symbolTable()
    expectEqual(table.count, 0)
    expectNil(table.symbol(at: LinkAddress(0x1100)))
  }
}

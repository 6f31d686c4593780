import ObjectFiles
import SymbolicationModel
import TestSupport
import Testing

/// The debug map of a program as `llvm-nm-19 -ap` prints it (N_SO, N_OSO, N_FUN), and maps that are
/// built here.
struct DebugMapTests {
  private static func fixture(_ name: String) throws -> ObjectFile {
    try require(ObjectContainer.open(path: Fixtures.path("DebugMap/\(name)")).objectFiles.first)
  }

  @Test func aProgram() throws {
    let map = try require(Self.fixture("arm64-dwarf5/ledger").readDebugMap())
    let objects = (0..<map.objectCount).map { map.object($0) }
    expectEqual(
      objects.map(\.path),
      [
        "main.o", "statement.o", "libearly.a(early.o)", "libinterest.a(interest-of-the-year.o)",
      ])
    expectTrue(objects.allSatisfy { $0.modificationTime == 0 })
    let functions = (0..<map.count).map { map[$0] }
    let expected: [(UInt64, UInt64, String, Int)] = [
      (0x1_0000_04b0, 0x40, "_main", 0),
      (0x1_0000_04f0, 0x1c, "_weigh", 0),
      (0x1_0000_050c, 0x3c, "_statement", 1),
      (0x1_0000_0548, 0x28, "__Z7roundedIlET_S0_", 1),
      (0x1_0000_0570, 0x24, "_weigh", 2),
      (0x1_0000_0594, 0x14, "__Z8interestl", 3),
      (0x1_0000_05a8, 0x30, "__ZNK12_GLOBAL__N_14Year3sumEl", 3),
      (0x1_0000_05e4, 0x58, "_early", 2),
    ]
    expectEqual(functions.map(\.name), expected.map(\.2))
    expectEqual(functions.map(\.object), expected.map(\.3))
    expectEqual(
      functions.map(\.addresses), expected.map { LinkAddress($0.0)..<LinkAddress($0.0 + $0.1) })
    for function in functions {
      expectEqual(map.function(at: function.addresses.lowerBound), function)
      expectEqual(map.function(at: LinkAddress(function.addresses.upperBound.value - 1)), function)
    }
    // The stub of `imported`, between two functions, and the addresses before and after all of
    // them.
    for address: UInt64 in [0, 0x1_0000_04af, 0x1_0000_05d8, 0x1_0000_063c, .max] {
      expectNil(map.function(at: LinkAddress(address)))
    }
  }

  /// `weigh` is local and in `__text`, `early` in a section behind it: as `llvm-nm-19` prints them.
  @Test func symbolsOfAnObjectFile() throws {
    let bytes = try Fixtures.bytes(of: Fixtures.path("DebugMap/arm64-dwarf5/main.o"))
    let path = Fixtures.path("DebugMap/arm64-dwarf5/main.o")
    expectFalse(bytes.isEmpty)
    let file = try require(ObjectFile.openMachO(statedPath: path).first)
    try expectNil(file.readDebugMap())
    let symbols = try file.codeSymbolAddresses()
    expectEqual(symbols["_main"], LinkAddress(0))
    expectEqual(symbols["_weigh"], LinkAddress(0x40))
    expectNil(symbols["_early"])
  }

  @Test(arguments: [
    "MachO/shapes-arm64", "MachO/calls-arm64-stripped", "Elf/libshapes.elf",
    "DebugMap/arm64-dwarf5.dSYM/Contents/Resources/DWARF/ledger",
  ])
  func filesWithoutOne(name: String) throws {
    let file = try require(ObjectContainer.open(path: Fixtures.path(name)).objectFiles.first)
    try expectNil(file.readDebugMap())
  }

  // MARK: - Maps of all kinds

  private struct Entry {
    let type: UInt8
    var name = ""
    var value: UInt64 = 0
    static let so: UInt8 = 0x64
    static let oso: UInt8 = 0x66
    static let fun: UInt8 = 0x24
  }

  /// A 64-bit Mach-O executable with nothing but a symbol table.
  private func map(_ entries: [Entry]) throws -> DebugMap? {
    var strings = BinaryBuilder()
    strings.u8(0x20)
    strings.u8(0)
    var table = BinaryBuilder()
    for entry in entries {
      table.u32(entry.name.isEmpty ? 1 : UInt32(strings.count))
      if !entry.name.isEmpty { strings.cString(entry.name) }
      table.u8(entry.type)
      table.u8(1)
      table.u16(0)
      table.u64(entry.value)
    }
    var file = BinaryBuilder()
    for value: UInt32 in [0xfeed_facf, 0x0100_000c, 0, 2, 1, 24, 0, 0] { file.u32(value) }
    for value in [2, 24, 56, entries.count, 56 + table.count, strings.count] {
      file.u32(UInt32(value))
    }
    file.append(table.bytes)
    file.append(strings.bytes)
    return try parseThin(file.bytes).readDebugMap()
  }

  private func shown(_ map: DebugMap?) -> [String] {
    guard let map else { return [] }
    return (0..<map.count).map { index in
      let function = map[index]
      let addresses = function.addresses
      return
        "\(function.name) \(addresses.lowerBound.value)..<\(addresses.upperBound.value) \(map.object(function.object).path)"
    }
  }

  @Test func whatCountsAndWhatDoesNot() throws {
    let map = try map([
      // Without an object file.
      Entry(type: Entry.so, name: "x.c"), Entry(type: Entry.fun, name: "_x", value: 1),
      Entry(type: Entry.fun, value: 2), Entry(type: Entry.so),
      Entry(type: Entry.so, name: "a.c"), Entry(type: Entry.oso, name: "/a.o", value: 77),
      Entry(type: 0x2e, value: 100),  // N_BNSYM
      Entry(type: Entry.fun, name: "_later", value: 200), Entry(type: Entry.fun, value: 8),
      Entry(type: 0x4e, value: 8),  // N_ENSYM
      Entry(type: Entry.fun, name: "_first", value: 100), Entry(type: Entry.fun, value: 4),
      // Without an end, without a size, beyond the end of addresses.
      Entry(type: Entry.fun, name: "_open", value: 120),
      Entry(type: Entry.fun, name: "_empty", value: 130), Entry(type: Entry.fun, value: 0),
      Entry(type: Entry.fun, name: "_huge", value: .max), Entry(type: Entry.fun, value: 9),
      Entry(type: 0x20, name: "_variable"), Entry(type: 0x26, name: "_static", value: 100),
      Entry(type: Entry.so),
      // A function that was folded into one of the first object file.
      Entry(type: Entry.so, name: "b.c"), Entry(type: Entry.oso, name: "b.o"),
      Entry(type: Entry.fun, name: "_same", value: 100), Entry(type: Entry.fun, value: 6),
      Entry(type: Entry.fun, name: "_own", value: 300), Entry(type: Entry.fun, value: 6),
    ])
    expectEqual(
      shown(map), ["_first 100..<104 /a.o", "_later 200..<208 /a.o", "_own 300..<306 b.o"])
    expectEqual(map?.object(0).modificationTime, 77)
  }

  @Test func noFunctionIsNoMap() throws {
    try expectNil(map([Entry(type: Entry.oso, name: "/a.o")]))
    try expectNil(map([]))
  }
}

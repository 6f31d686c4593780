import BinaryInput
import ObjectFiles
import SymbolicationModel
import TestSupport
import Testing

/// The expected values follow `SymbolMap.cpp` of LLVM's dsymutil.
struct BcSymbolMapTests {
  private func map(_ text: String) throws(SymbolMapRefusal) -> BcSymbolMap {
    try BcSymbolMap(ByteRegion(copying: text.utf8))
  }

  private func name(_ hidden: String, in map: BcSymbolMap) throws -> String? {
    map.name(of: try require(HiddenName(hidden)))
  }

  @Test func linesAreNumberedAfterTheHeader() throws {
    let map = try map("BCSymbolMap Version: 2.0\n-[Song play]\n_$s4Song4playyyF\n\n/Users/a b/x.m")
    expectEqual(map.count, 4)
    try expectEqual(name("__hidden#0_", in: map), "-[Song play]")
    try expectEqual(name("__hidden#1_", in: map), "_$s4Song4playyyF")
    try expectNil(name("__hidden#2_", in: map))
    try expectEqual(name("__hidden#3_", in: map), "/Users/a b/x.m")
    try expectNil(name("__hidden#4_", in: map))
    try expectNil(name("__hidden#999999999999999_", in: map))
  }

  @Test func manyLines() throws {
    let map = try map(
      "BCSymbolMap Version: 2.0\r\n" + (0..<1000).map { "name \($0)\r\n" }.joined())
    expectEqual(map.count, 1000)
    for number in 0..<1000 {
      try expectEqual(name("__hidden#\(number)_", in: map), "name \(number)")
    }
  }

  /// Version 1.0 lists names without the underscore of Mach-O symbols; a symbol has one more in its
  /// hidden name, too. Clang marks names that get none with the byte 1.
  @Test func versionsDifferInUnderscores() throws {
    let first = try map("BCSymbolMap Version: 1.0\nplay\n\u{1}-[Song play]\n")
    try expectEqual(name("__hidden#0_", in: first), "play")
    try expectEqual(name("___hidden#0_", in: first), "_play")
    try expectEqual(name("___hidden#1_", in: first), "-[Song play]")
    let second = try map("BCSymbolMap Version: 2.0\n_play\nplay\n")
    try expectEqual(name("__hidden#0_", in: second), "_play")
    try expectEqual(name("___hidden#0_", in: second), "_play")
    // From an index, which has symbols without their underscore.
    try expectEqual(name("_hidden#0_", in: second), "play")
    try expectEqual(name("_hidden#1_", in: second), "play")
  }

  @Test(arguments: [
    ("__hidden#0_", 0), ("__hidden#12_", 12), ("___hidden#12_", 12), ("_hidden#7_", 7),
    ("__hidden#12", 12), ("__hidden#12_.cold.1", 12),
  ])
  func hiddenNames(_ text: String, number: Int) {
    expectEqual(HiddenName(text)?.number, number)
  }

  @Test(arguments: [
    "", "_", "hidden#1_", "____hidden#1_", "__hidden#", "__hidden#_", "__hidden#x_", "__hidden#1x_",
    "__hidden#-1_", "-[__hidden#5_ play]", "__hidden", "_$s4Song4playyyF", "__hidden# 1_",
    "__hidden#99999999999999999999_",
  ])
  func otherNames(_ text: String) {
    expectNil(HiddenName(text))
  }

  @Test func refusesOtherFiles() {
    #expect(throws: SymbolMapRefusal.noHeader(firstBytes: [])) { try map("") }
    #expect(throws: SymbolMapRefusal.noHeader(firstBytes: Array("<html>".utf8))) {
      try map("<html>")
    }
    #expect(throws: SymbolMapRefusal.unsupportedVersion("3.0")) {
      try map("BCSymbolMap Version: 3.0\na\n")
    }
    #expect(throws: SymbolMapRefusal.unsupportedVersion("")) { try map("BCSymbolMap Version:") }
    #expect(throws: SymbolMapRefusal.inaccessible(errno: 2)) {
      try BcSymbolMap(contentsOfFile: "/no-such-file.bcsymbolmap")
    }
  }

  @Test func aLineThatIsTooLongIsNotAName() throws {
    let long = String(repeating: "x", count: BcSymbolMap.nameLimit)
    let map = try map("BCSymbolMap Version: 2.0\n\(long)\n\(long)x\nshort\n")
    try expectEqual(name("__hidden#0_", in: map), long)
    try expectNil(name("__hidden#1_", in: map))
    try expectEqual(name("__hidden#2_", in: map), "short")
  }
}

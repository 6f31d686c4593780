import BinaryInput
import ObjectFiles
import SymbolicationModel
import TestSupport
import Testing

/// Names that share their bytes: linkers let a name begin inside a longer one, and a hostile file
/// lets thousands begin inside one of megabytes. The cost is the bytes of the names, all together.
@Suite struct SharedNameTests {
  // MARK: - One name

  private func table(_ parts: String...) -> ByteRegion {
    ByteRegion(copying: parts.flatMap { Array($0.utf8) + [0] })
  }

  /// `count` letters.
  private func letters(_ count: Int) -> String { String(repeating: "n", count: count) }

  @Test func namesThatBeginInsideOthers() {
    let strings = table("", "_frame", letters(1024), letters(1025))
    expectEqual(strings.name(at: 1), "_frame")
    expectEqual(strings.name(at: 2), "frame")
    expectEqual(strings.name(at: 7), "")
    expectEqual(strings.name(at: 0), "")
    // Two zeros and `_frame` come before.
    expectEqual(strings.name(at: 8), letters(1024))
    expectEqual(strings.name(at: 9), letters(1023))
    expectEqual(strings.name(at: 8 + 1025), letters(1025))
    expectEqual(strings.name(at: 8 + 1025 + 1), letters(1024))
    expectNil(strings.name(at: 8 + 1025 + 1026))
    expectNil(strings.name(at: .max))
  }

  @Test func longerOnesAreCut() {
    let strings = table("x" + letters(5000))
    expectEqual(strings.name(at: 0), "x" + letters(5000))
    expectEqual(strings.name(at: 1), letters(253) + "…")
    expectEqual(strings.name(at: 5001 - 1025), letters(253) + "…")
    expectEqual(strings.name(at: 5001 - 1024), letters(1024))
  }

  /// The last name may have no zero after it.
  @Test func namesWithoutAnEnd() {
    let strings = ByteRegion(copying: Array(letters(2000).utf8))
    expectEqual(strings.name(at: 0), letters(2000))
    expectEqual(strings.name(at: 1), letters(253) + "…")
    expectEqual(strings.name(at: 976), letters(1024))
  }

  // MARK: - Symbol tables

  /// A Mach-O file in which symbol i begins at byte i of one name.
  private func overlapping(_ count: Int) -> [UInt8] {
    let first = MachOImage.Symbol(name: letters(count), value: 0x1_0000)
    let others = (1..<count).map {
      MachOImage.Symbol(name: "", value: 0x1_0000 + UInt64($0), nameOffset: UInt32(2 + $0))
    }
    return image([first] + others)
  }

  /// A Mach-O file in which all symbols have one name.
  private func repeated(_ count: Int) -> [UInt8] {
    let first = MachOImage.Symbol(name: letters(count), value: 0x1_0000)
    let others = (1..<count).map {
      MachOImage.Symbol(name: "", value: 0x1_0000 + UInt64($0), nameOffset: 2)
    }
    return image([first] + others)
  }

  private func image(_ symbols: [MachOImage.Symbol]) -> [UInt8] {
    MachOImage(
      fileType: 10,
      segments: [
        .init(
          name: "__TEXT", address: 0x1_0000, size: 0x1_0000,
          sections: [.text(0x1_0000, size: 0x1_0000)])
      ], symbols: symbols
    ).bytes
  }

  /// The bytes of all names.
  private func cost(_ file: [UInt8]) throws -> (bytes: Int, symbols: Int) {
    let table = try parseThin(file).symbolTable()
    return ((0..<table.count).reduce(0) { $0 + table[$1].rawName.utf8.count }, table.count)
  }

  /// Together the names would have 4 and 16 times as many bytes.
  @Test func overlappingNamesGrowAsTheFile() throws {
    let costs = try [4000, 8000, 16000].map { try cost(overlapping($0)) }
    expectEqual(costs.map(\.symbols), [4000, 8000, 16000])
    for (first, second) in zip(costs, costs.dropFirst()) {
      expectTrue(Double(second.bytes) / Double(first.bytes) < 2.2, "\(costs)")
    }
    // At most 16,000 bytes of the first name, and 1,024 for each other.
    expectTrue(costs[2].bytes <= 16_000 * 1_025)
  }

  /// Each symbol has the whole name, and there is one copy of it.
  @Test func aRepeatedNameIsOneString() throws {
    let table = try parseThin(repeated(4000)).symbolTable()
    expectEqual(table.count, 4000)
    expectEqual(table[0].rawName, letters(4000))
    expectEqual(table[3999].rawName, letters(4000))
    let keys = (0..<4000).map { index -> UInt32? in table.longNameKey(index) }
    expectEqual(Set(keys), [2])
    let short = try parseThin(overlapping(500)).symbolTable()
    expectNil(short.longNameKey(3))
  }

  @Test func symbolTablesOfElf() throws {
    var image = ElfImage(type: 2, machine: 62, sections: [.text(0x1000, size: 0x1000)])
    image.addSymbols(
      [.init(name: "x" + letters(3000), value: 0x1000, size: 0x10)], name: ".symtab", type: 2,
      entrySize: nil)
    let table = try parseThin(image.bytes).symbolTable()
    expectEqual(table[0].rawName, "x" + letters(3000))
  }

  // MARK: - Export tries

  /// Nodes below each other, each with an address of its own: the name of node i has i bytes.
  private func chain(_ count: Int) -> [UInt8] {
    var trie = BinaryBuilder()
    for index in 0..<count {
      let address = UInt64(0x100 + index)
      // Size of the export, its flags and its address in three bytes, one edge, its letter, and the
      // offset of the next node in three bytes: 10 bytes.
      trie.append([
        4, 0, UInt8(address & 0x7f) | 0x80, UInt8(address >> 7 & 0x7f) | 0x80,
        UInt8(address >> 14 & 0x7f), 1, UInt8(ascii: "x"), 0,
      ])
      let next = UInt64(11 * (index + 1))
      trie.append([
        UInt8(next & 0x7f) | 0x80, UInt8(next >> 7 & 0x7f) | 0x80, UInt8(next >> 14 & 0x7f),
      ])
    }
    trie.append([0, 0])
    return trie.bytes
  }

  @Test func namesInATrie() throws {
    var image = MachOImage(
      segments: [
        .init(
          name: "__TEXT", address: 0, size: 0x10_0000,
          sections: [.text(0x100, size: 0xf_0000)])
      ])
    image.exportTrie = chain(20_000)
    let table = try require(parseThin(image.bytes).exportedSymbols(functionStarts: nil))
    expectEqual(table.faults, [])
    expectEqual(table.count, 20_000)
    func name(_ length: Int) -> String? {
      table.symbol(at: LinkAddress(UInt64(0x100 + length)))?.rawName
    }
    expectEqual(name(1), "x")
    expectEqual(name(16_384), String(repeating: "x", count: 16_384))
    expectEqual(name(16_385), "…" + String(repeating: "x", count: 253))
    expectEqual(name(19_999), "…" + String(repeating: "x", count: 253))
  }
}

import ObjectFiles
import SymbolicationModel
import TestSupport
import Testing

/// The format is that of `<mach-o/loader.h>` ("dyld_info_command", EXPORT_SYMBOL_FLAGS_…): a node
/// is the ULEB128 size of its export, the export, and the number of its edges; each edge is its
/// zero-terminated characters and the ULEB128 offset of a node.
@Suite struct ExportTrieTests {
  /// `__TEXT` at 0x1000; code from 0x1100 to 0x1200, then data.
  private func image(
    _ trie: [UInt8], hasLoaderInfo: Bool = false, functionStarts: [UInt8]? = nil,
    cpuType: UInt32 = 0x0100_000c
  ) -> MachOImage {
    MachOImage(
      is64Bit: cpuType != 12, cpuType: cpuType, cpuSubtype: cpuType == 12 ? 9 : 0,
      segments: [
        .init(
          name: "__TEXT", address: 0x1000, size: 0x1000,
          sections: [
            .text(0x1100, size: 0x100), .init(name: "__const", address: 0x1200, size: 0x100),
          ])
      ], functionStarts: functionStarts, exportTrie: trie, hasLoaderInfo: hasLoaderInfo)
  }

  private func exports(_ image: MachOImage) throws -> SymbolTable {
    let file = try parseThin(image.bytes)
    return try require(file.exportedSymbols(functionStarts: file.readFunctionStarts()))
  }

  private func texts(_ table: SymbolTable) -> [String] {
    (0..<table.count).map { index in
      let symbol = table[index]
      let (low, high) = (symbol.addresses.lowerBound.value, symbol.addresses.upperBound.value)
      return "\(symbol.rawName) \(String(low, radix: 16)) \(String(high, radix: 16))"
    }
  }

  /// A node that exports an address, 0x1000 and `offset`, and has no edges.
  private static func leaf(_ offset: UInt64, flags: UInt64 = 0, and more: UInt64? = nil) -> [UInt8]
  {
    var content = BinaryBuilder()
    content.uleb128(flags)
    content.uleb128(offset)
    if let more { content.uleb128(more) }
    return [UInt8(content.count)] + content.bytes + [0]
  }

  /// `_a` at 0x1100; `_b` at 0x1140 and, as a longer name, `_bc` at 0x1120.
  private static let trie: [UInt8] = {
    let nodes: [[UInt8]] = [
      [0, 1, letter("_"), 0, 5],  // 0: the root
      [0, 2, letter("a"), 0, 13, letter("b"), 0, 18],  // 5
      leaf(0x100),  // 13
      [3, 0, 0xc0, 0x02, 1, letter("c"), 0, 26],  // 18
      leaf(0x120),  // 26
    ]
    return nodes.flatMap { $0 }
  }()

  private static func letter(_ letter: Unicode.Scalar) -> UInt8 { UInt8(ascii: letter) }

  @Test(arguments: [false, true])
  func namesAndAddresses(hasLoaderInfo: Bool) throws {
    let table = try exports(image(Self.trie, hasLoaderInfo: hasLoaderInfo))
    expectEqual(table.faults, [])
    expectEqual(texts(table), ["_a 1100 1120", "_bc 1120 1140", "_b 1140 1200"])
    expectNil(table.symbol(at: LinkAddress(0x10ff)))
    expectEqual(table.symbol(at: LinkAddress(0x11ff))?.rawName, "_b")
    expectNil(table.symbol(at: LinkAddress(0x1200)))
  }

  /// 0x1100, 0x1110.
  @Test func functionStartsEndThem() throws {
    let table = try exports(image(Self.trie, functionStarts: [0x80, 0x02, 0x10]))
    expectEqual(texts(table)[0], "_a 1100 1110")
  }

  /// Nodes below the root; the edge to each is one letter.
  private func root(_ leaves: [[UInt8]]) -> [UInt8] {
    var offset = 2 + 3 * leaves.count
    var bytes: [UInt8] = [0, UInt8(leaves.count)]
    for (index, leaf) in leaves.enumerated() {
      bytes += [UInt8(ascii: "a") + UInt8(index), 0, UInt8(offset)]
      offset += leaf.count
    }
    return bytes + leaves.flatMap(\.self)
  }

  @Test func whatIsNoCodeOfTheImageIsLeftOut() throws {
    let table = try exports(
      image(
        root([
          Self.leaf(0x100, flags: 0x04),  // a weak definition
          Self.leaf(0x110, flags: 0x01),  // a thread-local variable
          Self.leaf(0x120, flags: 0x02),  // an absolute value
          // EXPORT_SYMBOL_FLAGS_REEXPORT: the number of a library, and a name there.
          [9, 0x08, 1] + Array("_other\0".utf8) + [0],
          Self.leaf(0x240),  // data
          Self.leaf(0),  // the header
          Self.leaf(0x200),  // where the code ends
          Self.leaf(0xffff_ffff_ffff_f100),  // 0x100
        ])))
    expectEqual(texts(table), ["a 1100 1200"])
    expectEqual(table.faults, [])
  }

  /// EXPORT_SYMBOL_FLAGS_STUB_AND_RESOLVER: the address of the stub, then that of the resolver.
  @Test func stubsWithResolversHaveTwoAddresses() throws {
    let table = try exports(
      image(root([Self.leaf(0x100, flags: 0x10, and: 0x180), Self.leaf(0x140)])))
    expectEqual(texts(table), ["a 1100 1140", "b 1140 1180", "a 1180 1200"])
  }

  @Test func thumbCodeHasEvenAddresses() throws {
    try expectEqual(texts(exports(image(root([Self.leaf(0x101)]), cpuType: 12))), ["a 1100 1200"])
  }

  @Test func theFirstOfSeveralNamesIsKept() throws {
    try expectEqual(
      texts(exports(image(root([Self.leaf(0x110), Self.leaf(0x100), Self.leaf(0x110)])))),
      ["b 1100 1110", "a 1110 1200"])
  }

  // MARK: Damage

  /// An edge back to the root, one to a node that another edge leads to, and one that can be
  /// followed.
  @Test func nodesAreReadOnce() throws {
    let root: [UInt8] = [
      0, 4, Self.letter("a"), 0, 0, Self.letter("b"), 0, 14, Self.letter("c"), 0, 14,
      Self.letter("d"), 0, 19,
    ]
    // The leaves have 5 bytes.
    let bytes = root + Self.leaf(0x100) + Self.leaf(0x120)
    let table = try exports(image(bytes))
    expectEqual(texts(table), ["b 1100 1120", "d 1120 1200"])
    expectEqual(table.faults.map(\.reason), [.damagedExportTrie(offset: 0)])
  }

  @Test func whatCannotBeReadIsPassedOver() throws {
    // The first edge leads out of the data, the second to a leaf.
    let twoEdges: [UInt8] = [0, 2, Self.letter("a"), 0, 99, Self.letter("b"), 0, 8]
    let other = try exports(image(twoEdges + Self.leaf(0x100)))
    expectEqual(texts(other), ["b 1100 1200"])
    expectEqual(other.faults.map(\.reason), [.damagedExportTrie(offset: 99)])
    // The characters of an edge do not end; an export is larger than the rest of the data; a number
    // does not end.
    try expectEqual(
      exports(image([0, 1, 0x61])).faults.map(\.reason), [.damagedExportTrie(offset: 0)])
    try expectEqual(
      exports(image([9, 0, 1])).faults.map(\.reason), [.damagedExportTrie(offset: 0)])
    try expectEqual(exports(image([0x80])).faults.map(\.reason), [.damagedExportTrie(offset: 0)])
  }

  /// 100,000 nodes below each other, each with an address: nothing is recursive, and no name is put
  /// together before it is asked for (together they would have 5 GB).
  @Test func deepTries() throws {
    var trie = BinaryBuilder()
    let count = 100_000
    for index in 0..<count {
      trie.append([3, 0, 0x80, 0x02, 1, UInt8(ascii: "x"), 0])
      // Each node has 10 bytes: the offset's number is filled up to 3.
      let next = UInt64(10 * (index + 1))
      trie.append([
        UInt8(next & 0x7f) | 0x80, UInt8(next >> 7 & 0x7f) | 0x80, UInt8(next >> 14 & 0x7f),
      ])
    }
    trie.append([0, 0])
    let table = try exports(image(trie.bytes))
    expectEqual(table.faults, [])
    expectEqual(table.count, 1)
    // The root's own.
    expectEqual(table[0].rawName, "")
  }

  @Test func aTrieBeyondTheEndIsAnError() throws {
    let bytes = image(Self.trie).bytes
    let file = try parseThin(Array(bytes.dropLast()))
    let error = #expect(throws: ObjectFileError.self) {
      try file.exportedSymbols(functionStarts: nil)
    }
    expectEqual(
      error?.reason,
      .truncated(
        .exportTrie, offset: UInt64(bytes.count - 31), wanted: 31,
        available: UInt64(bytes.count - 1)))
  }

  @Test func filesWithoutATrie() throws {
    try expectNil(parseThin(MachOImage().bytes).exportedSymbols(functionStarts: nil))
    try expectNil(parseThin(image([]).bytes).exportedSymbols(functionStarts: nil))
    try expectNil(parseThin(ElfImage().bytes).exportedSymbols(functionStarts: nil))
  }

  /// As `llvm-objdump-19 --macho --exports-trie` shows it; `__text` ends at 0x10000405c.
  @Test func aLinkedImage() throws {
    let bytes = try Fixtures.bytes(of: Fixtures.path("MachO/calls-arm64-stripped"))
    let table = try require(parseThin(bytes).exportedSymbols(functionStarts: nil))
    expectEqual(table.faults, [])
    expectEqual(texts(table), ["_twice 100004000 100004030", "_main 100004030 100004060"])
  }
}

import BinaryInput
import SymbolIndex
import SymbolicationModel
import TestSupport
import Testing

/// Files that no honest program writes. Reading them must end, with an error if the bytes
/// contradict themselves.
@Suite struct GsymHostileTests {
  /// Calls every function of a file.
  /// - Returns: the number of calls that threw an error; nil if the file could not be opened.
  @discardableResult
  private func exercise(_ bytes: [UInt8]) -> Int? {
    guard let file = try? GsymFile(ByteRegion(copying: bytes)) else { return nil }
    var failures = 0
    for address in (0xff0 as UInt64)..<0x10a0 {
      do throws(GsymError) { _ = try file.text(at: address) } catch { failures += 1 }
    }
    for index in 0..<min(file.functionCount, 100) {
      do throws(GsymError) { _ = try file.function(at: index) } catch { failures += 1 }
    }
    return failures
  }

  @Test(arguments: [false, true]) func survivesBeingCutAnywhere(bigEndian: Bool) {
    let bytes = HandmadeGsym.sample(bigEndian: bigEndian).bytes
    var failures = 0
    for count in 0..<bytes.count { failures += exercise(Array(bytes.prefix(count))) ?? 0 }
    #expect(failures > 0)
    expectEqual(exercise(bytes), 0)
  }

  @Test func survivesChangedBytes() {
    let bytes = HandmadeGsym.sample().bytes
    var generator = SeededGenerator(seed: 7)
    var failures = 0
    for _ in 0..<1_000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        changed[Int.random(in: 6..<bytes.count, using: &generator)] =
          [0, 0x7f, 0x80, 0xff, UInt8.random(in: 0...255, using: &generator)]
          .randomElement(using: &generator) ?? 0
      }
      failures += exercise(changed) ?? 0
    }
    #expect(failures > 0)
  }

  private func fileWith(lines: [UInt8]? = nil, inlines: [UInt8]? = nil, size: UInt32 = 0x20) throws
    -> GsymFile
  {
    var gsym = HandmadeGsym()
    let name = gsym.string("f")
    _ = gsym.file("", "a.c")
    let parts = (lines.map { [(UInt32(1), $0)] } ?? []) + (inlines.map { [(UInt32(2), $0)] } ?? [])
    gsym.functions = [(0, gsym.record(size: size, name: name, parts: parts))]
    return try GsymFile(gsym.region)
  }

  /// Behind the header, the tables and eight bytes of strings.
  private let refusal = GsymError.malformedFunction(index: 0, offset: 84)

  @Test(
    arguments: [
      [],  // nothing
      [0x00, 0x00],  // no first line
      [0x00, 0x00, 0x01, 0x04],  // no end
      [0x00, 0x00, 0x01, 0x02, 0x80, 0x80],  // a number without end
      [0x00, 0x00, 0x01, 0x03],  // no number
      [0x02, 0x01, 0x01, 0x04, 0x00],  // the greatest difference below the least
      // From the least to the greatest 64-bit number.
      [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f]
        + [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00, 0x01, 0x04, 0x00],
      // More than 64 bits.
      [0x00, 0x00, 0x01, 0x02] + [UInt8](repeating: 0xff, count: 11) + [0x01, 0x00],
      [0x00, 0x00, 0x01, 0x01, 0x02, 0x04, 0x00],  // file 2 of a table of two
    ] as [[UInt8]])
  func refusesLineTables(_ bytes: [UInt8]) throws {
    let file = try fileWith(lines: bytes)
    #expect(throws: refusal) { try file.lookup(LinkAddress(0x1000 + 0x1f)) }
    // A missing source file is only noticed when it is looked up.
    if bytes.count != 7 { #expect(throws: refusal) { try file.function(at: 0) } }
  }

  @Test func readsSpecialOperationsOfAnyLineRange() throws {
    // LineTable.h: line += minimum + operation % range, address += operation / range. With a range
    // of 300, no operation advances the address; with a range of 1, each advances the address and
    // none the line.
    var file = try fileWith(lines: [0x00, 0xab, 0x02, 0x01, 0xff, 0x00])
    try expectEqual(file.text(at: 0x1000), ["f @ a.c:252"])
    file = try fileWith(lines: [0x00, 0x00, 0x01, 0x04, 0x0e, 0x00])
    try expectEqual(file.function(at: 0)?.rows.map(\.address.value), [0x1000, 0x100a])
    // All operations with a range of 7: the quotient is computed by multiplication.
    for operation in 4...UInt8.max {
      file = try fileWith(lines: [0x7e, 0x04, 0x32, operation, 0x00], size: 0x100)
      let adjusted = UInt64(operation) - 4
      try expectEqual(
        file.function(at: 0)?.rows,
        [
          GsymLineRow(
            address: LinkAddress(0x1000 + adjusted / 7), file: 1,
            line: UInt32(50 - 2 + adjusted % 7))
        ])
    }
  }

  @Test func readsNestingOfAnyDepth() throws {
    var gsym = HandmadeGsym()
    let name = gsym.string("f")
    _ = gsym.file("", "a.c")
    let depth = 50_000
    let inlines =
      gsym.inlined(ranges: [(0, 16)], hasChildren: true, name: name, file: 0, line: 0)
      + Array(
        repeatElement(
          gsym.inlined(ranges: [(0, 8)], hasChildren: true, name: name, file: 1, line: 2),
          count: depth
        ).joined()) + [UInt8](repeating: 0, count: depth + 1)
    gsym.functions = [(0, gsym.record(size: 16, name: name, parts: [(2, inlines)]))]
    let file = try GsymFile(gsym.region)
    try expectEqual(file.lookup(LinkAddress(0x1000))?.frames.count, depth + 1)
    try expectEqual(file.lookup(LinkAddress(0x1008))?.frames.count, 1)
    let function = try require(file.function(at: 0))
    expectEqual(function.inlinedCalls.count, depth)
    expectEqual(function.inlinedCalls.last?.depth, depth - 1)
    // And written again.
    var unit = GsymUnit()
    var copy = function
    copy.name = unit.name("f")
    try unit.add(copy)
    var writer = try GsymWriter(uuid: [])
    writer.add(unit)
    let written = try GsymFile(ByteRegion(copying: try writer.encode()))
    try expectEqual(written.lookup(LinkAddress(0x1000))?.frames.count, depth + 1)
  }

  @Test(
    arguments: [
      [],
      [0x01],
      [0x01, 0x00, 0x20, 0x01],  // no name
      [0x01, 0x00, 0x20, 0x01, 1, 0, 0, 0, 0, 0],  // no children
      [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x00, 0x01],  // 2^63 ranges
      [0x01, 0x00, 0x20, 0x01, 1, 0, 0, 0, 0, 0, 0x01, 0x30, 0x01, 0x01, 1, 0, 0, 0, 1, 1],
    ] as [[UInt8]])
  func refusesInlinedCalls(_ bytes: [UInt8]) throws {
    let file = try fileWith(inlines: bytes)
    #expect(throws: refusal) { try file.lookup(LinkAddress(0x1000)) }
    #expect(throws: refusal) { try file.function(at: 0) }
  }

  @Test func refusesRecordsThatAreNotThere() throws {
    var gsym = HandmadeGsym()
    let name = gsym.string("f")
    gsym.functions = [(0, gsym.record(size: 4, name: name))]
    var bytes = gsym.bytes
    // The only record offset follows two bytes of address offset and two of padding.
    bytes.replaceSubrange(52..<56, with: [0xff, 0xff, 0xff, 0xff])
    let file = try GsymFile(ByteRegion(copying: bytes))
    #expect(throws: GsymError.malformedFunction(index: 0, offset: 0xffff_ffff)) {
      try file.lookup(LinkAddress(0x1000))
    }
    #expect(throws: GsymError.malformedFunction(index: 0, offset: 0xffff_ffff)) {
      try file.function(at: 0)
    }
  }

  @Test func refusesFunctionsWithoutName() throws {
    var gsym = HandmadeGsym()
    gsym.functions = [(0, gsym.record(size: 4, name: 0))]
    let file = try GsymFile(gsym.region)
    #expect(throws: GsymError.self) { try file.lookup(LinkAddress(0x1000)) }
    #expect(throws: GsymError.self) { try file.function(at: 0) }
  }
}

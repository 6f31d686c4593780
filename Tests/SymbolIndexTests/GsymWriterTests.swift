import BinaryInput
import SymbolIndex
import SymbolicationModel
import TestSupport
import Testing

/// Expected values follow from the input; from LLVM's headers, if bytes are compared; and from the
/// rules of `finalize` in LLVM's GsymCreator.cpp, for overlapping functions.
@Suite struct GsymWriterTests {
  private func range(_ low: UInt64, _ high: UInt64) -> Range<LinkAddress> {
    LinkAddress(low)..<LinkAddress(high)
  }

  private func row(_ address: UInt64, _ file: UInt32, _ line: UInt32) -> GsymLineRow {
    GsymLineRow(address: LinkAddress(address), file: file, line: line)
  }

  private func bytes(
    uuid: [UInt8] = [], codeEnd: UInt64? = nil, _ fill: (inout GsymUnit) throws -> Void
  ) throws -> [UInt8] {
    var unit = GsymUnit()
    try fill(&unit)
    var writer = try GsymWriter(uuid: uuid)
    writer.add(unit)
    return try writer.encode { _ in codeEnd }
  }

  private func file(
    uuid: [UInt8] = [], codeEnd: UInt64? = nil, _ fill: (inout GsymUnit) throws -> Void
  ) throws -> GsymFile {
    try GsymFile(ByteRegion(copying: bytes(uuid: uuid, codeEnd: codeEnd, fill)))
  }

  @Test func writesTheBytesOfTheFormat() throws {
    let bytes = try bytes(uuid: [0xab]) { unit in
      try unit.add(
        GsymFunction(
          range: range(0x4000, 0x4010), name: unit.name("f"),
          rows: [row(0x4000, unit.file(path: "/d/a.c"), 7), row(0x4004, 1, 9)]))
    }
    var expected = BinaryBuilder()
    expected.u32(0x4753_594d)
    expected.u16(1)
    expected.u8(1)
    expected.u8(1)
    expected.u64(0x4000)
    expected.u32(1)
    expected.u32(76)
    expected.u32(10)
    expected.u8(0xab)
    expected.pad(to: 48)
    expected.u8(0)
    expected.pad(to: 52)
    expected.u32(88)
    expected.u32(2)
    for number in [0, 0, 3, 6] as [UInt32] { expected.u32(number) }
    expectEqual(expected.count, 76)
    expected.append(Array("\0f\0/d\0a.c\0".utf8))
    expected.pad(to: 88)
    expected.u32(0x10)
    expected.u32(1)
    expected.u32(1)
    expected.u32(6)
    // Differences from 0 to 2, first line 7. File 1 is the first anyway. 4 + 0, and 4 + 2 + 3 * 4.
    expected.append([0, 2, 7, 0x04, 0x12, 0x00])
    expected.u32(0)
    expected.u32(0)
    expected.pad(to: (expected.count + 3) / 4 * 4)
    expectEqual(bytes, expected.bytes)
  }

  @Test(
    arguments: [
      (0xff, 1), (0x100, 2), (0xffff, 2), (0x1_0000, 4), (0xffff_ffff, 4), (0x1_0000_0000, 8),
    ]
      as [(UInt64, Int)])
  func choosesTheSmallestAddressOffsets(span: UInt64, size: Int) throws {
    let file = try file(codeEnd: nil) { unit in
      for start in [0x1_0000, 0x1_0000 + span] {
        try unit.add(GsymFunction(range: range(start, start + 1), name: unit.name("f\(start)")))
      }
    }
    expectEqual(file.header.addressOffsetSize, size)
    expectEqual(file.header.baseAddress, LinkAddress(0x1_0000))
    try expectEqual(file.text(at: 0x1_0000), ["f65536"])
    try expectEqual(file.text(at: 0x1_0000 + span), ["f\(0x1_0000 + span)"])
  }

  @Test func keepsStringsAndFilesOnce() throws {
    var writer = try GsymWriter(uuid: [])
    for base in [0x1000, 0x2000] as [UInt64] {
      var unit = GsymUnit()
      // Other numbers in each unit.
      _ = unit.name("only in \(base)")
      let path = unit.file(path: "/d/shared.h")
      expectEqual(unit.file(path: "/d/shared.h"), path)
      expectEqual(unit.name("f"), unit.name("f"))
      expectEqual(unit.name(""), 0)
      expectEqual(unit.file(path: ""), 0)
      try unit.add(
        GsymFunction(
          range: range(base, base + 8), name: unit.name("f"), rows: [row(base, path, 3)]))
      writer.add(unit)
    }
    let bytes = try writer.encode()
    let file = try GsymFile(ByteRegion(copying: bytes))
    try expectEqual(file.text(at: 0x1001), ["f + 1 @ /d/shared.h:3"])
    try expectEqual(file.text(at: 0x2001), ["f + 1 @ /d/shared.h:3"])
    expectEqual(file.fileCount, 2)
    expectEqual(bytes.split(separator: 0).count { $0 == ArraySlice("shared.h".utf8) }, 1)
  }

  /// String tables grow without losing anything.
  @Test func keepsManyStrings() throws {
    let file = try file { unit in
      for index in 0..<5_000 as Range<UInt64> {
        try unit.add(GsymFunction(range: range(index, index + 1), name: unit.name("f\(index)")))
      }
    }
    for index in 0..<5_000 as Range<UInt64> { try expectEqual(file.text(at: index), ["f\(index)"]) }
  }

  @Test(arguments: [
    "a.c", "/a.c", "/a/b.c", "a/b.c", "/a/./b.c", "/a//b.c", "//b.c", "/a/", "/", "./a.c",
    "/<compiler-generated>", "C:\\a\\b.c",
  ])
  func givesPathsBack(path: String) throws {
    let file = try file { unit in
      try unit.add(
        GsymFunction(
          range: range(0, 1), name: unit.name("f"), rows: [row(0, unit.file(path: path), 1)]))
    }
    try expectEqual(file.path(ofFile: 1), path)
  }

  /// `q\xff/\xe4.c`: U+10FEFF and U+10FEE4 stand for the bytes. Other readers see the bytes.
  @Test func keepsBytesOfPathsThatAreNotUtf8() throws {
    let path = "/q\u{10feff}/\u{10fee4}.c"
    let bytes = try bytes { unit in
      try unit.add(
        GsymFunction(
          range: range(0, 1), name: unit.name("f"), rows: [row(0, unit.file(path: path), 1)]))
    }
    let file = try GsymFile(ByteRegion(copying: bytes))
    try expectEqual(file.path(ofFile: 1), path)
    let entry = try require(file.file(at: 1))
    expectEqual(file.nameBytes(at: entry.directory)?.bytes, [0x2f, 0x71, 0xff])
    expectEqual(file.nameBytes(at: entry.name)?.bytes, [0xe4, 0x2e, 0x63])
  }

  @Test func takesNamesAsBytes() throws {
    let file = try file { unit in
      expectEqual(unit.name(ByteRegion(copying: Array("f\0g".utf8))), unit.name("f"))
      let bytes: [UInt8] = [0xff, 0x41]
      try unit.add(GsymFunction(range: range(0, 1), name: unit.name(bytes.span)))
    }
    let name = try require(file.function(at: 0)).name
    expectEqual(file.nameBytes(at: name)?.bytes, [0xff, 0x41])
  }

  @Test func writesRowsThatSaySomething() throws {
    let file = try file { unit in
      let a = unit.file(path: "a.c")
      let b = unit.file(path: "b.c")
      try unit.add(
        GsymFunction(
          range: range(0x100, 0x200), name: unit.name("f"),
          rows: [
            row(0xf0, a, 1),  // before the start,
            row(0xf8, a, 2),  // and this one is nearer
            row(0x110, a, 2),  // nothing new
            row(0x120, a, 900_000), row(0x120, b, 4),  // the last at an address counts
            row(0x118, a, 5),  // not in order
            row(0x130, b, 4_000_000_000), row(0x140, a, 4_000_000_000), row(0x1_40, a, 2),
            row(0x150, 0, 0),  // no file
            row(0x160, 77, 3),  // no file of this unit
            row(0x200, a, 6),  // at the end
          ]))
    }
    try expectEqual(
      file.function(at: 0)?.rows,
      [
        row(0x100, 1, 2), row(0x120, 2, 4), row(0x130, 2, 4_000_000_000), row(0x140, 1, 2),
        row(0x150, 0, 0), row(0x160, 0, 3),
      ])
  }

  /// Lines that jump in all ways, compared with the rows of the input.
  @Test func givesAllRowsBack() throws {
    var generator = SeededGenerator(seed: 3)
    for spread in [1, 10, 100, 1_000, 1 << 30] as [Int64] {
      var rows: [GsymLineRow] = []
      var address: UInt64 = 0x1_0000
      for index in 0..<500 {
        let line = UInt32(clamping: Int64.random(in: 0...spread, using: &generator) + 1)
        rows.append(row(address, UInt32(1 + index % 3), line))
        address += UInt64.random(in: 1...(index % 7 == 0 ? 400 : 20), using: &generator)
      }
      let file = try file { unit in
        for name in ["a.c", "b.c", "c.c"] { _ = unit.file(path: name) }
        try unit.add(
          GsymFunction(range: range(0x1_0000, address + 1), name: unit.name("f"), rows: rows))
      }
      try expectEqual(file.function(at: 0)?.rows, rows)
    }
  }

  @Test func cutsInlinedCallsToTheOneAround() throws {
    let file = try file { unit in
      let path = unit.file(path: "a.c")
      let names = ["outside", "in it", "one", "two", "three"].map { unit.name($0) }
      func call(_ depth: Int, _ name: Int, _ ranges: Range<Int>) -> GsymInlinedCall {
        GsymInlinedCall(
          depth: depth, name: names[name], callFile: path, callLine: UInt32(name), ranges: ranges)
      }
      try unit.add(
        GsymFunction(
          range: range(0x100, 0x200), name: unit.name("f"),
          inlinedCalls: [
            call(0, 0, 0..<1), call(1, 1, 1..<2), call(0, 2, 2..<5), call(1, 3, 5..<6),
            call(2, 4, 6..<7), call(7, 1, 1..<2),
          ],
          inlinedRanges: [
            range(0x80, 0x100), range(0x100, 0x110),
            // Not in order, touching, and beyond the end.
            range(0x1f0, 0x210), range(0x120, 0x130), range(0x130, 0x140),
            // From within to beyond.
            range(0x138, 0x1f8),
            range(0x13c, 0x144),
          ]))
    }
    let function = try require(file.function(at: 0))
    try expectEqual(
      function.inlinedCalls.map { try file.name(at: $0.name) }, ["one", "two", "three"])
    expectEqual(function.inlinedCalls.map(\.depth), [0, 1, 2])
    expectEqual(
      function.inlinedCalls.map { Array(function.inlinedRanges[$0.ranges]) },
      [
        [range(0x120, 0x140), range(0x1f0, 0x200)],
        [range(0x138, 0x140), range(0x1f0, 0x1f8)],
        [range(0x13c, 0x140)],
      ])
    try expectEqual(
      file.text(at: 0x13d),
      [
        "three + 1 [inlined]", "two + 5 @ a.c:4 [inlined]", "one + 29 @ a.c:3 [inlined]",
        "f + 61 @ a.c:2",
      ])
  }

  @Test func leavesOutFunctionsWithoutName() throws {
    let file = try file { unit in
      try unit.add(GsymFunction(range: range(0, 8), name: 0))
      try unit.add(GsymFunction(range: range(0, 8), name: 99))
    }
    expectEqual(file.functionCount, 0)
  }

  // Functions that overlap

  /// The functions are given as name, start, end, and number of rows.
  private func kept(
    _ functions: [(String, UInt64, UInt64, Int)], codeEnd: UInt64? = nil
  ) throws -> [String] {
    let file = try file(codeEnd: codeEnd) { unit in
      let path = unit.file(path: "a.c")
      for (name, low, high, rowCount) in functions {
        try unit.add(
          GsymFunction(
            range: range(low, high), name: unit.name(name),
            rows: (0..<rowCount).map { row(low + UInt64($0), path, UInt32($0 + 1)) }))
      }
    }
    return try (0..<file.functionCount).map { index in
      let function = try require(file.function(at: index))
      let name = try file.name(at: function.name) ?? ""
      return "\(name) \(function.range.lowerBound.value)-\(function.range.upperBound.value)"
    }
  }

  @Test func sortsFunctions() throws {
    try expectEqual(
      kept([("b", 20, 30, 0), ("c", 30, 40, 2), ("a", 5, 8, 1)]),
      [
        "a 5-8", "b 20-30", "c 30-40",
      ])
  }

  @Test func keepsTheRichestOfEqualRanges() throws {
    try expectEqual(
      kept([("rich", 0, 9, 3), ("symbol", 0, 9, 0), ("poorer", 0, 9, 1)]), ["rich 0-9"])
    try expectEqual(kept([("first", 0, 9, 0), ("second", 0, 9, 0)]), ["second 0-9"])
    try expectEqual(
      kept([("first", 5, 5, 0), ("second", 5, 5, 0), ("x", 8, 9, 0)]),
      [
        "second 5-5", "x 8-9",
      ])
  }

  @Test func replacesSymbolsOfUnknownSize() throws {
    try expectEqual(kept([("symbol", 0, 0, 0), ("function", 0, 9, 0)]), ["function 0-9"])
    // The last function extends to the end of the code if that is known.
    try expectEqual(kept([("a", 0, 4, 0), ("z", 8, 8, 0)]), ["a 0-4", "z 8-8"])
    try expectEqual(kept([("a", 0, 4, 0), ("z", 8, 8, 0)], codeEnd: 32), ["a 0-4", "z 8-32"])
    try expectEqual(kept([("z", 8, 8, 0)], codeEnd: 8), ["z 8-8"])
    try expectEqual(kept([("z", 8, 8, 0)], codeEnd: .max), ["z 8-4294967303"])
  }

  @Test func keepsFunctionsThatOverlap() throws {
    try expectEqual(
      kept([("a", 0, 10, 1), ("b", 5, 15, 0), ("c", 6, 8, 1)]), ["a 0-10", "b 5-15", "c 6-8"])
    try expectEqual(kept([("a", 0, 10, 0), ("label", 5, 5, 0)]), ["a 0-10", "label 5-5"])
    try expectEqual(kept([("a", 0, 4, 1), ("longer", 0, 9, 0)]), ["a 0-4", "longer 0-9"])
  }

  /// Unlike llvm-gsymutil, in whose files such symbols hide the function.
  @Test func prefersDebugInformationToSymbolsInIt() throws {
    try expectEqual(kept([("function", 0, 10, 1), ("label", 5, 5, 0)]), ["function 0-10"])
    try expectEqual(kept([("function", 0, 10, 1), ("part", 5, 8, 0)]), ["function 0-10"])
    try expectEqual(kept([("function", 0, 10, 1), ("start", 0, 8, 0)]), ["function 0-10"])
    // Not if it begins behind the function.
    try expectEqual(
      kept([("function", 0, 10, 1), ("next", 10, 10, 0)]), ["function 0-10", "next 10-10"])
  }

  // Many workers

  @Test func givesTheSameBytesHoweverManyWork() async throws {
    @Sendable func unit(_ number: UInt64) throws -> GsymUnit {
      var unit = GsymUnit()
      for index in 0..<100 as Range<UInt64> {
        let start = (index * 64 + number) * 0x20
        let path = unit.file(path: "/d/\((number * 7 + index) % 30).c")
        try unit.add(
          GsymFunction(
            range: range(start, start + 0x20), name: unit.name("f\(number).\(index % 50)"),
            rows: [row(start, path, UInt32(index)), row(start + 9, path, 3)],
            inlinedCalls: [
              GsymInlinedCall(
                depth: 0, name: unit.name("inline\(index % 9)"), callFile: path, callLine: 4,
                ranges: 0..<1)
            ],
            inlinedRanges: [range(start + 4, start + 8)]))
      }
      return unit
    }
    var alone = try GsymWriter(uuid: [1, 2, 3])
    for number in 0..<64 as Range<UInt64> { alone.add(try unit(number)) }
    let expected = try alone.encode()

    let units = try await withThrowingTaskGroup(of: (UInt64, GsymUnit).self) { group in
      for number in 0..<64 as Range<UInt64> { group.addTask { (number, try unit(number)) } }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    var writer = try GsymWriter(uuid: [1, 2, 3])
    for number in 0..<64 as Range<UInt64> { writer.add(try require(units[number])) }
    let layout = try writer.layout()
    expectEqual(layout.functionCount, 6_400)
    #expect(layout.partCount > 1)
    let parts = await withTaskGroup(of: GsymLayout.Part.self) { group in
      for index in (0..<layout.partCount).reversed() {
        group.addTask { layout.encodePart(index) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    expectEqual(Array(try layout.assemble(parts).joined()), expected)
    let file = try GsymFile(ByteRegion(copying: expected))
    expectEqual(file.functionCount, 6_400)
    try expectEqual(
      file.text(at: 0x25),
      [
        "inline0 + 1 @ /d/7.c:0 [inlined]", "f1.0 + 5 @ /d/7.c:4",
      ])
  }

  // Limits

  @Test func refusesLongUuids() throws {
    #expect(throws: GsymLimitError.uuidTooLong(count: 21)) {
      try GsymWriter(uuid: [UInt8](repeating: 1, count: 21))
    }
    let uuid = (1...20).map { UInt8($0) }
    try expectEqual(file(uuid: uuid) { _ in }.uuid, uuid)
  }

  @Test func refusesFunctionsBeyond4GiB() throws {
    var unit = GsymUnit()
    let name = unit.name("f")
    #expect(throws: GsymLimitError.functionTooLarge(start: 1, end: 0x1_0000_0001)) {
      try unit.add(GsymFunction(range: range(1, 0x1_0000_0001), name: name))
    }
    // Nothing of it is left.
    try unit.add(GsymFunction(range: range(1, 0x1_0000_0000), name: name))
    var writer = try GsymWriter(uuid: [])
    writer.add(unit)
    let file = try GsymFile(ByteRegion(copying: try writer.encode()))
    expectEqual(file.functionCount, 1)
    try expectEqual(file.text(at: 0xffff_ffff), ["f + 4294967294"])
  }
}

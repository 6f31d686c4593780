import BinaryInput
import SymbolIndex
import SymbolicationModel
import TestSupport
import Testing

/// Expected values are read off the diagram at `HandmadeGsym.sample`.
@Suite struct GsymLookupTests {
  @Test(arguments: [false, true], [1, 2, 4, 8] as [UInt8])
  func answers(bigEndian: Bool, addressOffsetSize: UInt8) throws {
    let file = try GsymFile(
      HandmadeGsym.sample(bigEndian: bigEndian, addressOffsetSize: addressOffsetSize).region)
    try expectNil(file.text(at: 0xfff))
    try expectEqual(file.text(at: 0x1000), ["first"])
    try expectEqual(file.text(at: 0x100f), ["first + 15"])
    try expectNil(file.text(at: 0x1010))
    try expectEqual(file.text(at: 0x1020), ["outer @ /src/a.c:10"])
    try expectEqual(file.text(at: 0x1023), ["outer + 3 @ /src/a.c:10"])
    try expectEqual(
      file.text(at: 0x1024),
      [
        "middle @ /src/a.c:12 [inlined]", "outer + 4 @ /src/a.c:12",
      ])
    try expectEqual(file.text(at: 0x1028), ["outer + 8 @ /src/a.c:12"])
    try expectEqual(
      file.text(at: 0x1030),
      [
        "inner @ /inc/b.h:5 [inlined]", "middle + 12 @ /inc/b.h:7 [inlined]",
        "outer + 16 @ /src/a.c:12",
      ])
    try expectEqual(
      file.text(at: 0x1037),
      [
        "middle + 19 @ /inc/b.h:5 [inlined]", "outer + 23 @ /src/a.c:12",
      ])
    try expectEqual(
      file.text(at: 0x1038),
      [
        "other @ /src/a.c:13 [inlined]", "outer + 24 @ /src/a.c:13",
      ])
    try expectEqual(file.text(at: 0x103c), ["outer + 28 @ /src/a.c:13"])
    try expectNil(file.text(at: 0x1040))
    // The end of the last function is not known.
    try expectEqual(file.text(at: 0x1080), ["last"])
    try expectEqual(file.text(at: .max), ["last + \(UInt64.max - 0x1080)"])
  }

  @Test func tellsTheRangesOfFrames() throws {
    let file = try GsymFile(HandmadeGsym.sample().region)
    let answer = try require(file.lookup(LinkAddress(0x1031)))
    expectEqual(answer.functionRange, LinkAddress(0x1020)..<LinkAddress(0x1040))
    expectEqual(
      answer.frames.map(\.range),
      [
        LinkAddress(0x1030)..<LinkAddress(0x1034), LinkAddress(0x1030)..<LinkAddress(0x1038),
        LinkAddress(0x1020)..<LinkAddress(0x1040),
      ])
    expectEqual(
      answer.frames.map(\.start), [LinkAddress(0x1030), LinkAddress(0x1024), LinkAddress(0x1020)])
  }

  @Test func answersIntoOneThatWasUsedBefore() throws {
    let file = try GsymFile(HandmadeGsym.sample().region)
    var answer = GsymAnswer()
    try expectTrue(file.lookup(LinkAddress(0x1031), into: &answer))
    expectEqual(answer.frames.count, 3)
    try expectTrue(file.lookup(LinkAddress(0x1001), into: &answer))
    try expectEqual(answer.frames.map { try file.name(at: $0.name) }, ["first"])
    try expectFalse(file.lookup(LinkAddress(0x1010), into: &answer))
  }

  @Test(arguments: [false, true]) func decodesWholeFunctions(bigEndian: Bool) throws {
    let file = try GsymFile(HandmadeGsym.sample(bigEndian: bigEndian).region)
    let function = try require(file.function(at: 1))
    expectEqual(function.range, LinkAddress(0x1020)..<LinkAddress(0x1040))
    try expectEqual(file.name(at: function.name), "outer")
    expectEqual(
      function.rows,
      [
        GsymLineRow(address: LinkAddress(0x1020), file: 1, line: 10),
        GsymLineRow(address: LinkAddress(0x1024), file: 1, line: 12),
        GsymLineRow(address: LinkAddress(0x1030), file: 2, line: 5),
        GsymLineRow(address: LinkAddress(0x1038), file: 1, line: 13),
      ])
    try expectEqual(
      function.inlinedCalls.map { try file.name(at: $0.name) }, ["middle", "inner", "other"])
    expectEqual(function.inlinedCalls.map(\.depth), [0, 1, 0])
    expectEqual(function.inlinedCalls.map(\.callFile), [1, 2, 1])
    expectEqual(function.inlinedCalls.map(\.callLine), [12, 7, 13])
    expectEqual(
      function.inlinedCalls.map { function.inlinedRanges[$0.ranges].map(\.lowerBound.value) },
      [[0x1024, 0x1030], [0x1030], [0x1038]])
    expectEqual(
      function.inlinedCalls.map { function.inlinedRanges[$0.ranges].map(\.upperBound.value) },
      [[0x1028, 0x1038], [0x1034], [0x103c]])
    try expectNil(file.function(at: 3))
    try expectNil(file.function(at: -1))
  }

  /// LLVM 20 writes merged functions (3) and call sites (4); FunctionInfo.h requires readers to
  /// skip unknown parts.
  @Test func passesOverUnknownParts() throws {
    var gsym = HandmadeGsym.sample()
    let name = gsym.string("known")
    let lines: [UInt8] = [0, 0, 7, 0x04, 0x00]
    gsym.functions[0].record = gsym.record(
      size: 0x10, name: name,
      parts: [(3, [1, 2, 3]), (1, lines), (4, []), (0xffff_ffff, [9]), (5, [0])])
    let file = try GsymFile(gsym.region)
    try expectEqual(file.text(at: 0x1004), ["known + 4 @ /src/a.c:7"])
    try expectEqual(file.function(at: 0)?.rows.count, 1)
  }

  /// GsymReader.cpp: of functions with the same start, the first one that contains the address
  /// counts.
  @Test func findsTheFunctionThatHoldsTheAddressAmongThoseWithOneStart() throws {
    var gsym = HandmadeGsym()
    let names = ["short", "long", "longer"].map { gsym.string($0) }
    let before = gsym.string("before")
    gsym.functions = [
      (0, gsym.record(size: 8, name: before)),
      (0x10, gsym.record(size: 4, name: names[0])),
      (0x10, gsym.record(size: 0x20, name: names[1])),
      (0x10, gsym.record(size: 0x40, name: names[2])),
    ]
    var file = try GsymFile(gsym.region)
    try expectEqual(file.text(at: 0x1010), ["short"])
    try expectEqual(file.text(at: 0x1014), ["long + 4"])
    try expectEqual(file.text(at: 0x1030), ["longer + 32"])
    try expectNil(file.text(at: 0x1050))
    gsym.functions.removeFirst()
    file = try GsymFile(gsym.region)
    try expectEqual(file.text(at: 0x1010), ["short"])
    try expectEqual(file.text(at: 0x1030), ["longer + 32"])
  }

  /// llvm-gsymutil leaves out such a call; the call inside it then seems to be made by its caller.
  @Test func keepsAnInlinedCallWithoutCallSite() throws {
    var gsym = HandmadeGsym()
    let outer = gsym.string("outer")
    let inner = gsym.string("inner")
    let innermost = gsym.string("innermost")
    _ = gsym.file("", "a.c")
    let inlines =
      gsym.inlined(ranges: [(0, 16)], hasChildren: true, name: outer, file: 0, line: 0)
      + gsym.inlined(ranges: [(0, 8)], hasChildren: true, name: inner, file: 0, line: 0)
      + gsym.inlined(ranges: [(0, 8)], hasChildren: false, name: innermost, file: 1, line: 3)
      + [0, 0]
    gsym.functions = [(0, gsym.record(size: 16, name: outer, parts: [(2, inlines)]))]
    let file = try GsymFile(gsym.region)
    try expectEqual(
      file.text(at: 0x1001),
      [
        "innermost + 1 [inlined]", "inner + 1 @ a.c:3 [inlined]", "outer + 1",
      ])
  }

  @Test func givesPathsAndNames() throws {
    var gsym = HandmadeGsym()
    let name = gsym.string("näme")
    let inRoot = gsym.file("/", "<compiler-generated>")
    let bare = gsym.file("", "bare.c")
    gsym.files.append((0xffff, name))
    let file = try GsymFile(gsym.region)
    try expectEqual(file.name(at: UInt64(name)), "näme")
    expectEqual(file.nameBytes(at: UInt64(name))?.bytes, Array("näme".utf8))
    expectEqual(file.nameBytes(at: 0)?.isEmpty, true)
    try expectNil(file.name(at: UInt64(gsym.strings.count)))
    expectNil(file.nameBytes(at: UInt64(gsym.strings.count)))
    try expectEqual(file.path(ofFile: inRoot), "/<compiler-generated>")
    try expectEqual(file.path(ofFile: bare), "bare.c")
    try expectNil(file.path(ofFile: 0))
    try expectNil(file.path(ofFile: 3))
    try expectNil(file.path(ofFile: 4))
    try expectNil(file.file(at: 4))
  }
}

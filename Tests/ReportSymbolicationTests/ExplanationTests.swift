import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// `--explain` in JSON. Identities, symbols and function starts are from `llvm-objdump-19` and
/// `llvm-readelf-19` of the fixtures; lookup addresses are the report's minus the load address plus
/// the link address, less 1 for return addresses.
struct ExplanationTests {
  private typealias Explanation = JsonReport.Explanation

  private func frames(
    _ text: String, with symbols: [String] = [Fixtures.storyBundle],
    _ change: (inout SymbolicationOptions) -> Void = { _ in }
  ) throws -> [JsonReport.Frame] {
    var options = SymbolicationOptions()
    options.explains = true
    change(&options)
    let report = try JsonFixture.report(text, with: symbols, options)
    return try require(report.backtraces.first).frames
  }

  private func explanations(
    _ frames: [String], images: [String] = [ReportFixture.storyLine],
    with symbols: [String] = [Fixtures.storyBundle],
    _ change: (inout SymbolicationOptions) -> Void = { _ in }
  ) throws -> [Explanation?] {
    try self.frames(
      ReportFixture.report(frames: frames, images: images), with: symbols, change
    ).filter { !$0.inlined }.map(\.explanation)
  }

  private func story(_ lookup: String, _ kind: String = "programCounter") -> Explanation {
    Explanation(
      addressKind: kind, lookupAddress: lookup, symbolFile: Fixtures.storyDwarfFile,
      matchedBy: "uuid", answeringFile: Fixtures.storyDwarfFile, mangling: "swift")
  }

  @Test func withoutTheOptionThereIsNone() throws {
    let report = try JsonFixture.report(
      ReportFixture.report(frames: [ReportFixture.frame(0, 0x1_0024_f19c)]))
    expectNil(report.backtraces.first?.frames.first?.explanation)
  }

  @Test func theFirstFrameAndACaller() throws {
    let found = try explanations([
      ReportFixture.frame(0, 0x1_0024_f19c), ReportFixture.frame(1, 0x1_0024_74e0),
    ])
    expectEqual(found, [story("0x10002719c"), story("0x10001f4df", "returnAddress")])
  }

  @Test func anInlinedCallHasTheExplanationOfItsFrame() throws {
    let text = ReportFixture.report(frames: [
      ReportFixture.frame(0, 0x1_0024_f19c), ReportFixture.frame(1, 0x1_0024_53f4),
    ])
    let found = try frames(text)
    expectEqual(found.map(\.inlined), [false, true, false])
    expectEqual(found[1].explanation, story("0x10001d3f3", "returnAddress"))
    expectEqual(found[2].explanation, found[1].explanation)
  }

  /// Object files of the debug map, as `llvm-nm-19 -ap` lists them, with one missing; then the dSYM
  /// instead. UUIDs are from `llvm-dwarfdump-19 --uuid`.
  @Test func theFilesThatAnswerForAProgram() throws {
    let directory = try TemporaryDirectory()
    for name in ["ledger", "libearly.a"] {
      try directory.copy(Fixtures.path("DebugMap/arm64-dwarf5/\(name)"), to: name)
    }
    let image =
      "0x200000000 - 0x20000ffff ledger arm64  <4c4c44c655553144a165519fbe5c73f3> /x/ledger"
    let program = directory.path("ledger")
    // In `weigh` of early.c, in `statement`, and in the stub of `imported`.
    let addresses: [UInt64] = [0x2_0000_0578, 0x2_0000_0530, 0x2_0000_05dc]
    func found() throws -> [Explanation?] {
      try addresses.map { address in
        try explanations(
          [ReportFixture.frame(0, address, image: "ledger", base: 0x2_0000_0000)],
          images: [image], with: [program])[0]
      }
    }
    let byMap = try found()
    expectEqual(
      byMap.map { $0?.answeringFile }, [directory.path("libearly.a(early.o)"), program, program])
    expectEqual(byMap.map { $0?.symbolFile }, [program, program, program])
    expectEqual(
      byMap.map { $0?.refused.map { "\($0.kind) \($0.what) \($0.why)" } },
      [[], ["unusableFile \(directory.path("statement.o")) not there"], []])

    try directory.copy(Fixtures.path("Inlines/Inlines.dSYM"), to: "ledger.dSYM")
    let dwarf = "ledger.dSYM/Contents/Resources/DWARF"
    try directory.copy(directory.path("\(dwarf)/Inlines"), to: "\(dwarf)/ledger")
    try directory.copy(Fixtures.path("DebugMap/arm64-dwarf5.dSYM"), to: "ledger.app.dSYM")
    let byDsym = try found()
    let dsym = directory.path("ledger.app.dSYM/Contents/Resources/DWARF/ledger")
    expectEqual(byDsym.map { $0?.answeringFile }, [dsym, dsym, program])
    expectEqual(
      byDsym[0]?.refused.map(\.why),
      [
        "of another build: 4C4C440B-5555-3144-A174-35F176083CD8 instead of 4C4C44C6-5555-3144-A165-519FBE5C73F3"
      ])
  }

  @Test func namesFromASymbolTable() throws {
    let path = Fixtures.path("MachO/shapes-arm64")
    let image =
      "0x200000000 - 0x20000ffff shapes arm64  <4c4c442155553144a1aed843571bb5e2> /x/shapes"
    let found = try frames(
      ReportFixture.report(
        frames: [ReportFixture.frame(0, 0x2_0000_4044, image: "shapes", base: 0x2_0000_0000)],
        images: [image]), with: [path])
    expectEqual(found.map(\.function), ["table_lookup"])
    expectEqual(found.map(\.origin), ["symbolTable"])
    expectEqual(
      found.first?.explanation,
      Explanation(
        addressKind: "programCounter", lookupAddress: "0x100004044", symbolFile: path,
        matchedBy: "uuid", answeringFile: path))
  }

  @Test func aBuildId() throws {
    let path = Fixtures.path("Elf/libshapes.elf")
    let image =
      "0x7f0000000000 - 0x7f0000003fff libshapes.elf x86_64  <6d8e22cf8306af072138fc23a59eecf13c73474e> /x/libshapes.elf"
    let found = try explanations(
      [
        ReportFixture.frame(
          0, 0x7f00_0000_14b4, image: "libshapes.elf", base: 0x7f00_0000_0000)
      ], images: [image], with: [path])
    expectEqual(found.map(\.?.matchedBy), ["buildId"])
    expectEqual(found.map(\.?.lookupAddress), ["0x14b4"])
  }

  @Test func aNameAlone() throws {
    let found = try frames("0   Letter Shuffle 0x000000010024f19c 0x100228000 + 160156\n")
    expectEqual(found.map(\.explanation?.matchedBy), ["name"])
  }

  /// `LC_FUNCTION_STARTS` of the stripped program has 0x100004184, but the symbol table does not:
  /// the symbol before it is `_spread` at 0x100004064.
  @Test func aFunctionWithoutAName() throws {
    let path = Fixtures.path("MachO/shapes-arm64-stripped")
    let image =
      "0x200000000 - 0x20000ffff shapes arm64  <4c4c442155553144a1aed843571bb5e2> /x/shapes"
    let found = try explanations(
      [ReportFixture.frame(0, 0x2_0000_4190, image: "shapes", base: 0x2_0000_0000)],
      images: [image], with: [path])
    expectEqual(
      found,
      [
        Explanation(
          reason: "unnamed", addressKind: "programCounter", lookupAddress: "0x100004190",
          symbolFile: path, matchedBy: "uuid", answeringFile: path,
          functionStart: "0x100004184",
          refused: [
            Explanation.Refusal(
              kind: "symbol", what: "the nearest symbol, _spread",
              why:
                "another function begins in between, at 0x100004184 (LC_FUNCTION_STARTS)")
          ])
      ])
  }

  @Test func aDifferentBuild() throws {
    let directory = try TemporaryDirectory()
    try directory.copy(Fixtures.path("MachO/shapes-arm64"), to: "Letter Shuffle")
    let other = directory.path("Letter Shuffle")
    let refusal = Explanation.Refusal(
      kind: "otherBuild", what: other,
      why:
        "another build, Letter Shuffle (UUID 4C4C4421-5555-3144-A1AE-D843571BB5E2, arm64)")
    let frame = ReportFixture.frame(0, 0x1_0024_f19c)
    try expectEqual(
      explanations([frame], with: [other]),
      [Explanation(reason: "noSymbolFile", refused: [refusal])])
    try expectEqual(
      explanations([frame], with: [directory.path]),
      [Explanation(reason: "noSymbolFile", refused: [refusal])])
    var answered = story("0x10002719c")
    answered.refused = [refusal]
    try expectEqual(explanations([frame], with: [other, Fixtures.storyBundle]), [answered])
  }

  @Test func namesInTheReport() throws {
    let named = ReportFixture.line(0, 0x1_0024_f19c, "work() + 12 (Work.swift:3)")
    try expectEqual(explanations([named]), [Explanation()])
    // The report names a different function, so the symbol file's name is not used.
    var refused = story("0x10002719c")
    refused.refused = [
      Explanation.Refusal(
        kind: "statedName", what: "the report's name work()",
        why: "the symbol file names another function")
    ]
    try expectEqual(explanations([named]) { $0.resymbolicates = true }, [refused])
  }

  @Test func framesWithoutAnImageOrSymbols() throws {
    let frames = [
      ReportFixture.line(0, 0xdead_beef_0000, image: "???", "0 + 244837814042624"),
      ReportFixture.frame(1, 0x1_c646_c000, image: "libA.dylib", base: 0x1_c646_0000),
    ]
    let images = [
      ReportFixture.storyLine,
      "0x1c6460000 - 0x1c64fffff libA.dylib arm64  <00112233445566778899aabbccddeeff> /usr/lib/libA.dylib",
    ]
    try expectEqual(
      explanations(frames, images: images).map(\.?.reason), ["noImage", "noSymbolFile"])
  }
}

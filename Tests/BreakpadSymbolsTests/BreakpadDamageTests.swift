import BinaryInput
import BreakpadSymbols
import SymbolicationModel
import TestSupport
import Testing

/// Damage is kept as a fault, and everything else in the file still answers.
struct BreakpadDamageTests {
  @Test(
    arguments: [
      ("FUNC 10000000000000000 10 0 f", .function),  // more than 64 bits
      ("FUNC ffffffffffffffff 2 0 f", .function),  // ends beyond 64 bits
      ("FUNC 200 10", .function), ("FUNC x 10 0 f", .function), ("FUNC 200 -1 0 f", .function),
      ("PUBLIC 0x200 0 f", .symbol), ("PUBLIC 200 ", .symbol),
      ("FILE 4294967296 /a", .file), ("FILE -1 /a", .file), ("FILE 2", .file),
      ("INLINE_ORIGIN f name", .inlineOrigin),
    ] as [(String, BreakpadFault.Record)])
  func recordsThatCannotBeRead(line: String, record: BreakpadFault.Record) {
    let file = BreakpadFile("FUNC 100 10 0 sound\n\(line)\n\(line)\nFUNC 300 10 0 later\n")
    expectEqual(file.faults, [.malformedRecords(record, count: 2, offset: 20)])
    expectTrue(file.answer(0x100) == ["sound +0"] && file.answer(0x300) == ["later +0"])
  }

  @Test(
    arguments: [
      "100 8 1", "100 8 1 0 5", "100 ffffffffffffffff1 1 0", "100 8 4294967296 0",
      "ffffffffffffffff 2 1 0", "100 8 x 0", "100",
    ])
  func linesThatCannotBeRead(line: String) {
    let file = BreakpadFile("FILE 0 /a\nFUNC 100 20 0 f\n\(line)\n108 8 2 0\n")
    var faults: [BreakpadFault] = []
    expectEqual(file.answer(0x100, &faults), ["f +0"])
    expectEqual(faults, [.malformedRecords(.line, count: 1, offset: 26)])
    expectEqual(file.answer(0x108), ["f +8 /a:2"])
  }

  @Test(
    arguments: [
      "INLINE 0 1 0", "INLINE 0 1 0 0", "INLINE x 1 0 0 100 8",
      "INLINE 0 1 0 0 ffffffffffffffff 2", "INLINE 0 1 0 0 100 8 ffffffffffffffff 2",
      "INLINE 4294967296 1 0 0 100 8",
    ])
  func callsThatCannotBeRead(line: String) {
    let file = BreakpadFile("INLINE_ORIGIN 0 i\nFUNC 100 20 0 f\n\(line)\n")
    var faults: [BreakpadFault] = []
    expectEqual(file.answer(0x100, &faults), ["f +0"])
    expectEqual(faults, [.malformedRecords(.inlinedCall, count: 1, offset: 34)])
  }

  @Test func referencesToMissingRecords() {
    let file = BreakpadFile("FUNC 100 20 0 f\nINLINE 0 5 8 9 100 10\n100 20 1 7\n")
    var faults: [BreakpadFault] = []
    expectEqual(file.answer(0x100, &faults), [" +0", "f +0"])
    expectEqual(
      faults,
      [
        .unknownOrigin(9, offset: 0), .unknownFile(8, offset: 0), .unknownFile(7, offset: 0),
      ])
  }

  @Test func aFunctionThatIsTooLargeHasNoLines() {
    let rows = (0..<100).map { "\(String(0x100 + $0, radix: 16)) 1 5 0\n" }.joined()
    let file = BreakpadFile("FILE 0 /a\nFUNC 100 100 0 f\n" + rows)
    let function = file.function(0, sizeLimit: 200)
    guard case .oversizedFunction(offset: 10, let count, limit: 200) = function.faults.first else {
      Issue.record("no fault")
      return
    }
    expectTrue(count > 200 && count < 220)
    var faults: [BreakpadFault] = []
    var texts = BreakpadTexts()
    let frames = function.frames(
      at: LinkAddress(0x100), in: file, texts: &texts, faults: &faults)
    expectTrue(frames.map(\.name) == ["f"] && frames[0].location == nil)
    expectEqual(file.answer(0x163), ["f +99 /a:5"])
  }

  /// As deep as a file says, within a limit.
  @Test func chainsOfCallsEnd() {
    let calls = (0..<2000).map { "INLINE \($0) 1 0 0 100 10\n" }.joined()
    let file = BreakpadFile("FILE 0 /a\nINLINE_ORIGIN 0 i\nFUNC 100 10 0 f\n" + calls)
    expectEqual(file.answer(0x100).count, 513)
  }

  @Test func survivesBeingCutAnywhere() {
    let bytes = Array(BreakpadFileTests.sample.utf8)
    for count in 0..<bytes.count {
      let file = BreakpadFile(ByteRegion(copying: bytes[..<count]))
      for address in [0x800, 0x101b, 0x1032, 0x1100, 0x2000] as [UInt64] {
        _ = file.answer(address)
      }
    }
    // A file without a line end at its end is complete.
    let file = BreakpadFile(ByteRegion(copying: Array("FUNC 1 2 0 f".utf8)))
    expectEqual(file.answer(2), ["f +1"])
  }

  @Test func survivesChangedBytes() {
    let bytes = Array(BreakpadFileTests.sample.utf8)
    var generator = SeededGenerator(seed: 11)
    var faultCount = 0
    for _ in 0..<2_000 {
      var changed = bytes
      for _ in 0..<4 {
        changed[Int.random(in: 0..<bytes.count, using: &generator)] =
          Array(" \n\r0f-mFI".utf8).randomElement(using: &generator) ?? 0
      }
      let file = BreakpadFile(ByteRegion(copying: changed))
      var faults = file.faults
      for address in [0x800, 0x101b, 0x1032, 0x1100, 0x2000] as [UInt64] {
        _ = file.answer(address, &faults)
      }
      faultCount += faults.count
    }
    #expect(faultCount > 0)
  }
}

import BinaryInput
import SymbolIndex
import SymbolicationModel
import TestSupport
import Testing

/// Records that are long enough to have marks. Expected answers are found by examining every row
/// and call.
@Suite struct GsymMarksTests {
  private func bytes(_ function: LongFunction) throws -> [UInt8] {
    var unit = GsymUnit()
    try function.add(to: &unit)
    var writer = try GsymWriter(uuid: [])
    writer.add(unit)
    return try writer.encode()
  }

  private static let marker: [UInt8] = [0x4d, 0x52, 0x4b, 0xc7]

  private func markerCount(_ bytes: [UInt8]) -> Int {
    bytes.indices.count { bytes[$0...].starts(with: Self.marker) }
  }

  @Test(
    arguments: [(63, 15), (64, 16), (65, 17), (1_000, 200), (1_000, 0), (60, 30), (2_000, 3)]
      as [(Int, Int)])
  func answersAnywhereInALongFunction(rowCount: Int, callCount: Int) throws {
    let function = LongFunction(seed: UInt64(rowCount), rowCount: rowCount, callCount: callCount)
    let bytes = try bytes(function)
    expectEqual(markerCount(bytes), (rowCount >= 64 ? 1 : 0) + (callCount >= 16 ? 1 : 0))
    let file = try GsymFile(ByteRegion(copying: bytes))
    for address in (LongFunction.start - 1)...function.end {
      try expectEqual(file.text(at: address), function.text(at: address))
    }
    try expectEqual(file.function(at: 0)?.inlinedCalls.count { $0.depth == 0 }, callCount)
  }

  /// Of two calls that contain an address, the first counts, so they cannot be looked up by
  /// address.
  @Test func makesNoMarksForCallsThatOverlap() throws {
    let function = LongFunction(seed: 1, rowCount: 300, callCount: 40, overlapping: true)
    let bytes = try bytes(function)
    expectEqual(markerCount(bytes), 1)
    let file = try GsymFile(ByteRegion(copying: bytes))
    for address in LongFunction.start..<function.end {
      try expectEqual(file.text(at: address), function.text(at: address))
    }
  }

  @Test func survivesChangedMarks() throws {
    let function = LongFunction(seed: 2, rowCount: 200, callCount: 30)
    let bytes = try bytes(function)
    let ends = bytes.indices.filter { bytes[$0...].starts(with: Self.marker) }
    try require(ends.count == 2)
    var generator = SeededGenerator(seed: 9)
    var failures = 0
    for _ in 0..<500 {
      var changed = bytes
      for end in ends {
        // The number of entries, and the entries before it.
        let offset = Int.random(in: (end - 60)..<end, using: &generator)
        changed[offset] = UInt8.random(in: 0...255, using: &generator)
      }
      let file = try GsymFile(ByteRegion(copying: changed))
      for address in stride(from: LongFunction.start, to: function.end, by: 17) {
        do throws(GsymError) { _ = try file.lookup(LinkAddress(address)) } catch { failures += 1 }
      }
    }
    #expect(failures > 0)
  }
}

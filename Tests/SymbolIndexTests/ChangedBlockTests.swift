import BinaryInput
import SymbolIndex
import SymbolicationModel
import TestSupport
import Testing

/// Bytes of an index that are not those that were written. An answer of such an index is that of
/// the undamaged one, or there is none.
@Suite struct ChangedBlockTests {
  /// 60 functions with names of 500 bytes: the tables, the strings and the records have several
  /// blocks each.
  private static let content = Result { try makeContent() }
  private static let start: UInt64 = 0x10_0000
  private static let functionSize: UInt64 = 0x400

  private static func makeContent() throws -> [UInt8] {
    var unit = GsymUnit()
    var generator = SeededGenerator(seed: 3)
    for number in 0..<60 {
      let low = start + UInt64(number) * functionSize
      let end = LinkAddress(low + functionSize)
      let file = unit.file(
        path: "/s/\(number % 7)/\(String(repeating: "p", count: 200))\(number).c")
      let rows = (0..<60).map {
        GsymLineRow(
          address: LinkAddress(low + UInt64($0) * 17), file: file,
          line: UInt32.random(in: 1...9999, using: &generator))
      }
      let name = unit.name("f\(number)" + String(repeating: "n", count: 500))
      let inner = unit.name("i\(number)")
      try unit.add(
        GsymFunction(
          range: LinkAddress(low)..<end, name: name, rows: rows,
          inlinedCalls: [
            GsymInlinedCall(depth: 0, name: inner, callFile: file, callLine: 9, ranges: 0..<1)
          ], inlinedRanges: [LinkAddress(low + 0x100)..<LinkAddress(low + 0x200)]))
    }
    // Two functions at one address, the second one longer.
    let low = LinkAddress(start - 0x100)
    for end: UInt64 in [0x20, 0x40] {
      try unit.add(
        GsymFunction(range: low..<LinkAddress(low.value + end), name: unit.name("same\(end)")))
    }
    var writer = try GsymWriter(uuid: [1, 2, 3, 4])
    writer.add(unit)
    return try writer.encode()
  }

  private static func withTrailer(_ content: [UInt8]) -> [UInt8] {
    content
      + IndexTrailer.ending(
        linkBase: nil, architecture: .arm64,
        source: SourceStamp(
          size: 1, modificationSeconds: 2, modificationNanoseconds: 3, path: "/x"), of: [content])
  }

  private var addresses: [UInt64] {
    (0..<60).map { Self.start + $0 * Self.functionSize + ($0 * 61) % Self.functionSize }
      + [Self.start - 0x100, Self.start - 0xd0, Self.start - 0x90, 0x20_0000, 0x1000]
  }

  private enum Answer: Equatable {
    case lines([String]?)
    case failed
  }

  private func answer(of file: GsymFile, at address: UInt64) -> Answer {
    do {
      return .lines(try file.text(at: address))
    } catch {
      return .failed
    }
  }

  /// Nil if it is refused.
  private func open(_ region: ByteRegion) -> IndexFile? {
    do {
      return try IndexFile(region, path: "x")
    } catch {
      return nil
    }
  }

  private func answers(of file: GsymFile) -> [Answer] {
    addresses.map { answer(of: file, at: $0) }
  }

  /// In each step, one bit of one of 250 stretches of the file is turned over.
  @Test func neverAnswer() throws {
    let bytes = Self.withTrailer(try Self.content.get())
    let expected = answers(of: try IndexFile(ByteRegion(copying: bytes), path: "x").gsym)
    expectFalse(expected.contains(.failed))
    expectEqual(expected.count { $0 != .lines(nil) }, 62)
    var generator = SeededGenerator(seed: 7)
    var (refused, failed, wrongWithoutChecksums) = (0, 0, 0)
    let step = bytes.count / 250
    for start in stride(from: 0, to: bytes.count, by: step) {
      var changed = bytes
      let place = Int.random(in: start..<min(start + step, bytes.count), using: &generator)
      changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      let region = ByteRegion(copying: changed)
      guard let index = open(region) else {
        refused += 1
        continue
      }
      // The mark of the trailer is gone.
      guard index.trailer != nil else { continue }
      expectEqual(index.hasIntactContent, false, "byte \(place)")
      let found = answers(of: index.gsym)
      for (answer, expected) in zip(found, expected) where answer != .failed {
        expectEqual(answer, expected, "byte \(place)")
      }
      failed += found.contains(.failed) ? 1 : 0
      let unchecked = answers(of: try GsymFile(region))
      if zip(unchecked, expected).contains(where: { $0 != $1 && $0 != .failed }) {
        wrongWithoutChecksums += 1
      }
    }
    // The test would notice if nothing was compared.
    #expect(refused > 5)
    #expect(failed > 200)
    #expect(wrongWithoutChecksums > 100)
  }

  /// A block of the table of addresses that is wrong leads the search for others astray.
  @Test func searchesThatPassAChangedBlock() throws {
    // Four bytes for each function, behind 48 of the header: almost three blocks.
    let numbers: [UInt64] = Array(0..<3000)
    var unit = GsymUnit(functionCount: numbers.count)
    for number in numbers {
      let start = 0x1000 + number * 32
      try unit.add(
        GsymFunction(
          range: LinkAddress(start)..<LinkAddress(start + 32), name: unit.name("f\(number)")))
    }
    var writer = try GsymWriter(uuid: [])
    writer.add(unit)
    let bytes = Self.withTrailer(try writer.encode())
    for (block, filling) in [(1, 0), (1, 0xff), (2, 0)] {
      var changed = bytes
      for place in (4096 * block)..<(4096 * (block + 1)) { changed[place] = UInt8(filling) }
      let file = try IndexFile(ByteRegion(copying: changed), path: "x").gsym
      var failed = 0
      for number in numbers where number % 4 == 0 {
        let answer = answer(of: file, at: 0x1000 + number * 32)
        if answer == .failed { failed += 1 } else { expectEqual(answer, .lines(["f\(number)"])) }
      }
      // A quarter of the 1,024 entries in the block; many searches for others pass it.
      #expect(failed >= 240)
    }
  }

  private func isChange(_ error: GsymError) -> Bool {
    if case .changed = error { true } else { false }
  }

  @Test func batchesReportThem() throws {
    let content = try Self.content.get()
    var changed = Self.withTrailer(content)
    changed[content.count - 100] ^= 1
    let file = try IndexFile(ByteRegion(copying: changed), path: "x").gsym
    var answers = GsymAnswers()
    let asked = addresses.map { LinkAddress($0) }
    file.lookup(asked.span, into: &answers)
    expectFalse(answers.failures.isEmpty)
    for failure in answers.failures {
      expectTrue(isChange(failure.error), "\(failure.error)")
      expectEmpty(answers.frames(ofAddress: failure.index))
    }
    // The block at the end of the file concerns the last functions alone.
    expectFalse(answers.frames(ofAddress: 0).isEmpty)
  }
}

import BinaryInput
import SymbolIndex
import SymbolicationModel
import TestSupport
import Testing

/// Looking up several addresses at a time, and names as bytes. The expected answers are those of
/// single lookups, which other tests compare with what is known about the functions.
@Suite struct GsymBatchTests {
  private func check(_ addresses: [LinkAddress], in file: GsymFile) {
    var answers = GsymAnswers()
    // The second time, the memory of the first is used again.
    for _ in 0..<2 {
      file.lookup(addresses.span, into: &answers)
      expectEqual(answers.count, addresses.count)
      for (index, address) in addresses.enumerated() {
        let frames = Array(answers.frames[answers.frames(ofAddress: index)])
        let failure = answers.failures.first { $0.index == index }?.error
        do throws(GsymError) {
          let answer = try file.lookup(address)
          expectEqual(answer?.frames ?? [], frames)
          expectNil(failure)
        } catch {
          expectEmpty(frames)
          expectEqual(failure, error)
        }
      }
    }
  }

  @Test(arguments: [1, 2, GsymFile.batchSize, 1_000])
  func answersAsSingleLookups(batchSize: Int) throws {
    var unit = GsymUnit()
    let function = LongFunction(seed: 3, rowCount: 700, callCount: 40)
    try function.add(to: &unit)
    try unit.add(
      GsymFunction(
        range: LinkAddress(function.end + 100)..<LinkAddress(function.end + 120),
        name: unit.name("short")))
    var writer = try GsymWriter(uuid: [])
    writer.add(unit)
    let file = try GsymFile(ByteRegion(copying: try writer.encode()))
    var generator = SeededGenerator(seed: 4)
    let addresses = ((LongFunction.start - 2)...(function.end + 122)).map { LinkAddress($0) }
      .shuffled(using: &generator)
    for start in stride(from: 0, to: addresses.count, by: batchSize) {
      check(Array(addresses[start..<min(start + batchSize, addresses.count)]), in: file)
    }
  }

  @Test(arguments: [false, true]) func answersInBothByteOrders(bigEndian: Bool) throws {
    let file = try GsymFile(HandmadeGsym.sample(bigEndian: bigEndian).region)
    check(((0xff0 as UInt64)..<0x10a0).map { LinkAddress($0) }, in: file)
    check([LinkAddress(0), LinkAddress(.max)], in: file)
    check([], in: file)
  }

  @Test func reportsTheRecordThatCannotBeRead() throws {
    let bytes = HandmadeGsym.sample().bytes
    var generator = SeededGenerator(seed: 5)
    var failures = 0
    for _ in 0..<300 {
      var changed = bytes
      changed[Int.random(in: 48..<bytes.count, using: &generator)] =
        UInt8.random(in: 0...255, using: &generator)
      guard let file = try? GsymFile(ByteRegion(copying: changed)) else { continue }
      let addresses = stride(from: 0xff0 as UInt64, to: 0x10a0, by: 5).map { LinkAddress($0) }
      check(addresses, in: file)
      var answers = GsymAnswers()
      file.lookup(addresses.span, into: &answers)
      failures += answers.failures.count
    }
    #expect(failures > 0)
  }

  @Test func namesAsBytes() throws {
    let file = try GsymFile(HandmadeGsym.sample().region)
    func bytes(at offset: UInt64) -> [UInt8]? {
      var bytes: [UInt8]?
      file.withNameBytes(at: offset) { span in
        bytes = (0..<span.byteCount).map {
          unsafe span.unsafeLoad(fromByteOffset: $0, as: UInt8.self)
        }
      }
      return bytes
    }
    for offset in 0..<200 as Range<UInt64> {
      try expectEqual(bytes(at: offset), file.name(at: offset).map { Array($0.utf8) })
    }
    expectNil(bytes(at: .max))
  }
}

import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// Which image an address belongs to.
struct ImageLookupTests {
  private func report() throws -> Report {
    func line(_ first: String, _ last: String, _ name: String) -> String {
      "\(first) - \(last) \(name) arm64  <bde08a08d8cf3e6b8cee8ab2cf246ccb> /\(name)"
    }
    return try images(
      line("0x5000", "0x5fff", "C"), line("0x0", "0xffffffffffffffff", "pseudo"),
      line("0x1000", "0x1fff", "A"), line("0x3000", "0x8fff", "outer"),
      line("0x3000", "0x3fff", "B"), line("0xa000", "0x9fff", "empty"),
      line("0xfffffffffffff000", "0xffffffffffffffff", "top")
    ).report
  }

  @Test(
    arguments: [
      (0x0fff, nil, nil), (0x1000, nil, "A"), (0x1fff, nil, "A"), (0x2000, nil, nil),
      // The image that starts last, unless the frame says which.
      (0x5000, nil, "C"), (0x5800, 0x3000, "outer"), (0x5800, 0x5000, "C"),
      (0x6000, nil, "outer"), (0x5800, 0x1234, "C"),
      // An image without a size has no addresses, but a frame may say that it is its image.
      (0xa000, nil, nil), (0xa000, 0xa000, "empty"), (0x2004, 0x1000, "A"), (0x0800, 0x1000, nil),
      (0, 0, nil), (UInt64.max, nil, "top"),
    ] as [(UInt64, UInt64?, String?)])
  func image(address: UInt64, load: UInt64?, name: String?) throws {
    let found = try report().image(
      containing: LoadAddress(address), loadAddress: load.map { LoadAddress($0) })
    expectEqual(found?.name, name)
  }

  @Test func noImages() throws {
    let report = try ParsedText("Thread 0:\n0   A 0x1010 0x1000 + 16\n").report
    expectNil(report.image(for: try require(report.allFrames.first)))
  }

  /// There are few addresses, so images nest, overlap, repeat, end at the same address, are empty
  /// or end before they start. The expected image is found by looking at all of them.
  @Test(arguments: [1, 2, 3, 7, 8, 40, 200] as [UInt64])
  func everyAddressAmongOverlappingImages(count: UInt64) throws {
    for round in 0..<20 as Range<UInt64> {
      var generator = SeededGenerator(seed: count &* 1000 &+ round)
      let ranges = (0..<count).map { _ in
        let first = generator.next() % 64
        let size = generator.next() % (round % 2 == 0 ? 8 : 64)
        return (first, first + size)  // The line prints the last address: one less.
      }
      let lines = ranges.enumerated().map { number, range in
        // 0x100 is added, so that a last address is never less than 0.
        let first = String(range.0 + 0x100, radix: 16)
        let last = String(range.1 + 0xff, radix: 16)
        return
          "0x\(first) - 0x\(last) I\(number) arm64  <bde08a08d8cf3e6b8cee8ab2cf246ccb> /I\(number)"
      }
      let report = try ParsedText(
        "Thread 0:\n0   A 0x1010 0x1000 + 16\n\nBinary Images:\n"
          + lines.joined(separator: "\n") + "\n"
      ).report
      try require(report.images.count == ranges.count)
      for address in 0..<140 as Range<UInt64> {
        let holders = ranges.indices.filter {
          ranges[$0].0 <= address && address < ranges[$0].1
        }
        let expected = holders.max {
          let (left, right) = (ranges[$0], ranges[$1])
          return left == right ? $0 > $1 : left < right
        }
        let found = report.image(containing: LoadAddress(address + 0x100), loadAddress: nil)
        expectEqual(found?.name, expected.map { "I\($0)" }, "\(address) in \(ranges)")
      }
    }
  }

  /// The same for an `.ips` report, with images that begin at address 0.
  @Test func everyAddressAmongOverlappingImagesOfJson() throws {
    for round in 0..<60 as Range<UInt64> {
      var generator = SeededGenerator(seed: round)
      let ranges = (0..<(round % 30)).map { _ in
        (start: generator.next() % 16, size: generator.next() % 12)
      }
      let images = ranges.enumerated().map {
        #"{"source":"P","base":\#($1.start),"size":\#($1.size),"name":"I\#($0)"}"#
      }.joined(separator: ",")
      let report = try ParsedText(
        #"{"threads":[{"frames":[]}],"usedImages":[\#(images)]}"#
      ).report
      for address in 0..<32 as Range<UInt64> {
        let expected = ranges.indices.filter {
          ranges[$0].start <= address && address - ranges[$0].start < ranges[$0].size
        }.max {
          let (left, right) = (ranges[$0], ranges[$1])
          return left == right ? $0 > $1 : left < right
        }
        let found = report.image(containing: LoadAddress(address))
        expectEqual(found?.name, expected.map { "I\($0)" }, "\(address) in \(ranges)")
      }
    }
  }
}

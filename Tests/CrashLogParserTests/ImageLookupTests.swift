import CrashLogParser
import SymbolicationModel
import Testing

/// Which image an address belongs to.
struct ImageLookupTests {
  private func report() throws -> CrashReport {
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
      // An image with no bytes has no address; but a frame may say that it is its image.
      (0xa000, nil, nil), (0xa000, 0xa000, "empty"), (0x2004, 0x1000, "A"), (0x0800, 0x1000, nil),
      (0, 0, nil), (UInt64.max, nil, "top"),
    ] as [(UInt64, UInt64?, String?)])
  func image(address: UInt64, load: UInt64?, name: String?) throws {
    let found = try report().image(
      containing: LoadAddress(address), loadAddress: load.map { LoadAddress($0) })
    #expect(found?.name == name)
  }

  @Test func noImages() throws {
    let report = try ParsedText("Thread 0:\n0   A 0x1010 0x1000 + 16\n").report
    #expect(report.image(for: try #require(report.allFrames.first)) == nil)
  }
}

import AddressResolver
import ReportRuns
import ReportTestSupport
import SymbolicationModel
import TestSupport
import Testing

/// Addresses with pointer authentication codes, which third-party reporters leave in: KSCrash 297
/// has `0x003be301a3d4a494`. The masks are from PLCrashReporter 316: 47 bits on macOS, 36
/// elsewhere. `RelayFixture` gives the source of the other expected values.
struct PointerAuthenticationTests {
  @Test func addressesWithoutCode() {
    func candidates(_ address: UInt64, _ architecture: Architecture?) -> [UInt64] {
      PointerAuthentication.addressesWithoutCode(
        LoadAddress(address), architecture: architecture
      ).map(\.value)
    }
    expectEqual(candidates(0x003b_e301_a3d4_a494, .arm64e), [0x6301_a3d4_a494, 0x1_a3d4_a494])
    expectEqual(candidates(0x003b_8001_a3d4_a494, .arm64), [0x1_a3d4_a494])
    expectEqual(candidates(.max, nil), [0x7fff_ffff_ffff, 0xf_ffff_ffff])
    expectEqual(candidates(0x003b_e301_a3d4_a494, .x86_64), [])
    expectEqual(candidates(0x003b_e301_a3d4_a494, .arm64_32), [])
    // An address that a program may use has no code in it: data at 0x600104000394 is not code at
    // 0x104000394.
    expectEqual(candidates(0x7fff_ffff_ffff, .arm64), [])
    expectEqual(candidates(0x6001_0400_0394, .arm64), [])
  }

  /// For a pointer on iOS, and on macOS, where bits 36 to 46 are part of the address.
  private static let codes: [UInt64] = [0x003b_e380_0000_0000, 0x003b_8000_0000_0000]

  private static func signed(_ code: UInt64, _ linkAddress: UInt64) -> UInt64 {
    code | RelayFixture.base + linkAddress
  }

  /// What reporters write after such an address: nothing, an offset from no image, or an offset
  /// from the image with or without the authentication code.
  @Test(arguments: codes, ["???", "0x0 + 1", "0", "signed", "plain"])
  func framesOfAText(code: UInt64, content: String) throws {
    func line(_ index: Int, _ linkAddress: UInt64) -> String {
      let address = Self.signed(code, linkAddress)
      let written =
        switch content {
        case "signed": "0x104000000 + \(address &- RelayFixture.base)"
        case "plain": "0x104000000 + \(linkAddress)"
        case "0": "0 + \(address)"
        default: content
        }
      return ReportFixture.line(index, address, image: "librelay.dylib", written)
    }
    let frames = [line(0, 0x39c), line(1, 0x39c), line(2, 0x414)]
    let expected = [
      "measure + 0 (relay.c:20)", "stop + 28 (relay.c:16)", "relay + 72 (relay.c:29)",
    ]
    expectEqual(RelayFixture.contents(frames), expected)
    let text = ReportFixture.report(frames: frames, images: [RelayFixture.line])
    let result = ReportFixture.symbolicate(text, with: RelayFixture.symbols)
    expectEqual(result.notes, ["3 of 3 frames resolved"])
    // The addresses are unchanged.
    let digits = String(Self.signed(code, 0x39c), radix: 16)
    expectContains(String(decoding: result.output, as: UTF8.self), "0x00\(digits) measure + 0")
    let report = try JsonFixture.report(text, with: RelayFixture.symbols)
    expectEqual(report.backtraces[0].frames[0].address, "0x\(digits)")
    expectEqual(report.backtraces[0].frames[0].imageOffset, 0x39c)
    expectEqual(report.contradictions, [])
  }

  /// A name stays and gets its line.
  @Test func framesWithNames() {
    let address = Self.signed(Self.codes[0], 0x394)
    expectEqual(
      RelayFixture.contents([
        ReportFixture.line(1, address, image: "librelay.dylib", "stop + 20")
      ]), ["stop + 20 (relay.c:15)"])
  }

  @Test func aListOfAddresses() throws {
    let addresses = [0x39c, 0x39c, 0x414].map {
      "0x" + String(Self.signed(Self.codes[0], $0), radix: 16)
    }
    let text = """
      Code Type:           ARM-64 (Native)
      Report Version:      104

      Last Exception Backtrace:
      (\(addresses.joined(separator: " ")) 0x3be38190b3c010)

      Binary Images:
      \(RelayFixture.line)
      \(RelayFixture.platformLine.replacing("4c4c44be", with: "00000000"))

      """
    let output = String(
      decoding: ReportFixture.symbolicate(text, with: RelayFixture.symbols).output, as: UTF8.self)
    expectTrue(
      output.contains(
        "librelay.dylib                \t0x\(addresses[0].dropFirst(2).count == 14 ? "00" : "")\(addresses[0].dropFirst(2)) measure + 0 (relay.c:20)\n"
      ))
    expectContains(output, " stop + 28 (relay.c:16)\n")
    expectContains(output, " relay + 72 (relay.c:29)\n")
    // Distances are measured to the address without the code.
    expectContains(output, "libsystem_platform.dylib      \t0x003be38190b3c010 0x190b3c000 + 16\n")
  }

  /// Third-party reporters that write `.ips`: in the pseudo-image, or as a distance from the image.
  @Test(arguments: codes)
  func framesOfJson(code: UInt64) throws {
    let text = RelayFixture.ips(threads: [
      [
        RelayFixture.object(2, Self.signed(code, 0x39c)),
        RelayFixture.object(2, Self.signed(code, 0x39c)),
        RelayFixture.object(0, Self.signed(code, 0x414) &- RelayFixture.base),
      ].joined(separator: ",")
    ])
    try expectEqual(
      RelayFixture.shown(text),
      [
        ["measure + 0 (relay.c:20)", "stop + 28 (relay.c:16)", "relay + 72 (relay.c:29)"]
      ])
    let result = ReportFixture.symbolicate(text, with: RelayFixture.symbols)
    expectEqual(result.notes, ["3 of 3 frames resolved"])
    expectTrue(
      String(decoding: result.output, as: UTF8.self).contains(
        #"{"imageOffset":\#(Self.signed(code, 0x39c)),"#))
  }

  @Test func aBacktraceOfTheApplication() throws {
    let line = ReportFixture.line(
      1, Self.signed(Self.codes[0], 0x39c), image: "librelay.dylib", "???")
    let text = RelayFixture.ips(
      threads: [RelayFixture.object(0, 0x39c)], more: #""asiBacktraces":["\#(line)\n"],"#)
    try expectEqual(
      RelayFixture.shown(text), [["stop + 28 (relay.c:16)"], ["measure + 0 (relay.c:20)"]])
  }

  @Test func addressesThatAreNotSigned() {
    // The same number, with an image at that address.
    let far =
      "0x3be38104000000 - 0x3be38104003fff far arm64  <11111111111111111111111111111111> /usr/lib/far"
    let address = Self.signed(Self.codes[0], 0x39c)
    let frame = ReportFixture.line(0, address, image: "x", "???")
    expectEqual(RelayFixture.contents([frame], images: [RelayFixture.line, far]), ["???"])
    // Another processor; data addresses with the low digits of a code address; a code outside all
    // images.
    let intel = RelayFixture.line.replacing(" arm64 ", with: " x86_64 ")
    let text = ReportFixture.report(frames: [frame], images: [intel]).replacing(
      "ARM-64", with: "X86-64")
    expectEqual(
      String(
        decoding: ReportFixture.symbolicate(text, with: RelayFixture.symbols).output, as: UTF8.self),
      text)
    for other in [0x6001_0400_039c, 0x003b_e380_0000_039c] as [UInt64] {
      expectEqual(RelayFixture.contents([ReportFixture.line(0, other, image: "x", "???")]), ["???"])
    }
  }
}

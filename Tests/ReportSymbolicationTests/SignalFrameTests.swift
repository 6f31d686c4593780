import ReportRuns
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Addresses after a signal trampoline are not return addresses, because these frames were
/// interrupted. `RelayFixture` gives the source of expected values.
struct SignalFrameTests {
  /// The frame that follows the interrupted one is a return address again.
  private let caller = "stop + 20 (relay.c:15)"

  /// At 0x3e4, the line of the call site is 27 either way; only the inlined calls differ.
  private func inlined(_ text: String) -> String {
    var job = ReportJob(symbolPaths: RelayFixture.symbols)
    return String(
      decoding: job.symbolicate(Array(text.utf8), shownPath: "report").output, as: UTF8.self)
  }

  private static let exactChain = [
    "measure + 8 (relay.c:22) [inlined]", "relay + 24 (relay.c:27)",
  ]
  private static let callChain = [
    "doubled + 8 (relay.c:10) [inlined]", "measure + 8 (relay.c:21) [inlined]",
    "relay + 24 (relay.c:27)",
  ]

  private func chain(_ frames: [String]) -> [String] {
    inlined(
      ReportFixture.report(
        frames: frames,
        images: [RelayFixture.line, RelayFixture.platformLine, RelayFixture.linuxLine])
    ).split(separator: "\n").filter {
      $0.contains(".c:") || $0.contains("__") || $0.contains("_sig")
    }
    .map { String($0.dropFirst(53)) }
  }

  /// As program counters, and as return addresses.
  @Test func theChainsDiffer() {
    expectEqual(chain([RelayFixture.frame(0, 0x3e4)]), Self.exactChain)
    expectEqual(chain([RelayFixture.frame(1, 0x3e4)]), Self.callChain)
  }

  @Test(arguments: [
    "_sigtramp + 56", "__sigtramp + 56", "_sigtramp + 56 (sigtramp.s:0)", "__restore_rt + 0",
    "__kernel_rt_sigreturn + 0",
  ])
  func aTrampolineThatTheReportNames(trampoline: String) {
    let frames = [
      RelayFixture.frame(0, 0x39c),
      ReportFixture.line(1, 0x1_90b3_c268, image: "libsystem_platform.dylib", trampoline),
      RelayFixture.frame(2, 0x3e4), RelayFixture.frame(3, 0x394),
    ]
    expectEqual(
      chain(frames).filter { !$0.hasPrefix("_") },
      ["measure + 0 (relay.c:20)"] + Self.exactChain + [caller])
  }

  /// 0x268 follows the call in `_sigtramp`, which begins at 0x25c.
  @Test func aTrampolineThatOnlyTheSymbolFileNames() {
    let frames = [
      RelayFixture.frame(0, 0x39c), RelayFixture.platformFrame(1, 0x268),
      RelayFixture.frame(2, 0x3e4), RelayFixture.frame(3, 0x394),
    ]
    expectEqual(
      chain(frames), ["measure + 0 (relay.c:20)", "_sigtramp + 12"] + Self.exactChain + [caller])
  }

  /// A handler that was interrupted itself.
  @Test func oneTrampolineAfterAnother() {
    let frames = [
      RelayFixture.platformFrame(0, 0x268), RelayFixture.frame(1, 0x3e4),
      RelayFixture.platformFrame(2, 0x268), RelayFixture.platformFrame(3, 0x25c),
      RelayFixture.frame(4, 0x3e4), RelayFixture.frame(5, 0x3e4),
    ]
    // 0x25c is a program counter: the handler was set up but not yet called. As a return address it
    // would be in __platform_memmove, and frame 4 would be a return address, too.
    let inner: [String] = ["_sigtramp + 12"] + Self.exactChain
    let outer: [String] = ["_sigtramp + 12", "_sigtramp + 0"] + Self.exactChain
    expectEqual(chain(frames), inner + outer + Self.callChain)
  }

  /// Linux makes the first byte of `__restore_rt` (0x104d8) the return address of the handler; the
  /// byte before it is a nop. In librelay.elf 0x1048c is line 28 of `relay`, and the byte before it
  /// in `measure`.
  @Test func theTrampolineOfLinux() {
    let frames = [
      RelayFixture.linuxFrame(0, 0x1043c), RelayFixture.linuxFrame(1, 0x104d8),
      RelayFixture.linuxFrame(2, 0x1048c), RelayFixture.linuxFrame(3, 0x1048c),
    ]
    let shown = chain(frames)
    expectEqual(shown.count, 5)
    expectEqual(
      shown.prefix(3),
      [
        "measure + 0 (relay.c:20)", "__restore_rt + 0", "relay + 32 (relay.c:28)",
      ])
    expectEqual(shown.dropFirst(3).first?.hasSuffix(" (relay.c:22) [inlined]"), true)
    expectEqual(shown.last, "relay + 32 (relay.c:27)")
  }

  /// Only trampolines begin at a return address. give_up begins at 0x104e0, right after the
  /// trampoline; measure at 0x1043c, right after the last call of stop.
  @Test func otherFunctionsOfLinuxDoNotBeginAtReturnAddresses() {
    expectEqual(
      chain([RelayFixture.linuxFrame(1, 0x1043c), RelayFixture.linuxFrame(2, 0x104e0)]),
      ["stop + 28 (relay.c:16)", "__restore_rt + 8"])
  }

  /// The calls inlined into a trampoline, or into the frame that it interrupted, change nothing.
  @Test func inlinedFramesAroundTheTrampoline() {
    let trampoline: UInt64 = 0x1_90b3_c268
    let frames = [
      RelayFixture.frame(0, 0x39c),
      ReportFixture.line(
        1, trampoline, image: "libsystem_platform.dylib", "run_handler + 4 [inlined]"),
      RelayFixture.platformFrame(2, 0x268),
      ReportFixture.line(
        3, RelayFixture.base + 0x3e4, image: "librelay.dylib", "measure + 8 (relay.c:22) [inlined]"),
      RelayFixture.frame(4, 0x3e4), RelayFixture.frame(5, 0x3e4),
    ]
    expectEqual(
      chain(frames),
      ["measure + 0 (relay.c:20)", "_sigtramp + 12"] + Self.exactChain
        + Self.callChain)
  }

  /// `--resymbolicate` replaces the names in the report, and the inlined calls that it shows.
  @Test func inlinedFramesThatAreLookedUpAgain() {
    var options = SymbolicationOptions()
    options.resymbolicates = true
    let base = RelayFixture.base + 0x3e4
    let text = ReportFixture.report(
      frames: [
        RelayFixture.frame(0, 0x39c), RelayFixture.platformFrame(1, 0x268),
        ReportFixture.line(2, base, image: "librelay.dylib", "old + 8 (old.c:1) [inlined]"),
        ReportFixture.line(3, base, image: "librelay.dylib", "older + 8 (old.c:2)"),
      ], images: [RelayFixture.line, RelayFixture.platformLine])
    var job = ReportJob(symbolPaths: RelayFixture.symbols, options: options)
    let output = String(
      decoding: job.symbolicate(Array(text.utf8), shownPath: "report").output, as: UTF8.self)
    expectFalse(output.contains("old"))
    expectContains(output, "\(Self.exactChain[0])\n3   librelay.dylib")
    expectEqual(output.contains("4   "), false)
  }

  /// If nothing names the trampoline, the next address is an ordinary return address.
  @Test func aTrampolineThatNothingNames() {
    let frames = [
      RelayFixture.frame(0, 0x39c),
      ReportFixture.frame(1, 0x1_9999_9268, image: "libsystem_other.dylib", base: 0x1_9999_9000),
      RelayFixture.frame(2, 0x3e4),
    ]
    expectEqual(chain(frames), ["measure + 0 (relay.c:20)"] + Self.callChain)
  }
}

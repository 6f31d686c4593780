import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// No damage makes the parser trap, and all ranges stay inside the input and nest.
struct DamagedInputTests {
  static let text = """
    {"app_name":"Letter Shuffle","bug_type":"109","x":[{"a":"\\u00e9"}],"name":"L"}
    Incident Identifier: I
    Process:             Letter Shuffle [57833]
    Path:                /var/Letter Shuffle

    Exception Type:  EXC_BREAKPOINT (SIGTRAP)
    VM Region Info: 0 is not in any region.
          __TEXT                   100cf8000-100cfc000 [   16K] r-x/r-x SM=COW  /var/App
    Triggered by Thread:  0

    Application Specific Information:
    abort() called

    Application Specific Backtrace 1:
    0   CoreFoundation                      0x00007fff4590132b __exceptionPreprocess + 171

    Last Exception Backtrace:
    (0x1ed76127c 0x1ec93b9f8 0x1ed66b4b0)

    Thread 0 name:  Dispatch queue: com.apple.main-thread
    Thread 0 Crashed:
    0   ???                           \t000000000000000000 0 + 0
    1   Letter\u{a0}Shuffle           \t0x000000010024f19c 0x100228000 + 160156
    2   UIKitCore                     \t0x00000001f2b23224 -[UIView f] + 4 (UIView.m:3) [inlined]
    3   App                           \t0x11ecc5adc assertion failed
     + 0 [inlined]
    4   App                           \t0x11ecc5adc 0x10002c000 + 0x20dd8\t// f + 0x80
    5   App                           \t0x11ecc5adc f (in App) (f.m:1)
    6   App                           \t0x3618da1c 0x3617c000 + 72220 (__pthread_kill + 8)
    7   Foundation                    \t0x000000019a4cc984  + -1 (:-1)

    Thread 1:: name Dispatch queue: q

    Thread 0 crashed with ARM Thread State (64-bit):
        x0: 0x0000000000000006   x1: 0x0000000000000004

    Binary Images:
    0x100228000 - 0x10026bfff +Letter Shuffle arm64  <b4a1de4991b33d1da64fa8d6bc44f649> /var/L S
    0x1000 - 0x1fff A&amp;B x86_64 (1 (2) - 3) &lt;b4a1de49-91b3-3d1d-a64f-a8d6bc44f649&gt; /A
    0x0 - 0xffffffffffffffff ??? (*) <00000000-0000-0000-0000-000000000000> ???

    EOF

    """

  /// Asks for everything that a report computes.
  private func check(_ bytes: [UInt8], _ comment: String) {
    guard let reports = try? CrashLogParser.parse(bytes) else { return }
    for report in reports {
      let range = report.byteRange
      if range.lowerBound < 0 || range.upperBound > bytes.count {
        Issue.record("\(comment): \(range) of \(bytes.count)")
      }
      expectNesting(report, comment)
      for frame in report.allFrames {
        _ = (frame.imageName, frame.line?.content, frame.imageRelativeAddress, frame.symbol)
        _ = report.image(for: frame)
      }
      for image in report.images {
        _ = (image.name, image.version, image.architecture, image.identity, image.path)
        _ = image.byteCount
      }
      for thread in report.threads { _ = (thread.name, thread.dispatchQueue) }
      for state in report.threadStates { _ = state.flavor }
      _ = (
        report.facts.process.name, report.crashedThread, report.facts.exception.codes,
        report.facts.fields.map(\.name)
      )
    }
  }

  @Test func theWholeTextIsRead() throws {
    let text = try ParsedText(Self.text)
    let report = try text.report
    expectEqual(report.threads.map(\.frames.count), [8, 0])
    expectEqual(report.images.count, 3)
    expectEmpty(report.faults)
    expectEqual(report.lastExceptionBacktrace?.frames.count, 3)
    expectEqual(report.applicationSpecificBacktraces.map(\.frames.count), [1])
    expectEqual(report.allFrames.compactMap(\.line).count, 9)
    expectFalse(report.allFrames.map(\.line?.content).contains(.unparsed))
  }

  @Test func cutAtEveryByte() {
    let bytes = Array(Self.text.utf8)
    for length in 1...bytes.count { check(Array(bytes[..<length]), "cut at \(length)") }
  }

  @Test func startedAtEveryByte() {
    let bytes = Array(Self.text.utf8)
    for start in bytes.indices { check(Array(bytes[start...]), "started at \(start)") }
  }

  @Test func bytesReplaced() {
    let bytes = Array(Self.text.utf8)
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    func random(_ bound: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(bound))
    }
    let special = Array("\n\r\t 0x:<>()[]{}\"\\+-&;9fT\u{a0}".utf8) + [0, 0xFF, 0xC2]
    for round in 0..<3000 {
      var damaged = bytes
      for _ in 0...random(3) {
        damaged[random(bytes.count)] =
          random(2) == 0 ? special[random(special.count)] : UInt8(random(256))
      }
      check(damaged, "round \(round)")
    }
  }

  /// A cut in the middle of a line is a fault with the range of that line.
  @Test(arguments: [
    ("3", 0), ("3   ", 0), ("3   Ap", 0), ("3   App 0x1", 0), ("3   App 0x1010 0x10", 1),
    ("3   App 0x1010 0x1000 +", 1),
  ])
  func cutFrames(line: String, count: Int) throws {
    let text = try ParsedText("Thread 0:\n0   App 0x1010 f + 1\n" + line)
    let report = try text.report
    expectEqual(report.allFrames.count, 1 + count)
    expectEqual(report.faults.map(\.kind), [.cutLine])
    expectEqual(report.faults.map { text[$0.byteRange] }, [line])
  }

  @Test func aCutImage() throws {
    let text = try ParsedText(
      "Thread 0:\n0   App 0x1010 f + 1\n\nBinary Images:\n0x1000 - 0x1fff App arm64 <bde08a")
    try expectEqual(text.report.faults.map(\.kind), [.cutLine])
    try expectEmpty(text.report.images)
  }
}

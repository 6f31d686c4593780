import ReportTestSupport
import TestSupport
import Testing

/// Facts from the heads of reports, as different writers spell them. Expected values are read off
/// the texts.
struct JsonFactTests {
  private func report(_ head: String) throws -> JsonReport {
    try JsonFixture.report(
      """
      Process: A B [x] [12]
      \(head)
      Report Version: 104

      Thread 0:
      0   A   0x0000000000001000 0x1000 + 0

      """)
  }

  @Test(
    arguments: [
      ("EXC_BAD_ACCESS (SIGSEGV)", "EXC_BAD_ACCESS", "SIGSEGV"),
      ("EXC_BAD_ACCESS (Code Signature Invalid)", "EXC_BAD_ACCESS (Code Signature Invalid)", nil),
      ("EXC_RESOURCE", "EXC_RESOURCE", nil), ("SIGSEGV", nil, "SIGSEGV"),
      ("00000020", "00000020", nil), ("", nil, nil), ("???", nil, nil),
    ] as [(String, String?, String?)])
  func exceptionTypes(text: String, type: String?, signal: String?) throws {
    let exception = try report("Exception Type:  \(text)").exception
    expectEqual(exception.type, type)
    expectEqual(exception.signal, signal)
  }

  @Test func exceptionCodes() throws {
    // macOS 11 and earlier.
    let two = try report(
      "Exception Codes:  KERN_INVALID_ADDRESS at 0x0000000000000001\nException Codes: 0x0000000000000001, 0xFFFFFFFFFFFFFFFF\nException Note: EXC_CORPSE_NOTIFY"
    ).exception
    expectEqual(two.codes, ["0x1", "0xffffffffffffffff"])
    expectEqual(two.subtype, "KERN_INVALID_ADDRESS at 0x0000000000000001")
    expectEqual(two.note, "EXC_CORPSE_NOTIFY")
    let stated = try report(
      "Exception Subtype: CPU\nException Message: (Limit 50%)\nException Codes: SEGV_MAPERR at 0x8"
    ).exception
    expectEmpty(stated.codes)
    expectEqual(stated.subtype, "CPU")
    expectEqual(stated.message, "(Limit 50%)")
    try expectEmpty(report("Exception Codes: 0x1, 0x").exception.codes)
  }

  @Test(
    arguments: [
      ("Namespace SIGNAL, Code 0xb", "SIGNAL", "0xb", nil),
      ("SIGNAL 11 Segmentation fault: 11", "SIGNAL", "0xb", "Segmentation fault: 11"),
      ("Namespace SIGNAL, Code 5, Trace/BPT trap: 5", "SIGNAL", "0x5", "Trace/BPT trap: 5"),
      (
        "Namespace SIGNAL, Code 4 Illegal instruction: 4", "SIGNAL", "0x4", "Illegal instruction: 4"
      ),
      ("FRONTBOARD 2343432205", "FRONTBOARD", "0x8badf00d", nil),
      ("SIGNAL 5", "SIGNAL", "0x5", nil),
      ("for no reason", nil, nil, "for no reason"),
    ] as [(String, String?, String?, String?)])
  func terminations(
    text: String, namespace: String?, code: String?, indicator: String?
  ) throws {
    let termination = try report(
      "Termination Reason:  \(text)\nTerminating Process: exc handler [3]"
    ).termination
    expectEqual(termination.namespace, namespace)
    expectEqual(termination.code, code)
    expectEqual(termination.indicator, indicator)
    expectEqual(termination.process, .init(name: "exc handler", pid: 3))
    expectEmpty(termination.details)
  }

  @Test func linesBelowTheReason() throws {
    let head = """
      Termination Reason:  DYLD 4 Symbol missing
      Symbol not found: _f
      (terminated at launch; ignore backtrace)
      Triggered by Thread:  0

      Application Specific Information:
      dyld3 mode
      *** Terminating app due to uncaught exception 'E', reason: 'it's over'

      """
    for text in [head, head.replacing("\n", with: "\r\n")] {
      let report = try report(text)
      expectEqual(report.termination.indicator, "Symbol missing")
      expectEqual(
        report.termination.details,
        ["Symbol not found: _f", "(terminated at launch; ignore backtrace)"])
      expectEqual(report.applicationSpecificInformation.count, 2)
      expectEqual(report.exception.name, "E")
      expectEqual(report.exception.reason, "it's over")
    }
  }

  @Test func informationInJson() throws {
    let body =
      #"{"procName":"A","asi":{"libsystem_c.dylib":["abort() called\nnow"],"b":["c",7]},"exceptionReason":{"name":"NSInvalidArgumentException","composed_message":"-[NSNull length]: unrecognized","class":"NSException"},"termination":{"namespace":"DYLD","code":1,"indicator":"Library missing","reasons":["Library not loaded: x"],"details":["(terminated at launch; ignore backtrace)"]},"threads":[],"usedImages":[]}"#
    let report = try JsonFixture.report(body)
    expectEqual(report.applicationSpecificInformation, ["abort() called", "now", "c"])
    expectEqual(report.exception.name, "NSInvalidArgumentException")
    expectEqual(report.exception.reason, "-[NSNull length]: unrecognized")
    expectEqual(
      report.termination.details,
      ["Library not loaded: x", "(terminated at launch; ignore backtrace)"])
    expectTrue(report.process.version == nil && report.os.name == nil && report.backtraces.isEmpty)
  }

  @Test(
    arguments: [
      ("iPhone OS 12.4 (16G77)", "iPhone OS", "12.4", "16G77"),
      ("Mac OS X 10.14.5 (Build 18F132)", "Mac OS X", "10.14.5", "18F132"),
      ("iPhone OS 26.3 (23D5089e)", "iPhone OS", "26.3", "23D5089e"),
      ("macOS 13.0", "macOS", "13.0", nil), ("Darwin", "Darwin", nil, nil),
      ("??? ??? (Build ???)", nil, nil, nil),
    ] as [(String, String?, String?, String?)])
  func systems(text: String, name: String?, version: String?, build: String?) throws {
    let system = try report("OS Version: \(text)").os
    expectEqual(system.name, name)
    expectEqual(system.version, version)
    expectEqual(system.build, build)
  }

  @Test func processes() throws {
    let report = try report(
      "Version: 1 (2)\nCode Type: X86-64 (Translated)\nParent Process: ??? [7]\nIdentifier: ???")
    expectEqual(report.process.name, "A B [x]")
    expectEqual(report.process.pid, 12)
    expectEqual(report.process.version, "1 (2)")
    // Nothing says which of the two versions is which.
    expectTrue(report.process.shortVersion == nil && report.process.bundleVersion == nil)
    expectNil(report.process.identifier)
    expectEqual(report.parentProcess, .init(name: nil, pid: 7))
    expectEqual(report.codeType, "X86-64")
    expectEqual(report.translated, true)
    expectEqual(report.architecture, "x86_64")
    expectEqual(report.format, "crashText")
  }

  /// A report that is not about a crash says what it is about, as the headline does. What was only
  /// watched has no reason.
  @Test(
    arguments: [
      (
        "Event:            cpu usage\nAction taken:     none\nCPU:              90 seconds cpu time over 150 seconds",
        "CPU time: 90 seconds cpu time over 150 seconds", "resourceLimit"
      ),
      ("Event:            hang\nDuration:         7.23s", "hang of 7.23s", "hang"),
      ("Event:            sample\nDuration:         7.23s", nil, nil),
    ] as [(String, String?, String?)])
  func events(head: String, reason: String?, kind: String?) throws {
    let report = try JsonFixture.report(
      "Command:          Board\nPID:              812\nOS Version:       macOS 14.5 (23F79)\n\(head)\nSteps:            49\n\n"
        + "Heaviest stack for the target process:\n"
        + "  18  ??? (Board + 14340) [0x1db258804]\n", with: [])
    expectEqual(report.crash.reason, reason)
    expectEqual(report.crash.kind, kind)
    expectEqual(report.crash.reasonFrom, reason == nil ? nil : "event")
    expectEqual(report.crash.evidence.first?.name, reason == nil ? nil : "Event")
  }
}

import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// The backtraces that belong to no thread.
struct LastExceptionTests {
  private static let head = "Incident Identifier: I\nProcess: App [1]\nPath: /App\n\n"

  @Test func frames() throws {
    let text = try ParsedText(
      Self.head + """
        Last Exception Backtrace:
        0   CoreFoundation                \t0x1aa7cc904 __exceptionPreprocess + 220
        1   libobjc.A.dylib               \t0x1bf1fbc50 objc_exception_throw + 59

        Thread 0 Crashed:
        0   App 0x10 f + 1
        """)
    let report = try text.report
    let backtrace = try require(report.lastExceptionBacktrace)
    expectEqual(backtrace.frames.map(\.imageName), ["CoreFoundation", "libobjc.A.dylib"])
    expectNil(backtrace.addressListRange)
    expectNil(backtrace.number)
    expectFalse(backtrace.isCrashed)
    expectPrefix(text[backtrace.byteRange], "Last Exception")
    expectSuffix(text[backtrace.byteRange], "throw + 59")
    expectEqual(report.threads.map(\.frames.count), [1])
    expectEqual(report.allFrames.map(\.address?.value), [0x1_aa7c_c904, 0x1_bf1f_bc50, 0x10])
  }

  @Test(arguments: [
    "(0x1ed76127c 0x1ec93b9f8 0x1ed66b4b0)", "(0x1ed76127c 0x1ec93b9f8\n 0x1ed66b4b0)",
    "( 0x1ed76127c  0x1ec93b9f8\r\n0x1ed66b4b0 )",
  ])
  func addresses(list: String) throws {
    let text = try ParsedText(
      Self.head + "Last Exception Backtrace:\n" + list + "\n\nThread 0:\n0   App 0x10 f + 1\n")
    let report = try text.report
    let backtrace = try require(report.lastExceptionBacktrace)
    expectEqual(
      backtrace.frames.map(\.address?.value), [0x1_ed76_127c, 0x1_ec93_b9f8, 0x1_ed66_b4b0])
    expectEqual(text.text(backtrace.addressListRange), list)
    for frame in backtrace.frames {
      guard case .listedAddress = frame.carrier else {
        Issue.record("\(frame.carrier)")
        continue
      }
      expectTrue(frame.byteRange == nil && frame.index == nil && frame.imageName == nil)
      expectTrue(frame.symbol == nil && frame.imageRelativeAddress == nil)
    }
    expectEqual(report.threads.count, 1)
    expectEmpty(report.faults)
    expectNesting(report, list)
  }

  @Test func aCutListKeepsItsCompleteAddresses() throws {
    let text = try ParsedText(
      Self.head + "Last Exception Backtrace:\n(0x1ed76127c 0x1ec93b9f8 0x1ed6")
    let report = try text.report
    let backtrace = try require(report.lastExceptionBacktrace)
    expectEqual(backtrace.frames.map(\.address?.value), [0x1_ed76_127c, 0x1_ec93_b9f8])
    expectEqual(text.text(backtrace.addressListRange), "(0x1ed76127c 0x1ec93b9f8 0x1ed6")
    expectEqual(report.faults.map(\.kind), [.cutLine])
    expectNesting(report, "cut")
  }

  @Test func backtracesOfTheApplication() throws {
    let text = try ParsedText(
      Self.head + """
        Application Specific Information:
        *** Terminating app due to uncaught exception 'E'

        Application Specific Backtrace 1:
        0   CoreFoundation                      0x00007fff4590132b __exceptionPreprocess + 171

        Application Specific Backtrace 2:
        0   App                                 0x00007fff4590132c g + 1

        Thread 0:
        0   App 0x10 f + 1
        """)
    let report = try text.report
    expectEqual(report.applicationSpecificBacktraces.map(\.number), [1, 2])
    expectEqual(
      report.applicationSpecificBacktraces.map { $0.frames.map(\.imageName) },
      [
        ["CoreFoundation"], ["App"],
      ])
    expectEqual(report.threads.count, 1)
    expectNesting(report, "application")
  }
}

import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// Traces of the package swift-backtrace in the shape of its `Backtrace.swift`.
struct SwiftServerTraceTests {
  private func names(_ report: Report) -> [String] { RuntimeTraceTests.names(report) }

  private static let trace = """
    Received signal 4. Backtrace:
    0x55e176770802, Backtrace.(printBacktrace in _B82A)(signal: Swift.Int32) -> () at /src/Backtrace.swift:66
    0x7f984567c51f
    0x55e177706312, App.Board.turn(to: Swift.Int) throws -> App.Card at /src/App/Board.swift:12
    0x55e17772cd7d, App.main() -> ()

    """

  private static let frames = [
    "- Backtrace.(printBacktrace in _B82A)(signal: Swift.Int32) -> () Backtrace.swift:66",
    "- ?", "- App.Board.turn(to: Swift.Int) throws -> App.Card Board.swift:12",
    "- App.main() -> ()",
  ]

  /// Also behind what Docker and logs put in front.
  @Test(arguments: ["", "web_1  | ", "2026-05-28 11:40:28 "])
  func withSignal(prefix: String) throws {
    let lines = Self.trace.split(separator: "\n").map { "\(prefix)\($0)\n" }
    let report = try ParsedText("Start.\n" + lines.joined() + "End.\n").report
    #expect(report.format == .swiftServerBacktrace && report.facts.exception.signal == "SIGILL")
    #expect(names(report) == Self.frames)
    #expect(report.allFrames.allSatisfy { $0.addressKind == .programCounter })
  }

  /// Linux has another number for it than Darwin.
  @Test func busError() throws {
    let text = Self.trace.replacing("signal 4", with: "signal 7")
    #expect(try ParsedText(text).report.facts.exception.signal == "SIGBUS")
  }

  /// Versions before 1.3 have no line above; the optimiser may leave addresses there.
  @Test func withoutSignal() throws {
    let report = try ParsedText(
      """
      App/Board.swift:33: Fatal error: no cards
      0x7f3d3e89b3bf
      0x5623cca3bcbb, App.Board.turn() -> () at /host/App/Board.swift:33
      0x5623cca3b876, App.main() -> () at /host/App/main.swift:2

      """
    ).report
    #expect(report.format == .swiftServerBacktrace)
    #expect(report.facts.applicationInformation == ["App/Board.swift:33: Fatal error: no cards"])
    #expect(
      names(report) == [
        "- ?", "- App.Board.turn() -> () Board.swift:33",
        "- App.main() -> () main.swift:2",
      ])
  }

  /// Bytes in source code, addresses alone, and a line without frames.
  @Test(arguments: [
    "0x00, 0x01, 0x02, 0x03\n0x04, 0x05, 0x06, 0x07\n",
    "0x7f984567c51f\n0x7f984567c520\n",
    "0x7f984567c51f, and nothing else at home\n0x7f984567c51f, and so on\n",
    "Received signal 15. Backtrace:\nbye\n",
  ])
  func others(text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }
}

import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Reports for signatures, and their signatures as JSON has them.
enum SignatureFixture {
  private typealias Report = TrapReportFixture

  /// What a frame of a report written by hand shows.
  enum Frame {
    /// A function of the app.
    case app(String)
    /// A function of a system library.
    case system(String)
    /// Code of the app without a name, by its distance from the image's start.
    case nameless(UInt64)
    case namelessSystem(UInt64)
    /// A frame of a framework or library of the system that the report does not list.
    case image(String, String?)
    /// A function of the app at a return address at its first byte.
    case atStart(String)
  }

  static func report(
    _ frames: [Frame], head: String = "Exception Type:  EXC_BREAKPOINT (SIGTRAP)",
    before: String = ""
  ) -> String {
    Report.report(lines(frames), head: head, before: before)
  }

  static func lines(_ frames: [Frame]) -> [String] {
    frames.enumerated().map { index, frame in
      switch frame {
      case .app(let name): Report.stated(index, 0x1_0000_1000, "\(name) + 8")
      case .system(let name): Report.system(index, "\(name) + 8")
      case .nameless(let offset): Report.frame(index, 0x1_0000_0000 + offset)
      case .namelessSystem(let offset):
        ReportFixture.frame(
          index, 0x1_9000_0000 + offset, image: "libswiftCore.dylib", base: 0x1_9000_0000)
      case .image(let image, let name):
        ReportFixture.line(
          index, 0x1_a000_0000, image: image, name.map { "\($0) + 8" } ?? "0x1a0000000 + 0")
      case .atStart(let name): Report.stated(index, 0x1_0000_1000, "\(name) + 0")
      }
    }
  }

  /// The signature of the only report of an input.
  static func signature(
    _ text: String, with symbols: [String] = [],
    _ options: SymbolicationOptions = SymbolicationOptions()
  ) throws -> JsonReport.Signature? {
    try JsonFixture.report(text, with: symbols, options).signature
  }

  static func text(
    _ frames: [Frame], head: String = "Exception Type:  EXC_BREAKPOINT (SIGTRAP)",
    _ options: SymbolicationOptions = SymbolicationOptions()
  ) throws -> String? {
    try signature(report(frames, head: head), options)?.text
  }
}

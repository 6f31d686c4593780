import CrashLogParser

/// A backtrace as text that stands in a string of a report as JSON (`asiBacktraces`).
struct EmbeddedBacktrace {
  /// The heading under which the text would stand in a report, and the text.
  let bytes: [UInt8]
  let frames: [StackFrame]

  private static let heading = Array("Application Specific Backtrace 0:\n".utf8)

  init(_ backtrace: IpsTextBacktrace) {
    bytes = Self.heading + Array(backtrace.text.utf8)
    let report = try? CrashLogParser.parse(bytes).first
    frames = report?.applicationSpecificBacktraces.first?.frames ?? []
  }

  /// The text of `bytes` after edits of its frames.
  static func text(of bytes: [UInt8]) -> String {
    String(decoding: bytes.dropFirst(heading.count), as: UTF8.self)
  }
}

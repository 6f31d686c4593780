import ReportSymbolication
import SystemPackage

/// Messages on standard error. Names and paths in them are from strangers, so characters that a
/// terminal would act on are replaced, wherever the messages go.
enum Diagnostics {
  /// Writes `program: message` and a newline. A message that cannot be written is lost: there is
  /// nowhere left to report it.
  static func print(_ message: String, program: String = "symbolicate") {
    note("\(program): \(message)")
  }

  /// Writes `line` and a newline.
  static func note(_ line: String) { write(line.shownInMessages + "\n") }

  /// Writes a text of several lines and a newline.
  static func help(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    write(lines.map { String($0).shownInMessages + "\n" }.joined())
  }

  private static func write(_ text: String) {
    _ = try? FileDescriptor.standardError.writeAll(Array(text.utf8))
  }
}

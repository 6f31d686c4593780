import SymbolicationModel

/// Lines that mean something to whoever reads the text of a report: headings of Apple's text, and
/// commands that CI systems take from the output of a program. A text inside a report must not make
/// one.
enum StructuralLine {
  /// Whether a line, without its end, begins as one of them, after any white space.
  static func isOne(_ line: ArraySlice<UInt8>) -> Bool {
    let text = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    // Few lines get further.
    guard let first = text.first, firstBytes.contains(first) else { return false }
    return starts.contains { text.starts(with: $0.utf8) } || isThread(text)
  }

  /// GitHub's and Azure's commands, and what begins a report or a part of one.
  private static let starts = [
    "::", "##[", "##vso[", "Last Exception Backtrace:", "Application Specific Backtrace ",
    "Binary Images:", "Incident Identifier:", "Process:", "EOF",
  ]

  private static let firstBytes = Set((starts + ["Thread"]).compactMap(\.utf8.first))

  /// `Thread 9:`, `Thread 9 Crashed:`, `Thread 9 name:`.
  private static func isThread(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.starts(with: "Thread ".utf8) else { return false }
    let rest = text.dropFirst(7).drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return rest.count < text.count - 7
      && [":", " Crashed", " name:"].contains { rest.starts(with: $0.utf8) }
  }
}

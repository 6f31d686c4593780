import FileSystem
import SymbolicationModel
import Wording

/// Builds the text of a translated report.
///
/// Control characters in strings from a report never reach the terminal, and no such string becomes
/// a line that looks like the report's own structure: see ``append(name:)`` and ``addLines(of:)``.
struct TranslatedText {
  package private(set) var bytes: [UInt8] = []

  // MARK: Parts of a line

  /// Appends text of this program.
  mutating func append(_ text: String) { bytes += text.utf8 }

  /// Appends text from a report on the same line: control characters other than tabs, line ends
  /// among them, become U+FFFD.
  mutating func append(name: String) { append(cleaned: name) }

  /// Appends a path on one line, as its bytes.
  mutating func append(path: String) {
    guard path.hasPathBytes else { return append(name: path) }
    bytes.append(path: path.withoutControlCharacters)
  }

  /// Appends a name, padded with spaces to a width in characters (Unicode scalars).
  mutating func append(name: String, paddedTo width: Int) {
    append(name: name)
    appendSpaces(width - name.unicodeScalars.count)
  }

  mutating func append(decimal value: UInt64) { bytes += String(value).utf8 }

  /// Appends a number such as `0x1f` with at least `digitCount` digits.
  mutating func append(hexadecimal value: UInt64, digitCount: Int = 1) {
    bytes += "0x".utf8
    bytes += value.hexadecimalDigits(count: digitCount).utf8
  }

  /// Appends an address, right-aligned in 18 characters, the width of Apple's column and of the
  /// longest address.
  mutating func append(address value: UInt64) {
    let text = value.hexadecimal
    appendSpaces(18 - text.utf8.count)
    bytes += text.utf8
  }

  mutating func appendSpaces(_ count: Int) {
    for _ in 0..<max(0, count) { bytes.append(UInt8(ascii: " ")) }
  }

  mutating func endLine() { bytes.append(UInt8(ascii: "\n")) }

  /// Where the next byte goes: to be called at the start of a line that has text from a report, for
  /// `endLine(from:)`.
  var end: Int { bytes.count }

  /// Ends a line that begins with text from a report. If it looks like a heading of a report, or
  /// like a command to a CI system, it begins with U+FFFD.
  mutating func endLine(from start: Int) {
    if StructuralLine.isOne(bytes[start...]) {
      bytes.insert(contentsOf: UTF8.encodedReplacementCharacter, at: start)
    }
    endLine()
  }

  // MARK: Lines

  mutating func addBlankLine() { endLine() }

  /// Adds a line of this program.
  mutating func addLine(_ text: String) {
    append(text)
    endLine()
  }

  /// Adds a text from a report as the lines that it has.
  mutating func addLines(of text: String) {
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let start = end
      let hasReturn = line.last == UInt8(ascii: "\r")
      append(name: String(Substring(hasReturn ? line.dropLast() : line)))
      if hasReturn { bytes.append(UInt8(ascii: "\r")) }
      endLine(from: start)
    }
  }

  /// Adds `Key:` and a value in a column; nothing if there is no value.
  mutating func addField(_ key: StaticString, _ value: String?, column: Int) {
    guard let value else { return }
    addKey(key, column: column)
    append(name: value)
    endLine()
  }

  /// Adds `Key:` and a text that may have several lines; nothing if there is no text.
  mutating func addTextField(_ key: StaticString, _ text: String?, column: Int) {
    guard let text else { return }
    addKey(key, column: column)
    addLines(of: text)
  }

  private mutating func addKey(_ key: StaticString, column: Int) {
    let key = key.description
    bytes += key.utf8
    bytes.append(UInt8(ascii: ":"))
    appendSpaces(column - key.utf8.count - 1)
  }

  // MARK: Control characters

  private mutating func append(cleaned text: String) {
    let text = text.withoutCommandMarks
    guard text.withBytes({ $0.mayHoldControlCharacter }) else {
      bytes += text.utf8
      return
    }
    for scalar in text.unicodeScalars {
      let isKept = scalar == "\t" || scalar.properties.generalCategory != .control
      bytes += UTF8.encode(isKept ? scalar : "\u{fffd}") ?? UTF8.encodedReplacementCharacter
    }
  }
}

/// Lines that mean something to whoever reads the text of a report: headings of Apple's text, and
/// commands that CI systems take from the start of a line. A text inside a report must not make
/// one.
package enum StructuralLine {
  /// Whether a line, without its end, begins as one of them, after any white space.
  package static func isOne(_ line: ArraySlice<UInt8>) -> Bool {
    var text = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    // CI systems pass over all white space of Unicode.
    if let first = text.first, first >= 0x80 {
      let start = String(decoding: text.prefix(1 << 12), as: UTF8.self).unicodeScalars
      let space = start.prefix { $0.properties.isWhitespace }
      text = text.dropFirst(String(space).utf8.count)
    }
    // Few lines get further.
    guard let first = text.first, firstBytes.contains(first) else { return false }
    return starts.contains { text.starts(with: $0.utf8) } || isThread(text)
  }

  /// GitHub's commands, and what begins a report or a part of one.
  private static let starts = [
    "::", "Last Exception Backtrace:", "Application Specific Backtrace ",
    "Binary Images:", "Incident Identifier:", "Process:", "EOF",
  ]

  private static let firstBytes = Set((starts + ["Thread"]).compactMap(\.utf8.first))

  /// `Thread 9:`, `Thread 9 Crashed:`, `Thread 9 name:`.
  private static func isThread(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.starts(with: "Thread ".utf8) else { return false }
    let rest = text.dropFirst(7).drop { $0.isDecimalDigit }
    return rest.count < text.count - 7
      && [":", " Crashed", " name:"].contains { rest.starts(with: $0.utf8) }
  }
}

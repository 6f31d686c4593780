import JsonReading
import ReportModel
import SymbolicationModel

// What single runtimes and libraries print.

extension LastWords {
  static let castFailure = "Could not cast value of type '"
  static let appKitWords = "Crashing on exception: "
  static let humanPanic = "Panic occurred in file '"
}

extension TextSource {
  /// What the Swift runtime says about a forced cast, without the addresses of the types:
  ///
  /// ```text
  /// Could not cast value of type '__NSCFNumber' (0x7fff8) to 'NSString' (0x7fff9).
  /// ```
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/runtime/Casting.cpp
  /// (`swift_dynamicCastFailure`).
  func castFailure(_ range: Range<Int>) -> (start: Int, text: String)? {
    let limit = min(range.upperBound, range.lowerBound + 200)
    guard let start = find(LastWords.castFailure, from: range.lowerBound, limit: limit),
      start == range.lowerBound || logHeadEnd(range) == start,
      find("' to '", from: start, limit: range.upperBound)
        ?? find(") to '", from: start, limit: range.upperBound) != nil
    else { return nil }
    var text = ""
    for part in string(start..<range.upperBound).split(separator: " ") {
      if part.hasPrefix("(0x") {
        if let end = part.firstIndex(of: ")") { text += part[part.index(after: end)...] }
      } else {
        text += text.isEmpty ? part : " \(part)"
      }
    }
    return (start, text.last == "." ? String(text.dropLast()) : text)
  }

  /// What AppKit logs before it ends the process for an exception that nobody caught: `Crashing on
  /// exception: no nib`, at the start of a line, behind the head of a log, or between quotation
  /// marks in prose.
  ///
  /// Source: the words of `-[NSApplication _crashOnException:]`, as people show them
  /// (github.com/Oil3/Mkv-Quicklook, issue 5).
  func appKitWords(_ range: Range<Int>) -> (start: Int, text: String)? {
    guard let start = find(LastWords.appKitWords, from: range.lowerBound, limit: range.upperBound)
    else { return nil }
    let message = start + LastWords.appKitWords.utf8.count
    var end = range.upperBound
    if start > range.lowerBound {
      let mark = self[start - 1]
      if "`'\"".utf8.contains(mark) {
        guard let close = bytes[message..<end].firstIndex(of: mark) else { return nil }
        end = close
      } else if self[start - 1] != Ascii.space || self[start - 2] != Ascii.closeBracket {
        return nil
      }
    }
    return end > message ? (start, string(start..<end)) : nil
  }

  /// What the file says about a panic that the crate `human-panic` writes, as one line:
  ///
  /// ```text
  /// explanation = """
  /// Panic occurred in file 'src/deck.rs' at line 12
  /// """
  /// cause = "no cards"
  /// ```
  ///
  /// Source: github.com/rust-cli/human-panic, src/lib.rs (`handle_dump`) and src/report.rs.
  func humanPanic(_ range: Range<Int>, _ next: Int) -> String? {
    let limit = min(range.upperBound, range.lowerBound + 40)
    guard let start = find(LastWords.humanPanic, from: range.lowerBound, limit: limit),
      start == range.lowerBound || "\"'".utf8.contains(self[start - 1])
    else { return nil }
    let path = start + LastWords.humanPanic.utf8.count
    let sign = "' at line "
    guard let pathEnd = find(sign, from: path, limit: range.upperBound),
      let (line, _) = decimal(at: pathEnd + sign.utf8.count, limit: range.upperBound),
      let line
    else { return nil }
    var text = "The application panicked at \(string(path..<pathEnd)):\(line)"
    var below = next
    for _ in 0..<6 where below < count {
      let line = self.line(at: below)
      below = line.next
      let content = trimmed(line.start..<line.end)
      let key = "cause = "
      guard content.count < 4096,
        has(key, at: content.lowerBound, limit: content.upperBound)
      else { continue }
      var value = string(content.lowerBound + key.utf8.count..<content.upperBound)
      // Text of several lines begins in the next one.
      if value == "\"\"\"" || value == "\'\'\'" {
        let first = self.line(at: below)
        value = string(trimmed(first.start..<first.end).prefix(4096))
      }
      if let mark = value.first, "\"'".contains(mark), value.last == mark, value.utf8.count > 1 {
        value = String(value.dropFirst().dropLast())
        if mark == "\"" {
          value = value.split(separator: "\\\"", omittingEmptySubsequences: false)
            .joined(separator: "\"")
        }
      }
      text += ": \(value)"
      break
    }
    return text
  }
}

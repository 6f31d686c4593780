import JsonReading
import ReportFormats
package import ReportModel
import SampledReports

/// The shape of what stands before every line: its words and signs, with any digits in the place of
/// digits.
package struct LinePrefix {
  private enum Part {
    case text([UInt8])
    /// A number, a hexadecimal identifier, the name of a month or day: what changes from line to
    /// line in the time stamps of a log.
    case variable
    /// A word among aligned columns behind a time: what other processes have differs.
    case column
    /// At least one space or tab.
    case separator
    /// At the end these separators, because the line itself may be indented.
    case lastSeparators([UInt8])
  }

  private let parts: [Part]

  /// - Parameter range: the bytes before the first line of a report.
  package init(_ source: TextSource, _ range: Range<Int>) {
    var parts: [Part] = []
    var position = range.lowerBound
    var columnStart = 0
    var beginsWithTime = false
    while position < range.upperBound {
      let start = position
      if source.separatorLength(at: position, limit: range.upperBound) > 0 {
        position = source.skipSeparators(from: position, limit: range.upperBound)
        let isLast = position == range.upperBound
        if columnStart == 0 {
          beginsWithTime = source.bytes[range.lowerBound..<start].contains(where: Ascii.isDigit)
        } else if position - start > 1, !isLast, beginsWithTime {
          parts[columnStart...] = [.column]
        }
        defer { columnStart = parts.count }
        parts.append(isLast ? .lastSeparators(Array(source.bytes[start..<position])) : .separator)
      } else if Ascii.isWord(source[position]) {
        while position < range.upperBound, Ascii.isWord(source[position]) { position += 1 }
        let word = source.bytes[start..<position]
        parts.append(Self.isVariable(word) ? .variable : .text(Array(word)))
      } else {
        position += 1
        if case .text(let text) = parts.last {
          parts[parts.count - 1] = .text(text + [source[start]])
        } else {
          parts.append(.text([source[start]]))
        }
      }
    }
    self.parts = parts
  }

  private static func isVariable(_ word: ArraySlice<UInt8>) -> Bool {
    word.contains(where: Ascii.isDigit)
      || datesWords.contains(String(decoding: word, as: UTF8.self))
  }

  private static let datesWords: Set<String> = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun",
  ]

  /// Where the line goes on after the prefix; nil if it does not begin with it. A line with nothing
  /// but the prefix may lack the separators at its end.
  package func end(in source: TextSource, _ line: TextLine) -> Int? {
    var position = line.start
    for (index, part) in parts.enumerated() {
      switch part {
      case .text(let text):
        guard line.end - position >= text.count,
          source.bytes[position..<position + text.count].elementsEqual(text)
        else { return nil }
        position += text.count
      case .variable:
        let start = position
        while position < line.end, Ascii.isWord(source[position]) { position += 1 }
        guard position > start else { return nil }
      case .column:
        let start = position
        while position < line.end, source.separatorLength(at: position, limit: line.end) == 0 {
          position += 1
        }
        guard position > start else { return nil }
      case .separator:
        let start = position
        position = source.skipSeparators(from: position, limit: line.end)
        // Numbers at the start of lines are aligned.
        guard position > start || index == 0 else { return nil }
      case .lastSeparators(let separators):
        let rest = source.bytes[position..<line.end]
        if rest.starts(with: separators) { return position + separators.count }
        let isBlank = source.skipSeparators(from: position, limit: line.end) == line.end
        return isBlank ? line.end : nil
      }
    }
    return position
  }

  /// Whether it is what a log puts before a message: a time, who wrote it, and a colon.
  ///
  /// Source: syslogd(8), asl(5).
  private var isOfLog: Bool {
    guard parts.count > 4, case .variable = parts[0],
      case .text(let last) = parts[parts.count - 2], last.last == Ascii.colon
    else { return false }
    return true
  }

  /// Whether it is the sign of a comment in source code or a script, and the indentation of a
  /// quotation behind it: `#    `, `//  `, `;; `, ` *  `.
  private var isOfComment: Bool {
    guard case .lastSeparators(let separators)? = parts.last, separators.count > 1 else {
      return false
    }
    return parts.dropLast().allSatisfy { part in
      switch part {
      case .text(let text): text.allSatisfy { "#/;*-%!".utf8.contains($0) }
      case .separator: true
      case .variable, .column, .lastSeparators: false
      }
    }
  }

  private static let fewestQuoted = 4

  /// Whether the lines after the first one have it too.
  package func isRepeated(after first: TextLine, in source: TextSource) -> Bool {
    guard !parts.isEmpty else { return false }
    var (filled, matching, indented) = (0, 0, 0)
    let isOfLog = isOfLog
    var next = first.next
    while next < source.count, filled < 24 {
      let line = source.line(at: next)
      next = line.next
      guard !source.isBlank(line) else { continue }
      // A log indents the lines of a message below its first one.
      if isOfLog, source.separatorLength(at: line.start, limit: line.end) > 0 {
        indented += 1
        if indented < 64 { continue }
        break
      }
      filled += 1
      if end(in: source, line) != nil { matching += 1 }
      // Comments go on in other words below a report that somebody quoted there.
      if matching == filled, matching == Self.fewestQuoted, isOfComment { return true }
    }
    if isOfLog, filled == 0, indented > 1 { return true }
    return matching > 0 && matching * 4 >= filled * 3
  }

  /// The signs that follow every line, such as a back-tick or the bar of a table.
  package func suffix(from first: TextLine, in source: TextSource) -> [UInt8] {
    var common: ArraySlice<UInt8>?
    var (filled, next) = (0, first.start)
    while next < source.count, filled < 200 {
      let line = source.line(at: next)
      next = line.next
      guard let start = end(in: source, line), start < line.end else { continue }
      // The last line may be cut.
      if filled >= 8, source.isBlank(below: line.end) { continue }
      filled += 1
      let content = source.bytes[start..<line.end]
      guard let known = common else {
        // A bracket belongs to what it closes.
        common = content.suffix {
          Ascii.isPunctuation($0) && !")]}>".utf8.contains($0) || $0 == Ascii.space
        }
        continue
      }
      var length = 0
      while length < known.count, length < content.count,
        content[content.endIndex - length - 1] == known[known.endIndex - length - 1]
      {
        length += 1
      }
      common = known.suffix(length)
      if length == 0 { break }
    }
    guard filled >= 8, let common else { return [] }
    return Array(common)
  }
}

extension ArraySlice<UInt8> {
  /// The bytes at the end that fulfil a condition, at most 8.
  fileprivate func suffix(_ isWanted: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    var start = endIndex
    while start > startIndex, endIndex - start < 8, isWanted(self[start - 1]) { start -= 1 }
    return self[start...]
  }
}

extension TextSource {
  /// Where on a line a sample begins, if something stands before it.
  package func prefixedSampleStart(_ line: TextLine) -> Int? {
    // No prefix is longer: see `prefixedReportStart`.
    let limit = min(line.end, line.start + 220)
    let first =
      find("Analysis of sampling ", from: line.start, limit: limit)
      ?? find("Sampling process ", from: line.start, limit: limit)
    guard let first,
      sampleStarts(at: TextLine(start: first, end: line.end, next: line.next))
    else { return nil }
    return first
  }
}

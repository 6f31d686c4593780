import ReportFormats
import JsonReading
package import ReportModel
import RuntimeReports
import SdkReports

/// A report with the same text before every line: `> `, `// `, indentation, the time stamps of a
/// log. What follows every line, such as a closing back-tick, belongs to it.
package struct LinePrefixWrapping: WrappingReader {
  /// What the formats that are read are recognised by.
  let formats: FormatSigns

  /// So many lines that a report may begin with are looked at. An input has few of them before its
  /// first report.
  private static let candidateLimit = 32

  package func unwrap(_ source: TextSource) -> UnwrappedText? {
    var next = source.textStart
    var candidates = 0
    while next < source.count, candidates < Self.candidateLimit {
      let line = source.line(at: next)
      next = line.next
      guard let sign = source.prefixedReportStart(line) else { continue }
      candidates += 1
      // The report may follow the tag or the fence of a block.
      for end in [sign, source.quoteEnd(line)] where end > line.start && end <= sign {
        // A tag that stands before many lines ends those above, too.
        if HtmlTag.read(source, at: line.start)?.length == end - line.start
          || isPart(line.start..<end, ofFrame: line, in: source)
        {
          continue
        }
        let prefix = LinePrefix(source, line.start..<end)
        guard
          prefix.isRepeated(after: line, in: source)
            || isTrace(after: line, prefix, at: end, in: source)
        else { continue }
        let suffix = prefix.suffix(from: line, in: source)
        return unwrap(source, prefix, suffix: suffix)
      }
    }
    // Lines of JSON end alike, but not with something of the wrapping.
    return jsonPrefix(source).map { unwrap(source, $0, suffix: []) }
  }

  /// Whether a line is a frame of Apple's that begins with its number, and a range holds that, and
  /// maybe the image: no number of another frame is behind it.
  private func isPart(
    _ range: Range<Int>, ofFrame line: TextLine, in source: TextSource
  ) -> Bool {
    guard Ascii.isDigit(source[range.lowerBound]),
      !Ascii.isDigit(source[range.upperBound])
        || source.has("0x", at: range.upperBound, limit: line.end),
      case .frame = source.frameLine(line)
    else { return false }
    return true
  }

  /// Whether a frame of a trace with the same before it is on one of the next lines, too, or what
  /// belongs to the trace on the line above. Lines of others may follow: a log has many writers.
  private func isTrace(
    after line: TextLine, _ prefix: LinePrefix, at start: Int, in source: TextSource
  ) -> Bool {
    let first = TextLine(start: start, end: line.end, next: line.next)
    var next = line.next
    for _ in 0..<3 where next < source.count {
      let line = source.line(at: next)
      next = line.next
      guard let end = prefix.end(in: source, line) else { continue }
      let content = TextLine(start: end, end: line.end, next: line.next)
      if source.isFrame(content, ofTraceFrom: first) { return true }
    }
    guard let above = source.lineAbove(line), let end = prefix.end(in: source, above) else {
      return false
    }
    let content = TextLine(start: end, end: above.end, next: above.next)
    return source.isLine(content, aboveTraceFrom: first)
  }

  /// The prefix of a JSON document that is a report, by the first line of an object and a line that
  /// only such a document has.
  private func jsonPrefix(_ source: TextSource) -> LinePrefix? {
    var objects: [(line: TextLine, start: Int)] = []
    var next = source.textStart
    var signs = 0
    while next < source.count, signs < Self.candidateLimit {
      let line = source.line(at: next)
      next = line.next
      guard let start = source.jsonStart(line) else { continue }
      if source[start] == Ascii.openBrace {
        // The whole document is on the line.
        if formats.format(ofJsonLine: start..<line.end, in: source) != nil {
          return LinePrefix(source, line.start..<start)
        }
        if objects.count < Self.candidateLimit { objects.append((line, start)) }
      } else if formats
        .format(ofMemberAt: start, limit: line.end, in: source) != nil
      {
        signs += 1
        for (line, start) in objects {
          let prefix = LinePrefix(source, line.start..<start)
          if prefix.isRepeated(after: line, in: source) { return prefix }
        }
      }
    }
    return nil
  }

  private func unwrap(_ source: TextSource, _ prefix: LinePrefix, suffix: [UInt8]) -> UnwrappedText
  {
    var text = UnwrappedText(of: source.bytes, dress: .repeated)
    text.reserve(source.count)
    var next = 0
    while next < source.count {
      let line = source.line(at: next)
      next = line.next
      guard let start = prefix.end(in: source, line) else {
        text.copy(line.start..<line.next)
        continue
      }
      var end = line.end
      if !suffix.isEmpty, end - start >= suffix.count,
        source.bytes[end - suffix.count..<end].elementsEqual(suffix)
      {
        end -= suffix.count
      }
      text.copy(start..<end)
      text.copy(line.end..<line.next)
    }
    return text
  }
}

/// The lines of `flutter run --verbose`, which puts the time since the line before in front of each
/// message, and blanks in front of its other lines:
///
/// ```text
/// [+1405 ms] Process 2814 stopped
/// [   +1 ms] * thread #1, stop reason = EXC_BAD_ACCESS (code=2, address=0x16dc1fff0)
/// [        ]     frame #0: 0x000000011b2ae448 Board`turn + 4
/// ```
///
/// Source: github.com/flutter/flutter, packages/flutter_tools/lib/src/base/logger.dart
/// (`VerboseLogger._emit`).
struct FlutterLogWrapping: WrappingReader {
  private static let width = 8

  func unwrap(_ source: TextSource) -> UnwrappedText? {
    guard
      ["[        ] ", " ms] "].contains(where: {
        source.find($0, from: source.textStart, limit: source.count) != nil
      })
    else { return nil }
    var text = UnwrappedText(of: source.bytes, dress: .repeated)
    text.reserve(source.count)
    var (found, next, length) = (0, 0, 0)
    while next < source.count {
      let line = source.line(at: next)
      next = line.next
      var start = line.start
      if let end = Self.prefixEnd(source, line) {
        (start, length) = (end, end - line.start)
        found += 1
      } else if length > 0,
        source.bytes[line.start..<min(line.end, line.start + length)].count
          == length,
        source.bytes[line.start..<line.start + length].allSatisfy({ $0 == Ascii.space })
      {
        start += length
      } else {
        length = 0
      }
      text.copy(start..<line.next)
    }
    return found > 1 ? text : nil
  }

  /// Where a message begins behind `[   +1 ms] ` or `[        ] `; nil if there is no such prefix.
  private static func prefixEnd(_ source: TextSource, _ line: TextLine) -> Int? {
    guard source[line.start] == Ascii.openBracket else { return nil }
    let limit = min(line.end, line.start + 24)
    guard let close = source.bytes[line.start..<limit].firstIndex(of: Ascii.closeBracket),
      close - line.start > width
    else { return nil }
    let content = source.trimmed(line.start + 1..<close)
    let isTime =
      source[content.lowerBound] == UInt8(ascii: "+") && content.count > 4
      && source.has(" ms", at: content.upperBound - 3, limit: close)
      && source.bytes[content.lowerBound + 1..<content.upperBound - 3].allSatisfy {
        Ascii.isDigit($0) || $0 == Ascii.comma
      }
    guard content.isEmpty || isTime else { return nil }
    return source[close + 1] == Ascii.space ? min(close + 2, line.end) : min(close + 1, line.end)
  }
}

extension TextSource {
  /// Where on a line a report begins, if something stands before it; nil if none does.
  package func prefixedReportStart(_ line: TextLine) -> Int? {
    // No prefix is longer.
    let limit = min(line.end, line.start + 200)
    var position = line.start
    // Frames without a head begin with digits, as a time does.
    while position < limit, Self.isMarker(self[position]) { position += 1 }
    let hasMarker = trimEnd(from: line.start, to: position) > line.start
    if hasMarker, Ascii.isDigit(self[position]),
      case .frame(let frame, let address) = frameLine(
        TextLine(start: position, end: line.end, next: line.next)),
      frame.isUnmistakable(address)
    {
      return position
    }
    position = line.start
    while position < limit {
      defer { position += 1 }
      guard position > line.start, !Ascii.isWord(self[position - 1]),
        startsReport(at: position, limit: line.end)
      else { continue }
      return position
    }
    return prefixedTraceStart(line, limit: limit)
  }

  /// Where on a line a stack trace begins, if something stands before it.
  private func prefixedTraceStart(_ line: TextLine, limit: Int) -> Int? {
    // Most lines of a log have nothing that a line of a trace has.
    guard mayHoldTraceFrame(line) || mayHoldTraceHead(line) else { return nil }
    // Nor has a log lines of a trace that are longer.
    guard line.end - line.start < 4096 else { return nil }
    // Each place costs a look at the rest for each grammar. The longest prefixes have twenty.
    var remainingPlaces = line.end - line.start < 2048 ? 24 : 12
    var position = line.start + 1
    var found: Int?
    var hasNumberSign = false
    // The numbers of a date look like that of a frame, so the last one counts. Behind `#` no date
    // follows, but gdb's frames may be without it.
    while position < limit {
      defer { position += 1 }
      guard !Ascii.isWord(self[position - 1]), self[position] > Ascii.space,
        !hasNumberSign || self[position] == UInt8(ascii: "#")
      else { continue }
      guard remainingPlaces > 0 else { break }
      remainingPlaces -= 1
      let rest = TextLine(start: position, end: line.end, next: line.next)
      if traceFormat(beginningAt: rest).map({
        !Self.hasOwnPrefix.contains($0) || found == nil && beginsPath(at: position, line)
      }) ?? beginsSanitizerStack(rest) {
        // A debugger's bullet before the number of a thread is no prefix.
        if hasBullet(before: position, from: found) { continue }
        hasNumberSign = self[position] == UInt8(ascii: "#")
        // The indentation of a frame is its own: the lines above it have less.
        let prefixEnd = trimEnd(from: line.start, to: position)
        found = prefixEnd > line.start ? min(prefixEnd + 1, position) : position
      }
    }
    return found
  }

  /// Whether `* ` is before `position`, and a trace begins there too, at `start`.
  private func hasBullet(before position: Int, from start: Int?) -> Bool {
    guard let start, position >= start + 2 else { return false }
    return self[position - 1] == Ascii.space && "*+-".utf8.contains(self[position - 2])
      && trimEnd(from: start, to: position - 2) == start
  }

  /// The paths of these begin anywhere, so the first one counts.
  private static let hasOwnPrefix: Set<ReportFormat> = [.glibcBacktrace]

  /// Whether a frame with a path begins here, and not at the start of the line, with what its
  /// writer puts before it.
  private func beginsPath(at position: Int, _ line: TextLine) -> Bool {
    self[position - 1] <= Ascii.space
      && (self[position] != Ascii.openParenthesis || has("(EE)", at: position, limit: line.end))
      && traceFormat(beginningAt: line).map { !Self.hasOwnPrefix.contains($0) } ?? true
  }

  /// Where the first object or text of JSON is on a line, if something else stands before it.
  package func jsonStart(_ line: TextLine) -> Int? {
    // No prefix is longer.
    let limit = min(line.end, line.start + 200)
    var position = line.start
    while position < limit, self[position] != Ascii.openBrace, self[position] != Ascii.quote {
      position += 1
    }
    return position < limit && trimEnd(from: line.start, to: position) > line.start
      ? position : nil
  }

  /// The end of the signs that quote a line: `> `, `// `.
  fileprivate func quoteEnd(_ line: TextLine) -> Int {
    var position = line.start
    while position < line.end, Self.quoteSigns.contains(self[position]) { position += 1 }
    return position
  }

  private static let quoteSigns = Set("> \t|*#/-".utf8)

  private static func isMarker(_ byte: UInt8) -> Bool {
    Ascii.isPunctuation(byte) || byte == Ascii.space || byte == Ascii.tab
  }

  /// Whether the words at `offset` are those of the first lines of a report.
  private func startsReport(at offset: Int, limit: Int) -> Bool {
    let starts: [String]
    switch self[offset] {
    case UInt8(ascii: "I"): starts = ["Incident Identifier:"]
    case UInt8(ascii: "C"): starts = ["CrashReporter Key:", "Code Type:"]
    case UInt8(ascii: "P"): starts = ["Process:"]
    case UInt8(ascii: "H"): starts = ["Hardware Model:"]
    case UInt8(ascii: "D"): starts = ["Date/Time:"]
    case UInt8(ascii: "E"): starts = ["Exception Type:"]
    case UInt8(ascii: "p"): starts = ["panic(cpu "]
    case UInt8(ascii: "L"): starts = ["Last Exception Backtrace:"]
    case UInt8(ascii: "B"): starts = ["Binary Images:"]
    case UInt8(ascii: "="), UInt8(ascii: "W"):
      return beginsSanitizerReport(TextLine(start: offset, end: limit, next: limit))
    case Ascii.openBrace:
      // The header of an `.ips`.
      let end = min(limit, offset + 4096)
      if has("{&quot;", at: offset, limit: limit) {
        return find("&quot;bug_type&quot;", from: offset, limit: end) != nil
      }
      return self[offset + 1] == Ascii.quote
        && find("\"bug_type\"", from: offset, limit: end) != nil
    case UInt8(ascii: "T"):
      return has("Thread ", at: offset, limit: limit) && Ascii.isDigit(self[offset + 7])
        && threadLine(TextLine(start: offset, end: limit, next: limit)) != nil
    default: return false
    }
    return starts.contains { has($0, at: offset, limit: limit) }
  }
}

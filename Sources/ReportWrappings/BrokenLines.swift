import JsonReading
import ReportFormats
package import ReportModel

/// Lines that a mail program or a form broke at a column, such as 76 or 80, or that someone broke
/// by hand.
///
/// The rest of a frame may be anywhere from its index to its last digit. So two lines are joined
/// only if they are certainly one: together they are a frame whose parts agree, a frame with a
/// name, or an image with its path, and the first alone is none of these. If the first could be
/// complete, it must fill all columns, or the first word of the next must not fit behind it.
package enum BrokenLines {
  /// No report is broken at another column.
  private static let columns = 50...140

  /// The text with lines joined; nil if no line is certain.
  ///
  /// - Parameter column: where lines were broken; nil if that was not at a column.
  package static func joined(
    _ source: TextSource, _ reports: [Report], column: Int?
  ) -> UnwrappedText? {
    let loose = Set(reports.flatMap(\.looseLines))
    let keepsWords = column.map { Self.keepsWords(source, reports, loose, column: $0) } ?? true
    let joiner = LineJoiner(source: source, column: column, keepsWords: keepsWords)
    var text = UnwrappedText(of: source.bytes)
    text.reserve(source.count)
    var heads = reports.map(\.head)[...]
    var next = 0
    var isJoined = false
    while next < source.count {
      let line = source.line(at: next)
      next = line.next
      while let head = heads.first, head.upperBound <= line.start { heads.removeFirst() }
      let isInHead = heads.first.map { $0.contains(line.start) } ?? false
      var parts: [LineJoiner.Part] = []
      if source[line.start] == Ascii.openBrace {
        parts = joiner.partsOfHeader(line)
      } else if loose.contains(line.next) {
        parts = isInHead ? joiner.partsOfField(line) : joiner.parts(line)
      }
      // Any two lines of prose may look like one that was broken: others must show that lines were.
      let isCertain = !parts.isEmpty
      if parts.isEmpty, isInHead { parts = joiner.partsOfSentence(line) }
      guard !parts.isEmpty else {
        text.copy(line.start..<line.next)
        continue
      }
      isJoined = isJoined || isCertain
      text.copy(line.start..<line.end)
      var end = line.end
      for part in parts {
        if part.needsSpace { text.put(Ascii.space, for: end..<part.line.start) }
        text.copy(part.line.start..<part.line.end)
        end = part.line.end
        next = part.line.next
      }
      text.copy(end..<next)
    }
    return isJoined ? text : nil
  }

  /// Whether lines end between words: most that are continued do not fill all columns.
  private static func keepsWords(
    _ source: TextSource, _ reports: [Report], _ loose: Set<Int>, column: Int
  ) -> Bool {
    var (full, shorter) = (0, 0)
    for report in reports {
      var next = report.byteRange.lowerBound
      while next < report.byteRange.upperBound {
        let line = source.line(at: next)
        next = line.next
        guard loose.contains(next) else { continue }
        if source.width(line.start..<line.end) == column { full += 1 } else { shorter += 1 }
      }
    }
    return shorter > full
  }

  /// The length of the longest line of reports that another line may continue; nil if a line is
  /// longer than that, since the reports were then not broken. Mail programs do not break words, so
  /// lines of one word may be longer.
  package static func column(_ source: TextSource, _ reports: [Report]) -> Int? {
    var longest = 0
    for report in reports where !report.looseLines.isEmpty {
      var next = report.byteRange.lowerBound
      while next < report.byteRange.upperBound {
        let line = source.line(at: next)
        next = line.next
        guard line.end - line.start > longest, source.hasSeveralWords(line) else { continue }
        longest = max(longest, source.width(line.start..<line.end))
        if longest > columns.upperBound { return nil }
      }
    }
    return columns.contains(longest) ? longest : nil
  }
}

extension Report {
  /// The fields: what is before the first backtrace and the images.
  fileprivate var head: Range<Int> {
    let start = byteRange.lowerBound
    guard format == .crashText || format == .crashTextWithJsonHeader else { return start..<start }
    var end = images.first?.byteRange.lowerBound ?? byteRange.upperBound
    for backtrace in backtraces where backtrace.embeddedText == nil {
      end = min(end, backtrace.byteRange.lowerBound)
    }
    return start..<max(start, end)
  }

  /// Adds a fault for each frame whose line is broken: the line after it belongs to nothing. Lines
  /// that are no frames only because they were broken are such frames, too.
  package mutating func addBrokenFrames(_ source: TextSource, column: Int?) {
    guard let column, !looseLines.isEmpty else { return }
    let loose = Set(looseLines)
    let isBroken = { (range: Range<Int>) in
      loose.contains(source.line(at: range.upperBound).next)
    }
    var faults = faults.map { fault in
      fault.kind == .unreadableFrame && isBroken(fault.byteRange)
        ? ParseFault(kind: .wrappedLine, byteRange: fault.byteRange) : fault
    }
    for backtrace in backtraces where backtrace.embeddedText == nil {
      for frame in backtrace.frames {
        guard let line = frame.line, isBroken(line.byteRange),
          !source.isCutNumber(below: line.byteRange.upperBound, of: frame)
        else { continue }
        faults.append(ParseFault(kind: .wrappedLine, byteRange: line.byteRange))
      }
    }
    guard faults.contains(where: { $0.kind == .wrappedLine }) else { return }
    self.faults = faults.sorted { $0.byteRange.lowerBound < $1.byteRange.lowerBound }
    wrapColumn = column
  }
}

extension TextSource {
  /// Whether a text was cut behind the number of the frame that follows another one: the number is
  /// alone on its line, and nothing stands below but the end of a block of code.
  ///
  /// - Parameter end: of the frame.
  fileprivate func isCutNumber(below end: Int, of frame: StackFrame) -> Bool {
    let below = line(at: line(at: end).next)
    let number = trimmed(below.start..<below.end)
    guard let index = frame.index,
      let (value, numberEnd) = decimal(at: number.lowerBound, limit: number.upperBound),
      numberEnd == number.upperBound, let value, value > 0, Int(exactly: value - 1) == index
    else { return false }
    let next = line(at: below.next)
    return below.next >= count || isBlank(next) || has("```", at: next.start, limit: next.end)
  }
}

/// Lines that a mail program or a form broke at a column, such as 76 or 80.
///
/// The rest of a frame may be anywhere from its index to its last digit. So two lines are joined
/// only if they are certainly one: together they are a frame whose parts agree, or an image, and
/// the first alone is neither. A line that fills all columns is also joined if together they are a
/// frame with a name.
enum BrokenLines {
  /// No report is broken at another column.
  private static let columns = 50...140
  /// A line is broken into at most so many.
  private static let partLimit = 4

  /// The text with lines joined; nil if no line is certain.
  static func joined(_ source: TextSource, _ reports: [Report]) -> UnwrappedText? {
    guard let column = column(source, reports) else { return nil }
    var text = UnwrappedText(of: source.bytes)
    text.reserve(source.count)
    var next = 0
    var isJoined = false
    while next < source.count {
      let line = source.line(at: next)
      next = line.next
      guard let parts = parts(source, line, column) else {
        text.copy(line.start..<line.next)
        continue
      }
      isJoined = true
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

  /// The length of the longest line of a report that another line may continue; nil if a line is
  /// longer than that, since the report was then not broken.
  static func column(_ source: TextSource, _ reports: [Report]) -> Int? {
    var longest = 0
    for report in reports where !report.looseLines.isEmpty {
      var next = report.byteRange.lowerBound
      while next < report.byteRange.upperBound {
        let line = source.line(at: next)
        next = line.next
        longest = max(longest, line.end - line.start)
        if longest > columns.upperBound { return nil }
      }
    }
    return columns.contains(longest) ? longest : nil
  }

  // MARK: Joining

  private struct Part {
    let line: TextLine
    /// Whether the line was broken at a space, which was dropped.
    let needsSpace: Bool
  }

  /// The lines that certainly continue a line; nil if there are none.
  private static func parts(_ source: TextSource, _ line: TextLine, _ column: Int) -> [Part]? {
    guard line.end > line.start, line.isTerminated, beginsLikeFrameOrImage(source, line),
      !isWhole(source, line) || line.end - line.start == column
    else { return nil }
    let startsFull = line.end - line.start == column
    var parts: [Part] = []
    var bytes = Array(source.bytes[line.start..<line.end])
    var last = line
    while parts.count < partLimit, last.next < source.count {
      let next = source.line(at: last.next)
      guard !source.isBlank(next), !isOther(source, next), next.end - next.start <= column else {
        return nil
      }
      let rest = source.bytes[next.start..<next.end]
      let isFull = last.end - last.start == column
      // A line that is broken at the column may have been broken at a space all the same.
      for needsSpace in isFull ? [false, true] : [true] {
        let candidate = bytes + (needsSpace ? [Ascii.space] : []) + rest
        if isWhole(TextSource(bytes: candidate), allowsNames: startsFull) {
          let part = Part(line: next, needsSpace: needsSpace)
          return parts + [part] + restOfPath(source, candidate, after: next, column)
        }
      }
      parts.append(Part(line: next, needsSpace: !isFull))
      bytes += (isFull ? [] : [Ascii.space]) + rest
      last = next
    }
    return nil
  }

  /// The lines that continue the path of an image, which may be broken anywhere.
  private static func restOfPath(
    _ source: TextSource, _ joined: [UInt8], after line: TextLine, _ column: Int
  ) -> [Part] {
    let whole = TextSource(bytes: joined)
    guard
      case .image = whole.imageLine(TextLine(start: 0, end: joined.count, next: joined.count))
    else { return [] }
    var parts: [Part] = []
    var last = line
    while parts.count < partLimit, last.end - last.start == column, last.next < source.count {
      let next = source.line(at: last.next)
      guard !source.isBlank(next), !isOther(source, next) else { break }
      parts.append(Part(line: next, needsSpace: false))
      last = next
    }
    return parts
  }

  private static func beginsLikeFrameOrImage(_ source: TextSource, _ line: TextLine) -> Bool {
    let start = source.skipSeparators(from: line.start, limit: line.end)
    return Ascii.isDigit(source[start])
  }

  /// Whether the line is one of its own: a frame, a heading, an image.
  private static func isOther(_ source: TextSource, _ line: TextLine) -> Bool {
    if case .frame = source.frameLine(line) { return true }
    if case .image = source.imageLine(line) { return true }
    return source.threadLine(line) != nil || source.sectionHeading(line) != nil
  }

  private static func isWhole(_ source: TextSource, allowsNames: Bool) -> Bool {
    let line = TextLine(start: 0, end: source.count, next: source.count)
    if allowsNames, case .frame(let frame, _) = source.frameLine(line),
      case .symbolicated(let symbol) = frame.content
    {
      return symbol.offset != nil
    }
    return isWhole(source, line)
  }

  /// Whether a line is a frame whose parts agree, or an image with its identity and path.
  private static func isWhole(_ source: TextSource, _ line: TextLine) -> Bool {
    if case .frame(let frame, let address) = source.frameLine(line) {
      return frame.isUnmistakable(address)
    }
    if case .image(let image, let hasReadableIdentity) = source.imageLine(line) {
      return hasReadableIdentity && image.identity != nil && image.path != nil
    }
    return false
  }
}

extension Report {
  /// Adds a fault for each frame whose line is broken: the line after it belongs to nothing.
  mutating func addBrokenFrames(_ source: TextSource) {
    guard !looseLines.isEmpty, BrokenLines.column(source, [self]) != nil else { return }
    let loose = Set(looseLines)
    var broken: [ParseFault] = []
    for backtrace in backtraces where backtrace.embeddedText == nil {
      for frame in backtrace.frames {
        guard let line = frame.line, loose.contains(source.line(at: line.byteRange.upperBound).next)
        else { continue }
        broken.append(ParseFault(kind: .wrappedLine, byteRange: line.byteRange))
      }
    }
    guard !broken.isEmpty else { return }
    faults = (faults + broken).sorted { $0.byteRange.lowerBound < $1.byteRange.lowerBound }
  }
}

extension ParseFault {
  /// The column at which the report of a ``Kind/wrappedLine`` was broken.
  package static func wrapColumn(of report: Report, in text: [UInt8]) -> Int? {
    BrokenLines.column(TextSource(bytes: text), [report])
  }
}

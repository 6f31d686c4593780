/// Finds the reports as JSON in an input, wherever on a line one begins: alone, below a text, above
/// one, several of them.
struct IpsFinder {
  private let source: TextSource
  private(set) var reports: [IpsReport] = []
  /// How often a damaged value may be left for a header that stands inside it, and thus be read again:
  /// a limit, so that no input makes the time grow with the square of its size.
  private var remainingReturns = 16

  init(source: TextSource) { self.source = source }

  /// All reports, in the order of the input.
  mutating func find() -> [IpsReport] {
    var next = source.textStart
    while next < source.count {
      let line = source.line(at: next)
      let start = source.skipSeparators(from: line.start, limit: line.end)
      next = source[start] == Ascii.openBrace ? read(at: start, line) : line.next
    }
    return reports
  }

  /// Reads the object at `start`, and the body below it where it is a header.
  ///
  /// - Returns: where to go on.
  private mutating func read(at start: Int, _ line: TextLine) -> Int {
    guard let document = try? JsonDocument(source.bytes, in: start..<source.count) else {
      return line.next
    }
    if isBody(document) { return add(nil, document, line) }
    if document.damage != nil { return placeAfterDamage(document, line) }
    let end = document.byteRange.upperBound
    guard document.root["bug_type"] != nil, let body = body(after: end) else { return end }
    let bodyLine = source.line(at: body.byteRange.lowerBound)
    let header = JsonHeader(document.root)
    if isBody(body) || Self.isCrash(header.bugType) && isPartOfBody(body) {
      return add(header, body, bodyLine)
    }
    return body.damage == nil ? body.byteRange.upperBound : placeAfterDamage(body, bodyLine)
  }

  private func body(after end: Int) -> JsonDocument? {
    guard let document = try? JsonDocument(source.bytes, in: end..<source.count),
      document.root.kind == .object
    else { return nil }
    return document
  }

  private mutating func add(
    _ header: JsonHeader?, _ document: JsonDocument, _ line: TextLine
  ) -> Int {
    var document = document
    var next = document.byteRange.upperBound
    if document.damage != nil {
      next = placeAfterDamage(document, line)
      // The header of the next report was taken for a part of this one.
      let start = document.byteRange.lowerBound
      if next < document.byteRange.upperBound, next > start,
        let shorter = try? JsonDocument(source.bytes, in: start..<next)
      {
        document = shorter
      }
    }
    var reader = IpsReportReader(document: document)
    reports.append(reader.read(header: header))
    return next
  }

  // MARK: Kinds

  /// Whether this is the body of a crash report by what is in it: threads and images.
  ///
  /// Where it breaks off between the two, the name of the process makes up for the images.
  private func isBody(_ document: JsonDocument) -> Bool {
    let root = document.root
    guard root["threads"]?.kind == .array else { return false }
    return root["usedImages"]?.kind == .array || document.damage != nil && root["procName"] != nil
  }

  private func isPartOfBody(_ document: JsonDocument) -> Bool {
    let root = document.root
    return document.damage != nil || root["threads"] != nil || root["usedImages"] != nil
  }

  /// 309: a crash. 308: a fault of the operating system that is reported like one.
  private static func isCrash(_ bugType: String?) -> Bool { bugType == "309" || bugType == "308" }

  // MARK: Damage

  /// Where to go on behind a value that broke off: at the header of another report inside of it, else
  /// at the line in which it broke off if nothing of the value is on it, else at the line after that.
  private mutating func placeAfterDamage(_ document: JsonDocument, _ line: TextLine) -> Int {
    let end = document.byteRange.upperBound
    if remainingReturns > 0, let header = firstHeaderLine(from: line.next, to: end) {
      remainingReturns -= 1
      return header
    }
    var lineStart = min(end, source.count)
    while lineStart > line.next, source[lineStart - 1] != Ascii.lineFeed { lineStart -= 1 }
    guard lineStart > line.start, end < source.count else { return max(line.next, end) }
    let isAtLineStart = source.skipSeparators(from: lineStart, limit: end) == end
    return max(line.next, isAtLineStart ? lineStart : source.line(at: lineStart).next)
  }

  /// The first line between two places that is a header by its looks: an object on one line with a
  /// type.
  private func firstHeaderLine(from start: Int, to end: Int) -> Int? {
    var next = start
    while next < end {
      let line = source.line(at: next)
      if source.has("{\"", at: line.start, limit: line.end),
        source.find("\"bug_type\"", from: line.start, limit: line.end) != nil,
        source[source.trimEnd(from: line.start, to: line.end) - 1] == Ascii.closeBrace
      {
        return line.start
      }
      next = line.next
    }
    return nil
  }
}

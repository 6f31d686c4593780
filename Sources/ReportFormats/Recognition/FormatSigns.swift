package import JsonReading
package import ReportModel

/// What the formats of a list of readers are recognised by.
///
/// It is asked for every line of a log of millions, so it looks up by the first byte of a line
/// which readers may know it.
package struct FormatSigns: Sendable {
  package let readers: [any ReportReader]
  /// For each byte the readers of lines that begin with it, as bits: a start of the program sets
  /// up few of them.
  private let readersByByte: [UInt64]
  /// The readers that recognise lines by what is anywhere in them.
  private let readersOfAnyLine: UInt64
  private let jsonReaders: [any ReportReader]

  /// Knows no format.
  package static let none = FormatSigns([])

  /// - Parameter readers: at most 64.
  package init(_ readers: [any ReportReader]) {
    precondition(readers.count <= UInt64.bitWidth, "too many readers for the bits of a word")
    self.readers = readers
    var readersByByte = [UInt64](repeating: 0, count: 256)
    var readersOfAnyLine: UInt64 = 0
    for index in readers.indices {
      switch readers[index].lineSigns {
      case .none: break
      case .beginning(let bytes, _): for byte in bytes { readersByByte[Int(byte)] |= 1 << index }
      case .holding, .anywhere: readersOfAnyLine |= 1 << index
      }
    }
    self.readersByByte = readersByByte
    self.readersOfAnyLine = readersOfAnyLine
    jsonReaders = readers.filter(\.readsJson)
  }

  /// Whether a reader recognises lines that begin with `byte`.
  package func knowsLines(from byte: UInt8) -> Bool { readersByByte[Int(byte)] != 0 }

  /// For each byte what a line must begin with for a reader to recognise it by that byte; empty if
  /// the byte is enough.
  package var words: [[String]] {
    var words = [[String]](repeating: [], count: 256)
    var enough: Set<UInt8> = []
    for reader in readers {
      guard case .beginning(let bytes, let own) = reader.lineSigns else { continue }
      for byte in bytes {
        let fitting = own.filter { $0.utf8.first == byte }
        if fitting.isEmpty { enough.insert(byte) }
        words[Int(byte)] += fitting
      }
    }
    for byte in enough { words[Int(byte)] = [] }
    return words
  }

  /// A line that no reader recognises by its first byte must have one of these texts in it. Nil if
  /// a reader recognises lines by something else.
  package var texts: [String]? {
    var texts: [String] = []
    for reader in readers {
      if case .anywhere = reader.lineSigns { return nil }
      if case .holding(let held) = reader.lineSigns { texts += held }
      texts += reader.jsonLineSigns
    }
    return texts
  }

  /// What the first reader says that has an answer about a line that begins with `byte`.
  private func first<Answer>(
    forLineFrom byte: UInt8, _ answer: (any ReportReader) -> Answer?
  ) -> Answer? {
    first(among: readersByByte[Int(byte)], answer) ?? first(among: readersOfAnyLine, answer)
  }

  private func first<Answer>(
    among bits: UInt64, _ answer: (any ReportReader) -> Answer?
  ) -> Answer? {
    var rest = bits
    while rest != 0 {
      if let found = answer(readers[rest.trailingZeroBitCount]) { return found }
      rest &= rest - 1
    }
    return nil
  }

  // MARK: Lines

  /// The format that a line shows, other than Apple's text. A line in a JSON object shows one, too.
  ///
  /// - Parameter start: the first byte of the line that is not a separator.
  package func format(ofLine line: TextLine, at start: Int, in source: TextSource) -> ReportFormat?
  {
    if let format = format(ofMemberAt: start, limit: line.end, in: source) { return format }
    return first(forLineFrom: source[start]) { $0.format(ofLine: line, at: start, in: source) }
  }

  /// Whether a report certainly begins with this line, in a format that is neither JSON nor Apple's
  /// text. It is asked for every line below another report.
  package func beginsReport(_ line: TextLine, in source: TextSource) -> Bool {
    first(forLineFrom: source[line.start]) { $0.beginsReport(line, in: source) ? true : nil }
      ?? false
  }

  /// How the end of the report is found that begins with this line of a stream; nil if none begins.
  package func streamedReport(
    from line: TextLine, at start: Int, in source: TextSource
  ) -> StreamedReport? {
    first(forLineFrom: source[start]) { $0.streamedReport(from: line, in: source) }
  }

  /// Whether a report begins with this line of a stream by the readers that know it from its first
  /// byte. The others recognise a line by one of `texts`.
  package func beginsStreamedReport(
    _ line: TextLine, at start: Int, in source: TextSource
  ) -> Bool {
    let known = readersByByte[Int(source[start])]
    return first(among: known) { $0.streamedReport(from: line, in: source) } != nil
  }

  /// The format that the first bytes of an input show.
  package func format(ofFirstBytes bytes: [UInt8]) -> ReportFormat? {
    for reader in readers {
      if let found = reader.firstBytes, bytes.starts(with: found.bytes) { return found.format }
    }
    return nil
  }

  // MARK: JSON

  /// The format of the JSON that begins on a line; nil if it is none, or of no known format.
  ///
  /// - Parameter isFirst: whether nothing precedes the line.
  package func format(
    ofJsonFrom line: TextLine, isFirst: Bool, in source: TextSource
  ) -> ReportFormat? {
    let start = source.skipSeparators(from: line.start, limit: line.end)
    guard source[start] == Ascii.openBrace || source.beginsList(at: start, limit: line.end)
    else { return nil }
    if isFirst || source.has("{\"", at: start, limit: line.end),
      source.find("\"bug_type\"", from: start, limit: line.end) != nil
    {
      let type = source.bugType(start..<line.end)
      let body = source.firstTextLine(after: line)
      guard let body, source[body.start] != Ascii.openBrace, source[body.start] != Ascii.quote
      else { return format(ofBugType: type) }
      for reader in readers {
        if let format = reader.format(belowHeader: body, in: source) { return format }
      }
      // The messages of rtcreportingd are neither JSON nor a report.
      return type == "224" ? .ips(bugType: type) : .crashTextWithJsonHeader
    }
    if isFirst, source.jsonHeaderLine(line, self) == nil {
      return format(ofDocument: start..<source.count, in: source)
    }
    return format(ofJsonLine: start..<line.end, in: source)
  }

  /// What a whole document is.
  package func format(of document: JsonDocument, in source: TextSource) -> ReportFormat {
    format(ofDocument: document.byteRange, in: source)
  }

  /// JSON without a header line.
  private func format(ofDocument range: Range<Int>, in source: TextSource) -> ReportFormat {
    let head = range.lowerBound..<min(range.upperBound, range.lowerBound + 4096)
    if source.find("\"bug_type\"", from: head.lowerBound, limit: head.upperBound) != nil {
      return format(ofBugType: source.bugType(head))
    }
    for reader in jsonReaders {
      if let format = reader.format(ofDocument: range, in: source) { return format }
    }
    return .json
  }

  /// The format of an object or a list that is on one line, as in a log.
  package func format(ofJsonLine range: Range<Int>, in source: TextSource) -> ReportFormat? {
    for reader in jsonReaders {
      if let format = reader.format(ofJsonLine: range, in: source) { return format }
    }
    return nil
  }

  /// The format of an object that is printed over several lines, by the line of a member that no
  /// other document has.
  package func format(
    ofMemberAt start: Int, limit: Int, in source: TextSource
  ) -> ReportFormat? {
    guard source[start] == Ascii.quote else { return nil }
    for reader in jsonReaders {
      if let format = reader.format(ofMemberAt: start, limit: limit, in: source) { return format }
    }
    return nil
  }

  /// The format of an `.ips` by its `bug_type`.
  package func format(ofBugType type: String) -> ReportFormat {
    for reader in jsonReaders {
      if let format = reader.format(ofBugType: type) { return format }
    }
    return .ips(bugType: type)
  }
}

/// How the end of a report is found in a stream.
package enum StreamedReport: Sendable {
  /// As that of Apple's text: its list of images is the end.
  case text
  /// By what each of its lines is.
  case lines(any StreamedLines)
}

/// Says what the lines of a stream are to a report that began above them.
package protocol StreamedLines: Sendable {
  /// How many loose lines in a row end the report; nil if as many as may end a text.
  var looseLimit: Int? { get }
  func place(of line: TextLine, in source: TextSource) -> StreamedPlace
}

extension StreamedLines {
  package var looseLimit: Int? { nil }
}

/// What a line of a stream is to the report above it.
package enum StreamedPlace: Sendable {
  /// A part of the report for certain.
  case part
  /// Perhaps a part: many such lines in a row are none.
  case loose
  /// The last line of the report.
  case last
  /// JSON that may be a report of its own, if it is one.
  case other
}

import JsonReading
import ReportModel
import SymbolicationModel

// Reports in a stream that may never end, such as the log of a server.
//
// A file is read as a whole, and its end is known. Of a stream, it must be decided line by line
// what can be handed on: `ReportCutter` holds back what may be a report, and nothing else.
// `OpenReport` says for each further line whether it belongs to the report. Whether there is one,
// and what it says, is then found as in a file (`CrashLogParser.parse`).

/// Cuts a stream into text and candidates: runs of lines that may hold reports. All pieces
/// together are the stream, byte for byte.
///
/// A candidate is complete when its end is known from a line (`OpenReport`), or when the stream
/// pauses or ends. Cost: each line is looked at once, or twice where lines resembled a report and
/// turned out to be none.
package struct ReportCutter: Sendable {
  package enum Piece: Hashable, Sendable {
    /// Holds no report.
    case text([UInt8])
    /// May hold reports, and each is whole.
    case candidate([UInt8])
    /// The beginning of what would have been a candidate of too many bytes.
    case tooLarge([UInt8])
  }

  /// What was not handed on yet.
  private var buffer: [UInt8] = []
  /// Where the next line begins that was not looked at.
  private var next = 0
  /// Up to here there is no line end from `next` on.
  private var searched = 0
  private var open: OpenReport?
  private var openRecords: OpenRecords?
  /// Nil if lines are no records: they are what is in some.
  private let records: LogRecordReader?
  private var sieve: LineSieve
  /// Whether the start of the next line was handed on already, so it begins no report.
  private var isInsideLine = false
  private var isAtStart = true
  /// Whether the stream is one document that is no text, so it cannot be cut.
  private var isDocument = false
  private let limit: Int

  /// - Parameters:
  ///   - limit: the most bytes that are held back.
  ///   - logField: the field with the text, in records of JSON of no known shape.
  package init(limit: Int, logField: String? = nil) {
    self.init(limit: limit, records: LogRecordReader(field: logField))
  }

  init(limit: Int, records: LogRecordReader?) {
    self.limit = limit
    self.records = records
    sieve = records.map { LineSieve(CrashLogParser.signs, $0) } ?? .ofTexts
  }

  /// Where frames are in records that were handed on.
  package var hint: LogFieldHint? { sieve.hint }

  /// What a pause means for what is held back.
  package enum Patience: Hashable, Sendable {
    /// Nothing is held back.
    case none
    /// A short pause ends the report: its end may not be known from its lines.
    case short
    /// The report stops inside a line or a JSON object, so its writer is slow.
    case long
    /// Only the end of the stream ends it.
    case endless
  }

  package var patience: Patience {
    if isDocument { return .endless }
    if let openRecords { return next < buffer.count ? .long : openRecords.patience }
    if let open { return open.isInsideObject || next < buffer.count ? .long : .short }
    return buffer.isEmpty ? .none : .short
  }

  // MARK: Input

  /// Takes the next bytes of the stream.
  package mutating func take(_ bytes: [UInt8]) -> [Piece] {
    buffer += bytes
    var pieces: [Piece] = []
    if isAtStart {
      // The start of a magic number may be one.
      guard !Self.magics.contains(where: { $0.count > buffer.count && $0.starts(with: buffer) })
      else { return pieces }
      isAtStart = false
      isDocument = Self.isDocument(buffer)
    }
    if isDocument {
      if buffer.count > limit { handOn(upTo: buffer.count, as: Piece.tooLarge, &pieces) }
      return pieces
    }
    cut(&pieces)
    return pieces
  }

  /// What is held back when nothing comes any more for now.
  package mutating func pause() -> [Piece] {
    var pieces: [Piece] = []
    guard !isDocument, !buffer.isEmpty else { return [] }
    isAtStart = false
    isInsideLine = buffer.last != Ascii.lineFeed
    let isCandidate = isHolding
    open = nil
    openRecords = nil
    handOn(upTo: buffer.count, as: isCandidate ? Piece.candidate : Piece.text, &pieces)
    return pieces
  }

  /// What is held back at the end of the stream.
  package mutating func end() -> [Piece] {
    var pieces: [Piece] = []
    // Without a line end there was nothing to decide by.
    let hasNoLine = isAtStart || next == 0 && !isHolding && !isInsideLine
    if isDocument || hasNoLine {
      handOn(upTo: buffer.count, as: Piece.candidate, &pieces)
      return pieces
    }
    while next < buffer.count {
      consume(isTerminated: false, &pieces)
    }
    let isCandidate = isHolding
    open = nil
    openRecords = nil
    handOn(upTo: buffer.count, as: isCandidate ? Piece.candidate : Piece.text, &pieces)
    return pieces
  }

  /// How formats begin that are no lines of text, or whose lines mean nothing alone: UTF-16,
  /// compressed and binary files, RTF.
  private static let magics: [[UInt8]] =
    [
      [0xFF, 0xFE], [0xFE, 0xFF], [0x1F, 0x8B], [0x28, 0xB5, 0x2F, 0xFD],
      [0xFD, 0x37, 0x7A, 0x58, 0x5A], Array("plcrash".utf8), Array("bplist0".utf8),
      Array("{\\rtf".utf8),
    ] + bzip2Magics

  /// `BZh`, the size of a block, and the beginning of a block or of the end of the stream.
  private static let bzip2Magics: [[UInt8]] = (1...9).flatMap { size -> [[UInt8]] in
    let start = Array("BZh\(size)".utf8)
    return [start + Array("1AY&SY".utf8), start + [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]]
  }

  private static func isDocument(_ start: [UInt8]) -> Bool {
    magics.contains { start.starts(with: $0) }
  }

  // MARK: Lines

  private mutating func cut(_ pieces: inout [Piece]) {
    while true {
      searched = max(searched, next)
      let end = buffer.span.firstOffset(of: Ascii.lineFeed, from: searched)
      guard end < buffer.count else { break }
      if !isHolding, !isInsideLine {
        skipLines()
        if next >= buffer.count { break }
        searched = max(searched, next)
        if buffer.span.firstOffset(of: Ascii.lineFeed, from: searched) >= buffer.count { break }
      }
      consume(isTerminated: true, &pieces)
    }
    searched = buffer.count
    if isHolding || buffer.count - next > limit { limitHeldBytes(&pieces) }
    handOn(upTo: heldStart ?? next, as: Piece.text, &pieces)
  }

  private var isHolding: Bool { open != nil || openRecords != nil }
  private var heldStart: Int? { open?.start ?? openRecords?.start }

  /// Passes over complete lines that begin no report.
  private mutating func skipLines() {
    var end = buffer.count
    while end > next, buffer[end - 1] != Ascii.lineFeed { end -= 1 }
    next = sieve.firstLine(in: TextSource(bytes: buffer), from: next, to: end)
  }

  /// Looks at the line at `next`, and goes on behind it or, if a report turned out to be none, at
  /// its second line.
  private mutating func consume(isTerminated: Bool, _ pieces: inout [Piece]) {
    let source = TextSource(bytes: buffer)
    let line = source.line(at: next)
    defer { searched = max(next, isTerminated ? 0 : searched) }
    guard !isInsideLine else {
      isInsideLine = false
      next = line.next
      return
    }
    if var records = openRecords {
      openRecords = nil
      let isComplete = records.take(line, of: source)
      next = line.next
      guard isComplete else {
        openRecords = records
        return
      }
      if let end = records.end {
        // What follows is looked at again: it was held back for nothing.
        next = end
        close(records.start, end, &pieces)
      }
      return
    }
    if var report = open {
      switch report.take(line, of: source) {
      case .belongs:
        open = report
        next = line.next
        return
      case .isLast:
        open = nil
        next = line.next
        return close(report.start, next, &pieces)
      case .isNone:
        // The report may begin on one of the lines after the first.
        open = nil
        next = report.secondLine
        return
      case .follows:
        open = nil
        next = report.endBeforeLooseLines ?? line.start
        close(report.start, next, &pieces)
        // Its offsets changed.
        return
      }
    }
    next = line.next
    if let records {
      switch OpenRecords.begin(
        line, of: source, records, statesLineEnds: sieve.statesLineEnds)
      {
      case nil: sieve.note(line, source)
      case .open(let records):
        openRecords = records
        return
      case .whole: return close(line.start, line.next, &pieces)
      }
    }
    switch OpenReport.begin(line, of: source) {
    case nil: return
    case .open(let report): open = report
    case .whole: close(line.start, line.next, &pieces)
    }
  }

  private mutating func close(_ start: Int, _ end: Int, _ pieces: inout [Piece]) {
    handOn(upTo: start, as: Piece.text, &pieces)
    handOn(upTo: end - start, as: Piece.candidate, &pieces)
  }

  private mutating func limitHeldBytes(_ pieces: inout [Piece]) {
    if let start = heldStart, buffer.count - start > limit {
      open = nil
      openRecords = nil
      handOn(upTo: start, as: Piece.text, &pieces)
      isInsideLine = next < buffer.count
      handOn(upTo: buffer.count, as: Piece.tooLarge, &pieces)
    } else if buffer.count - next > limit {
      // A line without an end.
      isInsideLine = true
      handOn(upTo: buffer.count, as: Piece.text, &pieces)
    }
  }

  /// Hands on the first bytes of the buffer. Offsets count from the bytes after them.
  private mutating func handOn(
    upTo end: Int, as piece: ([UInt8]) -> Piece, _ pieces: inout [Piece]
  ) {
    guard end > 0 else { return }
    pieces.append(piece(Array(buffer[..<end])))
    buffer.removeSubrange(..<end)
    next = max(0, next - end)
    searched = max(0, searched - end)
    open?.move(by: -end)
    openRecords?.move(by: -end)
    sieve.move(by: -end)
  }
}

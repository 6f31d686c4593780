import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// Looks for a sign of a report below the reports that were read.
///
/// The first sign of an input may be anywhere in it (``ReportFormat/firstSign(in:)``); this one is
/// on a line of no report.
struct SignSearch {
  private let source: TextSource
  private let documents: JsonDocumentMemory
  private let isWanted: (ReportFormat) -> Bool
  private let wantsText: Bool
  private var lines: FreeLines
  private let signs = CrashLogParser.signs
  private var fragments = FragmentFinder(CrashLogParser.signs)
  /// Up to here JSON was read that breaks off. It is not read again, so that the time stays linear.
  private var damagedEnd = 0

  /// - Parameter claimedRanges: the reports, ascending.
  init(
    _ source: TextSource, outside claimedRanges: [Range<Int>], _ documents: JsonDocumentMemory,
    where isWanted: @escaping (ReportFormat) -> Bool
  ) {
    self.source = source
    self.documents = documents
    lines = FreeLines(source, outside: claimedRanges)
    self.isWanted = isWanted
    wantsText = isWanted(.crashText)
  }

  /// The first wanted format, and the start of the line that shows it.
  mutating func first() -> (format: ReportFormat, lineStart: Int)? {
    while let line = lines.next() {
      let start = source.skipSeparators(from: line.start, limit: line.end)
      if start == line.end { continue }
      if source.beginsObject(at: start, limit: line.end) {
        let format = signs.format(ofJsonFrom: line, isFirst: false, in: source)
        if let format, isWanted(format) { return (format, line.start) }
        // An object on one line was just looked at. Logs have millions of these.
        if !endsWithBrace(line), let document = document(at: start) {
          let format = signs.format(of: document, in: source)
          if isWanted(format) { return (format, line.start) }
          lines.skip(to: document.byteRange.upperBound)
        }
      } else if let format = signs.format(ofLine: line, at: start, in: source),
        isWanted(format)
      {
        return (format, line.start)
      }
      if wantsText, source.reportStart(line, fragments: &fragments) != nil {
        return (.crashText, line.start)
      }
    }
    return nil
  }

  private func endsWithBrace(_ line: TextLine) -> Bool {
    source[source.trimEnd(from: line.start, to: line.end) - 1] == Ascii.closeBrace
  }

  /// The document that begins at an offset, if it is whole.
  private mutating func document(at start: Int) -> JsonDocument? {
    guard start >= damagedEnd, let document = documents.document(in: start..<lines.limit) else {
      return nil
    }
    guard document.damage == nil else {
      damagedEnd = document.byteRange.upperBound
      return nil
    }
    return document
  }
}

package import JsonReading
package import ReportModel
import SymbolicationModel

/// Finds and reads the reports of one format, or of one family of formats, in an input, and says
/// what they are recognised by.
///
/// A new format is a folder with a type that conforms to this protocol, and an entry in
/// `CrashLogParser.readers`. `FormatSigns` asks all readers for the signs of their formats.
package protocol ReportReader: Sendable {
  /// The formats of the reports that it reads. Documents and schemas list those of all readers.
  var formats: [ReportFormat] { get }

  /// The reports in the input, in ascending order; none if the format does not occur.
  ///
  /// A reader must skip ``ReportInput/claimedRanges``. It never fails on a damaged report: it
  /// returns what it could read, with a ``ParseFault`` for the rest. Its time must be proportional
  /// to the size of the input, whatever the input holds.
  func reports(in input: ReportInput) -> [Report]

  // MARK: Signs of text

  /// Which lines the following functions are asked about.
  var lineSigns: LineSigns { get }
  /// The format that a line shows, wherever it is in an input. The line must be unmistakable.
  ///
  /// - Parameter start: the first byte of the line that is not a separator.
  func format(ofLine line: TextLine, at start: Int, in source: TextSource) -> ReportFormat?
  /// Whether a report certainly begins with this line, which may be below another report.
  func beginsReport(_ line: TextLine, in source: TextSource) -> Bool
  /// How the end of a report is found that begins with this line of a stream; nil if none does.
  func streamedReport(from line: TextLine, in source: TextSource) -> StreamedReport?
  /// The format of a text with a line of JSON above it.
  ///
  /// - Parameter body: the first line of the text.
  func format(belowHeader body: TextLine, in source: TextSource) -> ReportFormat?
  /// The bytes that an input of a binary format begins with.
  var firstBytes: (bytes: [UInt8], format: ReportFormat)? { get }

  // MARK: Signs of JSON

  /// Whether the following functions are asked.
  var readsJson: Bool { get }
  /// The format of a whole document.
  func format(ofDocument range: Range<Int>, in source: TextSource) -> ReportFormat?
  /// The format of an object or a list that is on one line, as in a log.
  func format(ofJsonLine range: Range<Int>, in source: TextSource) -> ReportFormat?
  /// Texts of 7 bytes or more. A line that `format(ofJsonLine:in:)` knows has one of them.
  var jsonLineSigns: [String] { get }
  /// The format of an object that is printed over several lines, by the line of a member that no
  /// other document has.
  ///
  /// - Parameter start: the quote before the key.
  func format(ofMemberAt start: Int, limit: Int, in source: TextSource) -> ReportFormat?
  /// The format of an `.ips` by its `bug_type`.
  func format(ofBugType type: String) -> ReportFormat?
}

/// Which lines a reader may recognise.
package enum LineSigns: Sendable {
  /// None.
  case none
  /// Those that begin with one of these bytes, after any separators. With a letter that any word of
  /// a log may begin with, they have one of `words` there.
  case beginning([UInt8], words: [String] = [])
  /// Those that have one of these texts in them, of 7 bytes or more.
  case holding([String])
  /// Those that have something in them, wherever it is. Every line of a log is then looked at.
  case anywhere
}

extension ReportReader {
  package var formats: [ReportFormat] { [] }
  package var lineSigns: LineSigns { .none }
  package func format(
    ofLine line: TextLine, at start: Int, in source: TextSource
  ) -> ReportFormat? { nil }
  package func beginsReport(_ line: TextLine, in source: TextSource) -> Bool { false }
  package func streamedReport(
    from line: TextLine, in source: TextSource
  ) -> StreamedReport? { nil }
  package func format(belowHeader body: TextLine, in source: TextSource) -> ReportFormat? { nil }
  package var firstBytes: (bytes: [UInt8], format: ReportFormat)? { nil }
  package var readsJson: Bool { false }
  package var jsonLineSigns: [String] { [] }
  package func format(ofDocument range: Range<Int>, in source: TextSource) -> ReportFormat? { nil }
  package func format(ofJsonLine range: Range<Int>, in source: TextSource) -> ReportFormat? { nil }
  package func format(
    ofMemberAt start: Int, limit: Int, in source: TextSource
  ) -> ReportFormat? { nil }
  package func format(ofBugType type: String) -> ReportFormat? { nil }
}

/// What a reader gets to see.
package struct ReportInput {
  /// The whole input.
  package let bytes: [UInt8]
  /// What the input looks like at first sight.
  package let detectedFormat: ReportFormat
  /// The ranges of the reports that earlier readers found, ascending. They belong to no other
  /// report.
  package let claimedRanges: [Range<Int>]
  /// What all formats are recognised by, to find where other reports begin.
  package let signs: FormatSigns
  /// What may still be read of the input: ask it before each thread, frame and image.
  package let allowance: ReportAllowance
  /// The JSON that readers have found in the input so far.
  private let documents: JsonDocumentMemory

  package init(
    bytes: [UInt8], detectedFormat: ReportFormat, claimedRanges: [Range<Int>], signs: FormatSigns,
    allowance: ReportAllowance = ReportAllowance(ResourceLimits()),
    documents: JsonDocumentMemory? = nil
  ) {
    self.bytes = bytes
    self.detectedFormat = detectedFormat
    self.claimedRanges = claimedRanges
    self.signs = signs
    self.allowance = allowance
    self.documents = documents ?? JsonDocumentMemory(bytes)
  }

  package var source: TextSource { TextSource(bytes: bytes) }

  /// The JSON value at the start of `range`, after any white space; nil if none begins there. The
  /// readers of an input share what one of them has read. What belongs to another report ends it.
  ///
  /// - Complexity: O(log c + n) for c claimed ranges and n bytes of JSON.
  package func jsonDocument(in range: Range<Int>) -> JsonDocument? {
    let next = claimedRanges.partitionPoint { $0.lowerBound > range.lowerBound }
    guard next < claimedRanges.count else { return documents.document(in: range) }
    let limit = min(range.upperBound, claimedRanges[next].lowerBound)
    return documents.document(in: range.lowerBound..<limit)
  }

  /// Calls `body` for each line that belongs to no other report, and with nil wherever such a
  /// report is in between.
  package func forEachFreeLine(_ body: (TextLine?) -> Void) {
    var lines = FreeLines(source, outside: claimedRanges)
    while let line = lines.next() {
      if lines.isBehindReport { body(nil) }
      body(line)
    }
  }
}

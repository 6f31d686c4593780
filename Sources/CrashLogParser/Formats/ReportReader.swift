internal import SymbolicationModel

/// Finds and reads the reports of one format, or of one family of formats, in an input.
///
/// A new format is a folder in `Formats/` with a type that conforms to this protocol, and an entry
/// in ``CrashLogParser/readers``.
package protocol ReportReader: Sendable {
  /// The reports in the input, in ascending order; none if the format does not occur.
  ///
  /// A reader must skip ``ReportInput/claimedRanges``. It never fails on a damaged report: it
  /// returns what it could read, with a ``ParseFault`` for the rest. Its time must be proportional
  /// to the size of the input, whatever the input holds.
  func reports(in input: ReportInput) -> [Report]
}

/// What a reader gets to see.
package struct ReportInput {
  /// The whole input.
  package let bytes: [UInt8]
  /// What the input looks like at first sight (``ReportFormat/detect(_:)``).
  package let detectedFormat: ReportFormat
  /// The ranges of the reports that earlier readers found, ascending. They belong to no other
  /// report.
  package let claimedRanges: [Range<Int>]
  /// What may still be read of the input: ask it before each thread, frame and image.
  package let allowance: ReportAllowance
  /// The JSON that readers have found in the input so far.
  private let documents: JsonDocumentMemory

  package init(
    bytes: [UInt8], detectedFormat: ReportFormat, claimedRanges: [Range<Int>],
    allowance: ReportAllowance = ReportAllowance(ResourceLimits()),
    documents: JsonDocumentMemory? = nil
  ) {
    self.bytes = bytes
    self.detectedFormat = detectedFormat
    self.claimedRanges = claimedRanges
    self.allowance = allowance
    self.documents = documents ?? JsonDocumentMemory(bytes)
  }

  var source: TextSource { TextSource(bytes: bytes) }

  /// The JSON value at the start of `range`, after any white space; nil if none begins there. The
  /// readers of an input share what one of them has read. What belongs to another report ends it.
  ///
  /// - Complexity: O(log c + n) for c claimed ranges and n bytes of JSON.
  func jsonDocument(in range: Range<Int>) -> JsonDocument? {
    let next = claimedRanges.partitionPoint { $0.lowerBound > range.lowerBound }
    guard next < claimedRanges.count else { return documents.document(in: range) }
    let limit = min(range.upperBound, claimedRanges[next].lowerBound)
    return documents.document(in: range.lowerBound..<limit)
  }
}

extension CrashLogParser {
  /// The formats that are read, in the order in which they are asked.
  ///
  /// JSON comes first: its extent is certain, while a text format would take part of a JSON
  /// document for its own.
  package static let readers: [any ReportReader] = [
    IpsReader(), StackshotReader(), SwiftBacktraceJsonReader(), MetricKitReader(), SdkJsonReader(),
    SwiftBacktraceReader(), JetsamReader(), PanicReader(), SampleReader(), SpindumpReader(),
    AppleTextReader(),
  ]
}

import JsonReading
import ReportModel

/// The body of an `.ips` without its beginning: members of an object that nothing opens. People
/// paste the part of a report that they find telling.
///
/// ```text
///   "exception" : {"type":"EXC_BAD_ACCESS", …},
///   "faultingThread" : 0,
///   "threads" : [ …
/// ```
struct JsonPieceWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    guard let start = Self.start(source) else { return nil }
    var text = UnwrappedText(of: source.bytes)
    text.reserve(source.count - start + 1)
    text.put(Ascii.openBrace, for: start..<start)
    text.copy(start..<source.count)
    return text
  }

  /// Where the first line begins that has a member which bodies have at the top; nil if an object
  /// was opened above it, or if there is none.
  private static func start(_ source: TextSource) -> Int? {
    var next = source.textStart
    while next < source.count {
      let line = source.line(at: next)
      next = line.next
      let start = source.skipSeparators(from: line.start, limit: line.end)
      guard source[start] == Ascii.quote else { continue }
      for key in keys where source.has(key, at: start + 1, limit: line.end) {
        let end = start + 1 + key.utf8.count
        let colon = source.skipSeparators(from: end + 1, limit: line.end)
        if source[end] == Ascii.quote, source[colon] == Ascii.colon { return start }
      }
    }
    return nil
  }

  /// Of the part that says what happened. Those above it have nothing that identifies a report.
  private static let keys = [
    "procName", "procPath", "bundleInfo", "osVersion", "exception", "termination",
    "asi", "vmRegionInfo", "vmregioninfo", "faultingThread", "extMods", "lastExceptionBacktrace",
    "threads",
  ]
}

import JsonReading
import ReportModel

/// The body of an `.ips` without its beginning: members of an object that nothing opens. People
/// paste the part of a report that they find telling, and leave commas out between parts.
///
/// ```text
///   "exception" : {"type":"EXC_BAD_ACCESS", …},
///   "faultingThread" : 0,
///   "threads" : [ …
/// ```
///
/// A piece may also begin in the middle of the thread that crashed.
struct JsonPieceWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    var text = UnwrappedText(of: source.bytes)
    var next = source.textStart
    /// Up to here the text is copied; nil above the first member.
    var copied: Int?
    /// Where the last line with text ends.
    var end = next
    while next < source.count {
      let line = source.line(at: next)
      next = line.next
      let start = source.skipSeparators(from: line.start, limit: line.end)
      guard start < line.end else { continue }
      if Self.isMember(source, at: start, limit: line.end) {
        if let begun = copied {
          if [Ascii.closeBrace, Ascii.closeBracket, Ascii.quote].contains(source[end - 1])
            || Ascii.isDigit(source[end - 1])
          {
            text.copy(begun..<end)
            text.put(Ascii.comma, for: end..<end)
            copied = end
          }
        } else {
          text.reserve(source.count - start + 1)
          text.put(Ascii.openBrace, for: start..<start)
          copied = start
        }
      }
      end = source.trimEnd(from: start, to: line.end)
    }
    guard let copied else { return Self.crashedThread(source) }
    text.copy(copied..<source.count)
    return text
  }

  /// The thread that has registers of the crash above its frames.
  private static func crashedThread(_ source: TextSource) -> UnwrappedText? {
    let words = "\"matchesCrashFrame\":1"
    guard let mark = source.find(words, from: source.textStart, limit: source.count),
      let frames = source.find("\"frames\":[", from: mark, limit: source.count)
    else { return nil }
    var text = UnwrappedText(of: source.bytes)
    text.put(
      Array(#"{"faultingThread":0,"threads":[{"triggered":true,"#.utf8), for: frames..<frames)
    text.copy(frames..<source.count)
    return text
  }

  /// Whether a member begins that bodies have at the top.
  private static func isMember(_ source: TextSource, at start: Int, limit: Int) -> Bool {
    guard source[start] == Ascii.quote else { return false }
    return keys.contains { key in
      let end = start + 1 + key.utf8.count
      return source.has(key, at: start + 1, limit: limit) && source[end] == Ascii.quote
        && source[source.skipSeparators(from: end + 1, limit: limit)] == Ascii.colon
    }
  }

  /// Of the part that says what happened. Those above it have nothing that identifies a report.
  private static let keys = [
    "procName", "procPath", "bundleInfo", "osVersion", "exception", "termination", "asi",
    "vmRegionInfo", "vmregioninfo", "faultingThread", "extMods", "lastExceptionBacktrace",
    "threads", "panicString",
  ]
}

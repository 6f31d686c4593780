import JsonReading
import ReportFormats
import ReportModel

/// Frames whose numbers a page took for those of issues: people copy what it shows for `#1`, or
/// what it made of that in its source.
///
/// ```text
/// #0 0x0000000000000000 in 0x00000000 ()
/// https://github.com/example/board/pull/1 0x000000010aede368 in turn(_:) ()
///     frame [#2](https://github.com/example/board/issues/2): 0x000000010aed9164 Board`main
/// ```
///
/// Source: docs.github.com, "Autolinked references and URLs"; docs.gitlab.com, "GitLab-specific
/// references".
struct LinkedNumberWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    var text = UnwrappedText(of: source.bytes)
    var (copied, position) = (0, 0)
    while let sign = source.find(Self.scheme, from: position, limit: source.count) {
      position = sign + Self.scheme.utf8.count
      guard let (link, number) = Self.link(source, at: sign), link.lowerBound >= copied else {
        continue
      }
      if copied == 0 { text.reserve(source.count) }
      text.copy(copied..<link.lowerBound)
      text.put(UInt8(ascii: "#"), for: link.lowerBound..<number.lowerBound)
      text.copy(number)
      text.put([], for: number.upperBound..<link.upperBound)
      copied = link.upperBound
      position = copied
    }
    guard copied > 0 else { return nil }
    text.copy(copied..<source.count)
    return text
  }

  /// Whether such a link is there.
  static func isIn(_ source: TextSource, _ range: Range<Int>) -> Bool {
    var position = range.lowerBound
    while let sign = source.find(scheme, from: position, limit: range.upperBound) {
      if link(source, at: sign) != nil { return true }
      position = sign + scheme.utf8.count
    }
    return false
  }

  /// A link to an issue in the place of the number of a frame, in which that number stands last.
  ///
  /// - Parameter sign: where the link has its `https://`.
  private static func link(
    _ source: TextSource, at sign: Int
  ) -> (link: Range<Int>, number: Range<Int>)? {
    let limit = min(source.count, sign + 256)
    var end = sign + scheme.utf8.count
    while end < limit, source[end] > Ascii.space, !"():[]<>".utf8.contains(source[end]) { end += 1 }
    var start = end
    while start > sign, Ascii.isDigit(source[start - 1]) { start -= 1 }
    guard 1...4 ~= end - start, hosts.contains(where: { source.has($0, at: sign, limit: end) }),
      kinds.contains(where: { kind in
        start - kind.utf8.count > sign
          && source.has(kind, at: start - kind.utf8.count, limit: start)
      })
    else { return nil }
    var link = sign..<end
    // `[#1](https://…)`
    if source.has(")", at: end, limit: source.count), sign > 0,
      source[sign - 1] == Ascii.openParenthesis
    {
      let text = "[#\(source.string(start..<end))]("
      let open = sign - text.utf8.count
      guard open >= 0, source.has(text, at: open, limit: sign) else { return nil }
      link = open..<end + 1
    }
    guard link.upperBound < source.count,
      source[link.upperBound] == Ascii.colon
        || source.separatorLength(at: link.upperBound, limit: source.count) > 0,
      isBehindNothing(source, link.lowerBound)
    else { return nil }
    return (link, start..<end)
  }

  /// Whether nothing but separators is before a number in its line, or what lldb has there.
  private static func isBehindNothing(_ source: TextSource, _ offset: Int) -> Bool {
    var start = offset
    while start > 0, source[start - 1] != Ascii.lineFeed, offset - start < 32 { start -= 1 }
    guard start == 0 || source[start - 1] == Ascii.lineFeed else { return false }
    let before = source.string(start..<offset).split(separator: " ")
    return before.allSatisfy { word in
      word == "frame" || word.allSatisfy { "*>-+|\t".contains($0) }
    }
  }

  private static let scheme = "https://"
  private static let hosts = ["https://github.com/", "https://gitlab."]
  private static let kinds = ["/pull/", "/issues/", "/discussions/", "/merge_requests/"]
}

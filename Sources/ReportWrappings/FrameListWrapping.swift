import JsonReading
import ReportFormats
import ReportModel
import RuntimeReports
import SymbolicationModel

/// The frames of a stack as an array on one line, as `print(Thread.callStackSymbols)` shows them in
/// Swift:
///
/// ```text
/// ["0   App  0x0000000104a1c2f0 $s3App4PageV4loadyyF + 84", "1   App  0x0000000104a1c100 …"]
/// ```
struct FrameListWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    // What is between two elements is the end of a line, also of one that is added.
    var text = UnwrappedText(of: source.bytes) { text in
      text.flatMap { [Ascii.quote, Ascii.backslash].contains($0) ? [Ascii.backslash, $0] : [$0] }
    }
    var copied = source.textStart
    var position = source.textStart
    var isInList = false
    while position < source.count {
      let quote = source.bytes.span.firstOffset(of: Ascii.quote, from: position)
      guard quote < source.count else { break }
      position = quote + 1
      let isStart = source[quote - 1] == Ascii.openBracket && source.beginsNumbered(at: quote + 1)
      let next = source.has("\", \"", at: quote, limit: source.count)
      let isEnd = source[quote + 1] == Ascii.closeBracket
      guard isStart || isInList && (next && source.beginsNumbered(at: quote + 4) || isEnd) else {
        continue
      }
      text.copy(copied..<quote)
      copied = quote + (isInList && next ? 4 : 1)
      text.put([Ascii.lineFeed], for: quote..<copied)
      isInList = !isEnd || isStart
      position = copied
    }
    guard copied > source.textStart else { return nil }
    text.copy(copied..<source.count)
    return text
  }
}

/// Frames like Apple's that a program's own handler of crashes numbered as debuggers do, with
/// addresses in its own letters:
///
/// ```text
/// #0  Board               0X00137B9F +[Reports signalHandler:]
/// #1  libsystem_platform  0X39324063 _sigtramp()
/// ```
///
/// Of debuggers' frames the address is right behind the number. Source: the program in
/// github.com/lionheart/openradar-mirror, issue 4172; printf(3) for `%#X`.
struct NumberSignWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    guard source.find("#0", from: source.textStart, limit: source.count) != nil else {
      return source.joiningFrameNumbers()
    }
    var text = UnwrappedText(of: source.bytes)
    var copied = source.textStart
    var next = source.textStart
    while next < source.count {
      let line = source.line(at: next)
      next = line.next
      guard let (sign, address) = frame(source, line) else { continue }
      text.copy(copied..<sign)
      text.put([], for: sign..<sign + 1)
      copied = sign + 1
      if source[address + 1] == UInt8(ascii: "X") {
        text.copy(copied..<address)
        text.put("0x".utf8, for: address..<address + 2)
        copied = address + 2
      }
    }
    guard copied > source.textStart else { return nil }
    text.copy(copied..<source.count)
    return text
  }

  /// Where the number sign and the address are; nil if the line is no such frame.
  private func frame(_ source: TextSource, _ line: TextLine) -> (sign: Int, address: Int)? {
    var sign = source.skipSeparators(from: line.start, limit: line.end)
    // In a list of JSON.
    if source[sign] == Ascii.quote { sign += 1 }
    guard source[sign] == UInt8(ascii: "#"),
      let (_, numberEnd) = source.decimal(at: sign + 1, limit: line.end)
    else { return nil }
    let name = source.skipSeparators(from: numberEnd, limit: line.end)
    guard name > numberEnd, name < line.end, !Ascii.isDigit(source[name]) else { return nil }
    let limit = min(line.end, name + 128)
    guard
      let address = source.find(" 0X", from: name, limit: limit)
        ?? source.find(" 0x", from: name, limit: limit),
      // `in turn () at 0x…` is a debugger's.
      source.bytes[name..<address].allSatisfy({ !"()".utf8.contains($0) })
    else { return nil }
    return (sign, address + 1)
  }
}

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

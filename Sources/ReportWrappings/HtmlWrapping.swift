import JsonReading
package import ReportModel

/// A report copied out of the source of a web page: entities, line breaks as `<br>`, tags around
/// words and blocks.
package struct HtmlWrapping: WrappingReader {
  package init() {}

  package func unwrap(_ source: TextSource) -> UnwrappedText? {
    let bytes = source.bytes
    guard bytes.contains(Ascii.ampersand) || bytes.contains(Ascii.less) else { return nil }
    let escapes = Escapes(source)
    var text = UnwrappedText(of: bytes) { escapes.encoded($0) }
    text.reserve(bytes.count)
    var (copied, position) = (0, 0)
    var isFound = false
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == Ascii.ampersand || byte == Ascii.less,
        let (shown, length) = byte == Ascii.less
          ? HtmlTag.read(source, at: position) : HtmlEntity.read(source, at: position)
      else {
        position += 1
        continue
      }
      isFound = true
      text.copy(copied..<position)
      let isBreak = shown == [Ascii.lineFeed]
      // The tags of blocks begin a line, but not a second one; nor does a break below text.
      if isBreak, HtmlTag.endsLineAbove(source, at: position, length) {
        text.put([], for: position..<position + length)
      } else if !isBreak || HtmlTag.isBreak(source, at: position)
        || text.text.last != Ascii.lineFeed
      {
        text.put(shown, for: position..<position + length)
      }
      position += length
      copied = position
    }
    text.copy(copied..<bytes.count)
    return isFound ? text : nil
  }

  /// Which characters the page escapes.
  private struct Escapes {
    var angles: Bool
    var quotes: Bool
    var ampersands: Bool

    init(_ source: TextSource) {
      func has(_ text: String) -> Bool {
        source.find(text, from: 0, limit: source.count) != nil
      }
      quotes = has("&quot;") || has("&#34;") || has("&#x22;")
      // What escapes quotes escapes these too, but a report may have none.
      angles =
        quotes || has("&lt;") || has("&gt;") || has("&#60;") || has("&#x3C;") || has("&#x3c;")
      ampersands = angles || has("&amp;") || !has("&#8203;")
    }

    func encoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
      var result: [UInt8] = []
      for byte in text {
        switch byte {
        case Ascii.ampersand where ampersands: result += "&amp;".utf8
        case Ascii.less where angles: result += "&lt;".utf8
        case Ascii.greater where angles: result += "&gt;".utf8
        case Ascii.quote where quotes: result += "&quot;".utf8
        default: result.append(byte)
        }
      }
      return result
    }
  }
}

/// An entity of HTML (`&lt;`, `&#x27;`), and what it stands for.
enum HtmlEntity {
  private static let named: [String: String] = [
    "lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
    "ldquo": "“", "rdquo": "”", "lsquo": "‘", "rsquo": "’", "hellip": "…", "ndash": "–",
    "mdash": "—", "copy": "©", "reg": "®", "trade": "™", "Tab": "\t", "NewLine": "\n",
  ]

  static func read(_ source: TextSource, at offset: Int) -> (shown: [UInt8], length: Int)? {
    let start = offset + 1
    var end = start
    while end - start < 10, source[end] == UInt8(ascii: "#") || Ascii.isWord(source[end]) {
      end += 1
    }
    guard end > start, source[end] == UInt8(ascii: ";") else { return nil }
    let name = source.bytes[start..<end]
    let length = end + 1 - offset
    guard name.first == UInt8(ascii: "#") else {
      return named[String(decoding: name, as: UTF8.self)].map { (Array($0.utf8), length) }
    }
    let digits = String(decoding: name.dropFirst(), as: UTF8.self)
    let isHexadecimal = digits.first == "x" || digits.first == "X"
    let value = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    // A space without width: importers put it behind `#` so that a number is no link.
    if value == 0x200B { return ([], length) }
    guard let value, value > 0, let scalar = Unicode.Scalar(value) else { return nil }
    return (Array(String(scalar).utf8), length)
  }
}

/// A tag of HTML. Other words in angle brackets, such as UUIDs and `<redacted>`, are none.
enum HtmlTag {
  private static let blocks: Set<String> = [
    "p", "div", "pre", "li", "ul", "ol", "tr", "table", "tbody", "blockquote", "h1", "h2", "h3",
    "h4", "h5", "h6", "html", "head", "body", "title", "section", "article", "details", "summary",
  ]
  private static let inlines: Set<String> = [
    "span", "code", "b", "i", "u", "s", "em", "strong", "font", "tt", "samp", "kbd", "a", "td",
    "th", "wbr", "small", "meta", "link", "img", "mark", "del", "ins",
  ]

  /// What the tag at `offset` shows: a line end, or nothing. `<br>` includes the line end after it.
  static func read(_ source: TextSource, at offset: Int) -> (shown: [UInt8], length: Int)? {
    guard let (name, end) = name(source, at: offset) else { return nil }
    guard name != "br" else {
      var lineEnd = end
      if source[lineEnd] == Ascii.carriageReturn { lineEnd += 1 }
      let isFollowed = source[lineEnd] == Ascii.lineFeed
      return ([Ascii.lineFeed], (isFollowed ? lineEnd + 1 : end) - offset)
    }
    if inlines.contains(name) { return ([], end - offset) }
    return blocks.contains(name) ? ([Ascii.lineFeed], end - offset) : nil
  }

  /// Whether a line ends with the tag at `offset`, which ends a block.
  static func endsLine(_ source: TextSource, at offset: Int) -> Bool {
    guard let (name, end) = name(source, at: offset), blocks.contains(name) else { return false }
    return end == source.count || source[end] == Ascii.lineFeed
      || source[end] == Ascii.carriageReturn
  }

  /// Whether a `<br>` has a line to itself below text, as archives of mail write it: it ends that
  /// line, and there is no empty one.
  static func endsLineAbove(_ source: TextSource, at offset: Int, _ length: Int) -> Bool {
    guard offset > 1, source[offset - 1] == Ascii.lineFeed,
      source[offset + length - 1] == Ascii.lineFeed, isBreak(source, at: offset)
    else { return false }
    let last = source[offset - (source[offset - 2] == Ascii.carriageReturn ? 3 : 2)]
    return last > Ascii.space && last != Ascii.greater
  }

  static func isBreak(_ source: TextSource, at offset: Int) -> Bool {
    source[offset] != Ascii.less || name(source, at: offset)?.name == "br"
  }

  /// The name of a tag in lower case, and where the tag ends.
  private static func name(_ source: TextSource, at offset: Int) -> (name: String, end: Int)? {
    let start = offset + (source[offset + 1] == Ascii.slash ? 2 : 1)
    var end = start
    while end - start < 12, Ascii.isWord(source[end]) { end += 1 }
    let name = String(decoding: source.bytes[start..<end], as: UTF8.self).lowercased()
    guard name == "br" || inlines.contains(name) || blocks.contains(name) else { return nil }
    guard source[end] == Ascii.greater || source[end] == Ascii.space || source[end] == Ascii.slash
    else { return nil }
    // Attributes.
    let limit = min(source.count, end + 1000)
    while end < limit, source[end] != Ascii.greater, source[end] != Ascii.less { end += 1 }
    return end < limit && source[end] == Ascii.greater ? (name, end + 1) : nil
  }
}

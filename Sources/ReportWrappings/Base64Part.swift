import JsonReading
import ReportModel

/// The lines of a part of a mail in base64.
struct Base64Part {
  private let source: TextSource
  private let lines: [Range<Int>]
  private let lineEnd: [UInt8]
  private let width: Int

  /// Nil if the lines in `range` are not base64.
  init?(_ source: TextSource, _ range: Range<Int>) {
    var lines: [Range<Int>] = []
    var lineEnd: [UInt8] = [Ascii.lineFeed]
    var next = range.lowerBound
    while next < range.upperBound {
      let line = source.line(at: next)
      next = line.next
      if source.isBlank(line) { break }
      let end = source.trimEnd(from: line.start, to: line.end)
      guard
        source.bytes[line.start..<end].allSatisfy({ Self.value($0) != nil || $0 == Self.padding })
      else { return nil }
      if lines.isEmpty, line.isTerminated { lineEnd = Array(source.bytes[line.end..<line.next]) }
      lines.append(line.start..<end)
    }
    guard let first = lines.first else { return nil }
    self.source = source
    self.lines = lines
    self.lineEnd = lineEnd
    self.width = max(4, first.count / 4 * 4)
  }

  private static let padding = UInt8(ascii: "=")

  /// The decoded bytes: a piece for each line whose characters are whole groups of four. Nil if
  /// they are not text.
  func text() -> UnwrappedText? {
    let (width, lineEnd) = (width, lineEnd)
    var text = UnwrappedText(of: source.bytes, encodesTail: true) {
      Self.encode($0, width: width, lineEnd: lineEnd)
    }
    var decoded: [UInt8] = []
    var start: Int?
    var (bits, count) = (UInt32(0), 0)
    for line in lines {
      start = start ?? line.lowerBound
      for character in source.bytes[line] {
        guard let value = Self.value(character) else { continue }
        bits = bits << 6 | UInt32(value)
        count += 1
        if count == 4 {
          decoded += [UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
          (bits, count) = (0, 0)
        }
      }
      if count == 0, let pieceStart = start {
        text.put(decoded, for: pieceStart..<line.upperBound)
        decoded = []
        start = nil
      }
    }
    if count == 2 { decoded.append(UInt8(bits >> 4 & 0xFF)) }
    if count == 3 { decoded += [UInt8(bits >> 10 & 0xFF), UInt8(bits >> 2 & 0xFF)] }
    if let start, let last = lines.last { text.put(decoded, for: start..<last.upperBound) }
    return text.text.isEmpty || text.text.prefix(1000).contains(0) ? nil : text
  }

  private static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case Ascii.zero...UInt8(ascii: "9"): byte - Ascii.zero + 52
    case Ascii.plus: 62
    case Ascii.slash: 63
    default: nil
    }
  }

  private static let characters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static func encode(
    _ bytes: ArraySlice<UInt8>, width: Int, lineEnd: [UInt8]
  ) -> [UInt8] {
    var result: [UInt8] = []
    var column = 0
    var position = bytes.startIndex
    while position < bytes.endIndex {
      if column == width {
        result += lineEnd
        column = 0
      }
      let group = bytes[position..<min(position + 3, bytes.endIndex)]
      var bits: UInt32 = 0
      for index in 0..<3 {
        bits = bits << 8 | (index < group.count ? UInt32(group[group.startIndex + index]) : 0)
      }
      for index in 0..<4 {
        result.append(
          index <= group.count ? characters[Int(bits >> UInt32(18 - 6 * index) & 63)] : padding)
      }
      column += 4
      position += 3
    }
    return result
  }
}

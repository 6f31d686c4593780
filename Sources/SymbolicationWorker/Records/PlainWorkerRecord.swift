import CrashLogParser

/// A line as most writers make it: an object with an id, a report and nothing else. It is read in
/// one pass. Any other line, also one with an error, is left to the reader of all records.
struct PlainWorkerRecord {
  /// Nil if the line has none.
  private(set) var id: [UInt8]?
  private(set) var report: [UInt8] = []
  /// Where the line has the report with its quotes, if it is spelt as `JsonText` spells it.
  private(set) var spelling: Range<Int>?

  /// How far an id is looked for: others are rare.
  private static let idSize = 256

  init?(_ line: [UInt8]) {
    var offset = Self.skipSpace(line, from: 0)
    var isFirst = true
    var hasReport = false
    while true {
      guard Self.has(isFirst ? "{" : ",", line, at: offset) else { break }
      offset = Self.skipSpace(line, from: offset + 1)
      isFirst = false
      if Self.has("\"id\"", line, at: offset), id == nil {
        guard let start = Self.value(line, after: offset + 4),
          let document = try? JsonDocument(
            line, in: start..<min(start + Self.idSize, line.count)),
          document.damage == nil
        else { return nil }
        let text = Array(line[document.byteRange])
        guard (try? WorkerId.check(text)) != nil else { return nil }
        id = text
        offset = document.byteRange.upperBound
      } else if Self.has("\"report\"", line, at: offset), !hasReport {
        guard let start = Self.value(line, after: offset + 8), Self.has("\"", line, at: start),
          let string = try? JsonStringBytes(in: line, at: start, limit: line.count)
        else { return nil }
        report = string.bytes
        spelling = string.isPlainlySpelt ? start..<string.end : nil
        hasReport = true
        offset = string.end
      } else {
        return nil
      }
      offset = Self.skipSpace(line, from: offset)
    }
    guard hasReport, Self.has("}", line, at: offset),
      Self.skipSpace(line, from: offset + 1) == line.count,
      (try? UTF8Span(validating: line.span)) != nil
    else { return nil }
  }

  private static func skipSpace(_ line: [UInt8], from start: Int) -> Int {
    var offset = start
    while offset < line.count,
      line[offset] == UInt8(ascii: " ") || line[offset] == UInt8(ascii: "\t")
    {
      offset += 1
    }
    return offset
  }

  private static func has(_ text: String, _ line: [UInt8], at offset: Int) -> Bool {
    line[min(offset, line.count)...].starts(with: text.utf8)
  }

  /// The offset of the value after a key that ends at `keyEnd`.
  private static func value(_ line: [UInt8], after keyEnd: Int) -> Int? {
    let colon = skipSpace(line, from: keyEnd)
    return has(":", line, at: colon) ? skipSpace(line, from: colon + 1) : nil
  }
}

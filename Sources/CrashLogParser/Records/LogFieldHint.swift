import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// Where frames are in records of JSON that are of no known shape.
package struct LogFieldHint: Hashable, Sendable {
  /// The keys to the text, from the outermost.
  let path: [String]
  /// Whether the text is in a list, each line by itself.
  let isList: Bool
  private(set) var recordCount = 1

  /// So many records are counted.
  static let recordLimit = 100

  /// What finds frames in records like those that were seen, as a sentence.
  package var message: String {
    let more = recordCount >= Self.recordLimit ? " or more" : ""
    let records = recordCount == 1 ? "1 record" : "\(recordCount) records\(more)"
    let verb = recordCount == 1 ? "has" : "have"
    let field = path.joined(separator: ".")
    let remedy =
      isList
      ? "jq -r '.\(field)[]?' takes the lines out" : "give --log-field \(field) to read it"
    return "\(records) of JSON \(verb) stack frames in the field '\(field)'; \(remedy)"
  }

  /// Nil if no string of the record on a line has a frame.
  init?(_ line: TextLine, in source: TextSource, _ records: LogRecordReader) {
    let start = source.skipSeparators(from: line.start, limit: line.end)
    guard records.messages(of: line, in: source) == nil,
      let document = try? JsonDocument(source.bytes, in: start..<line.end),
      document.damage == nil
    else { return nil }
    // The document decides how deep it is, so there is no recursion.
    var open = [(value: document.root, path: [String](), isList: false)]
    while let (value, path, isList) = open.popLast() {
      if value.kind == .string, Self.hasFrame(value) {
        (self.path, self.isList) = (path, isList)
        return
      }
      guard path.count < 8, open.count < 256 else { continue }
      for member in value.members { open.append((member.value, path + [member.key], isList)) }
      for element in value.elements.prefix(32) { open.append((element, path, true)) }
    }
    return nil
  }

  func adding(_ other: LogFieldHint) -> LogFieldHint {
    var sum = self
    if other.path == path { sum.recordCount += 1 }
    return sum
  }

  private static func hasFrame(_ value: JsonValue) -> Bool {
    guard value.byteRange.count > 12, let text = value.string else { return false }
    let source = TextSource(bytes: Array(text.utf8.prefix(1 << 14)))
    var next = 0
    while next < source.count {
      let line = source.line(at: next)
      next = line.next
      guard hasAddress(line, in: source) else { continue }
      if case .frame = source.frameLine(line) { return true }
      if OpenReport.begin(line, of: source) != nil { return true }
    }
    return false
  }

  /// Whether a line has `0x` and six digits or more.
  static func hasAddress(_ line: TextLine, in source: TextSource) -> Bool {
    let bytes = source.bytes.span.extracting(0..<line.end)
    var next = bytes.firstOffset(of: Ascii.x, from: line.start)
    while next < line.end {
      if source[next - 1] == Ascii.zero,
        let (value, _) = source.hexadecimalDigits(at: next + 1, limit: line.end),
        value >= 0x10_0000
      {
        return true
      }
      next = bytes.firstOffset(of: Ascii.x, from: next + 1)
    }
    return false
  }

  /// Of a file in which no report was found.
  package init?(_ bytes: [UInt8]) {
    let source = TextSource(bytes: bytes)
    var found: LogFieldHint?
    var next = source.textStart
    while next < source.count, found.map({ $0.recordCount < Self.recordLimit }) ?? true {
      let line = source.line(at: next)
      next = line.next
      guard source[source.skipSeparators(from: line.start, limit: line.end)] == Ascii.openBrace,
        Self.hasAddress(line, in: source),
        let hint = LogFieldHint(line, in: source, LogRecordReader())
      else { continue }
      found = found?.adding(hint) ?? hint
    }
    guard let found else { return nil }
    self = found
  }
}

import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

// Logs whose lines are records: JSON objects with the text in a field, and the lines that container
// runtimes write. A stack trace is spread over several of them.
//
//   `LogRecordReader`   finds the text in a record, and says which records belong together;
//   `LogRecordWrapping` takes the texts of a whole log out of their records;
//   `LogRecordEdits`    puts answers back, spelt as the record is;
//   `LogFieldHint`      names the field that holds frames in records of another shape.
//
// Sources: docs.docker.com, "JSON File logging driver"; systemd.io/JOURNAL_EXPORT_FORMATS, "Journal
// JSON Format"; kubernetes/kubernetes, "CRI: Log management for container stdout/stderr streams";
// opentelemetry.io, "OTLP File Exporter".

/// A text in a record.
struct LogMessage {
  enum Content {
    /// A string of JSON, without its quotes.
    case string(Range<Int>)
    /// A list of JSON with a number for each byte.
    case numbers(Range<Int>)
    /// The rest of a line, as it is.
    case line(Range<Int>)
  }

  enum End {
    /// The text is whole lines; the end of the last one may be left out.
    case isLineEnd
    /// The line goes on in the next record.
    case isInsideLine
    /// Like the one if the text ends with a line end, else like the other.
    case isStated
  }

  let content: Content
  let end: End
  /// Names the writer: records with equal bytes here have texts that belong together.
  let group: [UInt8]
}

/// Reads records of a log.
struct LogRecordReader: Sendable {
  /// The field that the user named: a key, or several with dots between them.
  var field: String?

  init(field: String? = nil) { self.field = field }

  /// The texts of the record on a line; nil if it is no record of a known shape.
  func messages(of line: TextLine, in source: TextSource) -> [LogMessage]? {
    let start = source.skipSeparators(from: line.start, limit: line.end)
    guard source[start] == Ascii.openBrace else {
      return ContainerLine(source.bytes.span, line).map { [$0.message(in: source)] }
    }
    guard source[start + 1] == Ascii.quote || Ascii.isJsonSpace(source[start + 1]),
      let document = try? JsonDocument(source.bytes, in: start..<line.end),
      document.damage == nil,
      source.skipSeparators(from: document.byteRange.upperBound, limit: line.end) == line.end
    else { return nil }
    return messages(of: document.root, in: source)
  }

  private func messages(of root: JsonValue, in source: TextSource) -> [LogMessage]? {
    func message(_ value: JsonValue?, _ end: LogMessage.End = .isLineEnd) -> [LogMessage]? {
      guard let content = value.flatMap({ content($0) }) else { return nil }
      return [LogMessage(content: content, end: end, group: group(of: root, in: source))]
    }
    if let field, let found = message(value(of: field, in: root)) { return found }
    if let log = root["log"], log.kind == .string, root["stream"] != nil || root["time"] != nil {
      // Fluent Bit and Fluentd keep the mark of the container runtime.
      switch (root["_p"] ?? root["logtag"])?.string {
      case "F"?: return message(log)
      case "P"?: return message(log, .isInsideLine)
      default: return message(log, .isStated)
      }
    }
    if let text = root["MESSAGE"],
      root["__REALTIME_TIMESTAMP"] != nil || root["_PID"] != nil || root["PRIORITY"] != nil
    {
      return message(text)
    }
    if let text = root["body"]?["stringValue"] { return message(text) }
    return root["resourceLogs"].map { telemetry($0, in: source) }
  }

  /// The records that an exporter of OpenTelemetry writes on one line.
  private func telemetry(_ list: JsonValue, in source: TextSource) -> [LogMessage] {
    var messages: [LogMessage] = []
    for resource in list.elements {
      let group = (resource["resource"]?.byteRange).map { Array(source.bytes[$0]) } ?? []
      for scope in resource["scopeLogs"]?.elements.map(\.self) ?? [] {
        for record in scope["logRecords"]?.elements.map(\.self) ?? [] {
          guard let content = record["body"]?["stringValue"].flatMap({ content($0) }) else {
            continue
          }
          messages.append(LogMessage(content: content, end: .isLineEnd, group: group))
        }
      }
    }
    return messages
  }

  private func value(of field: String, in root: JsonValue) -> JsonValue? {
    if let value = root[field] { return value }
    return field.split(separator: ".").reduce(Optional(root)) { $0?[String($1)] }
  }

  private func content(_ value: JsonValue) -> LogMessage.Content? {
    let range = value.byteRange
    switch value.kind {
    case .string: return .string(range.lowerBound + 1..<range.upperBound - 1)
    case .array:
      let isBytes = value.elements.allSatisfy { $0.integer.map { (0...255).contains($0) } ?? false }
      return isBytes ? .numbers(range) : nil
    default: return nil
    }
  }

  /// What tells the writers apart whose records a log mixes.
  private func group(of root: JsonValue, in source: TextSource) -> [UInt8] {
    var group: [UInt8] = []
    for holder in [root, root["kubernetes"]] {
      guard let holder else { continue }
      for key in Self.writerKeys {
        guard let value = holder[key], !value.isContainer else { continue }
        group += source.bytes[value.byteRange]
        group.append(Ascii.lineFeed)
      }
    }
    return group
  }

  private static let writerKeys = [
    "stream", "container_id", "container_name", "container", "pod_name", "pod", "docker_id", "pid",
    "_HOSTNAME", "_PID", "CONTAINER_ID", "_STREAM_ID",
  ]

  /// Whether an object may be a record, so that the lines of other JSON are not read twice.
  private func mayBeRecord(_ line: TextLine, _ source: TextSource) -> Bool {
    let limit = min(line.end, line.start + 65_536)
    return field != nil
      || ["\"log\"", "\"MESSAGE\"", "\"body\"", "\"resourceLogs\""].contains {
        source.find($0, from: line.start, limit: limit) != nil
      }
  }

  /// Whether one of the first lines is a record.
  func isLog(_ source: TextSource) -> Bool {
    var next = source.textStart
    for _ in 0..<8 where next < source.count {
      let line = source.line(at: next)
      next = line.next
      let first = source[source.skipSeparators(from: line.start, limit: line.end)]
      guard Ascii.isDigit(first) || first == Ascii.openBrace && mayBeRecord(line, source) else {
        continue
      }
      if messages(of: line, in: source) != nil { return true }
    }
    return false
  }
}

/// A line of a container runtime: `2026-01-01T10:00:00.123456789Z stdout F text`. `P` in the place
/// of `F` says that the text goes on in the next line of that stream.
struct ContainerLine {
  /// `stdout` or `stderr`.
  let stream: Range<Int>
  /// The offset of `F` or `P`.
  let tag: Int
  /// Whether it is `P`.
  let isPart: Bool
  let text: Range<Int>

  init?(_ bytes: Span<UInt8>, _ line: TextLine) {
    let (start, end) = (line.start, line.end)
    // `2026-01-01T10:00:00Z stdout F` is the shortest.
    guard end - start >= 29, bytes[start + 4] == UInt8(ascii: "-"),
      bytes[start + 10] == UInt8(ascii: "T"), bytes[start] &- 0x30 < 10
    else { return nil }
    // `2026-01-01T10:00:00.123456789+02:00` is the longest time.
    var position = start + 20
    let limit = min(end - 9, start + 40)
    while position < limit, bytes[position] != 0x20 { position += 1 }
    position += 1
    guard end - position >= 8 else { return nil }
    let word = bytes.word(at: position)
    // Without its eighth byte, which is `F` or `P`.
    guard word << 8 == Self.standardOutput || word << 8 == Self.standardError else { return nil }
    stream = position..<position + 6
    tag = position + 7
    isPart = bytes[tag] == UInt8(ascii: "P")
    guard isPart || bytes[tag] == UInt8(ascii: "F") else { return nil }
    position = tag + 1
    // More tags may follow, after colons.
    if position < end, bytes[position] == UInt8(ascii: ":") {
      while position < end, bytes[position] != 0x20 { position += 1 }
    }
    guard position >= end || bytes[position] == 0x20 else { return nil }
    text = min(position + 1, end)..<end
  }

  /// `stdout ` and `stderr `, above a byte of 0.
  private static let standardOutput: UInt64 = 0x2074_756F_6474_7300
  private static let standardError: UInt64 = 0x2072_7265_6474_7300

  fileprivate func message(in source: TextSource) -> LogMessage {
    LogMessage(
      content: .line(text), end: isPart ? .isInsideLine : .isLineEnd,
      group: Array(source.bytes[stream]))
  }
}

import JsonReading
import ReportFormats
import ReportModel

/// The call stacks of MetricKit's diagnostics in OpenTelemetry's logs and spans, where they are
/// JSON in a string: the attribute `metrickit.diagnostic.crash.exception.stacktrace_json`, or
/// `exception.stacktrace` since version 2.3 of opentelemetry-swift.
///
/// The other attributes of a log record hold what MetricKit has in `diagnosticMetaData`. So that
/// nothing of it is lost, each string becomes a diagnostic with these values, in a payload.
///
/// Source: github.com/open-telemetry/opentelemetry-swift, Sources/Instrumentation/MetricKit.
struct TelemetryWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    let bytes = source.bytes
    guard source.find("exception.stacktrace", from: 0, limit: bytes.count) != nil else {
      return nil
    }
    var text = UnwrappedText(of: bytes, encode: JsonStringEscapes.encoder(like: source))
    for document in JsonDocuments(source) {
      for record in TelemetryRecord.records(in: document.root) {
        guard text.text.count <= bytes.count else { return text }
        write(record, source, into: &text)
      }
    }
    return text.text.isEmpty ? nil : text
  }

  private func write(
    _ record: TelemetryRecord, _ source: TextSource, into text: inout UnwrappedText
  ) {
    let string = record.stack.byteRange
    let place = string.lowerBound..<string.lowerBound
    var head = "{"
    if let event = record.event { head += "\"\(event)\":[{" }
    head += "\"diagnosticMetaData\":{"
    text.put(head.utf8, for: place)
    for (index, value) in record.metaData.enumerated() {
      text.put("\(index > 0 ? "," : "")\"\(value.key)\":".utf8, for: place)
      if value.unit != nil { text.put("{\"value\":".utf8, for: place) }
      text.put(source.bytes[value.value.byteRange], for: place)
      if let unit = value.unit { text.put(",\"unit\":{\"symbol\":\"\(unit)\"}}".utf8, for: place) }
    }
    text.put("},\"callStackTree\":".utf8, for: place)
    JsonStringEscapes.decode(source, string.lowerBound + 1..<string.upperBound - 1, into: &text)
    let end = string.upperBound..<string.upperBound
    text.put((record.event == nil ? "}\n" : "}]}\n").utf8, for: end)
  }
}

/// A log record or span with a call stack tree.
private struct TelemetryRecord {
  /// The string with the tree.
  let stack: JsonValue
  /// The list of a payload that the diagnostic belongs to: `crashDiagnostics`. Nil if nothing says
  /// what it is.
  let event: String?
  let metaData: [MetaValue]

  struct MetaValue {
    let key: String
    let value: JsonValue
    /// The unit that the attribute's value has.
    let unit: String?
  }

  private struct Attribute {
    let key: String
    let value: JsonValue
  }

  /// In the order of the document.
  static func records(in root: JsonValue) -> [TelemetryRecord] {
    var records: [TelemetryRecord] = []
    // The document decides how deep it is, so there is no recursion.
    var open = [root]
    while let value = open.popLast() {
      if let record = TelemetryRecord(attributes(of: value)) { records.append(record) }
      var inner: [JsonValue] = []
      for member in value.members where member.value.isContainer { inner.append(member.value) }
      for element in value.elements where element.isContainer { inner.append(element) }
      open += inner.reversed()
    }
    return records
  }

  /// Attributes as OTLP writes them, `[{"key":…,"value":{"stringValue":…}}]`, or as the members of
  /// an object.
  private static func attributes(of value: JsonValue) -> [Attribute] {
    switch value.kind {
    case .object:
      return value.members.compactMap { member in
        member.value.isContainer ? nil : Attribute(key: member.key, value: member.value)
      }
    case .array:
      return value.elements.compactMap { element in
        guard let key = element["key"]?.string, let value = element["value"] else { return nil }
        let scalar = value.kind == .object ? value.members.first { _ in true }?.value : value
        return scalar.flatMap { $0.isContainer ? nil : Attribute(key: key, value: $0) }
      }
    default: return []
    }
  }

  private init?(_ attributes: [Attribute]) {
    guard let stack = attributes.first(where: { Self.isStack($0) }) else { return nil }
    self.stack = stack.value
    let words = [stack.key] + attributes.filter { $0.key == "name" }.compactMap(\.value.string)
    event =
      Self.events.first { name, _ in
        words.contains { $0.hasPrefix("metrickit.diagnostic.\(name)") }
      }?.list
    metaData =
      Self.keys.compactMap { suffix, key, unit in
        let value = attributes.first { $0.key.hasPrefix("metrickit.") && $0.key.hasSuffix(suffix) }
        return value.map { MetaValue(key: key, value: $0.value, unit: unit) }
      } + Self.thrown(attributes)
  }

  private static func isStack(_ attribute: Attribute) -> Bool {
    guard attribute.value.kind == .string,
      attribute.key.hasSuffix("exception.stacktrace_json")
        || attribute.key.hasSuffix("exception.stacktrace")
    else { return false }
    // Stack traces of other kinds are text.
    let text = attribute.value.string ?? ""
    return text.first { !$0.isWhitespace } == "{" && text.contains("\"callStack")
  }

  private static let events: [(name: String, list: String)] = [
    ("crash", "crashDiagnostics"), ("hang", "hangDiagnostics"),
    ("cpu_exception", "cpuExceptionDiagnostics"),
    ("disk_write_exception", "diskWriteExceptionDiagnostics"),
    ("app_launch", "appLaunchDiagnostics"),
  ]

  /// The ends of attributes' names, and the keys and units of MetricKit.
  private static let keys: [(suffix: String, key: String, unit: String?)] = [
    (".exception.mach_exception.type", "exceptionType", nil),
    (".exception.mach_execution_type", "exceptionType", nil),
    (".exception.code", "exceptionCode", nil), (".exception.signal", "signal", nil),
    (".exception.termination_reason", "terminationReason", nil),
    (".hang_duration", "hangDuration", "s"), (".total_cpu_time", "totalCPUTime", "s"),
    (".total_sampled_time", "totalSampledTime", "s"),
    (".total_writes_caused", "writesCaused", "bytes"), (".launch_duration", "launchDuration", "s"),
    (".app_version", "appVersion", nil), (".app_build_version", "appBuildVersion", nil),
    (".os_version", "osVersion", nil), (".device_type", "deviceType", nil),
    (".platform_arch", "platformArchitecture", nil), (".pid", "pid", nil),
  ]

  /// The exception that was thrown: not an object, but two attributes.
  private static func thrown(_ attributes: [Attribute]) -> [MetaValue] {
    [("exceptionName", ".exception.objc.name"), ("composedMessage", ".exception.objc.message")]
      .compactMap { key, suffix in
        attributes.first { $0.key.hasSuffix(suffix) && $0.value.kind == .string }.map {
          MetaValue(key: key, value: $0.value, unit: nil)
        }
      }
  }
}

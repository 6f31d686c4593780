/// One `Key: value` line of the head of a report.
public struct HeaderField: Sendable {
  private let source: TextSource
  private let line: ByteSpan
  private let keySpan: ByteSpan
  private let valueSpan: ByteSpan

  init(source: TextSource, line: TextLine, field: FieldLine) {
    self.source = source
    self.line = ByteSpan(line.start, line.end)
    self.keySpan = field.key
    self.valueSpan = field.value
  }

  /// The key without its colon, as spelt: `CrashReporter Key` up to macOS 15, `Crash Reporter Key` from
  /// macOS 26 on.
  public var key: String { source.string(keySpan.range) }
  /// The value without the padding before it; often empty.
  public var value: String { source.string(valueSpan.range) }

  /// The line without its line end. All ranges are half-open ranges of offsets in the input.
  public var byteRange: Range<Int> { line.range }
  public var keyRange: Range<Int> { keySpan.range }
  public var valueRange: Range<Int> { valueSpan.range }

  func hasKey(_ key: String) -> Bool {
    key.utf8.count == keySpan.range.count
      && source.has(key, at: keySpan.lowerBound, limit: keySpan.upperBound)
  }
}

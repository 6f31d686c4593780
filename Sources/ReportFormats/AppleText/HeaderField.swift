import JsonReading
package import ReportModel
import SymbolicationModel

/// One `Key: value` line of the head of a text report, while the report is being read.
package struct HeaderField {
  fileprivate let source: TextSource
  private var line: ByteSpan
  fileprivate let keySpan: ByteSpan
  private var valueSpan: ByteSpan
  /// The rest of the value, where somebody broke the line.
  private var restSpan: ByteSpan?

  package init(source: TextSource, line: TextLine, field: FieldLine) {
    self.source = source
    self.line = ByteSpan(line.start, line.end)
    self.keySpan = field.key
    self.valueSpan = field.value
  }

  /// The key without its colon, as spelt: `CrashReporter Key` up to macOS 15, `Crash Reporter Key`
  /// from macOS 26 on.
  package var key: String { source.string(keySpan.range) }
  /// The value without the padding before it; often empty.
  package var value: String {
    let start = source.string(valueSpan.range)
    return restSpan.map { "\(start) \(source.string($0.range))" } ?? start
  }

  /// Takes the next line for the rest of the value, which goes on in one line at most.
  package mutating func extend(to next: TextLine) {
    guard restSpan == nil else { return }
    let rest = source.trimmed(next.start..<next.end)
    restSpan = ByteSpan(rest.lowerBound, rest.upperBound)
    line = ByteSpan(line.lowerBound, next.end)
  }

  /// The line without its line end; both lines if the value goes on in the next one.
  package var byteRange: Range<Int> { line.range }

  /// Where a remark begins behind the number of a process: after `]`.
  fileprivate var remark: Int? {
    guard source[valueSpan.upperBound - 1] != Ascii.closeBracket,
      let end = source.find("] ", from: valueSpan.lowerBound, limit: valueSpan.upperBound)
    else { return nil }
    return Self.remarks.lazy.compactMap {
      source.find($0, from: end + 1, limit: valueSpan.upperBound)
    }.first
  }

  fileprivate var withoutRemark: HeaderField {
    var field = self
    for remark in Self.remarks {
      if let start = source.find(remark, from: valueSpan.lowerBound, limit: valueSpan.upperBound) {
        let end = source.trimEnd(from: valueSpan.lowerBound, to: start)
        field.valueSpan = ByteSpan(valueSpan.lowerBound, end)
        break
      }
    }
    return field
  }

  private static let remarks = [" //", " #", " <--"]

  /// Cr4shed writes `Exception type` for `Exception Type`.
  package func hasKey(_ key: String) -> Bool { [self].firstIndex(of: key) != nil }
}

extension [HeaderField] {
  /// The value of the first field with this key, which must be spelt the same. Nil also for a value
  /// that only says that nothing is known (`???`).
  package subscript(key: String) -> String? {
    firstIndex(of: key).flatMap { self[$0].value.known }
  }

  /// Some twenty keys are asked for, so only ranges are taken out of fields, which are not copied.
  func firstIndex(of key: String, from start: Int = 0) -> Int? {
    key.withBytes { wanted in
      fields: for index in indices.dropFirst(start) {
        let range = self[index].keySpan.range
        guard range.count == wanted.count else { continue }
        let source = self[index].source
        for place in wanted.indices
        where wanted[place] | 0x20 != source[range.lowerBound + place] | 0x20 {
          continue fields
        }
        return index
      }
      return nil
    }
  }

  /// The same without what somebody wrote behind the values: `App [812] // name and number`. If it
  /// is behind the process, it may be behind any.
  var withoutRemarks: [HeaderField] {
    guard let process = firstIndex(of: "Process"), self[process].remark != nil else {
      return self
    }
    return map(\.withoutRemark)
  }

  /// The values of all fields with this key, in the order of the report: macOS writes `Exception
  /// Codes` twice.
  package func values(of key: String) -> [String] {
    var values: [String] = []
    var start = 0
    while let index = firstIndex(of: key, from: start) {
      values.append(self[index].value)
      start = index + 1
    }
    return values
  }

  /// The number of the thread that the head of the report points at.
  package var triggeredThreadNumber: Int? {
    for key in ["Triggered by Thread", "Crashed Thread", "Highlighted Thread"] {
      guard let value = firstIndex(of: key).map({ self[$0].value }) else { continue }
      let digits = value.utf8.prefix { Ascii.isDigit($0) }
      if let number = Int(String(decoding: digits, as: UTF8.self)) { return number }
    }
    return nil
  }
}

/// The ranges of `Key: value`.
package struct FieldLine {
  package let key: ByteSpan
  /// Without the padding before it and trailing separators.
  package let value: ByteSpan
}

extension TextSource {
  /// Reads `Key: value`. A key has 2 to 40 characters: an upper-case letter, then letters, digits,
  /// spaces, `/`, `.` and `-`.
  package func fieldLine(_ line: TextLine) -> FieldLine? {
    let start = skipSeparators(from: line.start, limit: line.end)
    guard start < line.end, Ascii.isUppercase(self[start]) else { return nil }
    let limit = min(line.end, start + 41)
    var position = start + 1
    while position < limit, self[position] != Ascii.colon {
      let byte = self[position]
      guard
        Ascii.isLowercase(byte) || Ascii.isUppercase(byte) || Ascii.isDigit(byte)
          || byte == Ascii.space || byte == Ascii.slash || byte == Ascii.minus
          || byte == UInt8(ascii: ".")
      else { return nil }
      position += 1
    }
    guard position < limit, self[position] == Ascii.colon, position - start >= 2 else { return nil }
    let value = trimmed(position + 1..<line.end)
    return FieldLine(
      key: ByteSpan(start, trimEnd(from: start, to: position)),
      value: ByteSpan(value.lowerBound, value.upperBound))
  }
}

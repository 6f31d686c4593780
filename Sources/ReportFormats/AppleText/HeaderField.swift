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
  /// Whether the key begins on one line and ends on the next.
  private var isTorn = false

  package init(source: TextSource, line: TextLine, field: FieldLine) {
    self.source = source
    self.line = ByteSpan(line.start, line.end)
    self.keySpan = field.key
    self.valueSpan = field.value
  }

  /// The key without its colon, as spelt: `CrashReporter Key` up to macOS 15, `Crash Reporter Key`
  /// from macOS 26 on.
  package var key: String {
    let text = source.string(keySpan.range)
    return isTorn ? String(text.map { $0.isNewline ? " " : $0 }) : text
  }
  /// The value without the padding before it; often empty.
  package var value: String {
    let start = source.string(valueSpan.range)
    return restSpan.map { "\(start) \(source.string($0.range))" } ?? start
  }

  /// The field without what is behind its value on the line: another field, of a line that somebody
  /// joined with this one.
  fileprivate func ending(at start: Int) -> HeaderField {
    var field = self
    let end = source.trimEnd(from: valueSpan.lowerBound, to: start)
    field.valueSpan = ByteSpan(valueSpan.lowerBound, end)
    field.line = ByteSpan(line.lowerBound, end)
    return field
  }

  /// The field, and those behind it on the line, where lines of a head were joined; nil for nearly
  /// all lines, which hold one field:
  ///
  /// ```text
  /// Exception Type: EXC_BREAKPOINT (SIGTRAP) Exception Codes: 0x0000000000000001,
  /// 0x0000000186ca2588
  /// ```
  ///
  /// A line that was filled up to a column may end within the name of a field:
  /// `Termination Reason: SIGNAL 5 Trace/BPT trap: 5 Terminating`, below it `Process: a [1]`.
  ///
  /// - Parameter below: the line below, which may hold a part of the last field.
  /// - Complexity: O(n).
  package func joinedFields(below: TextLine) -> (fields: [HeaderField], takesLineBelow: Bool)? {
    guard FieldKeys.isJoined(keySpan.range, in: source) else { return nil }
    var fields: [HeaderField] = []
    var rest = self
    var word = valueSpan.lowerBound
    let limit = valueSpan.upperBound
    while word < limit {
      if word > rest.valueSpan.lowerBound,
        let colon = FieldKeys.joinedEnd(at: word, limit: limit, in: source),
        source[colon] == Ascii.colon
      {
        fields.append(rest.ending(at: word))
        let value = source.trimmed(colon + 1..<limit)
        let line = TextLine(start: word, end: limit, next: limit)
        rest = HeaderField(
          source: source, line: line,
          field: FieldLine(
            key: ByteSpan(word, colon), value: ByteSpan(value.lowerBound, value.upperBound)))
        word = value.lowerBound
        continue
      }
      while word < limit, source.separatorLength(at: word, limit: limit) == 0 { word += 1 }
      word = source.skipSeparators(from: word, limit: limit)
    }
    if let (start, field) = rest.tornField(below) {
      return (fields + [rest.ending(at: start), field], true)
    }
    // The second code, or the address, where the line was full.
    let code = source.skipSeparators(from: below.start, limit: below.end)
    let takesLineBelow =
      (source[limit - 1] == Ascii.comma || source.has(" at", at: limit - 3, limit: limit))
      && source.has("0x", at: code, limit: below.end)
    guard !fields.isEmpty || takesLineBelow else { return nil }
    if takesLineBelow { rest.extend(to: below) }
    return (fields + [rest], takesLineBelow)
  }

  /// The field whose name begins with the last words of the value, and ends in the line below; and
  /// where these words begin.
  private func tornField(_ below: TextLine) -> (start: Int, field: HeaderField)? {
    // Hardly any value ends like that.
    guard
      "ngyd".utf8.contains(source[valueSpan.upperBound - 1]),
      Self.tornWords.contains(where: { word in
        source.has(word, at: valueSpan.upperBound - word.utf8.count, limit: valueSpan.upperBound)
      })
    else { return nil }
    let whole = source.trimmed(below.start..<below.end)
    guard whole.count < 256, let below = source.fieldLine(below) else { return nil }
    let value = source.string(valueSpan.range)
    let end = source.string(below.key.range)
    guard
      let name = FieldKeys.joinedKeys.first(where: { name in
        name.hasSuffix(" \(end)") && value.hasSuffix(" \(name.dropLast(end.utf8.count + 1))")
      })
    else { return nil }
    let start = valueSpan.upperBound - (name.utf8.count - end.utf8.count - 1)
    var field = HeaderField(
      source: source, line: TextLine(start: start, end: whole.upperBound, next: whole.upperBound),
      field: FieldLine(key: ByteSpan(start, below.key.upperBound), value: below.value))
    field.isTorn = true
    return (start, field)
  }

  /// The words of ``FieldKeys/joinedKeys`` behind which a key may be torn. To make the set takes a
  /// hundredth of the time of a short run.
  private static let tornWords = Set(
    FieldKeys.joinedKeys.flatMap { $0.split(separator: " ").dropLast().map { " \($0)" } })

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

  fileprivate func without(_ remarks: [String]) -> HeaderField {
    var field = self
    for remark in remarks {
      if let start = source.find(remark, from: valueSpan.lowerBound, limit: valueSpan.upperBound) {
        let end = source.trimEnd(from: valueSpan.lowerBound, to: start)
        field.valueSpan = ByteSpan(valueSpan.lowerBound, end)
        break
      }
    }
    return field
  }

  /// Whether a comment of C follows the value, which cannot be in it.
  fileprivate var hasComment: Bool {
    Self.comments.contains {
      source.find($0, from: valueSpan.lowerBound, limit: valueSpan.upperBound) != nil
    }
  }

  fileprivate static let comments = [" //", "\t//"]
  fileprivate static let remarks = comments + [" #", " <--"]

  /// Cr4shed writes `Exception type` for `Exception Type`.
  package func hasKey(_ key: String) -> Bool {
    key.withBytes { Self.isSpelt($0, at: keySpan.range, in: source) }
  }

  /// Whether its value never holds what a runtime printed. Most fields of a head are of that kind.
  var isPlain: Bool {
    keySpan.range.count < FieldKeys.plainByLength.count
      && FieldKeys.plainByLength[keySpan.range.count].contains {
        source.has($0, at: keySpan.lowerBound, limit: keySpan.upperBound)
      }
  }

  /// Whether a key is in a place, in letters of either case. A line end may be in place of a space.
  @inline(__always)
  fileprivate static func isSpelt(
    _ key: Span<UInt8>, at range: Range<Int>, in source: TextSource
  ) -> Bool {
    guard range.count == key.count else { return false }
    for place in key.indices {
      let byte = source[range.lowerBound + place]
      let isTorn = byte == Ascii.lineFeed && key[place] == Ascii.space
      if key[place] | 0x20 != byte | 0x20, !isTorn { return false }
    }
    return true
  }
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
      var index = start
      while index < count {
        if HeaderField.isSpelt(wanted, at: self[index].keySpan.range, in: self[index].source) {
          return index
        }
        index += 1
      }
      return nil
    }
  }

  /// The same without what somebody wrote behind the values: `App [812] // name and number`. If it
  /// is behind the process, it may be behind any. So it is with comments behind values that never
  /// have the sign of one.
  var withoutRemarks: [HeaderField] {
    if let process = firstIndex(of: "Process"), self[process].remark != nil {
      return map { $0.without(HeaderField.remarks) }
    }
    let isCommented = Self.keysWithoutComments.contains { key in
      firstIndex(of: key).map { self[$0].hasComment } ?? false
    }
    return isCommented ? map { $0.without(HeaderField.comments) } : self
  }

  private static let keysWithoutComments = [
    "Exception Type", "Triggered by Thread", "Crashed Thread", "OS Version", "Code Type",
    "Termination Reason",
  ]

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
    threadNumber(in: ["Triggered by Thread", "Crashed Thread", "Highlighted Thread"])
  }

  /// Whether the head points at a thread, but does not say that it crashed.
  package var onlyHighlightThread: Bool {
    triggeredThreadNumber != nil
      && threadNumber(in: ["Triggered by Thread", "Crashed Thread"]) == nil
  }

  private func threadNumber(in keys: [String]) -> Int? {
    for key in keys {
      guard let value = firstIndex(of: key).map({ self[$0].value }) else { continue }
      let digits = value.utf8.prefix { Ascii.isDigit($0) }
      if let number = Int(String(decoding: digits, as: UTF8.self)) { return number }
    }
    return nil
  }
}

extension ReportFacts.ProcessReference {
  /// - Parameter text: `launchd [1]`. The name may contain spaces and brackets.
  package init(_ text: String?) {
    self.init()
    guard let text else { return }
    name = text.known
    if text.utf8.last == UInt8(ascii: "]"), let open = text.utf8.lastIndex(of: UInt8(ascii: "[")),
      let number = Int(Substring(text.utf8[text.utf8.index(after: open)...].dropLast()))
    {
      var before = text.utf8[..<open]
      while before.last == Ascii.space || before.last == Ascii.tab { before.removeLast() }
      name = String(Substring(before)).known
      identifier = number
    }
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
    var start = skipSeparators(from: line.start, limit: line.end)
    // Bold in Markdown.
    let isBold = has("**", at: start, limit: line.end)
    if isBold { start += 2 }
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
    let value =
      isBold
      ? trimmed(position + 1..<line.end, leading: "* ", trailing: "* ")
      : trimmed(position + 1..<line.end)
    return FieldLine(
      key: ByteSpan(start, trimEnd(from: start, to: position)),
      value: ByteSpan(value.lowerBound, value.upperBound))
  }
}

extension ReportFacts {
  /// Takes the thread that the head points at.
  package mutating func takeStatedThread(of fields: [HeaderField]) {
    statedCrashedThread = fields.triggeredThreadNumber
    onlyHighlightsThread = fields.onlyHighlightThread
  }

  /// Takes the library that Cr4shed holds for the culprit, which is nearest to a place in a report
  /// without a stack.
  ///
  /// Source: github.com/MuirEy03/Cr4shed.
  package mutating func takeCulprit(_ fields: [HeaderField]) {
    guard exception.message == nil, fields["Bundle id"] != nil,
      let culprit = fields["Culprit"], culprit != "Unknown"
    else { return }
    exception.message = "Cr4shed names \(culprit) as the culprit"
  }
}

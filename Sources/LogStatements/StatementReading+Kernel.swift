import JsonReading
import ReportModel

/// What the system writes when it restarts the GPU because of a program: a report of type 284,
/// `gpuEvent-Board-2026-01-01-100000.ips`, which people quote in parts.
///
/// ```text
/// "process_name" : "Board",
/// "analysis" : {"guilty_dm":3,"signature":579,"restart_reason_desc":"firmware-detected lockup"}
/// ```
///
/// Source: the reports as people show them (github.com/yattee/yattee, issue 949).
enum GpuRestart {
  static let key = "restart_reason_desc"
  static let title = "the GPU was restarted: "
  /// How far from the reason the name of the process is looked for, in bytes.
  static let reach = 2048
}

// MARK: Panics

extension StatementReading {
  /// Takes the words of a panic, with the next two lines, where they may go on.
  mutating func takePanic(_ match: LineMatch, _ line: TextLine, _ sign: Int) -> Bool {
    // Source code has the places of the names.
    guard match.text(.message, source)?.contains("%s") != true, facts.panic == nil else {
      return facts.panic != nil
    }
    // The name of the function stands before the sign.
    let start = source.bytes[line.start..<sign].lastIndex(of: UInt8(ascii: "z")) ?? sign
    takePanic(source.trimmed(start..<line.end), below: line)
    return true
  }

  private mutating func takePanic(_ words: Range<Int>, below line: TextLine) {
    var below: [String] = []
    // Below a quotation in a sentence, the text goes on.
    let isWhole = source.isBlank(source.line(at: line.end))
    var next = line.next
    while isWhole, below.count < 2, next < source.count {
      let line = source.line(at: next)
      guard !source.isBlank(line), line.end - line.start < 1024 else { break }
      below.append(
        source.string(source.trimmed(line.start..<line.end, leading: "> \t", trailing: " \t\r")))
      next = line.next
    }
    let panic = PanicDescription(words: source.string(words), below: below)
    facts.panic = panic
    guard facts.process.name == nil, let task = panic.task else { return }
    (facts.process.name, facts.process.identifier) = (task, panic.taskIdentifier)
  }

  /// Takes the first line of a panic, wherever it is in a line. If who shows it left out the
  /// processor and the caller, it stands alone, as the report of a panic does, with the task below
  /// or the words about launchd:
  ///
  /// ```text
  /// The report says `panic(cpu 2 caller 0xfffffe0014226bec): Kernel data abort.`
  /// panic(...): initproc exited -- exit reason namespace 2 subcode 0xa
  /// Panicked task ... pid 1: launchd
  /// ```
  mutating func takeQuotedPanic(_ line: TextLine, _ sign: Int) -> Bool {
    guard isWholeText, !source.isExample(line.start..<sign) else { return false }
    guard facts.panic == nil else { return true }
    let limit = line.end
    var words = sign
    if let (_, number) = source.decimal(at: sign + 10, limit: limit) {
      let caller = " caller 0x"
      guard source.has(caller, at: number, limit: limit),
        let address = source.hexadecimal(at: number + caller.utf8.count - 2, limit: limit)?.end,
        source.has("): ", at: address, limit: limit)
      else { return false }
      words = address + 3
    } else {
      guard let end = source.find("): ", from: sign, limit: min(limit, sign + 16)) else {
        return false
      }
      words = end + 3
      let below = source.line(at: line.next)
      let task = source.trimmed(below.start..<below.end, leading: "> ", trailing: "")
      guard
        source.has("initproc ", at: words, limit: limit)
          || source.has("Panicked task ", at: task.lowerBound, limit: task.upperBound)
      else { return false }
    }
    let range = source.trimmed(words..<limit)
    guard !range.isEmpty else { return false }
    takePanic(sign..<range.upperBound, below: line)
    return true
  }
}

extension StatementReading {
  /// Takes why the GPU was restarted, and for whom.
  mutating func takeGpuRestart(at sign: Int, _ range: Range<Int>) -> Bool {
    guard let reason = source.jsonText(behind: sign + GpuRestart.key.utf8.count, range.upperBound)
    else { return false }
    let text = GpuRestart.title + reason
    if !facts.applicationInformation.contains(text) { facts.applicationInformation.append(text) }
    guard facts.process.name == nil else { return true }
    let near = max(source.textStart, sign - GpuRestart.reach)..<min(limit, sign + GpuRestart.reach)
    for (key, isMember) in [("\"process_name", true), ("gpuEvent-", false)] {
      guard let start = source.find(key, from: near.lowerBound, limit: near.upperBound) else {
        continue
      }
      let end = start + key.utf8.count
      let name =
        isMember
        ? source.jsonText(behind: end, near.upperBound)
        : source.find("-20", from: end, limit: min(near.upperBound, end + 64)).map {
          source.string(end..<$0)
        }
      if let name, !name.isEmpty, name.utf8.count <= 64 {
        facts.process.name = name
        break
      }
    }
    takeHeadOfGpuRestart(at: sign)
    return true
  }

  /// Takes the system and the time from the head of the file.
  private mutating func takeHeadOfGpuRestart(at sign: Int) {
    let head = source.line(at: source.textStart)
    guard source[head.start] == Ascii.openBrace, head.end - head.start < 2048 else { return }
    func member(_ key: String) -> String? {
      source.find(key, from: head.start, limit: head.end).flatMap {
        source.jsonText(behind: $0 + key.utf8.count, head.end)
      }
    }
    if facts.system.name == nil, let name = member("\"os_version") {
      facts.system = ReportFacts.System(name)
    }
    facts.date = facts.date ?? member("\"timestamp")
  }
}

extension TextSource {
  /// The text in quotes that is the value of a key, which ends at an offset: `: "blocked"`, with or
  /// without a quote behind the key. Nil if something else is there.
  fileprivate func jsonText(behind offset: Int, _ limit: Int) -> String? {
    var start = offset
    while start < limit, start - offset < 8, " \"`\\".utf8.contains(self[start]) { start += 1 }
    guard start < limit, self[start] == Ascii.colon else { return nil }
    start = skipSeparators(from: start + 1, limit: limit)
    while start < limit, "\"`\\".utf8.contains(self[start]) { start += 1 }
    guard start > offset, "\"`".utf8.contains(self[start - 1]) else { return nil }
    var end = start
    while end < limit, end - start < 256, !"\"`\\\n".utf8.contains(self[end]) { end += 1 }
    return end > start && end < limit && end - start < 256 ? string(start..<end) : nil
  }
}

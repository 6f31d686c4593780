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

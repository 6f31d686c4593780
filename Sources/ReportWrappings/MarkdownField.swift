import JsonReading
import ReportFormats
import ReportModel

/// A field of a head in a list, a heading or a table of Markdown, or as people retype it and pages
/// are copied: with another sign than a colon behind its name, or the name in small letters.
///
/// ```text
/// - **Exception Type:** `EXC_BAD_ACCESS (SIGSEGV)`
/// ### Triggered by Thread: 0
/// exception type: EXC_CRASH (SIGKILL)
/// Termination Reason = RUNNINGBOARD 0xdead10cc
/// ```
///
/// Source: github.github.com/gfm, sections "List items", "ATX headings", "Tables" and "Emphasis".
struct MarkdownField {
  let key: Range<Int>
  let value: Range<Int>
  /// Whether the key is bold or code.
  let isMarked: Bool

  /// The key as reports have it; nil if they have none like it.
  func knownKey(_ source: TextSource) -> String? {
    let words = source.string(key).lowercased().replacing("_", with: " ")
    guard let (known, start) = Self.keys[words] else { return nil }
    let value = source.bytes[value].drop { $0 == UInt8(ascii: "`") }
    return value.starts(with: start.utf8) ? known : nil
  }

  /// What people call the fields of reports, in lower case, and what the value begins with.
  private static let keys: [String: (key: String, start: String)] = {
    var keys: [String: (key: String, start: String)] = [
      "exception": ("Exception Type", "EXC_"), "crash type": ("Exception Type", "EXC_"),
      "subtype": ("Exception Subtype", "KERN_"), "codes": ("Exception Codes", "0x"),
      "app bundle id": ("Identifier", ""), "bundle id": ("Identifier", ""),
      "bundle identifier": ("Identifier", ""), "termination": ("Termination Reason", ""),
      "process name": ("Process", ""), "device model": ("Hardware Model", ""),
      "faulting thread": ("Triggered by Thread", ""),
      "crashing thread": ("Triggered by Thread", ""),
      "triggered thread": ("Triggered by Thread", ""),
    ]
    // Apple's spelling comes before that of others: it has more letters in upper case.
    for key in FieldKeys.known.sorted() where keys[key.lowercased()] == nil {
      keys[key.lowercased()] = (key, "")
      // Some leave the blanks out.
      let word = key.lowercased().replacing(" ", with: "")
      if keys[word] == nil { keys[word] = (key, "") }
    }
    return keys
  }()
}

extension TextSource {
  /// A field in a list or a heading, or with a bold key, or with a value that is code, or with
  /// another sign than a colon; nil for other lines, also for those of reports.
  func markdownField(_ line: TextLine) -> MarkdownField? {
    var range = trimmed(line.start..<line.end)
    guard range.count > 5, range.count < 4096 else { return nil }
    // Before each line, the sign is a prefix and makes no headings.
    if has("# ", at: line.start, limit: line.end), has("# ", at: line.next, limit: count) {
      return nil
    }
    let first = self[range.lowerBound]
    // A quick look.
    guard Ascii.isWord(first) || "-*+_`#".utf8.contains(first) else { return nil }
    var bullet = range.lowerBound + 1
    if Ascii.isDigit(first) {
      while bullet < range.upperBound, Ascii.isDigit(self[bullet]) { bullet += 1 }
      guard self[bullet] == UInt8(ascii: ".") else { return nil }
      bullet += 1
    }
    while first == UInt8(ascii: "#"), self[bullet] == first { bullet += 1 }
    let isLetter = Ascii.isUppercase(first) || Ascii.isLowercase(first)
    let isItem = !isLetter && separatorLength(at: bullet, limit: range.upperBound) > 0
    if isItem { range = trimmed(bullet..<range.upperBound) }
    for mark in ["**", "__", "`"]
    where has(mark, at: range.lowerBound, limit: range.upperBound) {
      let start = range.lowerBound + mark.utf8.count
      let limit = min(range.upperBound, start + 64)
      guard let end = find(mark, from: start, limit: limit) else { return nil }
      let rest = trimmed(end + mark.utf8.count..<range.upperBound)
      let hasColon =
        self[end - 1] == Ascii.colon || has(":", at: rest.lowerBound, limit: rest.upperBound)
      return hasColon ? markdownField(start..<end, rest, isMarked: true) : nil
    }
    guard let sign = endOfKey(range) else { return nil }
    let value = trimmed(sign.upperBound..<range.upperBound)
    guard let field = markdownField(range.lowerBound..<sign.lowerBound, value, isMarked: false),
      field.knownKey(self) != nil
    else { return nil }
    let isOfReport =
      !isItem && Ascii.isUppercase(first) && self[sign.lowerBound] == Ascii.colon
      && !has("`", at: value.lowerBound, limit: value.upperBound)
    return isOfReport ? nil : field
  }

  /// The sign behind the name of a field: a colon, also of full width, as Chinese and Japanese
  /// have it; an equals sign, a bar, a tab or several blanks.
  private func endOfKey(_ range: Range<Int>) -> Range<Int>? {
    var position = range.lowerBound
    let limit = min(range.upperBound, range.lowerBound + 41)
    while position < limit {
      switch self[position] {
      case Ascii.colon: return position..<position + 1
      case 0xEF:
        return has("：", at: position, limit: range.upperBound) ? position..<position + 3 : nil
      case Ascii.tab: return position..<position + 1
      case Ascii.space:
        let next = skipSeparators(from: position, limit: limit)
        switch self[next] {
        case UInt8(ascii: "="), UInt8(ascii: "|"): return position..<next + 1
        case Ascii.colon: return position..<next + 1
        default:
          if next - position > 1 { return position..<next }
          position = next
        }
      case let byte where Ascii.isWord(byte) || " /-._".utf8.contains(byte): position += 1
      default: return nil
      }
    }
    return nil
  }

  /// A field of a table of two columns.
  func markdownField(_ key: Range<Int>, _ value: Range<Int>) -> MarkdownField? {
    markdownField(key, value, isMarked: true)
  }

  private func markdownField(
    _ key: Range<Int>, _ value: Range<Int>, isMarked: Bool
  ) -> MarkdownField? {
    var key = withoutMarks(trimmed(key))
    if !key.isEmpty, self[key.upperBound - 1] == Ascii.colon {
      key = trimmed(key.lowerBound..<key.upperBound - 1)
    }
    if self[key.lowerBound] == UInt8(ascii: "`"), self[key.upperBound - 1] == UInt8(ascii: "`") {
      key = key.dropFirst().dropLast()
    }
    var value = value
    if has(":", at: value.lowerBound, limit: value.upperBound) {
      value = trimmed(value.lowerBound + 1..<value.upperBound)
    }
    value = withoutMarks(value)
    guard key.count > 1, key.count < 41,
      Ascii.isUppercase(self[key.lowerBound]) || Ascii.isLowercase(self[key.lowerBound]),
      bytes[key].allSatisfy({ Ascii.isWord($0) || " /-._".utf8.contains($0) }),
      bytes[value].contains(where: { $0 != UInt8(ascii: "`") })
    else { return nil }
    return MarkdownField(key: key, value: value, isMarked: isMarked)
  }

  /// A text without `**` around it.
  func withoutMarks(_ range: Range<Int>) -> Range<Int> {
    guard range.count > 4, has("**", at: range.lowerBound, limit: range.upperBound),
      has("**", at: range.upperBound - 2, limit: range.upperBound)
    else { return range }
    return trimmed(range.lowerBound + 2..<range.upperBound - 2)
  }
}

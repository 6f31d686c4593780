import FileSystem
import SymbolicationModel

/// Numbers as text in a buffer of bytes, without a `String` for each.
extension [UInt8] {
  package mutating func append(decimal number: UInt64) {
    // No number has more than 20 digits, and 8 bytes are stored at once.
    append(addingCapacity: 24) { number.appendDecimal(to: &$0) }
  }

  package mutating func append(decimal number: Int) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(decimal: UInt64(number.magnitude))
  }

  /// Appends lower-case digits, without `0x`.
  ///
  /// - Parameter digitCount: how many digits to write at least; shorter numbers get leading zeros.
  package mutating func append(hexadecimal number: UInt64, digitCount: Int = 1) {
    append(addingCapacity: 16) { number.appendHexadecimal(digitCount: digitCount, to: &$0) }
  }
}

extension [UInt8] {
  /// Appends a path as its bytes, which need not be UTF-8: an option may have stated a part of it.
  package mutating func append(path: String) {
    if path.hasPathBytes {
      append(contentsOf: path.pathBytes)
    } else {
      path.withBytes { bytes in append(addingCapacity: bytes.count) { $0.append(copying: bytes) } }
    }
  }
}

extension String {
  /// Whether the text begins with the bytes of `start`. `hasPrefix` compares characters.
  package func hasPrefixBytes(_ start: String) -> Bool { utf8.begins(with: start.utf8) }

  /// Whether the bytes of `part` occur in the text. `contains` compares characters, and takes
  /// hundreds of times as long for a name.
  package func hasBytes(of part: String) -> Bool { utf8.holds(part.utf8) }
}

extension String.UTF8View {
  @inline(never)
  fileprivate func begins(with start: String.UTF8View) -> Bool {
    withBytes { text in
      start.withBytes { wanted in
        guard text.count >= wanted.count else { return false }
        for index in wanted.indices where text[index] != wanted[index] { return false }
        return true
      }
    }
  }

  @inline(never)
  fileprivate func holds(_ part: String.UTF8View) -> Bool {
    withBytes { text in part.withBytes { text.holds($0) } }
  }
}

extension String {
  /// The text with every control character replaced by U+FFFD.
  ///
  /// Names come from symbol files and reports, which are untrusted. A line end in a name would
  /// break a line of the report, and an escape sequence would reach the terminal.
  package var withoutControlCharacters: String {
    guard withBytes({ $0.mayHoldControlCharacter }) else { return self }
    var scalars = UnicodeScalarView()
    for scalar in unicodeScalars {
      scalars.append(scalar.properties.generalCategory == .control ? "\u{fffd}" : scalar)
    }
    return String(scalars)
  }
}

extension String {
  /// The text without what makes a line of it a command to a CI system: `::error::` at its start,
  /// behind any white space, gets U+FFFD in front; ``withoutCommandMarks`` are the others.
  ///
  /// Source: github.com/actions/runner, src/Runner.Common/ActionCommand.cs (`TryParseV2`).
  package var withoutCommands: String {
    let text = withoutCommandMarks
    return text.startsCommand ? "\u{fffd}" + text : text
  }

  /// Whether `::` is at the start of the text, behind any white space.
  package var startsCommand: Bool {
    guard hasBytes(of: "::") else { return false }
    return unicodeScalars.drop { $0.properties.isWhitespace }.starts(with: "::".unicodeScalars)
  }

  /// The text with U+FFFD within `##[error]` and `##vso[`, which are commands wherever they stand
  /// in a line.
  ///
  /// Source: as ``withoutCommands`` (`TryParse`); github.com/microsoft/azure-pipelines-agent,
  /// src/Agent.Sdk/CommandLine/Command.cs.
  package var withoutCommandMarks: String {
    guard hasBytes(of: "##") else { return self }
    return replacing("##[", with: "#\u{fffd}#[").replacing("##vso[", with: "#\u{fffd}#vso[")
  }
}

/// The text; if it has more than `limit` characters, its beginning and `…`.
package func shortened(_ text: String, to limit: Int) -> String {
  // No character has less than a byte.
  guard text.utf8.count > limit,
    let end = text.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex),
    end != text.endIndex
  else { return text }
  return text[..<end] + "…"
}

/// `1 report`, `2 reports`.
package func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
  "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}

extension String {
  /// The longest run of characters of a kind behind the first `marker`; nil if it is empty or the
  /// marker is missing.
  package func word(after marker: String, of isPart: (Character) -> Bool) -> String? {
    guard hasBytes(of: marker), let start = firstRange(of: marker)?.upperBound else { return nil }
    let word = self[start...].prefix(while: isPart)
    return word.isEmpty ? nil : String(word)
  }

  /// The longest run of characters of a kind before the first `marker`.
  package func word(before marker: String, of isPart: (Character) -> Bool) -> String? {
    guard hasBytes(of: marker), let end = firstRange(of: marker)?.lowerBound else { return nil }
    let length = self[..<end].reversed().prefix(while: isPart).count
    return length == 0 ? nil : String(self[index(end, offsetBy: -length)..<end])
  }
}

extension Character {
  /// Whether it is one of `0` to `9`.
  package var isDecimalDigit: Bool { isASCII && isNumber }
}

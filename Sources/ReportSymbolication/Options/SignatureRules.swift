import Wording

/// What the user adds to the rules of signatures: `--rules`.
///
/// Each line is `drop PATTERN`, `app PATTERN` or `system PATTERN`. Empty lines and lines that begin
/// with `#` are skipped. A pattern is like those of `--user-code`, and may have spaces.
package struct SignatureRules: Hashable, Sendable {
  /// Frames that never count.
  private var dropped: [CodePattern] = []
  /// Images and functions that are the app's own, and those that are not.
  package private(set) var code = CodePatterns()

  package init() {}

  package init(_ text: [UInt8]) throws(SignatureRuleError) {
    var (app, system): ([String], [String]) = ([], [])
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, bytes) in lines.enumerated() {
      let line = String(decoding: bytes, as: UTF8.self)
      let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
      guard let verb = words.first, !verb.hasPrefix("#") else { continue }
      let pattern = words.count > 1 ? Self.trimmed(words[1]) : ""
      guard !pattern.isEmpty else { throw SignatureRuleError(line: index + 1, text: line) }
      switch verb {
      case "drop": dropped.append(CodePattern(pattern))
      case "app": app.append(pattern)
      case "system": system.append(pattern)
      default: throw SignatureRuleError(line: index + 1, text: line)
      }
    }
    code = CodePatterns(user: app, library: system)
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  /// The pattern that leaves a frame out.
  package func dropping(function: String?, image: String) -> String? {
    dropped.isEmpty ? nil : dropped.first { $0.fits(function: function, image: image) }?.text
  }
}

/// A line that is no rule.
package struct SignatureRuleError: Error, Hashable {
  /// Counted from 1.
  package let line: Int
  package let text: String

  /// - Parameter path: the file of the rules.
  package func message(path: String) -> String {
    "\(path):\(line): expected 'drop PATTERN', 'app PATTERN' or 'system PATTERN', found '\(shortened(text, to: 80))'"
  }
}

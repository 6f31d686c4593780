import Wording

/// What the user says about whose code it is: `--user-code` and `--library-code`.
///
/// A pattern is compared with the whole name of the image and of the function. `*` stands for any
/// text; a pattern without `*` also fits the start of a function's name up to a `.`, `(`, `:` or
/// space.
package struct CodePatterns: Hashable, Sendable {
  private var user: [CodePattern] = []
  private var library: [CodePattern] = []

  package init(user: [String] = [], library: [String] = []) {
    self.user = user.map { CodePattern($0) }
    self.library = library.map { CodePattern($0) }
  }

  /// These patterns, and then `others`.
  package func adding(_ others: CodePatterns) -> CodePatterns {
    var sum = self
    sum.user += others.user
    sum.library += others.library
    return sum
  }

  package var isEmpty: Bool { user.isEmpty && library.isEmpty }

  package func isUserCode(function: String?, image: String) -> Bool {
    user.contains { $0.fits(function: function, image: image) }
  }

  /// The pattern that says so.
  package func library(function: String?, image: String) -> String? {
    library.first { $0.fits(function: function, image: image) }?.text
  }
}

/// One pattern. `*` stands for any text.
struct CodePattern: Hashable, Sendable {
  package let text: String
  /// The bytes between the stars.
  private let parts: [[UInt8]]

  init(_ text: String) {
    self.text = text
    parts = text.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map {
      Array($0)
    }
  }

  func fits(function: String?, image: String) -> Bool {
    fits(image) || function.map { fits($0) || fitsStart(of: $0) } ?? false
  }

  /// Each part is looked for after the one before it, so the cost is at most the product of the
  /// lengths.
  func fits(_ name: String) -> Bool {
    var rest = Array(name.utf8)[...]
    guard let first = parts.first, rest.starts(with: first) else { return false }
    guard parts.count > 1, let last = parts.last else { return rest.count == first.count }
    rest = rest.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let start = rest.indices.first(where: { rest[$0...].starts(with: part) }) else {
        return false
      }
      rest = rest[(start + part.count)...]
    }
    return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
  }

  private func fitsStart(of name: String) -> Bool {
    guard parts.count == 1, let only = parts.first, !only.isEmpty, name.utf8.starts(with: only)
    else { return false }
    let next = name.utf8.dropFirst(only.count).first
    return next.map { ".(: ".utf8.contains($0) } ?? true
  }
}

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

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

extension FittedText {
  /// The name of a function, shortened. These go, in this order, until it fits:
  ///
  /// 1. template arguments and generic parameters: `Map<…>::find(int const&) const`;
  /// 2. arguments and what follows them, of Swift the last labels first: `Round.init(number:…)`;
  /// 3. types and modules in front: `…find(…)`.
  ///
  /// The function's own name is cut only if it is wider than the column.
  ///
  /// - Parameter betweenWords: whether the words in front of a name, such as `one-time
  ///   initialization function for`, may go too. Otherwise the end of such a name is cut.
  package static func function(
    _ name: String, columns: Int, betweenWords: Bool = true
  ) -> String {
    guard !TerminalColumns.fits(name, columns) else { return name }
    if name.hasSuffix("]"), name.hasPrefix("-[") || name.hasPrefix("+["),
      let space = name.firstIndex(of: " ")
    {
      // `-[…viewDidLoad]`
      return phrase("\(name.prefix(2))…\(name[space...].dropFirst())", columns: columns)
    }
    let short = FunctionName.withoutGenerics(name)
    return FunctionName(short).fitted(to: columns, betweenWords: betweenWords)
      ?? phrase(short, columns: columns)
  }
}

/// The parts of a function's name: `whole` up to the arguments, and these.
private struct FunctionName {
  private let name: String
  /// With the arguments of enclosing functions as `(…)`: `find(…)::$_0::operator()`.
  private let whole: String
  /// From the parenthesis on, without ` const` and the like; empty if there are none.
  private let arguments: String

  init(_ name: String) {
    self.name = name
    let callable = Self.withoutQualifiers(name[...])
    let open = Self.start(ofArguments: callable)
    whole = Self.withoutInnerArguments(String(callable[..<(open ?? callable.endIndex)]))
    arguments = open.map { String(callable[$0...]) } ?? ""
  }

  /// Nil if not even the last part of the name fits.
  func fitted(to columns: Int, betweenWords: Bool) -> String? {
    if TerminalColumns.count(of: name) <= columns { return name }
    if let short = withFewerArguments(whole, columns) { return short }
    // Enclosing functions say more than what is in them, and words in front say least.
    let bytes = Array(whole.utf8)
    for boundary in [Boundary.type, .function] + (betweenWords ? [.word] : []) {
      var fitting: String?
      // From the inside: only what fits is ever measured, however many parts there are.
      for start in Self.starts(in: bytes, boundary).reversed() {
        let candidate = "…" + String(decoding: bytes[start...], as: UTF8.self)
        guard
          let short = TerminalColumns.count(of: candidate + arguments) <= columns
            ? candidate + arguments : withFewerArguments(candidate, columns)
        else { break }
        fitting = short
      }
      if let fitting { return fitting }
    }
    return nil
  }

  /// As many of Swift's labels as have room, at least none: `f(a:…)`, `f(…)`.
  private func withFewerArguments(_ name: String, _ columns: Int) -> String? {
    guard !arguments.isEmpty, arguments != "()" else {
      let short = name + arguments
      return TerminalColumns.count(of: short) <= columns ? short : nil
    }
    let room = columns - TerminalColumns.count(of: name) - 3
    guard room >= 0 else { return nil }
    var labels = ""
    if arguments.hasSuffix(":)"), !arguments.contains("::") {
      for label in arguments.dropFirst().dropLast().split(separator: ":") {
        let next = labels + label + ":"
        guard TerminalColumns.count(of: next) <= room else { break }
        labels = next
      }
    }
    return "\(name)(\(labels)…)"
  }

  // MARK: Arguments

  private static let qualifiers = [" const", " volatile", " &&", " &", " noexcept"]

  /// Without what follows the arguments: ` const`, ` [clone .cold]`, ` (.cold.1)`.
  private static func withoutQualifiers(_ name: Substring) -> Substring {
    var rest = name
    while true {
      if let qualifier = qualifiers.first(where: { rest.hasSuffix($0) }) {
        rest = rest.dropLast(qualifier.count)
      } else if rest.hasSuffix("]") || rest.hasSuffix(")"), let dot = rest.lastIndex(of: "."),
        let start = [" [clone ", " ("].first(where: { rest[..<dot].hasSuffix($0) })
      {
        rest = rest[..<dot].dropLast(start.count)
      } else {
        return rest
      }
    }
  }

  /// Where the parentheses begin that end a name, or that are still open if a report cut it. Those
  /// of `operator()` belong to it.
  private static func start(ofArguments name: Substring) -> Substring.Index? {
    guard !name.hasSuffix("operator()") else { return nil }
    var open: [Substring.Index] = []
    var last: Substring.Index?
    for index in name.utf8.indices {
      switch name.utf8[index] {
      case UInt8(ascii: "("): open.append(index)
      case UInt8(ascii: ")"): last = open.popLast()
      default: break
      }
    }
    return open.first ?? (name.utf8.last == UInt8(ascii: ")") ? last : nil)
  }

  /// `find(int)::$_0::operator()` as `find(…)::$_0::operator()`. `(anonymous namespace)` begins a
  /// part of the name, so it stays.
  private static func withoutInnerArguments(_ name: String) -> String {
    collapsed(name, UInt8(ascii: "("), UInt8(ascii: ")")) { before, _ in
      before.last.map { !" :.(".utf8.contains($0) } == true && !before.ends(with: "operator")
    }
  }

  // MARK: Template arguments

  /// `std::vector<int>::at(unsigned long)` as `std::vector<…>::at(unsigned long)`.
  static func withoutGenerics(_ name: String) -> String {
    collapsed(name, UInt8(ascii: "<"), UInt8(ascii: ">")) { before, next in
      // `operator<`, and Swift's `< infix`.
      next.map { !" =".utf8.contains($0) } == true && !before.ends(with: "operator")
        && !before.ends(with: "operator<")
    }
  }

  /// The name with `…` between the outermost brackets of a kind. One that is not closed stays.
  ///
  /// - Parameter opens: whether a bracket between these bytes and this one opens a list.
  private static func collapsed(
    _ name: String, _ open: UInt8, _ close: UInt8, opens: (ArraySlice<UInt8>, UInt8?) -> Bool
  ) -> String {
    let bytes = Array(name.utf8)
    var shown: [UInt8] = []
    var depth = 0
    var start = 0
    for (index, byte) in bytes.enumerated() {
      let before = bytes[..<index]
      // An arrow is no bracket.
      if byte == close, depth > 0, !before.ends(with: "-") {
        depth -= 1
        if depth == 0 {
          // `f()` and `Box<A>` stay.
          shown += index - start > 1 ? Array("…".utf8) : Array(bytes[start..<index])
        }
      } else if byte == open, opens(before, index + 1 < bytes.count ? bytes[index + 1] : nil) {
        if depth == 0 {
          shown.append(byte)
          start = index + 1
        }
        depth += 1
      }
      if depth == 0 { shown.append(byte) }
    }
    if depth > 0 { shown += bytes[start...] }
    return String(decoding: shown, as: UTF8.self)
  }

  // MARK: Parts

  private enum Boundary {
    /// Behind `.`, `::` and Swift's ` in `, but not behind `)::`, which is inside a function.
    case type
    /// The same, inside a function too.
    case function
    /// Behind a space.
    case word
  }

  /// Where the parts of a qualified name begin, unless they are in brackets.
  private static func starts(in bytes: [UInt8], _ boundary: Boundary) -> [Int] {
    let isCxx = zip(bytes, bytes.dropFirst()).contains {
      $0 == (UInt8(ascii: ":"), UInt8(ascii: ":"))
    }
    var starts: [Int] = []
    var depth = 0
    for (index, byte) in bytes.enumerated() {
      let before = bytes[..<index]
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
      case _ where depth != 0: break
      case UInt8(ascii: " ") where boundary == .word: starts.append(index + 1)
      case UInt8(ascii: ".") where boundary != .word: starts.append(index + 1)
      case UInt8(ascii: ":") where boundary != .word && before.ends(with: ":"):
        if boundary == .type, before.ends(with: "):") { return starts }
        starts.append(index + 1)
      case UInt8(ascii: " ") where before.ends(with: " in"): starts.append(index + 1)
      // A result type of C++: what is in front of it is no better.
      case UInt8(ascii: " ") where isCxx && !before.ends(with: "operator"): starts = [index + 1]
      default: break
      }
    }
    return starts.filter { $0 < bytes.count }
  }
}

extension ArraySlice<UInt8> {
  fileprivate func ends(with text: String) -> Bool {
    suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}

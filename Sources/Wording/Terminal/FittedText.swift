/// Texts that are cut for a column of a table.
package enum FittedText {
  /// The beginning of a text, and `…`.
  package static func start(_ text: String, columns: Int) -> String {
    TerminalColumns.count(of: text) <= columns ? text : StyledText(text).cut(to: columns).plain
  }

  /// The beginning of a text up to punctuation, if some is near the end, and `…`.
  package static func phrase(_ text: String, columns: Int) -> String {
    guard TerminalColumns.count(of: text) > columns else { return text }
    let start = String(Self.start(text, columns: columns).dropLast())
    guard let last = start.lastIndex(where: { ":(,<| ".contains($0) }),
      start[...last].count * 2 >= start.count
    else { return start + "…" }
    let cut = start[...last]
    return (cut.last == " " ? String(cut.dropLast()) : String(cut)) + "…"
  }

  /// `…` and the end of a path, which says most; from a slash on, if one is near.
  package static func end(ofPath path: String, columns: Int) -> String {
    guard TerminalColumns.count(of: path) > columns else { return path }
    var kept: [Character] = []
    var count = 1
    for character in path.reversed() {
      let width = TerminalColumns.count(of: character)
      guard count + width <= columns else { break }
      count += width
      kept.append(character)
    }
    let end = String(kept.reversed())
    if let slash = end.firstIndex(of: "/"), end[slash...].count * 2 >= end.count {
      return "…" + end[slash...]
    }
    return "…" + end
  }

  /// The name of a function: without its last arguments (`Round.init(number:…)`), then without
  /// the types and modules in front (`…loadRound(_:)`), then its beginning.
  package static func function(_ name: String, columns: Int) -> String {
    guard TerminalColumns.count(of: name) > columns else { return name }
    if name.hasSuffix("]"), name.hasPrefix("-[") || name.hasPrefix("+["),
      let space = name.firstIndex(of: " ")
    {
      // `-[…viewDidLoad]`
      return phrase("\(name.prefix(2))…\(name[space...].dropFirst())", columns: columns)
    }
    let open = start(ofArguments: name)
    let whole = name[..<(open ?? name.endIndex)]
    let arguments = open.map { name[$0...] } ?? ""
    if let short = withFewerArguments(String(whole), arguments, columns) { return short }
    for start in parts(of: whole) {
      let short = "…\(whole[start...])"
      if TerminalColumns.count(of: short + arguments) <= columns { return short + arguments }
      if let short = withFewerArguments(short, arguments, columns) { return short }
    }
    return phrase(name, columns: columns)
  }

  /// Where the parentheses begin that end a name.
  private static func start(ofArguments name: String) -> String.Index? {
    guard name.hasSuffix(")") else { return nil }
    var depth = 0
    for index in name.indices.reversed() {
      switch name[index] {
      case ")": depth += 1
      case "(":
        depth -= 1
        if depth == 0 { return index }
      default: break
      }
    }
    return nil
  }

  /// Where the parts of a qualified name begin: behind `.`, `::` and Swift's ` in `, unless they
  /// are in brackets.
  private static func parts(of name: Substring) -> [String.Index] {
    var starts: [String.Index] = []
    var depth = 0
    var index = name.startIndex
    while index < name.endIndex {
      let rest = name[index...]
      var length = 1
      switch name[index] {
      case "<", "(", "[": depth += 1
      case ">", ")", "]": depth -= 1
      case _ where depth != 0: break
      case ".": starts.append(name.index(after: index))
      case ":" where rest.hasPrefix("::"):
        length = 2
        starts.append(name.index(index, offsetBy: length))
      case " " where rest.hasPrefix(" in "):
        length = 4
        starts.append(name.index(index, offsetBy: length))
      default: break
      }
      index = name.index(index, offsetBy: length)
    }
    return starts
  }

  /// As many of Swift's labels as have room, at least none: `f(a:…)`, `f(…)`. Nil if not even that
  /// fits.
  private static func withFewerArguments(
    _ name: String, _ arguments: Substring, _ columns: Int
  ) -> String? {
    guard !arguments.isEmpty, arguments != "()" else { return nil }
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
}

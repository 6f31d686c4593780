import JsonReading

// What names of functions look like in a text that says no more than the name.
extension TextSource {
  /// `-[Page load:]`, `__12-[Page load:]_block_invoke_2`, `[Page load:]`.
  package func isMethodOrBlock(_ name: Range<Int>) -> Bool {
    var open = name.lowerBound
    if has("__", at: open, limit: name.upperBound) { open += 2 }
    while open < name.upperBound, Ascii.isDigit(self[open]) { open += 1 }
    if open < name.upperBound, "-+".utf8.contains(self[open]) { open += 1 }
    guard has("[", at: open, limit: name.upperBound),
      let close = bytes[open..<name.upperBound].firstIndex(of: Ascii.closeBracket),
      let gap = bytes[open..<close].firstIndex(of: Ascii.space), gap > open + 1, gap + 1 < close
    else { return false }
    let rest = close + 1..<name.upperBound
    return bytes[open + 1..<close].allSatisfy { byte in
      Self.isOfName(byte) || " :.()".utf8.contains(byte)
    }
      && bytes[gap + 1..<close].allSatisfy { $0 != Ascii.space }
      && (rest.isEmpty || has("_block_invoke", at: rest.lowerBound, limit: rest.upperBound))
      && bytes[rest].allSatisfy(Self.isOfName)
  }

  /// Whether a byte may stand in an identifier of C, Objective-C or Swift, as far as ASCII goes.
  package static func isOfName(_ byte: UInt8) -> Bool {
    Ascii.isWord(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
  }

  /// Whether a text is `-[Page load]`, `page::load(int)` or `Page.load()`, and no words of prose.
  package func isFunction(_ range: Range<Int>) -> Bool {
    let last = self[range.upperBound - 1]
    if "-+".utf8.contains(self[range.lowerBound]), self[range.lowerBound + 1] == Ascii.openBracket {
      return last == Ascii.closeBracket
    }
    guard last == UInt8(ascii: ")"),
      let open = bytes[range].firstIndex(of: UInt8(ascii: "("))
    else { return false }
    return open > range.lowerBound && bytes[range.lowerBound..<open].allSatisfy { $0 > Ascii.space }
  }

  /// Whether a text is a name of C++ or Rust with its namespaces, and maybe with parameters or the
  /// distance from its start: `board::page::load`, `Page::load(int) + 12`.
  package func isQualifiedName(_ range: Range<Int>) -> Bool {
    guard let colons = find("::", from: range.lowerBound, limit: range.upperBound),
      colons > range.lowerBound, colons + 2 < range.upperBound
    else { return false }
    let head = bytes[range.lowerBound..<colons]
    guard head.allSatisfy({ Self.isOfName($0) || "<>&{}~*".utf8.contains($0) }) else {
      return false
    }
    let rest = bytes[colons + 2..<range.upperBound]
    let name = rest.prefix { $0 > Ascii.space && $0 != UInt8(ascii: "(") }
    let tail = name.endIndex..<range.upperBound
    return name.allSatisfy { Self.isOfName($0) || ":<>&{}~*#[],;='".utf8.contains($0) }
      && name.last != Ascii.colon
      && (tail.isEmpty || self[tail.lowerBound] == UInt8(ascii: "(")
        || has(" + ", at: tail.lowerBound, limit: tail.upperBound)
        || has(" as ", at: tail.lowerBound, limit: tail.upperBound)
        || has(" (", at: tail.lowerBound, limit: tail.upperBound))
  }

  /// How demangled names of Swift begin that have more words than one.
  ///
  /// Source: github.com/swiftlang/swift, lib/Demangling/NodePrinter.cpp.
  package static let swiftStarts = [
    swiftTrap, "specialized ", "generic specialization ", "static ", "class ", "closure #",
    "implicit closure #", "partial apply ", "@objc ", "@nonobjc ", "merged ", "outlined ",
    "protocol witness for ", "reabstraction thunk ", "thunk for ", "dispatch thunk of ",
    "vtable thunk for ", "function signature specialization ",
  ]

  /// How the names begin that swiftc invents for a trap.
  package static let swiftTrap = "Swift runtime failure: "
}

extension TextSource {
  /// Whether a line may be a frame, in whatever way somebody wrote it: a number with an address, a
  /// distance or a place behind it, a name with its distance or its place, or a name beyond doubt.
  /// So what this says no to is none.
  package func mayBeFrame(_ line: TextLine) -> Bool {
    guard line.end - line.start > 5, line.end - line.start < 4096 else {
      return find("\"imageOffset\"", from: line.start, limit: line.end) != nil
    }
    let text = trimmed(line.start..<line.end, leading: "> |*`\t", trailing: "|*`,; \t\r")
    guard text.count > 5 else { return false }
    let last = self[text.upperBound - 1]
    var start = text.lowerBound
    if has("frame #", at: start, limit: text.upperBound) { start += 7 }
    if self[start] == UInt8(ascii: "#") { start += 1 }
    if let (_, end) = decimal(at: start, limit: text.upperBound), end - start < 5 {
      let isNumber =
        separatorLength(at: end, limit: text.upperBound) > 0
        || ".:|)".utf8.contains(self[end])
          && separatorLength(at: end + 1, limit: text.upperBound) > 0
      if isNumber,
        find(" 0x", from: end, limit: text.upperBound) != nil
          || find("\t0x", from: end, limit: text.upperBound) != nil
          || find("???", from: end, limit: text.upperBound) != nil
      {
        return true
      }
      if isNumber { start = skipSeparators(from: end + 1, limit: text.upperBound) }
    }
    if Ascii.isDigit(last) || last == UInt8(ascii: ")") {
      var digits = last == UInt8(ascii: ")") ? text.upperBound - 1 : text.upperBound
      let end = digits
      while digits > start, Ascii.isDigit(self[digits - 1]) { digits -= 1 }
      if digits < end, digits - 3 > start,
        has(" + ", at: digits - 3, limit: digits)
          || last == UInt8(ascii: ")") && self[digits - 1] == Ascii.colon
      {
        return true
      }
    }
    let name = start..<text.upperBound
    // A statement of Objective-C.
    if self[start] == Ascii.openBracket, self[text.upperBound] == UInt8(ascii: ";") { return false }
    return name.count > 5
      && (isMethodOrBlock(name) || isQualifiedName(name)
        || find("\"imageOffset\"", from: start, limit: text.upperBound) != nil)
  }
}

extension TextSource {
  package static let missingMethodSign = "]: unrecognized selector sent to "

  /// `-[Deck turn:]: unrecognized selector sent to instance 0x12` in somebody's sentence, by where
  /// the sign is. Nothing but an exception says this. Nil for the words of a log, whose program may
  /// have caught it, and for a line that begins with them.
  ///
  /// Source: developer.apple.com/documentation/objectivec/nsobject/doesnotrecognizeselector(_:).
  package func missingMethod(inSentence range: Range<Int>, at sign: Int) -> Range<Int>? {
    let limit = range.upperBound
    let target = sign + Self.missingMethodSign.utf8.count
    guard sign > range.lowerBound, has(Self.missingMethodSign, at: sign, limit: limit),
      let kind = ["instance 0x", "class 0x"].first(where: { has($0, at: target, limit: limit) }),
      let end = hexadecimal(at: target + kind.utf8.count - 2, limit: limit)?.end,
      let open = bytes[max(range.lowerBound, sign - 256)..<sign].lastIndex(of: Ascii.openBracket),
      open - 1 > range.lowerBound, "-+".utf8.contains(self[open - 1]),
      isMethodOrBlock(open - 1..<sign + 1), logHeadEnd(range) == nil,
      find("aught ", from: range.lowerBound, limit: open) == nil
    else { return nil }
    return open - 1..<end
  }

  /// What an exception of Foundation or of the Objective-C runtime says, alone in its line:
  /// `-[__NSArrayM objectAtIndex:]: index 5 beyond bounds [0 .. 2]`, with or without `*** ` in
  /// front, behind the head of a log, or quoted, as Xcode shows it behind the thread (`Thread 1:
  /// "-[…`, `com.example.board (7): "-[…`). Nil for a line with anything else.
  ///
  /// Source: developer.apple.com/documentation/foundation/nsexceptionname; the words as people show
  /// them (github.com/KrassOrg/bsTestRepo, issues 13 and 54; VirtualBox/virtualbox, issue 775).
  package func thrownReason(_ line: Range<Int>) -> Range<Int>? {
    let range = trimmed(
      (logHeadEnd(line) ?? threadHeadEnd(line) ?? line.lowerBound)..<line.upperBound,
      leading: "`'\"*> ", trailing: "`'\"* ")
    // Markdown makes a list of what begins with a hyphen.
    guard range.count > 8,
      self[range.lowerBound] == Ascii.openBracket
        && find("]: unrecognized selector ", from: range.lowerBound, limit: range.upperBound) != nil
        || "-+".utf8.contains(self[range.lowerBound])
          && self[range.lowerBound + 1] == Ascii.openBracket,
      let close = find(
        "]: ", from: range.lowerBound, limit: min(range.upperBound, range.lowerBound + 256)),
      isMethodOrBlock(range.lowerBound..<close + 1)
    else { return nil }
    return range
  }

  /// Where the message begins that Xcode shows about a thread, between quotation marks: `Thread 1:
  /// "`, or with the name of the thread or its queue `com.example.board (7): "`. Nil for a line
  /// with anything else in front.
  package func threadHeadEnd(_ line: Range<Int>) -> Int? {
    let limit = min(line.upperBound, line.lowerBound + 160)
    guard let colon = find(": \"", from: line.lowerBound, limit: limit) else { return nil }
    let head = trimmed(line.lowerBound..<colon, leading: "`*>#- ", trailing: " ")
    guard head.count > 3 else { return nil }
    let isNamed = self[head.upperBound - 1] == UInt8(ascii: ")")
    let end = isNamed ? head.upperBound - 1 : head.upperBound
    var digits = end
    while digits > head.lowerBound, Ascii.isDigit(self[digits - 1]) { digits -= 1 }
    guard digits < end, digits > head.lowerBound else { return nil }
    return isNamed && self[digits - 1] == UInt8(ascii: "(")
      || !isNamed && bytes[head.lowerBound..<digits].elementsEqual("Thread ".utf8)
      ? colon + 2 : nil
  }
}

extension TextSource {
  /// An image and a function of it, in code, around the mark that lldb writes between them.
  /// Markdown needs a backslash in front of it: ``It crashed in `libboard.dylib\`board\_turn\` ``.
  /// Nil if something else is around the mark.
  ///
  /// Source: CommonMark 0.31.2, section 2.4 (backslash escapes).
  package func libraryFunction(
    around mark: Int, _ limit: Int
  ) -> (image: Range<Int>, function: String)? {
    let code = UInt8(ascii: "`")
    let end = self[mark - 1] == Ascii.backslash ? mark - 1 : mark
    let length = bytes[..<end].suffix(80).reversed().prefix {
      Self.isOfName($0) || $0 == UInt8(ascii: ".")
    }.count
    let name = bytes[mark + 1..<max(mark + 1, limit)].prefix(256).prefix {
      Self.isOfName($0) || $0 == Ascii.backslash
    }
    guard length > 0, self[end - length - 1] == code, name.count > 3, self[name.endIndex] == code
    else { return nil }
    let function = name.filter { $0 != Ascii.backslash }
    return (end - length..<end, String(decoding: function, as: UTF8.self))
  }

  /// Whether the last line of a text says that something happened there, and does not deny it.
  package func saysPlace(_ text: Range<Int>) -> Bool {
    let start = bytes[text].lastIndex(of: Ascii.lineFeed) ?? text.lowerBound
    return ["happen", "crash", "occur", "fault"].contains {
      find($0, from: start, limit: text.upperBound) != nil
    }
      && ![" not ", "n't ", "nstead of "].contains {
        find($0, from: start, limit: text.upperBound) != nil
      }
  }
}

extension TextSource {
  /// `board_turn` of `static int board_turn(int card) {` or `func board_turn(_ card: Int) {`. Nil
  /// for statements, which have no type in front, and for other lines.
  package func definedFunction(_ line: Range<Int>) -> String? {
    guard let open = bytes[line].firstIndex(of: UInt8(ascii: "(")) else { return nil }
    let length = bytes[line.lowerBound..<open].reversed().prefix {
      Self.isOfName($0) || $0 == Ascii.colon || $0 == UInt8(ascii: "~")
    }.count
    let type = trimmed(line.lowerBound..<open - length)
    guard length > 1, !type.isEmpty,
      type.upperBound < open - length || self[type.upperBound - 1] == UInt8(ascii: "*"),
      bytes[type].allSatisfy({ Self.isOfName($0) || " *&<>:,@\t".utf8.contains($0) }),
      !["return", "else", "await", "try", "case", "throw"].contains(where: {
        has($0, at: type.upperBound - $0.utf8.count, limit: type.upperBound)
      })
    else { return nil }
    return string(open - length..<open)
  }
}

extension PanicDescription {
  /// The first line of a panic, behind `panic(cpu 1 caller 0x…): `.
  struct Message {
    private(set) var words: String
    private(set) var source: String?
    /// Whether the quotation mark at the end is on another line.
    private var isOpen = false

    /// Whether all lines so far belong to the words.
    private var isWhole = true

    /// What the watchdog of services says in a line of its own, as public reports have it.
    private static let watchdogDetail = "service returned not alive with context"

    /// What people write who leave out the processor and the caller.
    private static let shortened = ["panic(...)", "panic(…)"]

    /// Whether a line begins like that, and words follow.
    static func isShortened(_ text: String) -> Bool {
      shortened.contains { text.hasPrefix($0 + ": ") && text.utf8.count > $0.utf8.count + 2 }
    }

    /// Messages are not longer.
    private static let quotedLineLimit = 32
    private var lineCount = 1

    init(_ text: Substring) {
      guard (PanicDescription.starts + Self.shortened).contains(where: { text.hasPrefix($0) }),
        let start = text.firstRange(of: "):")?.upperBound
      else {
        words = String(text)
        return
      }
      let rest = text[start...].drop { $0 == " " }
      guard let quote = Self.quote(in: rest) else {
        words = Self.trimmed(rest)
        return
      }
      let inside = rest[quote...].dropFirst()
      let end = inside.lastIndex(of: "\"")
      words = rest[..<quote] + Self.trimmed(inside[..<(end ?? inside.endIndex)])
      isOpen = end == nil
      if let end { takeSource(inside[inside.index(after: end)...]) }
    }

    /// The quotation mark before the words. A driver may put its name in front of it, if the source
    /// is behind the words: `nvme: "Fatal error"@/Sources/Controller.cpp:5320`.
    private static func quote(in text: Substring) -> Substring.Index? {
      guard let first = text.firstIndex(of: "\""), first > text.startIndex else {
        return text.first == "\"" ? text.startIndex : nil
      }
      guard let last = text.lastIndex(of: "\""), text[..<first].hasSuffix(": "),
        first == last || text[last...].hasPrefix("\"@")
      else { return nil }
      return first
    }

    /// Takes a line that may have the end of the quotation.
    mutating func goOn(_ text: String) {
      lineCount += 1
      guard isOpen else {
        // A mail program may have broken a sentence.
        if isWhole, text.hasPrefix(Self.watchdogDetail) {
          words += "; " + Self.trimmed(Substring(text))
          isWhole = false
          return
        }
        // The monitor of page tables has a line for the name of what it found.
        if lineCount == 2, isWhole, isTitle, Self.mayBeDetail(text) {
          words += " " + Self.trimmed(Substring(text))
          isWhole = false
          return
        }
        if lineCount <= 3, isWhole, isRest(text), !text.prefix(12).contains(":"),
          !words.hasSuffix(":")
        {
          words += " " + Self.trimmed(Substring(text))
        } else {
          isWhole = false
        }
        return
      }
      if let end = text.lastIndex(of: "\"") {
        isOpen = false
        takeSource(text[text.index(after: end)...])
      } else if lineCount == Self.quotedLineLimit {
        isOpen = false
      }
    }

    /// Whether a line goes on with a sentence.
    private func isRest(_ text: String) -> Bool {
      text.first?.isLowercase == true || text.hasPrefix("-- ")
        || (text.hasPrefix("[") || text.hasPrefix("(")) && isOfZone
        // `Kernel trap at 0x…, type` and `14=page fault, registers:`.
        || text.first?.isNumber == true && (words.hasSuffix(" type") || words.hasSuffix(" Type"))
    }

    /// Whether the words are `[SPTM] VIOLATION_DOUBLE_NEST:`, which say more in the next line.
    private var isTitle: Bool { words.hasSuffix(":") && !words.hasSuffix("registers:") }

    /// Whether a line is no field of a panic, such as `Debugger message: panic`.
    private static func mayBeDetail(_ text: String) -> Bool {
      guard let first = text.first, first.isLetter else { return false }
      return !text.prefix(32).contains(": ") && !text.hasSuffix(":")
        && !["Backtrace", "Kernel ", "Process ", "Debugger "].contains { text.hasPrefix($0) }
    }

    /// Whether the kernel ran out of memory for its own. Its names of zones are in brackets, and
    /// their sizes in parentheses. Source: XNU, osfmk/kern/zalloc.c.
    private var isOfZone: Bool { words.firstRange(of: "zone map exhausted") != nil }

    /// The words without what stands before the registers in the next lines, and without the mark
    /// of Markdown that ends a quotation.
    var message: String {
      for end in [", registers:", "`"] where words.hasSuffix(end) {
        return String(words.dropLast(end.count))
      }
      return words
    }

    /// Takes `@/BuildRoot/Sources/IOGPUGroupMemory.cpp:219`, with or without a space before it.
    private mutating func takeSource(_ text: Substring) {
      let text = text.drop { $0 == " " }
      guard text.first == "@" else { return }
      let file = text.dropFirst().prefix { $0 != " " }.split(separator: "/").last ?? ""
      if file.contains(":"), file.contains(".") { source = String(file) }
    }

    /// Some messages end with a line end, which some writers show as `\n`.
    private static func trimmed(_ text: Substring) -> String {
      // `dropLast()` of a string walks through all of it.
      var text = text
      while true {
        if text.hasSuffix(#"\n"#) {
          text.removeLast(2)
        } else if text.last?.isWhitespace == true {
          text.removeLast()
        } else {
          return String(text)
        }
      }
    }
  }
}

import JsonReading
import ReportFormats
package import ReportModel
import SymbolicationModel

/// Looks for words about a crash anywhere in a text in which no report was found, and nothing in
/// the shape in which programs print it: somebody retells what happened.
///
/// ```text
/// The log just says that qemu got an uncaught target signal 4 (Illegal instruction).
/// It ends in an NSRangeException from -[Deck deal:] (Deck.m:12), I think.
/// ```
///
/// Any text may have such words, and mean something else. So this is for a text that somebody gave
/// as a crash, and what is found stays a guess (``ReportFacts/Mention``).
package enum CrashMentions {
  /// A report that has what a text mentions, and nothing else; nil if it mentions no crash.
  ///
  /// - Complexity: O(n); longer texts than 256 KB are logs, and are not read.
  package static func report(in source: TextSource) -> Report? {
    guard let found = found(in: source) else { return nil }
    var facts = ReportFacts()
    // Else the words say it.
    if found.best.saysWhy {
      facts.exception.type = found.kind?.type
      facts.exception.signal = found.kind?.signal
    }
    facts.mention = ReportFacts.Mention(
      words: found.best.words,
      names: source.placeInTitle.map { [$0] }
        ?? source.names(behind: found.best.start, notIn: found.best.words),
      isBesideReport: false)
    return Report(
      format: .crashText, byteRange: found.best.start..<found.best.end, facts: facts, images: [],
      backtraces: [], faults: [])
  }

  /// What a text mentions about a crash around the report of it; nil if that is nothing.
  ///
  /// - Parameter report: of the same text.
  package static func mention(around report: Report, in source: TextSource) -> ReportFacts.Mention?
  {
    guard source.count - source.textStart <= sizeLimit else { return nil }
    let found = found(in: source, around: report)
    // How it ended, the report says itself, unless it is a piece below that.
    let words =
      found.flatMap { found in
        let counts =
          found.best.saysWhy
          ? !(report.hasFrames && (found.best.words.isGuess || found.best.isGuess))
          : found.kind != nil && report.lacksHead
        return counts ? found.best.words : nil
      } ?? ""
    var names: [String] = []
    if !report.hasFrames {
      let start = report.wrapping == nil ? report.byteRange.lowerBound : source.textStart
      names = source.names(behind: found?.best.start ?? start, notIn: words)
    }
    return words.isEmpty && names.isEmpty
      ? nil : ReportFacts.Mention(words: words, names: names, isBesideReport: true)
  }

  private static func found(
    in source: TextSource, around report: Report? = nil
  ) -> (best: Candidate, kind: (type: String, signal: String?)?)? {
    guard source.count - source.textStart <= sizeLimit else { return nil }
    var parts = [source.textStart..<source.count]
    if let report, report.wrapping == nil {
      // Without frames, nothing says where a report ends but its last field.
      let last = report.facts.fields.last?.byteRange?.upperBound
      let end = report.hasFrames ? report.byteRange.upperBound : last ?? report.byteRange.upperBound
      let start = min(report.byteRange.lowerBound, end)
      let range = (start..<end).clamped(to: parts[0])
      parts = [parts[0].lowerBound..<range.lowerBound, range.upperBound..<parts[0].upperBound]
    }
    var best: Candidate?
    var kind: (type: String, signal: String?)?
    for (rank, signs) in signs.enumerated() {
      for sign in signs {
        for position in parts.lazy.flatMap({ source.places(of: sign, in: $0) }).prefix(16) {
          guard let candidate = source.candidate(sign, at: position, rank),
            report.map({ source.isOutside(position, of: $0) }) ?? true
          else { continue }
          if rank == 2, kind == nil, sign.text == "EXC_",
            let found = source.exceptionKind(at: candidate.start, source.count)
          {
            kind = (found.type, found.signal)
          }
          if best.map({ candidate.order < $0.order }) ?? true { best = candidate }
        }
      }
    }
    return best.map { ($0, kind) }
  }

  private static let sizeLimit = 1 << 18

  /// Words that speak of a crash.
  struct Sign {
    let text: String
    /// Whether they are the end of a name, which the words begin with.
    var endsName = false
    /// Whether the words in front of them on the line count, too.
    var needsLine = false
  }

  /// The words of one place in a text.
  struct Candidate {
    let words: String
    let start: Int
    let end: Int
    /// The least is the most telling. Whatever somebody only guesses comes last.
    let order: (rank: Int, Int, Int)
    /// Whether they are more than how it ended.
    let saysWhy: Bool
    var isGuess: Bool { order.rank > 2 }
  }

  /// In groups, the most telling first: what is known to say why; what may say it; how it ended.
  /// The first letters of most are missing: they may be capitals.
  ///
  /// Source: the words of the runtimes and of the system as the rules for them name them
  /// (``StatementMessage``, ``LastWords``).
  private static let signs: [[Sign]] = [
    words(
      "erminating app due to", "erminating with uncaught", "erminating due to uncaught",
      "ncaught exception", "ncaught Exception", "nhandled exception", "nhandled Exception",
      "nhandled JS Exception", "BUG IN CLIENT OF", "BUG IN LIB", "panic(", "ernel panic",
      "ad pointer dereference", "nexpectedly found nil", "ndex out of range",
      "ibrary not loaded", "ymbol not found: ", "missing LC_", "suspended with locked system files",
      "nrecognized selector", "free(): ", "malloc(): ", "ouble free", "eap corruption",
      "eap-use-after-free", "eap-buffer-overflow", "tack overflow", "invalid message send")
      + ["uncaught target signal", "nil optional"].map { Sign(text: $0, needsLine: true) }
      + ["Exception", "Error:", "WatchdogTermination", "sync called on queue already owned"]
      .map { Sign(text: $0, endsName: true) },
    words(
      "atal error:", "atal Error:", "atal error in ", "atal exception", "atal Exception",
      "ssertion fail", "ssertion Fail",
      "recondition fail", "recondition_fail", "heck failed", "anicked", "panic location",
      "panic in ", "panic at ", "abort payload is ",
      "se after free", "ut of memory", "swift_task_checkIsolated", "_dispatch_assert_queue_fail")
      + ["Assertion "].map { Sign(text: $0) },
    words(
      "EXC_", "SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGTRAP", "SIGFPE", "SIGSYS", "SIGKILL",
      "egmentation fault", "llegal instruction", "us error: 10", "bort trap", "race/BPT trap",
      "illed: 9", "atchdog", "0x8badf00d", "0xdead10cc", "0xbaadca11", "etsam"),
  ]

  private static func words(_ texts: String...) -> [Sign] { texts.map { Sign(text: $0) } }
}

extension TextSource {
  /// Where a sign stands in a part of the text, in order.
  fileprivate func places(
    of sign: CrashMentions.Sign, in part: Range<Int>
  ) -> some Sequence<Int> {
    sequence(state: part.lowerBound) { position in
      guard let found = find(sign.text, from: position, limit: part.upperBound) else { return nil }
      position = found + sign.text.utf8.count
      return found
    }
  }

  /// Whether an offset is on a line that is not one of the report, if that stands in another text,
  /// which was made of this one.
  fileprivate func isOutside(_ position: Int, of report: Report) -> Bool {
    guard let text = report.wrapping?.text else { return true }
    let line = line(at: lineStart(of: position))
    let content = trimmed(line.start..<line.end, leading: " \t>|*", trailing: " \t\r*`|")
    let inner = TextSource(bytes: text)
    return inner.find(string(content), from: 0, limit: text.count).map {
      !report.byteRange.contains($0)
    } ?? true
  }

  /// The words around a sign; nil if they deny it, or are part of a program.
  fileprivate func candidate(
    _ sign: CrashMentions.Sign, at position: Int, _ rank: Int
  ) -> CrashMentions.Candidate? {
    guard
      let lineStart = bytes[max(textStart, position - 4096)..<position].lastIndex(
        of: Ascii.lineFeed
      )
      .map({ $0 + 1 }) ?? (position - textStart < 4096 ? textStart : nil)
    else { return nil }
    let line = line(at: lineStart)
    let content = trimmed(lineStart..<line.end, leading: " \t>|*#-`", trailing: " \t\r*`|")
    guard content.count < 4096, !isProgram(content) else { return nil }
    // The word, or the whole name.
    var start = position
    while start > lineStart, position - start < 128, isPart(self[start - 1], sign) { start -= 1 }
    if sign.endsName {
      guard let first = bytes[start..<position].first, Ascii.isUppercase(first) || first > 0x60,
        position > start
      else { return nil }
      let end = position + sign.text.utf8.count
      if isCondition(lineStart..<start), !has(": ", at: end, limit: line.end) { return nil }
    } else if sign.text.first?.isLetter == true, position - start > 2 {
      return nil
    }
    guard !isExample(lineStart..<start), !isDenied(lineStart..<start) else { return nil }
    if sign.needsLine { start = logHeadEnd(content) ?? content.lowerBound }
    guard start < line.end else { return nil }
    let (words, end) = words(from: start, line, isEnd: rank == 2)
    let signEnd = words.utf8.count - (position - start) - sign.text.utf8.count
    guard signEnd >= 0 || sign.needsLine else { return nil }
    // A name alone says nothing without what the exception says.
    let saysMore = signEnd > 10
    if sign.endsName, sign.text == "Error:" || start + 2 >= position, !saysMore { return nil }
    let isGuess = isGuessed(lineStart..<position, behind: position..<line.end)
    return CrashMentions.Candidate(
      words: words, start: start, end: end,
      order: (isGuess ? rank + 3 : rank, saysMore ? 0 : 1, start), saysWhy: rank < 2)
  }

  private func isPart(_ byte: UInt8, _ sign: CrashMentions.Sign) -> Bool {
    Ascii.isWord(byte) || sign.endsName && (byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_"))
  }

  /// Whether a line is one of source code or of data.
  private func isProgram(_ line: Range<Int>) -> Bool {
    guard let last = bytes[line].last else { return true }
    return last == UInt8(ascii: ";") || last == UInt8(ascii: "{") || last == UInt8(ascii: "}")
      || ["//", "import ", "include ", "/*", "* ", "@"].contains {
        has($0, at: line.lowerBound, limit: line.upperBound)
      }
  }

  /// The words from an offset to the end of their sentence, their quotation or their bracket,
  /// without the marks of Markdown, and where they end. How a process ended rules nothing out.
  private func words(from start: Int, _ line: TextLine, isEnd: Bool) -> (String, end: Int) {
    var end = min(line.end, start + 400)
    if self[start - 1] == Ascii.quote, let close = find("\"", from: start, limit: end) {
      end = close
    } else {
      let marks = isEnd ? [". ", ", not "] : [". "]
      end = marks.compactMap { find($0, from: min(end, start + 16), limit: end) }.min() ?? end
    }
    // The bracket that they are in ends them, too.
    end = closingBracket(in: start..<end) ?? end
    var text = string(trimmed(start..<end, leading: "", trailing: " \t\r*`|.,:;\"'("))
    text.removeAll { $0 == "`" }
    if text.last == ")", !text.contains("(") { text.removeLast() }
    text = text.replacing("**", with: "")
    if end == line.end, let rest = restOfQuotation(opened: text, below: line) {
      return (text + rest.text, rest.end)
    }
    // The words may be on the line below.
    let below = self.line(at: line.next)
    let rest = trimmed(below.start..<below.end, leading: " \t>|*\\", trailing: " \t\r*`|")
    let isWhole = end == line.end || trimEnd(from: start, to: line.end) <= end + 4
    if isWhole, text.utf8.count < 64, text.hasSuffix("Exception") || text.hasSuffix("Error"),
      !rest.isEmpty, rest.count < 400, !"#`<[{".utf8.contains(self[rest.lowerBound])
    {
      return (continued("\(text): \(string(rest))", rest, below), below.end)
    }
    return (isWhole ? continued(text, start..<line.end, line) : text, end)
  }
}

extension TextSource {
  /// Two at most, in this order: those behind an offset in its paragraph, those above it there,
  /// those in what is below, and those in what is above.
  fileprivate func names(behind start: Int, notIn words: String) -> [String] {
    let above = max(textStart, start - 4096)
    let first =
      (above..<start).last { self[$0] == Ascii.lineFeed && self[$0 + 1] == Ascii.lineFeed } ?? above
    let end = find("\n\n", from: start, limit: count) ?? count
    var names: [String] = []
    for range in [start..<end, first..<start, end..<count, textStart..<first] {
      var position = range.lowerBound
      while names.count < 2, let name = nextName(from: position, range.upperBound) {
        position = templateEnd(from: name.upperBound, limit: range.upperBound)
        guard !isOfOtherThreads(name.lowerBound), !isThreadRoot(name) else { continue }
        let name = string(name)
        if !names.contains(name), !words.contains(name.prefix { $0 != "(" }),
          !Self.endings.contains(name)
        {
          names.append(name)
        }
      }
    }
    return names
  }

  /// What runs when a process ends says nothing.
  private static let endings: Set = ["_sigtramp", "__pthread_kill", "pthread_kill", "abort"]

  /// Whether an offset is in a list of what others did than the code that crashed, as the line
  /// above the list says: `other background threads running:`.
  private func isOfOtherThreads(_ position: Int) -> Bool {
    guard position - textStart > 0,
      let start = bytes[max(textStart, position - 256)..<position]
        .lastIndex(of: Ascii.lineFeed)
    else { return false }
    var line = line(at: start + 1)
    for _ in 0..<8 {
      let text = trimmed(
        line.start..<min(line.end, line.start + 256), leading: " \t>", trailing: " \t*_`\r")
      guard text.count > 1, "-*+".utf8.contains(self[text.lowerBound]),
        let above = lineAbove(line)
      else { return false }
      line = above
      let title = trimmed(
        line.start..<min(line.end, line.start + 512), leading: "", trailing: " \t*_`\r")
      guard !title.isEmpty, self[title.upperBound - 1] == Ascii.colon else { continue }
      return find("ther ", from: title.lowerBound, limit: title.upperBound).flatMap {
        find("thread", from: $0, limit: title.upperBound)
      } != nil
    }
    return false
  }

  /// The next text that is the name of a function or a place for sure.
  private func nextName(from start: Int, _ limit: Int) -> Range<Int>? {
    var position = start
    while position < limit {
      let byte = self[position]
      if "-+".utf8.contains(byte), self[position + 1] == Ascii.openBracket,
        let close = find("]", from: position, limit: min(limit, position + 256))
      {
        // Behind it may be the rest of the name of a block.
        let end = bytes[close...].dropFirst().prefix(while: Self.isOfName).endIndex
        if isMethodOrBlock(position..<end) { return position..<end }
        if isMethodOrBlock(position..<close + 1) { return position..<close + 1 }
        position += 2
      } else if Self.isOfName(byte) {
        let word = bytes[position..<min(limit, position + 512)].prefix {
          Self.isOfName($0) || $0 == UInt8(ascii: ".") || $0 == Ascii.colon || $0 == Ascii.slash
        }
        if let name = name(position..<word.endIndex, limit) { return name }
        position = word.endIndex
      } else {
        position += 1
      }
    }
    return nil
  }

  /// `board::deal(int)`, `Board.deal(to:)`, `Board.swift:12` or `_deal_cards + 12`, in which a
  /// path is the name of its file; nil for any other word.
  private func name(_ word: Range<Int>, _ limit: Int) -> Range<Int>? {
    let whole = trimmed(word, leading: "", trailing: ":./")
    // Not an address of the web.
    guard whole.count > 4, find("://", from: whole.lowerBound, limit: whole.upperBound) == nil
    else { return nil }
    let slash = bytes[whole].lastIndex(of: Ascii.slash)
    let word = (slash.map { $0 + 1 } ?? whole.lowerBound)..<whole.upperBound
    guard !word.isEmpty else { return nil }
    let dot = bytes[word].lastIndex(of: UInt8(ascii: "."))
    if let dot, isPlace(word, dot) { return word }
    guard slash == nil else { return nil }
    if self[word.upperBound] == Ascii.colon, isSelector(word) {
      return word.lowerBound..<word.upperBound + 1
    }
    let close =
      self[word.upperBound] == UInt8(ascii: "(")
      ? bytes[word.upperBound..<min(limit, word.upperBound + 200)].firstIndex(of: UInt8(ascii: ")"))
      : nil
    if let colons = find("::", from: word.lowerBound + 1, limit: word.upperBound),
      colons + 2 < word.upperBound
    {
      return word.lowerBound..<(close.map { $0 + 1 } ?? word.upperBound)
    }
    if let dot {
      guard let close, Ascii.isUppercase(self[word.lowerBound]), dot + 1 < word.upperBound else {
        return nil
      }
      return word.lowerBound..<close + 1
    }
    return has(" + ", at: word.upperBound, limit: limit)
      && Ascii.isDigit(self[word.upperBound + 3]) && !Ascii.isDigit(self[word.lowerBound])
      ? word : nil
  }

  /// `board:didDeal` of `board:didDeal:`, which begins with a small letter and has
  /// capitals inside.
  private func isSelector(_ word: Range<Int>) -> Bool {
    Ascii.isLowercase(self[word.lowerBound]) && word.count > 8
      && bytes[word].contains(where: Ascii.isUppercase)
      && bytes[word].allSatisfy { Ascii.isWord($0) || $0 == Ascii.colon }
      && find("::", from: word.lowerBound, limit: word.upperBound + 1) == nil
  }

  /// `Board.swift:12` or `Board.swift:12:4`.
  private func isPlace(_ word: Range<Int>, _ dot: Int) -> Bool {
    guard let colon = bytes[dot..<word.upperBound].firstIndex(of: Ascii.colon) else { return false }
    let ending = bytes[dot + 1..<colon]
    return (1...5).contains(ending.count) && ending.allSatisfy(Ascii.isLowercase)
      && dot > word.lowerBound && colon + 1 < word.upperBound
      && bytes[colon + 1..<word.upperBound].allSatisfy {
        Ascii.isDigit($0) || $0 == Ascii.colon
      }
  }
}

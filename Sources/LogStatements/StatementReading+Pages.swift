import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// What people copy from the pages and mails of crash services.
///
/// Source: for Crashlytics, as people show them (github.com/stripe/stripe-ios, issue 999).
extension StatementReading {
  /// Takes the name and the reason of an exception. A sentence about one has no word that is like a
  /// name there.
  mutating func takeFatalException(_ match: LineMatch, _ line: TextLine) -> Bool {
    guard
      let name = match[.exception].map({ range in
        source.string(source.trimmed(range, leading: "*`", trailing: "*`"))
      }),
      name.hasSuffix("Exception") || name.hasSuffix("Error") || name.hasPrefix("com.apple."),
      name.utf8.count > 10
    else { return false }
    guard facts.exception.name == nil else { return true }
    facts.exception.name = name
    if let reason = match[.reason] {
      facts.exception.reason = source.string(source.trimmed(reason, leading: "*`", trailing: "*`"))
      takePlaceOnPage(around: line, below: line.next)
      return true
    }
    let below = source.line(at: line.next)
    // A page of Markdown may have escaped asterisks.
    let reason = source.trimmed(below.start..<below.end, leading: "*`> \\", trailing: "*` ")
    if !reason.isEmpty, reason.count < 1024, !Ascii.isDigit(source[reason.lowerBound]) {
      facts.exception.reason = source.string(reason)
      skipEnd = below.next
      takePlaceOnPage(around: line, below: below.next)
    }
    return true
  }

  /// Takes a fault with its address, and the place if that is around it.
  mutating func takeFaultOnPage(_ match: LineMatch, _ line: TextLine) -> Bool {
    facts.take(match, source)
    takePlaceOnPage(around: line, below: line.next, needsFile: true)
    return true
  }

  /// Takes the place that Crashlytics has in the title of an issue, from the lines below the
  /// exception, or above it: the method, and the file in a line of its own or in front of the
  /// method.
  ///
  /// ```text
  /// Fatal Exception: NSInternalInconsistencyException
  /// no row to turn
  /// -[Board turn:]
  /// Board.m line 362-[Board turn:]
  /// ```
  private mutating func takePlaceOnPage(
    around line: TextLine, below start: Int, needsFile: Bool = false
  ) {
    guard innermost == nil else { return }
    var title = PageTitle()
    var next = start
    for _ in 0..<8 where next < source.count && !title.isWhole {
      let line = source.line(at: next)
      next = line.next
      guard title.take(line, source) else { break }
    }
    // The frames of a stack say more.
    if title.isAboveFrames { return }
    if title.isWhole || !needsFile && title.function != nil {
      innermost = title.frame
      return
    }
    title = PageTitle()
    var current = source.line(at: source.lineStart(of: line.start))
    for _ in 0..<5 where !title.isWhole {
      guard let above = source.lineAbove(current), title.take(above, source) else { break }
      current = above
    }
    if title.isWhole { innermost = title.frame }
  }

  /// Takes the title of an issue of Crashlytics that a sentence quotes, with the signals or
  /// exceptions that the sentence names:
  ///
  /// ```text
  /// It crashes with "SIGABRT ABORT", and Crashlytics says `Board.m - Line 62 -[Board turn:] + 62`.
  /// ```
  ///
  /// The number behind the function is that of the line, too. Mails are in the reader's language.
  ///
  /// - Parameter sign: where the word in front of the number begins.
  mutating func takeTitleInSentence(at sign: Int, _ range: Range<Int>) -> Bool {
    guard isWholeText, innermost == nil, range.count < 1024 else { return false }
    var title = PageTitle()
    guard title.take(TextLine(start: range.lowerBound, end: range.upperBound, next: 0), source),
      title.isWhole
    else { return false }
    let sentence = source.line(at: source.lineStart(of: sign))
    guard sentence.start < range.lowerBound, !source.isExample(sentence.start..<range.lowerBound)
    else { return false }
    let ends = source.endings(inSentence: sentence.start..<sentence.end)
    guard let first = ends.first else { return false }
    innermost = title.frame
    guard facts.exception.type == nil, facts.exception.signal == nil else { return true }
    if first.name.hasPrefix("SIG") {
      facts.exception.signal = first.name
    } else {
      facts.exception.type = first.name
    }
    facts.exception.subtype = first.code
    if ends.count == 2 {
      let other = [ends[1].name, ends[1].code].compactMap(\.self).joined(separator: " ")
      facts.exception.message = "in other reports \(other)"
    }
    return true
  }

  /// Takes an exception as Sentry writes an issue in Markdown, below a heading that says so, with
  /// the program from its tags. What was caught and reported is no crash.
  ///
  /// ```text
  /// - **release:** com.example.board@2.1+7
  ///
  /// ### Exception 1
  /// **Type:** NSRangeException
  /// **Value:** index 3 beyond bounds
  /// ```
  ///
  /// Source: the Markdown that Sentry's pages copy, as people show it; for `WatchdogTermination`,
  /// getsentry/sentry-cocoa, SentryWatchdogTerminationTracker.
  mutating func takeExceptionOfSentry(_ match: LineMatch, _ line: TextLine) -> Bool {
    guard let name = match.text(.exception, source), name.utf8.count < 128 else { return false }
    let below = source.line(at: line.next)
    let text = source.trimmed(below.start..<below.end, leading: "> ", trailing: " \r")
    let title = "**Value:** "
    guard source.isBelowExceptionHeading(line), text.count < 4096,
      source.has(title, at: text.lowerBound, limit: text.upperBound)
    else { return false }
    if facts.exception.name != nil || facts.exception.type != nil { return true }
    let tags = max(source.textStart, line.start - 4096)..<line.start
    if source.tag("handled", in: tags) == "yes" { return false }
    var value = source.string(text.lowerBound + title.utf8.count..<text.upperBound)
    if name.hasPrefix("EXC_") || MachNames.isSignal(name) {
      // `Exception 1, Code 1, Subcode 8 > KERN_INVALID_ADDRESS at 0x8.`
      if let mark = value.firstRange(of: " > ")?.upperBound { value = String(value[mark...]) }
      if value.last == "." { value.removeLast() }
      if name.hasPrefix("EXC_") {
        facts.exception.type = name
      } else {
        facts.exception.signal = name
      }
      facts.exception.subtype = value
    } else if name == "WatchdogTermination" {
      // Nothing was thrown, and Sentry only knows what else it was not.
      facts.exception.message = "\(name): \(value)"
    } else {
      facts.exception.name = name
      facts.exception.reason = value
    }
    skipEnd = max(skipEnd, below.next)
    if facts.process.name == nil, let release = source.tag("release", in: tags) {
      let parts = release.split(separator: "@", maxSplits: 1).map(String.init)
      facts.process.name = parts.first
      if parts.first?.contains(".") == true { facts.process.bundleIdentifier = parts.first }
      if parts.count == 2 { facts.process.version = parts[1] }
    }
    if facts.system.name == nil, let system = source.tag("os", in: tags) {
      facts.system = ReportFacts.System(system)
    }
    return true
  }
}

/// The place in the title of an issue: a method, and a file with a line.
private struct PageTitle {
  private(set) var function: String?
  private var place: (file: String, line: Int)?
  private var range: Range<Int>?
  private(set) var isAboveFrames = false

  var isWhole: Bool { function != nil && place != nil }

  /// - Returns: false if nothing of the title can follow.
  mutating func take(_ line: TextLine, _ source: TextSource) -> Bool {
    guard line.end - line.start < 512 else { return false }
    let text = source.trimmed(line.start..<line.end, leading: "*`> ", trailing: "*` ")
    guard text.count > 4 else { return true }
    if Ascii.isDigit(source[text.lowerBound]) {
      isAboveFrames = true
      return false
    }
    var rest = text
    if place == nil, let (file, number, end) = source.titledPlace(text) {
      place = (file, number)
      rest = source.trimmed(end..<text.upperBound)
    }
    rest = source.withoutOffset(rest)
    if function == nil, !rest.isEmpty, source.isMethodOrBlock(rest) {
      function = source.string(rest)
      range = line.start..<line.end
    }
    return true
  }

  /// Nil without a function.
  var frame: StackFrame? {
    guard let function, let range else { return nil }
    var values = FrameValues(byteRange: range)
    values.index = 0
    values.symbol = FrameSymbol(name: function, file: place?.file, line: place?.line)
    return StackFrame(address: nil, carrier: .values(values))
  }
}

extension TextSource {
  /// `Board.m` and 362 of `Board.m line 362` or `Board.m - Line 362`, which a line begins with, and
  /// where they end.
  fileprivate func titledPlace(_ text: Range<Int>) -> (file: String, line: Int, end: Int)? {
    let file = bytes[text].prefix { $0 > Ascii.space }
    guard file.count < 128, let dot = file.lastIndex(of: UInt8(ascii: ".")),
      ["m", "mm", "swift", "c", "cpp"].contains(string(dot + 1..<file.endIndex)),
      let words = [" line ", " - Line ", " - line ", " - Zeile "].first(where: {
        has($0, at: file.endIndex, limit: text.upperBound)
      }),
      let number = decimal(at: file.endIndex + words.utf8.count, limit: text.upperBound),
      let line = number.value.flatMap({ Int(exactly: $0) })
    else { return nil }
    return (string(file.startIndex..<file.endIndex), line, number.end)
  }

  /// The first two different signals or exceptions that a sentence has in quotation marks or code,
  /// as Crashlytics writes them: `"SIGABRT ABORT"`, `"EXC_BAD_ACCESS KERN_INVALID_ADDRESS"`.
  fileprivate func endings(inSentence line: Range<Int>) -> [(name: String, code: String?)] {
    let limit = min(line.upperBound, line.lowerBound + 4096)
    var found: [(name: String, code: String?)] = []
    var next = line.lowerBound
    for _ in 0..<64 where found.count < 2 && next < limit {
      guard
        let mark = bytes[next..<limit].firstIndex(where: {
          $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "`")
        })
      else { break }
      next = mark + 1
      guard self[next] == UInt8(ascii: "S") || self[next] == UInt8(ascii: "E") else { continue }
      let word = bytes[next..<limit].prefix(while: Self.isOfName)
      let name = string(word.startIndex..<word.endIndex)
      guard MachNames.isSignal(name) || exceptionKind(at: next, limit)?.type == name,
        !found.contains(where: { $0.name == name })
      else { continue }
      let code = word.endIndex + 1
      let isKernelCode = has("KERN_", at: code, limit: limit)
      let codeEnd = bytes[min(code, limit)..<limit].prefix(while: Self.isOfName).endIndex
      found.append((name, isKernelCode ? string(code..<codeEnd) : nil))
    }
    return found
  }

  /// Whether `### Exception 1` or another heading with that word is in one of the two lines above.
  fileprivate func isBelowExceptionHeading(_ line: TextLine) -> Bool {
    var current = self.line(at: lineStart(of: line.start))
    for _ in 0..<2 {
      guard let above = lineAbove(current), above.end - above.start < 64 else { return false }
      current = above
      let text = trimmed(above.start..<above.end, leading: "> ", trailing: " ")
      if has("## ", at: text.lowerBound + 1, limit: text.upperBound)
        || has("## ", at: text.lowerBound, limit: text.upperBound)
      {
        return find("Exception", from: text.lowerBound, limit: text.upperBound) != nil
      }
    }
    return false
  }

  /// The value of a tag in a list of Markdown: `- **os:** iOS 18.7`.
  fileprivate func tag(_ name: String, in range: Range<Int>) -> String? {
    let title = "**\(name):** "
    guard let start = find(title, from: range.lowerBound, limit: range.upperBound) else {
      return nil
    }
    let value = trimmed(start + title.utf8.count..<line(at: start).end)
    return value.isEmpty || value.count > 128 ? nil : string(value)
  }
}

extension TextSource {
  /// The words of a failed `NSParameterAssert` in a title or a sentence, in marks or to the end of
  /// the line: `Invalid parameter not satisfying: cards.count > 0`. Nil if there are none, or those
  /// of several.
  ///
  /// Source: the macro's definition in Foundation's NSException.h.
  package func failedParameter(in range: Range<Int>) -> String? {
    let words = "Invalid parameter not satisfying: "
    var found: String?
    var next = range.lowerBound
    while let start = find(words, from: next, limit: range.upperBound) {
      next = start + words.utf8.count
      let line = self.line(at: lineStart(of: start))
      var end = min(line.end, start + 512)
      let mark = start > line.start ? self[start - 1] : Ascii.space
      if "`\"'".utf8.contains(mark) {
        end = bytes[next..<max(next, end)].firstIndex(of: mark) ?? end
      }
      let text = string(trimmed(start..<end, leading: "", trailing: " \r\t`*\"."))
      // A title may be cut.
      if let other = found, !text.hasPrefix(other), !other.hasPrefix(text) { return nil }
      if text.utf8.count > max(words.utf8.count, found?.utf8.count ?? 0),
        !isExample(line.start..<start)
      {
        found = text
      }
    }
    return found
  }

  /// The signal that a sentence names above the stack that Mono prints for one, below a line that
  /// says so. Nil if there is none, or several.
  ///
  /// Source: github.com/mono/mono, mono/mini/mini-exceptions.c (`Native stacktrace:`).
  package func signalOfMono(in range: Range<Int>) -> String? {
    // Other stacks may follow the sentence, and the line is near its own.
    guard
      let title = find(
        "Native stacktrace:", from: max(range.lowerBound, range.upperBound - 256),
        limit: range.upperBound)
    else { return nil }
    var found: String?
    var next = range.lowerBound
    while let start = find("SIG", from: next, limit: title) {
      let word = bytes[start..<title].prefix(while: Self.isOfName)
      next = word.endIndex
      let name = string(start..<next)
      guard start == range.lowerBound || !Self.isOfName(self[start - 1]), MachNames.isSignal(name),
        !isExample(max(range.lowerBound, lineStart(of: start))..<start)
      else { continue }
      if let found, found != name { return nil }
      found = name
    }
    return found
  }
}

extension TextSource {
  /// The functions behind files, one below the other, in the issues that Bugsnag opens, which show
  /// those of the program alone, often a single one: `Board/Deck.m:12 - -[Deck deal]`. Nil if the
  /// line is something else.
  ///
  /// Source: the issues, such as github.com/NYPL-Simplified/Simplified-iOS, issue 677.
  func framesBehindFiles(
    from first: TextLine, _ limit: Int
  ) -> (frames: [NamedFrames.Frame], end: Int)? {
    var (frames, line) = ([NamedFrames.Frame](), first)
    while frames.count < 64, line.end - line.start < 1024,
      find(" - ", from: line.start, limit: line.end) != nil,
      case let text = trimmed(line.start..<line.end),
      let match = NamedFrames.behindFile.match(self, text), let name = match[.symbol],
      isMethodOrBlock(name) || isFunction(name), let path = match[.file],
      let number = match.integer(.line, self)
    {
      let start = bytes[path].lastIndex(of: Ascii.slash).map { $0 + 1 } ?? path.lowerBound
      let file = start..<path.upperBound
      // Behind an image stands 0.
      guard number == 0 || bytes[file].contains(UInt8(ascii: ".")) else { break }
      frames.append(
        NamedFrames.Frame(
          image: number == 0 ? file : nil, name: name, line: text,
          place: number == 0 ? nil : (string(file), number)))
      guard line.next < limit else { break }
      line = self.line(at: line.next)
    }
    return frames.last.map { (frames, $0.line.upperBound) }
  }
}

extension StatementReading {
  /// Takes the thread that Xcode names before the exception: `com.example.cards (12): EXC_…`. Who
  /// copies it writes it into a sentence.
  ///
  /// - Parameter sign: of the exception's codes.
  mutating func takeThread(before sign: Int, _ range: Range<Int>) {
    let start = max(range.lowerBound, sign - 128)
    guard stoppedThread == nil, let mark = source.find("): EXC_", from: start, limit: sign) else {
      return
    }
    let digits = source.bytes[start..<mark].reversed().prefix { Ascii.isDigit($0) }.count
    let open = mark - digits - 2
    guard digits > 0, open > start, source.has(" (", at: open, limit: mark),
      let value = source.decimal(at: open + 2, limit: mark)?.value,
      let number = Int(exactly: value)
    else { return }
    let name = source.bytes[start..<open].reversed()
      .prefix { $0 > Ascii.space && !"`\"'*".utf8.contains($0) }.count
    guard name > 0 else { return }
    stoppedThread = (source.string(open - name..<open), number)
  }
}

import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// Lines that match ``StatementMessage``: what each kind of them says.
extension StatementReading {
  /// What the kernel, a library or a checker printed.
  mutating func takeMessage(_ line: TextLine) -> Bool {
    let whole = source.trimmed(line.start..<line.end)
    guard whole.count > 4, signs.mayBeSign(in: whole, of: source, limit: limit) else {
      return false
    }
    let pairs = BytePairs(source.bytes.span.extracting(whole))
    for message in StatementMessage.all where pairs.contains(message.pairs) {
      guard let sign = source.find(message.sign, from: whole.lowerBound, limit: whole.upperBound)
      else { continue }
      let range = source.logTail(whole, near: sign)
      for pattern in message.patterns {
        guard let match = pattern.match(source, range) else { continue }
        return take(match, message.meaning, line, range, sign)
      }
    }
    return false
  }

  /// - Parameter sign: where the sign of the message is.
  /// - Returns: whether the line says what happened.
  private mutating func take(
    _ match: LineMatch, _ meaning: StatementMessage.Meaning, _ line: TextLine, _ range: Range<Int>,
    _ sign: Int
  ) -> Bool {
    switch meaning {
    case .parts:
      facts.take(match, source)
      return true
    case .crashTitle where !source.namesFunction(match): return false
    case .crashReason, .crashTitle:
      facts.take(match, source)
      if innermost == nil { innermost = frame(match, line) }
      return true
    case .finding(let tool): return takeFinding(match, of: tool)
    case .failedAllocation:
      if allocator.name == nil, let name = match.text(.process, source) {
        (allocator.name, allocator.identifier) = (name, match.integer(.pid, source))
      }
      if match[.base] != nil {
        let start = source.find("*** ", from: range.lowerBound, limit: sign)
        failedAllocation = source.string((start ?? range.lowerBound)..<range.upperBound)
      }
      return false
    case .gpuRestart: return takeGpuRestart(at: sign, range)
    case .stop:
      let stop = source.debuggerStop(at: sign, range)
      if stop != nil {
        takeInstruction(before: sign, line)
        takeDefinition(above: sign)
        takeThread(before: sign, range)
      }
      return takeStop(stop, line)
    case .resourceStop: return takeStop(source.resourceStop(at: sign, range), line)
    case .sentence: return takeSentence(line, sign)
    case .assertion:
      guard let words = source.failedAssertion(at: sign, range) else { return false }
      facts.applicationInformation.append(words)
    case .debugAssertion:
      guard source.mentionsCrash(near: range) else { return false }
      facts.applicationInformation.append(source.string(sign..<range.upperBound))
    case .damagedHeap: return takeDamagedHeap(range, line, sign)
    case .crashWrangler: return takeCrashWrangler(match)
    case .brokenPrivacy: return takeBrokenPrivacy(match, line, sign)
    case .faultOnPage: return takeFaultOnPage(match, line)
    case .titleInSentence: return takeTitleInSentence(at: sign, range)
    case .exceptionOfSentry: return takeExceptionOfSentry(match, line)
    case .fatalException: return takeFatalException(match, line)
    case .javaException: return takeJavaException(match, line)
    case .javaScriptError: return takeJavaScriptError(match, line, sign)
    case .nativeModule: return takeNativeModule(match)
    case .pascalException: return takePascalException(range, line)
    case .swiftCrash: return takeSwiftCrash(match, line)
    case .thrownReason: return takeThrownReason(range, line, sign) || takeSentence(line, sign)
    case .exceptionMessage:
      facts.exception.message = facts.exception.message ?? match.text(.message, source)
      return facts.exception.type != nil
    case .detailOfFault: return takeDetailOfFault(at: sign, range, line)
    case .exceptionName: return takeExceptionName(at: sign, range, line)
    case .disassembly: return takeDisassembly(match, line)
    case .terminationField: return takeTermination(match, line)
    case .facts:
      ending.takeFacts(match, source)
      return false
    case .end: return takeEnd(match, line)
    case .terminateContext: return takeTerminateContext(line)
    case .testEnd:
      guard ending.takeTestEnd(match, source) else { return false }
      if isWholeText { ending.takeTests(named: source.namesOfTests(around: line)) }
      return true
    case .testSignal:
      ending.takeTestSignal(source.string(range))
      return false
    case .test(let isRunning):
      ending.takeTest(match, source, isRunning: isRunning)
      return false
    case .savedReport: return ending.takeSavedReport(match, source)
    case .virtualMachine:
      ending.takeMachine(match, source)
      return false
    case .panic: return takePanic(match, line, sign)
    case .panicTitle:
      facts.panic =
        facts.panic ?? match.text(.message, source).map { PanicDescription(words: $0, below: []) }
    case .quotedPanic: return takeQuotedPanic(line, sign)
    case .openJ9: return takeOpenJ9(match)
    case .program:
      ending.takeProgram(match, source)
      return false
    case .signalAtAddress:
      guard let words = match.text(.signal, source), let known = SignalWords(words[...]),
        known.rest.isEmpty, let address = match.number(.fault, source)
      else { return false }
      guard facts.exception.signal == nil else { return true }
      facts.exception.signal = known.signal
      facts.exception.subtype = "\(words) at \(address.hexadecimal)"
    case .signalOfGo: return takeSignalOfGo(match)
    case .signalOfSdk: return takeSignalOfSdk(match, line)
    case .words:
      // The message may go on in the line below.
      let words = LastWords(line, of: source)
      let start = words == nil ? source.logHeadEnd(range) : nil
      if let start, facts.process.name == nil {
        facts.takeWriter(line.start..<line.end, start, source)
      }
      let text = words?.text ?? source.string((start ?? range.lowerBound)..<range.upperBound)
      // What begins with a path is not taken for a sentence elsewhere.
      let path = text.hasPrefix("/") ? text.prefix { $0 != ":" } : ""
      facts.applicationInformation.append(
        String(path).lastPathComponent + text.dropFirst(path.count))
      skipEnd = words?.end ?? skipEnd
    case .signature(let code):
      if !source.isExample(range.lowerBound..<sign) { ending.takeSignature(code) }
      return false
    case .wordsGoingOn(let mark): takeWords(at: sign, range, below: line, mark: mark)
    case .wordsFromSign:
      if facts.process.name == nil { facts.takeWriter(line.start..<line.end, sign, source) }
      var words = source.string(sign..<range.upperBound)
      if let rest = source.sentenceRest(of: sign..<range.upperBound, below: line.next) {
        words += " \(rest.text)"
        skipEnd = max(skipEnd, rest.end)
      }
      // A runtime may say the same before, and more as it ends the process.
      if let last = facts.applicationInformation.last, words.hasPrefix(last) {
        facts.applicationInformation.removeLast()
      }
      if facts.applicationInformation.last?.hasPrefix(words) != true {
        facts.applicationInformation.append(words)
      }
    case .testError:
      let message = match.text(.message, source) ?? source.string(range)
      facts.applicationInformation.append(message)
      ending.takeTestError(message)
    case .lockedFiles:
      guard takeLockedFiles(match, line) else { return false }
    case .exception(let type, let subtype):
      // Two of the system say the same.
      guard facts.exception.type == nil else { return facts.exception.type == type }
      facts.exception.type = type
      let message =
        match.text(.message, source) ?? (subtype == "WAKEUPS" ? wakeups(from: sign, line) : nil)
      let isFatal = message?.firstRange(of: "FATAL limit") != nil || isOfFatalTrigger(line)
      facts.exception.subtype = subtype.map { isFatal ? "\($0) FATAL" : $0 }
      facts.exception.message = message.map { $0.last == "." ? String($0.dropLast()) : $0 }
    case .resourceNotification:
      guard facts.exception.type == nil else { return facts.exception.type == "EXC_RESOURCE" }
      guard let message = match.text(.message, source),
        let resource = StatementMessage.resources.first(where: {
          message.firstRange(of: $0.measure) != nil
        })
      else { return false }
      let isFatal = sign >= 6 && source.has("Fatal ", at: sign - 6, limit: sign)
      facts.exception.type = "EXC_RESOURCE"
      facts.exception.subtype = isFatal ? "\(resource.subtype) FATAL" : resource.subtype
      facts.exception.message = message
    case .termination(let namespace, let code):
      let detail = StatementMessage.detail(match, namespace, code, source)
      if facts.termination.namespace == nil {
        facts.termination.namespace = namespace
        facts.termination.code = code
        facts.termination.details = [detail].compactMap(\.self)
      } else if let detail, isOfSameProcess(match), facts.termination.namespace == namespace,
        !facts.termination.details.contains(detail)
      {
        // It may say the same, and more.
        if let first = facts.termination.details.first, detail.hasPrefix(first) {
          facts.termination.details[0] = detail
        } else {
          facts.termination.details.append(detail)
        }
        facts.termination.code = facts.termination.code ?? code
      }
    }
    // The first one is of the process that the report names.
    guard isOfSameProcess(match) else { return true }
    var path = match.text(.path, source)?.withoutQuotes
    if case .lockedFiles = meaning { path = nil }
    facts.process.path = facts.process.path ?? path.flatMap { $0.hasPrefix("/") ? $0 : nil }
    let name = match.text(.process, source)?.withoutQuotes ?? facts.process.path?.lastPathComponent
    facts.process.name = facts.process.name ?? name
    facts.process.identifier = facts.process.identifier ?? match.integer(.pid, source)
    return true
  }

  /// Takes the function that a line of source code is of, behind which Xcode, or who copies it,
  /// writes why the debugger stopped: `return deck->cards; <- Thread 1: EXC_BAD_ACCESS (…)`.
  private mutating func takeDefinition(above sign: Int) {
    guard innermost == nil, facts.exception.type == nil else { return }
    var line = source.line(at: source.lineStart(of: sign))
    let mark = ["Thread ", "EXC_"].lazy.compactMap { [source] text in
      source.find(text, from: line.start, limit: sign)
    }.first
    let code = source.trimmed(
      line.start..<(mark ?? line.start), leading: " \t", trailing: " \t/<-=>*")
    guard let last = source.bytes[code].last, ";{})".utf8.contains(last) else { return }
    var indent = code.lowerBound - line.start
    for _ in 0..<64 where indent > 0 {
      guard let above = source.lineAbove(line), above.end - above.start < 512 else { return }
      line = above
      let text = source.trimmed(line.start..<line.end)
      guard !text.isEmpty, text.lowerBound - line.start < indent else { continue }
      guard source[text.upperBound - 1] == Ascii.openBrace else { return }
      indent = text.lowerBound - line.start
      guard let name = source.definedFunction(text) else { continue }
      innermost = source.frame(FrameSymbol(name: name), text)
      return
    }
  }

  /// Whether a line is the first one below `Application Specific Information:` in a quotation or a
  /// block of code, where people paste that part of a report alone.
  func isPastedHeading(above line: TextLine, _ content: TextLine) -> Bool {
    guard let heading = source.lineAbove(line),
      source.has(
        "Application Specific Information:",
        at: source.trimEnd(from: heading.start, to: heading.end) - 33, limit: heading.end)
    else { return false }
    if content.start > line.start, source[line.start] == Ascii.greater { return true }
    return source.lineAbove(heading).map { source.has("```", at: $0.start, limit: $0.end) } == true
  }

  /// Takes what a block of code shows that a sentence introduces as the information in a crash
  /// report: `A new crash report was created with the information:`. Forms ask for it, too.
  ///
  /// - Parameter fence: the line that opens the block.
  mutating func takeIntroducedInformation(below fence: TextLine) -> Bool {
    guard facts.applicationInformation.isEmpty, var sentence = source.lineAbove(fence) else {
      return false
    }
    if source.isBlank(sentence) { sentence = source.lineAbove(sentence) ?? sentence }
    let words = source.string(source.trimmed(sentence.start..<sentence.end)).lowercased()
    guard words.utf8.count < 400, words.hasSuffix("information:"),
      words.contains("crash report ") || words.contains("crash log "),
      ["created", "contains", "has ", "had ", "shows", "says"].contains(where: {
        words.firstRange(of: $0) != nil
      }),
      !["please", "following", "your", "if "].contains(where: {
        words.firstRange(of: $0) != nil
      })
    else { return false }
    var lines: [String] = []
    var hasSentence = false
    var next = fence.next
    for _ in 0..<6 where next < source.count {
      let line = source.line(at: next)
      next = line.next
      guard line.end - line.start < 512 else { return false }
      if source.has("```", at: line.start, limit: line.end) {
        guard hasSentence else { return false }
        facts.applicationInformation.append(lines.joined(separator: " "))
        skipEnd = next
        return true
      }
      let text = source.trimmed(line.start..<line.end)
      guard !text.isEmpty else { continue }
      let field = source.fieldLine(line)
      if let field, FieldKeys.known.contains(source.string(field.key.range)) { return false }
      hasSentence = hasSentence || field == nil
      lines.append(source.string(text))
    }
    return false
  }

  /// `306 per second, 150 permitted, within 300 seconds` of what the kernel says behind the process
  /// that woke the processor too often. A console may show each part on a line of its own:
  ///
  /// ```text
  /// process Board[812] caught causing excessive wakeups. Observed wakeups rate (per sec): 306;
  /// Maximum permitted wakeups rate (per sec): 150; Observation period: 300 seconds; …
  /// ```
  ///
  /// Source: XNU, osfmk/kern/task.c
  /// (`SENDING_NOTIFICATION__THIS_PROCESS_IS_CAUSING_TOO_MANY_WAKEUPS`).
  private func wakeups(from sign: Int, _ line: TextLine) -> String? {
    var end = line.end
    var next = line.next
    for _ in 0..<3 where next < source.count {
      let below = source.line(at: next)
      guard below.end - below.start < 256,
        source.find("caught causing", from: below.start, limit: below.end) == nil
      else { break }
      (end, next) = (below.end, below.next)
    }
    func number(_ title: String) -> UInt64? {
      guard let start = source.find(title, from: sign, limit: end) else { return nil }
      return source.decimal(at: start + title.utf8.count, limit: end)?.value
    }
    guard let observed = number("Observed wakeups rate (per sec): ") else { return nil }
    let parts = [
      "\(observed) per second",
      number("Maximum permitted wakeups rate (per sec): ").map { "\($0) permitted" },
      number("Observation period: ").map { "within \($0) seconds" },
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}

extension TextSource {
  /// A line without what is far before a sign in it: there only the log speaks. Patterns then take
  /// the same time in lines of any length.
  fileprivate func logTail(_ line: Range<Int>, near sign: Int) -> Range<Int> {
    guard sign - line.lowerBound > 640 else { return line }
    var start = sign - 640
    while start < sign, separatorLength(at: start, limit: sign) == 0 { start += 1 }
    return skipSeparators(from: start, limit: sign)..<line.upperBound
  }
}

extension TextSource {
  /// The process whose report a text links or names: `Board` of
  /// `[Board-2022-03-11-183856.ips.zip](…)` or `Board_2015-09-22-144922_host.crash`. Nil if it
  /// names those of several, or a file that is not about one process.
  ///
  /// Source: the names that ReportCrash and osanalyticshelper give to files.
  ///
  /// - Complexity: looks at eight names.
  var processOfLinkedReport: String? {
    var found: String?
    for ending in [".ips", ".crash"] {
      var next = textStart
      for _ in 0..<8 {
        guard let dot = find(ending, from: next, limit: count) else { break }
        next = dot + ending.utf8.count
        guard let name = processOfReport(endingAt: dot) else { continue }
        if let found, found != name { return nil }
        found = name
      }
    }
    return found
  }

  private func processOfReport(endingAt end: Int) -> String? {
    let floor = max(textStart, end - 160)
    var start = end
    while start > floor, !Self.isAroundFileName(self[start - 1]) { start -= 1 }
    // In a sentence, the name begins with a word.
    let isEnclosed =
      start > floor
      && (self[start - 1] == Ascii.openBracket || self[start - 1] == UInt8(ascii: "`"))
    if !isEnclosed { start = (bytes[start..<end].lastIndex { $0 <= Ascii.space } ?? start - 1) + 1 }
    // `-2022-03-11-183856`, and a host behind it.
    for mark in start..<max(start, end - 17) {
      guard self[mark] == Ascii.minus || self[mark] == UInt8(ascii: "_"), mark > start else {
        continue
      }
      let isDate = Self.shapeOfDate.enumerated().allSatisfy { index, sign in
        let byte = self[mark + 1 + index]
        return sign == Ascii.zero ? Ascii.isDigit(byte) : byte == sign
      }
      guard isDate else { continue }
      let name = string(start..<mark)
      return Self.systemReports.contains(name) ? nil : name
    }
    return nil
  }

  private static func isAroundFileName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<Ascii.space, Ascii.slash, Ascii.openBracket, Ascii.quote, UInt8(ascii: "`"),
      UInt8(ascii: "("), UInt8(ascii: "*"), UInt8(ascii: "|"), Ascii.greater:
      true
    default: false
    }
  }

  private static let shapeOfDate = Array("0000-00-00-000000".utf8)
  private static let systemReports: Set = [
    "JetsamEvent", "panic-full", "panic-base", "stacks", "forceReset-full", "gpuEvent",
    "ResetCounter", "ExcUserFault", "log", "Kernel",
  ]
}

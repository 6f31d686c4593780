import JsonReading
import ReportFormats
package import ReportModel
import SymbolicationModel

/// What single lines of a text say about a crash, in which no report was found: a field of a
/// report, what a runtime printed last, what the kernel logged.
///
/// ```text
/// Termination Reason: Namespace DYLD, Code 1 Library missing
/// App/List.swift:88: Fatal error: Unexpectedly found nil while unwrapping an Optional value
/// EXC_RESOURCE -> Widget[478] exceeded mem limit: ActiveHard 24 MB (fatal)
/// launchd[1] (com.example.widget[478]): Service exited due to SIGILL | sent by exc handler[478]
/// ```
///
/// Together they are a report without frames. Programs and prose mention such words, too, so a line
/// counts only in the shape in which it is printed.
package enum CrashStatements {
  /// What a text says about one crash; nil if it says nothing, or is about several.
  package static func report(in source: TextSource) -> Report? {
    report(in: source, source.textStart..<source.count)
  }

  /// What a part of a text says about one crash.
  ///
  /// - Parameters:
  ///   - range: of whole lines.
  ///   - isAboveFrames: whether frames follow, which sentences may be about.
  ///   - countsHeadings: whether a heading is about them, too: they do not say what happened.
  package static func report(
    in source: TextSource, _ range: Range<Int>, isAboveFrames: Bool = false,
    countsHeadings: Bool = false
  ) -> Report? {
    var reading = StatementReading(
      source, limit: range.upperBound, isAboveFrames: isAboveFrames)
    reading.isWholeText = range == source.textStart..<source.count
    var next = range.lowerBound
    while next < range.upperBound {
      let line = source.line(at: next)
      next = line.next
      reading.take(line)
    }
    if countsHeadings { reading.told.takeHeading() }
    return reading.report() ?? (reading.isWholeText ? source.reportOfStack() : nil)
  }
}

/// Takes the lines of a text, and makes a report of what they say.
struct StatementReading {
  let source: TextSource
  /// Where the text ends that is read.
  let limit: Int
  var signs = SignCursor()
  private var notes = HeadNotes()
  private(set) var fields: [HeaderField] = []
  var facts = ReportFacts()
  private(set) var range: Range<Int>?
  /// Whether a line said what happened.
  var saysWhy = false
  /// The frame in which it happened.
  var innermost: StackFrame?
  private(set) var hockey = HockeyFrames()
  private var compiler = CompilerDump()
  /// What is said about the crash in sentences, which counts with what else is said only.
  var told = ToldCrash()
  /// How the process ended, in the words of others, which say less than its own.
  var ending = ProcessEnding()
  /// Whose malloc could not get memory, and its words with the size.
  var allocator = ReportFacts.Process()
  var failedAllocation: String?
  /// Who wrote the lines above the words of a process that has no other name.
  var writerAbove = ReportFacts.ProcessReference()
  /// How many instructions with an arrow were read.
  var disassemblies = 0
  /// The function whose instructions a debugger shows, and of how many it shows them.
  var shownFunction: (frame: StackFrame, count: Int)?
  /// The thread that a debugger stopped.
  var stoppedThread: (name: String, number: Int)?
  /// The line above the one that is read.
  var above: TextLine?
  /// Lines that start above this were read.
  var skipEnd = 0

  private let isAboveFrames: Bool
  /// What sentences say that quote a library.
  private var quoted: [String] = []
  /// Whether no report was found in the text, so that sentences of prose count.
  var isWholeText = false

  init(_ source: TextSource, limit: Int, isAboveFrames: Bool = false) {
    self.source = source
    self.limit = limit
    self.isAboveFrames = isAboveFrames
  }

  mutating func take(_ line: TextLine) {
    // Longer lines are data.
    guard line.end - line.start < 8192, line.start >= skipEnd else { return }
    defer { above = line }
    if hockey.range != nil, let text = escapedException(line) {
      facts.applicationInformation.append(text)
      return tell(line)
    }
    if hockey.take(line, source) { return hockey.frames.isEmpty ? extend(line) : tell(line) }
    var start = line.start
    // Of quotations, tables and code in Markdown.
    while start < line.end, " \t>|`".utf8.contains(source[start]) { start += 1 }
    var end = line.end
    if start > line.start, source.bytes[line.start..<start].contains(Self.codeMark) {
      var last = source.trimEnd(from: start, to: end) - 1
      while last > start, source[last] == Self.codeMark {
        end = last
        last -= 1
      }
      // Behind a span there may be other words.
      if let close = source.find("`", from: start, limit: end),
        " |".utf8.contains(source[close + 1])
      {
        if source.find("`", from: close + 1, limit: end) == nil {
          end = close
        } else if isWholeText,
          takeSpan(start..<close, line)
            || takeQuotation(TextLine(start: close + 1, end: line.end, next: line.next))
        {
          return tell(line)
        }
      }
    }
    // The end of bold text, which may have begun in a line above.
    let last = source.trimEnd(from: start, to: end)
    if last - start > 4, source.has("**", at: last - 2, limit: last),
      source[last - 3] != UInt8(ascii: "*")
    {
      end = last - 2
    }
    let content = TextLine(start: start, end: end, next: line.next)
    // A path may be that of a finding, or of an assertion.
    if source[start] == Ascii.slash,
      Self.wordsBehindPaths.contains(where: {
        source.find($0, from: start, limit: line.end) != nil
      }), takeMessage(content)
    {
      return tell(line)
    }
    if compiler.take(content, source) { return extend(line) }
    if ending.takeShell(content, source) { return extend(line) }
    if isWholeText, takeQuotation(content) { return tell(line) }
    if isWholeText, end > start, source[end - 1] == Ascii.colon { takeHeadOfDisassembly(content) }
    let isQuoted = source[start] == Ascii.quote
    if isQuoted, takeTerminateContext(content) { return tell(line) }
    let isFact = isQuoted && source.isFactInQuotes(start..<line.end)
    if isWholeText, start == line.end, source.has("```", at: line.start, limit: line.end),
      takeIntroducedInformation(below: line)
    {
      return tell(line)
    }
    if start == line.end || source[start] == UInt8(ascii: "/") && !isBelowLoading
      || isQuoted && !isFact
    {
      return notes.take(TextLine(start: line.end, end: line.end, next: line.next), of: source)
    }
    /// In other lines last words are looked for here.
    var mayBeWords = false
    if let field = source.fieldLine(content),
      FieldKeys.known.contains(source.string(field.key.range)), !field.value.isEmpty
    {
      mayBeWords = true
      let below = source.line(at: line.next)
      let headerField = HeaderField(source: source, line: content, field: field)
      let joined = headerField.joinedFields(below: below)
      fields += joined?.fields ?? [headerField]
      if joined?.takesLineBelow == true { skipEnd = below.next }
      extend(line)
    } else if takeMessage(content) {
      return tell(line)
    } else if let words = LastWords(content, of: source) {
      if take(words, content) { tell(line) }
      // The message may go on in the line below.
      skipEnd = max(skipEnd, words.end)
      return
    }
    let noteCount = notes.applicationInformation.count
    notes.take(content, of: source, mayBeWords: mayBeWords)
    // Below its heading, which stands in reports only. The C library leaves it there.
    if isWholeText, notes.applicationInformation.count > noteCount,
      notes.applicationInformation[noteCount].text == "abort() called"
        || isPastedHeading(above: line, content)
    {
      tell(line)
    }
  }

  /// `*** Terminating app due to …`, in which a page of Markdown escaped the asterisks; nil for any
  /// other line.
  private func escapedException(_ line: TextLine) -> String? {
    let text = source.trimmed(line.start..<line.end)
    let words = " Terminating app due to uncaught exception '"
    func begins(_ mark: String) -> Bool {
      source.has(mark, at: text.lowerBound, limit: text.upperBound)
    }
    guard begins("**\\*") || begins("\\*"),
      let found = source.find(
        words, from: text.lowerBound, limit: min(text.upperBound, text.lowerBound + 64))
    else { return nil }
    return "***\(source.string(found..<text.upperBound))"
  }

  /// Whether dyld says in the line above that it loads the library whose path is next.
  private var isBelowLoading: Bool {
    notes.applicationInformation.last?.text.hasPrefix("dyld: in dlopen()") == true
  }

  private mutating func tell(_ line: TextLine) {
    saysWhy = true
    extend(line)
  }

  private mutating func extend(_ line: TextLine) {
    range = (range?.lowerBound ?? line.start)..<line.end
  }

  /// What a runtime printed.
  mutating func take(_ words: LastWords, _ line: TextLine) -> Bool {
    // Source code has it in quotes.
    let place = source.find(".swift:", from: words.start, limit: line.end) ?? words.start
    // Metal's words have the number of a line in them, which source code has not. A log has the
    // library of a checker in parentheses.
    let isCode =
      source.bytes[line.start..<place].contains { "\"'`(".utf8.contains($0) }
      && !words.text.hasPrefix("Main Thread Checker: ")
      && words.text.firstRange(of: ": failed assertion `") == nil
      && !isQuotedBug(words, line) && !words.isSentence
    // dyld's messages count with the lines below them (`LinkerMessage`).
    if words.isSentence, source.isExample(line.start..<words.start) { return false }
    guard !isCode, !words.text.contains("%@"), !words.text.hasPrefix("dyld"),
      let text = words.isSentence ? words.text : ofSwift(whole(words), line)
    else { return false }
    if facts.process.name == nil {
      // The function that logs a sentence may stand in front of it.
      let head = words.isSentence ? source.logHeadEnd(source.trimmed(line.start..<line.end)) : nil
      facts.takeWriter(line.start..<line.end, head ?? words.start, source)
    }
    // What was printed next, behind words without a line break.
    let rest = min(words.start + words.text.utf8.count, line.end)..<line.end
    if facts.process.name == nil, words.text.hasPrefix("Fatal error: "), !rest.isEmpty,
      let message = source.logHeadEnd(rest)
    {
      facts.takeWriter(rest, message, source)
    }
    if facts.process.name == nil, writerAbove.name == nil {
      writerAbove = source.writer(above: line, floor: source.textStart) ?? writerAbove
    }
    // What the runtime says itself counts more than a sentence about it.
    if !words.isSentence, text.hasPrefix(ReportFacts.uncaught) {
      facts.applicationInformation.removeAll { quoted.contains($0) }
    }
    if words.isSentence { quoted.append(text) }
    facts.applicationInformation.append(text)
    if text.hasPrefix(LastWords.xcodeAssertion) { takeDetailsOfXcode(below: line) }
    return true
  }

  /// A message with its place in front of it, if that is on the line below: `at
  /// Game/Board.swift:7`. Nil for one of PHP, which begins like those of Swift.
  private mutating func ofSwift(_ words: String, _ line: TextLine) -> String? {
    let isBare = words.hasPrefix("Fatal error: ") && words.firstRange(of: ".swift, line ") == nil
    guard isBare else { return words }
    let below = source.line(at: line.next)
    let match = Self.place.match(source, source.trimmed(below.start..<below.end))
    if let file = match?.text(.file, source), file.hasSuffix(".swift"),
      let number = match?.integer(.line, source)
    {
      return "\(file):\(number): \(words)"
    }
    if let whole = source.swiftMessage(words, below: line) {
      skipEnd = max(skipEnd, whole.end)
      return whole.text
    }
    let message = String(words.dropFirst("Fatal error: ".utf8.count))
    guard LastWords.isOfSwift(message) else { return nil }
    // The runtime ends some without a line feed, so the head of a log follows.
    if let sentence = LastWords.sentencesOfSwift.first(where: { message.hasPrefix($0) }),
      sentence.last != " ", message.dropFirst(sentence.count).first?.isNumber == true
    {
      return "Fatal error: \(sentence)"
    }
    return words
  }

  private static let codeMark = UInt8(ascii: "`")
  private static let place = LinePattern("at {file}:{line}")

  mutating func report() -> Report? {
    let keys = ["Exception Type", "Process", "Termination Reason"]
    // Documents list examples. Forms have a text twice, and may cut the copy.
    let named = namedFrames()
    let isToldAbove = (isAboveFrames || named != nil) && told.saysException
    guard let range = range ?? (isToldAbove ? told.range : nil),
      keys.allSatisfy({ key in
        let values = fields.values(of: key)
        return values.dropFirst().allSatisfy { values[0].hasPrefix($0) }
      })
    else { return nil }
    var whole = ReportFacts(fields: fields, header: nil, notes: notes, crashedThread: nil)
    whole.takeStatedThread(of: fields)
    if whole.process.name == nil { whole.process = facts.process }
    if whole.system.name == nil { whole.system = facts.system }
    whole.date = whole.date ?? facts.date
    if whole.exception.type == nil, whole.exception.signal == nil {
      whole.exception.type = facts.exception.type
      whole.exception.signal = facts.exception.signal
      if whole.exception.codes.isEmpty { whole.exception.codes = facts.exception.codes }
      whole.exception.subtype = whole.exception.subtype ?? facts.exception.subtype
      whole.exception.message = whole.exception.message ?? facts.exception.message
    }
    if whole.termination.namespace == nil, whole.termination.code == nil {
      whole.termination = facts.termination
    }
    if whole.exception.name == nil, whole.exception.reason == nil {
      whole.exception.name = facts.exception.name
      whole.exception.reason = facts.exception.reason
    }
    if saysWhy { told.complete(&whole) } else { told.completeProcess(&whole) }
    if isToldAbove { told.complete(frames: &whole) }
    for line in facts.applicationInformation where !whole.applicationInformation.contains(line) {
      whole.applicationInformation.append(line)
    }
    whole.exception.takeThrown(from: &whole.applicationInformation)
    whole.termination.takeLinkerWords(near: range, source)
    ending.complete(&whole)
    compiler.complete(&whole)
    if let panic = facts.panic {
      whole.panic = panic
      whole.event = .panic
    }
    guard saysWhy || compiler.saysWhy || Self.isTold(whole) else { return nil }
    if whole.process.name == nil, whole.process.identifier == nil { whole.process = allocator }
    if whole.process.name == nil {
      whole.process.name = writerAbove.name
      whole.process.identifier = whole.process.identifier ?? writerAbove.identifier
    }
    if isWholeText, whole.process.name == nil { whole.process.name = source.processOfLinkedReport }
    if let failedAllocation,
      whole.applicationInformation.contains(where: { $0.firstRange(of: "bad_alloc") != nil })
    {
      whole.applicationInformation.append(failedAllocation)
    }
    if let named {
      return named.report(of: whole, range, source)
    }
    if innermost == nil, hockey.frames.isEmpty, !isAboveFrames, facts.panic == nil,
      whole.exception.type != nil
    {
      if let shownFunction, shownFunction.count == 1 { innermost = shownFunction.frame }
      innermost =
        innermost ?? ToldPlace(around: range, source, limit: limit).frame
        ?? source.functionOfLibrary(near: range)
    }
    var frames = hockey.frames.isEmpty ? [innermost].compactMap(\.self) : hockey.frames
    if frames.isEmpty, saysWhy, isWholeText, facts.panic == nil {
      frames = source.callers(near: range)
    }
    if frames.isEmpty, !isAboveFrames { whole.takeCulprit(fields) }
    if hockey.range != nil {
      whole.process.version = whole.process.version ?? hockey.version
      whole.process.bundleIdentifier = whole.process.bundleIdentifier ?? hockey.bundleIdentifier
    }
    if let (name, number) = stoppedThread, frames.isEmpty, whole.statedCrashedThread == nil {
      whole.statedCrashedThread = number
      whole.fields.append(.init(name: "Crashed Thread", value: "\(number)  \(name)"))
    }
    let backtrace = Backtrace(
      kind: .thread, number: stoppedThread?.number, name: stoppedThread?.name, isCrashed: true,
      frames: frames,
      byteRange: hockey.range ?? range)
    return Report(
      format: .crashText, byteRange: range, facts: whole, images: [],
      backtraces: frames.isEmpty ? [] : [backtrace], faults: [])
  }

  /// Whether the fields say what happened, in the words that reports have.
  private static func isTold(_ facts: ReportFacts) -> Bool {
    let termination = facts.termination
    // Who retells a report leaves the namespace out.
    let isCode = termination.namespace == nil && termination.code ?? 0 > 0xffff
    let namesReason =
      isCode
      || termination.namespace != nil
        && (termination.code != nil || !termination.details.isEmpty
          || termination.namespace == "TCC" && termination.indicator != nil)
    return facts.exception.type?.hasPrefix("EXC_") == true
      // Of iOS up to version 7, whose code says why.
      || facts.exception.type == "00000020" && facts.exception.codes.first ?? 0 > 0
      || facts.exception.signal?.hasPrefix("SIG") == true
      || facts.exception.name != nil && facts.exception.reason != nil
      || namesReason && facts.fields.contains { $0.name.hasPrefix("Termination ") }
  }
}

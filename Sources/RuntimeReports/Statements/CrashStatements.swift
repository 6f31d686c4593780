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
  /// - Parameter range: of whole lines.
  package static func report(in source: TextSource, _ range: Range<Int>) -> Report? {
    var reading = StatementReading(source)
    var next = range.lowerBound
    while next < range.upperBound {
      let line = source.line(at: next)
      next = line.next
      reading.take(line)
    }
    return reading.report()
  }
}

private struct StatementReading {
  private let source: TextSource
  private var notes = HeadNotes()
  private var fields: [HeaderField] = []
  private var facts = ReportFacts()
  private var range: Range<Int>?
  /// Whether a line said what happened.
  private var saysWhy = false
  /// The frame in which it happened.
  private var innermost: StackFrame?
  private var hockey = HockeyFrames()
  /// What is said about the crash in sentences, which counts with what else is said only.
  private var told = ToldCrash()
  /// How the process ended, in the words of others, which say less than its own.
  private var ending = ProcessEnding()
  /// Whose malloc could not get memory, and its words with the size.
  private var allocator = ReportFacts.Process()
  private var failedAllocation: String?
  /// The line above the one that is read.
  private var above: TextLine?
  /// Lines that start above this were read.
  private var skipEnd = 0

  init(_ source: TextSource) { self.source = source }

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
    if start > line.start, source[start - 1] == Self.codeMark {
      let last = source.trimEnd(from: start, to: end) - 1
      if last > start, source[last] == Self.codeMark { end = last }
    }
    // The end of bold text, which may have begun in a line above.
    let last = source.trimEnd(from: start, to: end)
    if last - start > 4, source.has("**", at: last - 2, limit: last),
      source[last - 3] != UInt8(ascii: "*")
    {
      end = last - 2
    }
    let content = TextLine(start: start, end: end, next: line.next)
    // A path may be that of a finding.
    if source[start] == Ascii.slash,
      source.find(": runtime error: ", from: start, limit: line.end) != nil, takeMessage(content)
    {
      return tell(line)
    }
    if ending.takeShell(content, source) { return extend(line) }
    let isFact = source.has("\"device_", at: start, limit: line.end)
    if start == line.end || source[start] == UInt8(ascii: "/")
      || source[start] == Ascii.quote && !isFact
    {
      return notes.take(TextLine(start: line.end, end: line.end, next: line.next), of: source)
    }
    if let field = source.fieldLine(content),
      FieldKeys.known.contains(source.string(field.key.range)), !field.value.isEmpty
    {
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
      skipEnd = words.end
      return
    }
    notes.take(content, of: source)
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

  private mutating func tell(_ line: TextLine) {
    saysWhy = true
    extend(line)
  }

  private mutating func extend(_ line: TextLine) {
    range = (range?.lowerBound ?? line.start)..<line.end
  }

  /// What a runtime printed.
  private mutating func take(_ words: LastWords, _ line: TextLine) -> Bool {
    // Source code has it in quotes.
    let place = source.find(".swift:", from: words.start, limit: line.end) ?? words.start
    // Metal's words have the number of a line in them, which source code has not.
    let isCode =
      source.bytes[line.start..<place].contains { "\"'`(".utf8.contains($0) }
      && words.text.firstRange(of: ": failed assertion `") == nil
    // dyld's messages count with the lines below them (`LinkerMessage`).
    guard !isCode, !words.text.contains("%@"), !words.text.hasPrefix("dyld"),
      let text = ofSwift(words.text, line)
    else { return false }
    if facts.process.name == nil { facts.takeWriter(line.start..<line.end, words.start, source) }
    facts.applicationInformation.append(text)
    return true
  }

  /// A message with its place in front of it, if that is on the line below: `at
  /// Game/Board.swift:7`. Nil for one of PHP, which begins like those of Swift.
  private func ofSwift(_ words: String, _ line: TextLine) -> String? {
    let isBare = words.hasPrefix("Fatal error: ") && words.firstRange(of: ".swift, line ") == nil
    guard isBare else { return words }
    let below = source.line(at: line.next)
    let match = Self.place.match(source, source.trimmed(below.start..<below.end))
    if let file = match?.text(.file, source), file.hasSuffix(".swift"),
      let number = match?.integer(.line, source)
    {
      return "\(file):\(number): \(words)"
    }
    return Self.wordsOfSwift.contains { words.hasPrefix($0) } ? words : nil
  }

  private static let codeMark = UInt8(ascii: "`")
  private static let place = LinePattern("at {file}:{line}")

  /// Source: github.com/swiftlang/swift, stdlib/public/core: Optional.swift, ErrorType.swift.
  private static let wordsOfSwift = [
    "Fatal error: Unexpectedly found nil while ", "Fatal error: unexpectedly found nil while ",
    "Fatal error: 'try!' expression unexpectedly raised an error: ",
  ]

  /// What the kernel, a library or a checker printed.
  private mutating func takeMessage(_ line: TextLine) -> Bool {
    let whole = source.trimmed(line.start..<line.end)
    guard whole.count > 4 else { return false }
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
    case .crashReason:
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
    case .stop: return takeStop(source.debuggerStop(at: sign, range))
    case .resourceStop: return takeStop(source.resourceStop(at: sign, range))
    case .thrownReason: return takeThrownReason(range, line)
    case .exceptionName: return takeExceptionName(at: sign, range, line)
    case .terminationField: return takeTermination(match, line)
    case .facts:
      ending.takeFacts(match, source)
      return false
    case .end: return ending.takeEnd(match, source)
    case .testEnd: return ending.takeTestEnd(match, source)
    case .test(let isRunning):
      ending.takeTest(match, source, isRunning: isRunning)
      return false
    case .savedReport: return ending.takeSavedReport(match, source)
    case .virtualMachine:
      ending.takeMachine(match, source)
      return false
    case .panic: return takePanic(match, line, sign)
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
    case .words:
      // The message may go on in the line below.
      let words = LastWords(line, of: source)
      facts.applicationInformation.append(words?.text ?? source.string(range))
      skipEnd = words?.end ?? skipEnd
    case .wordsFromSign:
      if facts.process.name == nil { facts.takeWriter(line.start..<line.end, sign, source) }
      facts.applicationInformation.append(source.string(sign..<range.upperBound))
    case .testError:
      let message = match.text(.message, source) ?? source.string(range)
      facts.applicationInformation.append(message)
      ending.takeTestError(message)
    case .lockedFiles: takeLockedFiles(match, line)
    case .exception(let type, let subtype):
      // Two of the system say the same.
      guard facts.exception.type == nil else { return facts.exception.type == type }
      facts.exception.type = type
      let message = match.text(.message, source)
      let isFatal = message?.firstRange(of: "FATAL limit") != nil || isBelowFatalTrigger
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
    let path = match.text(.path, source)?.withoutQuotes
    facts.process.path = facts.process.path ?? path.flatMap { $0.hasPrefix("/") ? $0 : nil }
    let name = match.text(.process, source)?.withoutQuotes ?? facts.process.path?.lastPathComponent
    facts.process.name = facts.process.name ?? name
    facts.process.identifier = facts.process.identifier ?? match.integer(.pid, source)
    return true
  }

  /// Takes the words of a panic, with the next two lines, where they may go on.
  private mutating func takePanic(_ match: LineMatch, _ line: TextLine, _ sign: Int) -> Bool {
    // Source code has the places of the names.
    guard match.text(.message, source)?.contains("%s") != true, facts.panic == nil else {
      return facts.panic != nil
    }
    // The name of the function stands before the sign.
    let start = source.bytes[line.start..<sign].lastIndex(of: UInt8(ascii: "z")) ?? sign
    var below: [String] = []
    var next = line.next
    while below.count < 2, next < source.count {
      let line = source.line(at: next)
      guard !source.isBlank(line), line.end - line.start < 1024 else { break }
      below.append(source.string(source.trimmed(line.start..<line.end)))
      next = line.next
    }
    facts.panic = PanicDescription(
      words: source.string(source.trimmed(start..<line.end)), below: below)
    return true
  }

  /// The frame that the line names behind the reason; nil if it names none.
  private func frame(_ match: LineMatch, _ line: TextLine) -> StackFrame? {
    guard let image = match.text(.image, source) else { return nil }
    var values = FrameValues(byteRange: line.start..<line.end)
    values.index = 0
    values.imageName = image
    values.imageOffset = match.number(.place, source)
    values.symbol = match.text(.symbol, source).map { FrameSymbol(name: $0) }
    return StackFrame(address: nil, carrier: .values(values))
  }

  private func isOfSameProcess(_ match: LineMatch) -> Bool {
    let number = match.integer(.pid, source)
    return number == nil || facts.process.identifier == nil || number == facts.process.identifier
  }

  /// Whether the line above says that the limit is one that ends processes: `Received (FATAL) CPU
  /// usage trigger:`.
  private var isBelowFatalTrigger: Bool {
    guard let above else { return false }
    return source.find("Received (FATAL) ", from: above.start, limit: above.end) != nil
  }

  /// What RunningBoard and its forerunners say before they end a suspended process, with the paths
  /// of the files in the lines below.
  private mutating func takeLockedFiles(_ match: LineMatch, _ line: TextLine) {
    guard facts.termination.namespace == nil else { return }
    facts.termination.namespace = "RUNNINGBOARD"
    facts.termination.code = 0xdead_10cc
    var paths: [String] = []
    var next = line.next
    while next < source.count, paths.count < 8 {
      let below = source.line(at: next)
      // Of quotations in Markdown.
      let start = source.bytes[below.start..<below.end].firstIndex {
        $0 > Ascii.space && $0 != Ascii.greater
      }
      guard let start, source[start] == Ascii.slash else { break }
      let path = source.string(source.trimmed(start..<below.end))
      // SpringBoard has the whole message in parentheses.
      paths.append(path.hasSuffix(")") ? String(path.dropLast()) : path)
      next = below.next
    }
    skipEnd = next
    let onLine = match.text(.path, source).map { [$0] } ?? []
    facts.termination.details = (onLine + paths).prefix(1).map { "locked file: \($0)" }
    guard facts.process.name == nil, let owner = match.text(.process, source) else { return }
    // `app<com.example.board>`, in newer versions with a UUID behind the identifier.
    if owner.hasSuffix(">"), let open = owner.firstIndex(of: "<") {
      let name = String(owner[owner.index(after: open)...].prefix { $0 != ">" && $0 != "(" })
      facts.process.bundleIdentifier = name
      facts.process.name = name
    } else if let end = owner.lastIndex(of: ";") {
      // SpringBoard's message names the process twice.
      let name = owner[owner.index(after: end)...].drop { $0 == " " }
      facts.process.name = name.isEmpty ? nil : String(name)
    }
  }

  /// Takes a part of what OpenJ9 prints about a signal, each part on a line of its own:
  ///
  /// ```text
  /// Type=Segmentation error vmState=0x00000000
  /// J9Generic_Signal_Number=00000018 Signal_Number=0000000b Error_Value=00000000 Signal_Code=…
  /// Handler1=00000001052A0000 Handler2=0000000104FF0000 InaccessibleAddress=0000000000000450
  /// Module=/jdk/lib/default/libj9vm29.dylib
  /// ```
  ///
  /// - Returns: whether the part says what happened.
  private mutating func takeOpenJ9(_ match: LineMatch) -> Bool {
    if let kind = match.text(.message, source) {
      // The parts that follow are of the first one.
      guard facts.exception.message == nil, facts.exception.subtype == nil else { return true }
      facts.exception.subtype = kind
      facts.exception.message = Self.ofOpenJ9
      return true
    }
    guard let message = facts.exception.message, message.hasPrefix(Self.ofOpenJ9),
      let kind = facts.exception.subtype
    else { return false }
    if let number = match.number(.base, source), facts.exception.signal == nil {
      // Darwin has another number for it than Linux.
      facts.exception.signal = number == 7 ? "SIGBUS" : MachNames.signal(number)
    } else if let address = match.number(.fault, source), kind.firstRange(of: " at 0x") == nil {
      facts.exception.subtype = "\(kind) at \(address.hexadecimal)"
    } else if let path = match.text(.path, source), message == Self.ofOpenJ9 {
      facts.exception.message = "\(message), in \(path.lastPathComponent)"
    }
    return false
  }

  private static let ofOpenJ9 = "caught by the Java VM OpenJ9"

  /// Takes why a debugger stopped, wherever it is in a sentence.
  private mutating func takeStop(_ stop: String?) -> Bool {
    guard let stop else { return false }
    if facts.exception.type == nil { facts.take(stop: stop) }
    return true
  }

  /// Takes the kind of the exception from somebody's own words, with the function behind it.
  private mutating func takeExceptionName(
    at sign: Int, _ range: Range<Int>, _ line: TextLine
  ) -> Bool {
    if told.program == nil { told.take(at: sign, range, source) }
    guard let words = source.exceptionWords(at: sign, range) else { return false }
    guard facts.exception.type == nil else { return true }
    facts.exception.type = words.type
    facts.exception.signal = words.signal
    if let name = words.function, innermost == nil {
      var values = FrameValues(byteRange: line.start..<line.end)
      values.index = 0
      values.symbol = FrameSymbol(name: name)
      innermost = StackFrame(address: nil, carrier: .values(values))
    }
    return true
  }

  /// Takes what an exception says from a line with nothing else, and its name from the sentences
  /// around it.
  private mutating func takeThrownReason(_ range: Range<Int>, _ line: TextLine) -> Bool {
    guard let reason = source.thrownReason(range) else { return false }
    guard facts.exception.reason == nil else { return true }
    facts.exception.reason = source.string(reason)
    facts.exception.name = source.exceptionName(around: line)
    if facts.process.name == nil { facts.takeWriter(range, reason.lowerBound, source) }
    return true
  }

  /// Takes why a process was ended, with the details in the indented lines below.
  private mutating func takeTermination(_ match: LineMatch, _ line: TextLine) -> Bool {
    guard let text = match.text(.message, source),
      let (termination, end) = source.termination(text, below: line)
    else { return false }
    if facts.termination.namespace == nil { facts.termination = termination }
    skipEnd = end
    return true
  }

  /// What a sanitizer found: the first of it is what happened.
  private mutating func takeFinding(_ match: LineMatch, of tool: String) -> Bool {
    guard let reason = match.text(.reason, source), !reason.contains(" leaked in ") else {
      return false
    }
    guard facts.exception.type == nil else { return true }
    facts.exception.type = match.text(.exception, source).map { $0 + tool } ?? tool
    let place = match.text(.file, source).map { file in
      " at \(file.lastPathComponent):\(match.integer(.line, source) ?? 0)"
    }
    facts.exception.subtype = reason + (place ?? "")
    return true
  }

  func report() -> Report? {
    let keys = ["Exception Type", "Process", "Termination Reason"]
    // Documents list examples.
    guard let range, keys.allSatisfy({ fields.values(of: $0).count < 2 }) else { return nil }
    var whole = ReportFacts(fields: fields, header: nil, notes: notes, crashedThread: nil)
    whole.statedCrashedThread = fields.triggeredThreadNumber
    if whole.process.name == nil { whole.process = facts.process }
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
    if saysWhy { told.complete(&whole) }
    for line in facts.applicationInformation where !whole.applicationInformation.contains(line) {
      whole.applicationInformation.append(line)
    }
    whole.exception.takeThrown(from: &whole.applicationInformation)
    ending.complete(&whole)
    if let panic = facts.panic {
      whole.panic = panic
      whole.event = .panic
    }
    guard saysWhy || Self.isTold(whole) else { return nil }
    if whole.process.name == nil, whole.process.identifier == nil { whole.process = allocator }
    if let failedAllocation,
      whole.applicationInformation.contains(where: { $0.firstRange(of: "bad_alloc") != nil })
    {
      whole.applicationInformation.append(failedAllocation)
    }
    let frames = hockey.frames.isEmpty ? [innermost].compactMap(\.self) : hockey.frames
    if hockey.range != nil {
      whole.process.version = whole.process.version ?? hockey.version
      whole.process.bundleIdentifier = whole.process.bundleIdentifier ?? hockey.bundleIdentifier
    }
    let backtrace = Backtrace(
      kind: .thread, number: nil, isCrashed: true, frames: frames,
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

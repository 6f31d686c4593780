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
/// ```
///
/// Together they are a report without frames. Programs and prose mention such words, too, so a line
/// counts only in the shape in which it is printed.
package enum CrashStatements {
  /// What a text says about one crash; nil if it says nothing, or is about several.
  package static func report(in source: TextSource) -> Report? {
    var reading = StatementReading(source)
    var next = source.textStart
    while next < source.count {
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
  /// Lines that start above this were read.
  private var skipEnd = 0

  init(_ source: TextSource) { self.source = source }

  mutating func take(_ line: TextLine) {
    // Longer lines are data.
    guard line.end - line.start < 8192, line.start >= skipEnd else { return }
    var start = line.start
    // Of quotations, tables and code in Markdown.
    while start < line.end, " \t>|`".utf8.contains(source[start]) { start += 1 }
    let content = TextLine(start: start, end: line.end, next: line.next)
    // A path may be that of a finding.
    if source[start] == Ascii.slash,
      source.find(": runtime error: ", from: start, limit: line.end) != nil, takeMessage(content)
    {
      return tell(line)
    }
    if start == line.end || source[start] == UInt8(ascii: "/") || source[start] == Ascii.quote {
      return notes.take(TextLine(start: line.end, end: line.end, next: line.next), of: source)
    }
    if let field = source.fieldLine(content),
      FieldKeys.known.contains(source.string(field.key.range)), !field.value.isEmpty
    {
      fields.append(HeaderField(source: source, line: content, field: field))
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
    let isCode = source.bytes[line.start..<place].contains { "\"'`(".utf8.contains($0) }
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

  private static let place = LinePattern("at {file}:{line}")

  /// Source: github.com/swiftlang/swift, stdlib/public/core: Optional.swift, ErrorType.swift.
  private static let wordsOfSwift = [
    "Fatal error: Unexpectedly found nil while ",
    "Fatal error: 'try!' expression unexpectedly raised an error: ",
  ]

  /// What the kernel, a library or a checker printed.
  private mutating func takeMessage(_ line: TextLine) -> Bool {
    let range = source.trimmed(line.start..<line.end)
    for message in Self.messages
    where source.find(message.sign, from: range.lowerBound, limit: range.upperBound) != nil {
      guard let match = message.pattern.match(source, range) else { continue }
      switch message.meaning {
      case .parts:
        facts.take(match, source)
        return true
      case .finding(let tool): return takeFinding(match, of: tool)
      case .words:
        // The message may go on in the line below.
        let words = LastWords(line, of: source)
        facts.applicationInformation.append(words?.text ?? source.string(range))
        skipEnd = words?.end ?? skipEnd
      case .lockedFiles: takeLockedFiles(match, line)
      case .signal(let name): facts.exception.signal = name
      case .exception(let type, let subtype):
        facts.exception.type = type
        facts.exception.subtype = facts.exception.subtype ?? subtype
        facts.exception.message = match.text(.message, source) ?? facts.exception.message
      case .termination(let namespace) where facts.termination.namespace == nil:
        facts.termination.namespace = namespace
        facts.termination.details = [match.text(.message, source)].compactMap(\.self)
      // The first one is of the process that the report names.
      case .termination: break
      }
      facts.process.name = facts.process.name ?? match.text(.process, source)
      facts.process.identifier = facts.process.identifier ?? match.integer(.pid, source)
      return true
    }
    return false
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

  private struct Message {
    let sign: String
    let pattern: LinePattern
    let meaning: Meaning

    init(_ sign: String, _ pattern: String, _ meaning: Meaning) {
      self.sign = sign
      self.pattern = LinePattern(pattern)
      self.meaning = meaning
    }
  }

  private enum Meaning {
    /// The line is what the process said.
    case words
    /// Each part of the line is a fact.
    case parts
    case exception(String, subtype: String? = nil)
    case signal(String)
    case termination(namespace: String)
    /// The process was suspended while it held locks on files, whose paths follow.
    case lockedFiles
    /// Of a sanitizer of that name, or with that end of its name.
    case finding(String)
  }

  /// Source: github.com/apple-oss-distributions/xnu, osfmk/kern/task.c,
  /// bsd/kern/kern_memorystatus.c; Libc, gen/assert.c; libmalloc, src/magazine_malloc.c; Metal's
  /// and Xcode's checkers, as people show them; llvm-project, compiler-rt/lib/ubsan/ubsan_diag.cpp;
  /// RunningBoard's `-[RBProcess _lock_suspend]`, whose words sqlcipher's and GRDB's users show;
  /// and what ``TraceGrammar`` names for the heads of Go, Java and Python.
  private static let messages = [
    Message(
      "EXC_RESOURCE -> ", "{?{skip} ?}EXC_RESOURCE -> {process}[{pid}] {message}",
      .exception("EXC_RESOURCE")),
    Message(
      "] exceeded mem limit: ", "{?{skip} ?}memorystatus: {process} [{pid}] {message} (fatal)",
      .termination(namespace: "JETSAM")),
    Message(
      lockedFiles, "{?{skip} ?}<FBApplicationProcess: {skip:x}; {process}; pid: {pid}>" + suspended,
      .lockedFiles),
    Message(
      lockedFiles,
      "{?{skip} ?}<FBApplicationProcess: {skip:x}; {process}:{pid}; {skip}>" + suspended,
      .lockedFiles),
    Message(lockedFiles, "{?{skip} ?}[{process}:{pid}]" + suspended, .lockedFiles),
    Message(lockedFiles, "{?{skip} ?}{process:w}[{pid}]" + suspended, .lockedFiles),
    Message(
      "suspended while holding a shared file lock:",
      "{?{skip} ?}RunningBoard terminated [{process}:{pid}] because it was suspended while holding"
        + " a shared file lock:{? {path}?}", .lockedFiles),
    Message(
      "caught causing excessive wakeups",
      "{?{skip} ?}process {process}[{pid}] caught causing excessive wakeups{?{skip}?}",
      .exception("EXC_RESOURCE", subtype: "WAKEUPS")),
    Message(
      "caught burning CPU",
      "{?{skip} ?}process {process}[{pid}] {?{skip} ?}caught burning CPU{?!?} {message}",
      .exception("EXC_RESOURCE", subtype: "CPU")),
    Message(
      " EXC_GUARD AST: ", "{?{skip} ?}[{process}:{pid}] EXC_GUARD AST: {message}",
      .exception("EXC_GUARD")),
    Message(
      "code:SIGABRT(6)", "{skip} [{process}:{pid}] Process exited: {skip}", .signal("SIGABRT")),
    Message(
      "code:SIGSEGV(11)", "{skip} [{process}:{pid}] Process exited: {skip}", .signal("SIGSEGV")),
    Message(
      "code:SIGTRAP(5)", "{skip} [{process}:{pid}] Process exited: {skip}", .signal("SIGTRAP")),
    Message(
      " malloc: *** error for object 0x", "{?{skip} ?}{process}({pid},{skip}) malloc: {message}",
      .words),
    Message(
      " malloc: *** error for object 0x", "{?{skip} ?}{process}[{pid},{skip}] malloc: {message}",
      .words),
    Message(
      "This app has crashed because it attempted to access privacy-sensitive data",
      "{?{skip} ?}{process:w}[{pid}:{skip}] {?[access] ?}{message}",
      .termination(namespace: "TCC")),
    Message(
      "This app has crashed because it attempted to access privacy-sensitive data",
      "This app has crashed because it attempted to access privacy-sensitive data {skip}", .words),
    Message(
      "Assertion failed: (",
      "Assertion failed: ({skip}), function {skip}, file {skip}, line {line}.", .words),
    Message(
      ": runtime error: ", "{file}:{line}:{column}: runtime error: {reason}",
      .finding("UndefinedBehaviorSanitizer")),
    Message(
      "SUMMARY: ", "{?{skip} ?}SUMMARY: {exception:w}Sanitizer: {reason}",
      .finding("Sanitizer")),
    Message(
      "[signal SIG", "{?{skip} ?}[signal {signal:w}: {skip} code={code:x} addr={fault} pc={skip}]",
      .parts),
    Message(
      " at pc=0x", "{?{skip} ?}# {signal:w} ({skip:x}) at pc={skip:x}, pid={pid}, tid={skip:w}",
      .parts),
    Message(
      " at pc=0x", "{signal:w} ({skip:x}) at pc={skip:x}, pid={pid}, tid={skip:w}", .parts),
    // Of Android's C library.
    Message(
      "Fatal signal ",
      "{?{skip} ?}Fatal signal {skip:d} ({signal}), code {skip:w} ({code}), fault addr {fault}{? {skip}?}",
      .parts),
    Message(
      "Fatal signal ",
      "{?{skip} ?}Fatal signal {skip:d} ({signal}), code {skip:d}, fault addr {fault}{? {skip}?}",
      .parts),
    Message(
      "Fatal signal ", "{?{skip} ?}Fatal signal {skip:d} ({signal}), code {skip:w}{? {skip}?}",
      .parts),
    Message("Fatal Python error: ", "Fatal Python error: {skip}", .words),
    // Of Xcode.
    Message(
      ": EXC_BAD_ACCESS (code=1, a", banner + "EXC_{stop:w} (code=1, address={fault})", .parts),
    Message(": EXC_", banner + "EXC_{stop:w}{? ({skip})?}", .parts),
    Message(": signal SIG", banner + "signal {signal:w}", .parts),
    Message(": Fatal error: ", banner + "{message}", .parts),
  ]

  private static let lockedFiles = "suspended with locked system files:"
  private static let suspended = " {?was ?}suspended with locked system files:{? {path}?}"
  private static let banner = "Thread {skip:d}: "

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
    if whole.termination.namespace == nil { whole.termination = facts.termination }
    for line in facts.applicationInformation where !whole.applicationInformation.contains(line) {
      whole.applicationInformation.append(line)
    }
    whole.exception.takeThrown(from: whole.applicationInformation)
    guard saysWhy || Self.isTold(whole) else { return nil }
    return Report(
      format: .crashText, byteRange: range, facts: whole, images: [], backtraces: [], faults: [])
  }

  /// Whether the fields say what happened, in the words that reports have.
  private static func isTold(_ facts: ReportFacts) -> Bool {
    let termination = facts.termination
    let namesReason =
      termination.namespace != nil
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

import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// What was printed above and below a trace.
extension TraceBuilder {
  /// What was printed before the stack, down to the first of several lines that say nothing.
  mutating func readFacts(above line: TextLine, _ floor: Int) {
    var current = line
    var (remaining, loose, lines) = (16, 0, 0)
    /// The text of the line below, if it says nothing.
    var below: Range<Int>?
    /// Whether the lines may be those of an exception's reason, which ends with a quotation mark.
    var isQuoted = false
    /// Who wrote the lines, if a log says so. Lines of other processes may be between them.
    var writer: ReportFacts.ProcessReference?
    while remaining > 0, loose < 4, let above = source.lineAbove(current), above.start >= floor {
      current = above
      if !isQuoted { remaining -= 1 }
      var range = TraceGrammar.content(of: above, in: source)
      guard !range.isEmpty else {
        below = nil
        continue
      }
      if grammar.format == .callStack, let head = logHead(range) {
        if let writer, head.writer.identifier != writer.identifier { continue }
        writer = head.writer
        range = head.message
      } else if writer != nil, source.isRepetition(range) {
        continue
      }
      guard case .line(let rule, let match)? = grammar.reading(source, range),
        !isQuoted || match[.reason] != nil
      else {
        if lines == 0, loose == 0, grammar.format == .callStack {
          isQuoted = isQuoted || source[range.upperBound - 1] == UInt8(ascii: "'")
        }
        if isQuoted, lines < 1000 { lines += 1 } else { loose += 1 }
        below = range
        continue
      }
      isQuoted = false
      switch rule.role {
      case .factAbove where loose > 0 && match[.stop] != nil && grammar.format == .callStack:
        // It may be that of another report.
        loose += 1
        continue
      // Programs print errors that they caught, too.
      case .factAbove where loose > 0 && rule.title == TraceGrammar.errorOfNode:
        loose += 1
        continue
      case .factAbove:
        facts.take(match, source, above: line.start, title: rule.title)
        if facts.process.name == nil, match[.exception] != nil,
          let stars = source.find("*** ", from: range.lowerBound, limit: range.upperBound)
        {
          facts.takeWriter(range, stars, source)
        }
        if facts.process.name == nil, match[.exception] != nil || match[.reason] != nil,
          let message = source.logHeadEnd(range)
        {
          facts.takeWriter(range, message, source)
        }
        if let below, match[.exception] != nil, facts.exception.reason == nil,
          source[below.lowerBound] != Ascii.quote
        {
          facts.exception.reason = reason(in: below)
        } else if let below, !rule.title.isEmpty, match[.message] == nil {
          facts.applicationInformation.append(rule.title + source.string(below))
          if facts.process.name == nil, let writer {
            (facts.process.name, facts.process.identifier) = (writer.name, writer.identifier)
          }
        }
      // The frames began the trace, if something stands in front of the exception.
      case .exception where loose == 0 && facts.exception.name == nil:
        facts.take(match, source, above: line.start, title: rule.title)
      case .build: images.takeBuild(match, source)
      case .fact, .thread, .exception, .cause, .mapping, .place:
        loose += 1
        continue
      }
      // A process may have hundreds of modules.
      if remaining < 16, lines < 1000 { remaining += 1 }
      lines += 1
      start = above.start
    }
  }

  /// Takes what a compiler was doing from the lines between the head of its dump and the first
  /// frame.
  mutating func takeCompilerDump(above line: TextLine) {
    guard grammar.format == .llvmStackDump else { return }
    takeAssertion()
    var dump = CompilerDump()
    var next = start
    while next < line.start {
      let step = source.line(at: next)
      next = step.next
      let first = source.skipSeparators(from: step.start, limit: step.end)
      guard step.end - first < 8192 else { continue }
      _ = dump.take(TextLine(start: first, end: step.end, next: step.next), source)
    }
    dump.complete(&facts)
  }

  /// Takes the assertion for which the compiler called `abort()`, from the lines above its dump; or
  /// right above it why the program stopped that the interpreter ran:
  /// `Board.swift:7: Fatal error: no cards`.
  ///
  /// Source: swiftlang/swift, stdlib/public/stubs/Assert.cpp.
  private mutating func takeAssertion() {
    var current = source.line(at: start)
    for index in 0..<12 {
      guard let above = source.lineAbove(current), above.start >= reasonFloor,
        above.end - above.start < 4096
      else { return }
      current = above
      let isOfProgram =
        index == 0 && source.find(".swift:", from: above.start, limit: above.end) != nil
        && source.find(": Fatal error: ", from: above.start, limit: above.end) != nil
      guard
        isOfProgram || source.find("Assertion ", from: above.start, limit: above.end) != nil,
        let words = LastWords(above, of: source), isOfProgram || LastWords.isAssertion(words.text)
      else { continue }
      facts.applicationInformation.append(words.text)
      return
    }
  }

  /// Who wrote a line of a log, and what, if a part of the message about an exception is there.
  private func logHead(
    _ range: Range<Int>
  ) -> (writer: ReportFacts.ProcessReference, message: Range<Int>)? {
    guard source[range.upperBound - 1] != Ascii.quote, let start = source.logHeadEnd(range),
      start < range.upperBound,
      // With the stars, patterns know what is in front of it.
      source.find("*** ", from: start, limit: range.upperBound) == nil,
      let writer = source.logWriter(range, before: start)
    else { return nil }
    return (writer, start..<range.upperBound)
  }

  /// Takes the name of the process from the output above the words about its end, if these have no
  /// head of a log: a terminal has no other program's lines.
  ///
  /// ```text
  /// % /Applications/Board.app/Contents/MacOS/Board
  /// 2026-01-01 10:00:00.000 Board[812:4711] no cards
  /// *** Terminating app due to uncaught exception 'NSGenericException', reason: '…'
  /// ```
  mutating func takeWriter(above start: Int, _ floor: Int) {
    guard facts.process.name == nil,
      facts.exception.name != nil || !facts.applicationInformation.isEmpty,
      let writer = source.writer(above: source.line(at: start), floor: floor)
    else { return }
    (facts.process.name, facts.process.identifier) = (writer.name, writer.identifier)
  }

  /// Whether the number of the thread is above its frames, as in Bugly's pages.
  var isNumberedCallStack: Bool {
    grammar.format == .callStack && open?.number != nil && open?.frames.isEmpty == true
  }

  /// Takes why the thread ended, which Bugly writes between its number and its frames: a signal and
  /// its code, or an exception's name, below which is the reason.
  ///
  /// ```text
  /// #12 Thread
  /// SIGBUS
  /// BUS_ADRALN
  /// 0 Board  Page::path() const (Page.cpp:12)
  /// ```
  ///
  /// Source: github.com/Tencent/wcdb, issue 482.
  mutating func takeEnding(_ range: Range<Int>) -> Bool {
    guard isNumberedCallStack, range.count > 5, range.count < 128,
      Ascii.isUppercase(source[range.lowerBound]),
      source.bytes[range].allSatisfy({ Ascii.isWord($0) || $0 == UInt8(ascii: "_") })
    else { return false }
    let word = source.string(range)
    if MachNames.isSignal(word) {
      facts.exception.signal = facts.exception.signal ?? word
    } else if facts.exception.signal != nil, facts.exception.subtype == nil,
      ["SEGV_", "BUS_", "ILL_", "FPE_", "TRAP_", "SI_"].contains(where: { word.hasPrefix($0) })
    {
      facts.exception.subtype = word
    } else if word.hasSuffix("Exception"), facts.exception.name == nil {
      facts.exception.name = word
      open?.kind = .lastException
    } else {
      return false
    }
    open?.isCrashed = true
    open?.end = range.upperBound
    return true
  }

  /// Takes name and reason of an exception of Objective-C from the lines between the words of .NET
  /// and the frames:
  ///
  /// ```text
  /// ObjCRuntime.ObjCException: Objective-C exception thrown.
  /// Name: NSRangeException
  /// Reason: index 5 beyond bounds [0 .. 2]
  /// ```
  ///
  /// Source: as that of ``ReportFacts/exceptionInDotNet(_:)``. The reason may have several lines.
  private mutating func takeExceptionInDotNet() {
    guard grammar.format == .dotNetTrace,
      facts.exception.reason.map({ $0.hasSuffix(ReportFacts.dotNetWords) }) == true,
      let first = source.find(ReportFacts.dotNetWords, from: start, limit: end)
    else { return }
    var words = ReportFacts.dotNetWords
    var next = source.line(at: first).next
    for _ in 0..<12 where next < end {
      let line = source.line(at: next)
      next = line.next
      let text = source.trimmed(line.start..<line.end)
      if text.isEmpty, words.firstRange(of: " Reason: ") != nil { break }
      guard text.count < 1024, grammar.frame(source, text) == nil,
        !source.has("Native stack trace:", at: text.lowerBound, limit: text.upperBound)
      else { break }
      if !text.isEmpty { words += " \(source.string(text))" }
    }
    guard let (name, reason) = ReportFacts.exceptionInDotNet(words) else { return }
    (facts.exception.name, facts.exception.reason) = (name, reason)
  }

  /// Takes what a failed check says from the arguments that a debugger shows of a function which
  /// does nothing but end the process:
  ///
  /// ```text
  /// frame #3: 0x1049a0b1c Board`deck::terminate(message="Assertion failed: has_cards()", …) at …
  /// #4  0x00007ffff7a2 in __assert_fail (assertion=0x5604 "cards > 0", file=0x5610 "deck.c", …
  /// ```
  ///
  /// Only such functions, and those that raise the signal, may be above it.
  ///
  /// Source: lldb, source/Core/FormatEntity.cpp (`${function.name-with-args}`); gdb's manual,
  /// "Print Settings" (`print frame-arguments`); the parameters: glibc, assert/assert.c;
  /// github.com/realm/realm-core, src/realm/util/terminate.cpp.
  mutating func takeFailedCheck(_ frame: StackFrame, _ line: Range<Int>) {
    guard grammar.format == .lldbBacktrace || grammar.format == .gdbBacktrace, let open,
      !open.frames.isEmpty, open.frames.count < 16, open.isCrashed || backtraces.isEmpty,
      facts.applicationInformation.isEmpty, facts.exception.name == nil,
      facts.exception.type.map({ ["EXC_CRASH", "EXC_BREAKPOINT"].contains($0) }) ?? true,
      facts.exception.signal.map({ ["SIGABRT", "SIGTRAP", "SIGILL"].contains($0) }) ?? true,
      frame.endsProcess(Self.checks), open.frames.allSatisfy({ $0.endsProcess(Self.ends) })
    else { return }
    let limit = min(line.upperBound, line.lowerBound + 4096)
    if let words = source.argument(of: ["message", "msg"], line.lowerBound..<limit) {
      facts.applicationInformation.append(words)
    } else if let condition = source.argument(
      of: ["assertion", "expr", "condition"], line.lowerBound..<limit)
    {
      facts.applicationInformation.append("Assertion failed: (\(condition))")
    }
  }

  /// Parts of the names of functions that report what failed.
  private static let checks = ["assert", "terminate", "abort", "fatal", "panic", "fail"]
  /// Also of those that end the process for them.
  private static let ends = checks + ["kill", "raise", "please_report", "gsignal"]

  /// Whether a thread above crashed for another reason than an exception whose heading follows: it
  /// neither threw nor gave up. Notes list several crashes of Crashlytics, one below the other.
  var isBelowOtherCrash: Bool {
    guard grammar.format == .crashlytics,
      let crashed = backtraces.first(where: \.isCrashed)
    else { return false }
    return !crashed.frames.prefix(16).contains { frame in
      frame.symbol.map { symbol in
        Self.ends.contains { symbol.name.firstRange(of: $0) != nil }
          || symbol.name.firstRange(of: "xception") != nil
      } ?? true
    }
  }

  /// What is known at the end of the trace only.
  mutating func completeFacts() {
    takeExceptionInDotNet()
    takeCause()
    takeWordsBelow()
    // Who names the address of a bad pointer alone may leave the exception out.
    if facts.exception.codes.count == 2, facts.exception.codes.first == 1,
      facts.exception.type == nil, facts.exception.name == nil,
      // Darwin makes that signal of this code, but for stack guards.
      facts.exception.signal.map({ $0 == "SIGSEGV" && grammar.format == .crashlytics }) ?? true
    {
      facts.exception.type = "EXC_BAD_ACCESS"
    }
    // Of other exceptions it is that of the instruction, and their codes are words.
    if grammar.format == .minidumpStackwalk, facts.exception.type == "EXC_SOFTWARE" {
      facts.exception.codes = []
    }
    // Of other signals it is that of the instruction.
    if grammar.format == .crashlytics, facts.exception.type == nil,
      let signal = facts.exception.signal, !["SIGSEGV", "SIGBUS"].contains(signal)
    {
      facts.exception.codes = []
    }
    if grammar.format == .crashlytics, let name = facts.exception.name,
      facts.exception.reason == nil
    {
      // Titles may be among the lines above the frames that say nothing.
      let heading = backtraces.first { $0.kind == .lastException }?.byteRange.lowerBound
      facts.exception.reason = ExceptionTitle.reason(
        of: name, above: heading ?? start, source, floor: reasonFloor)
    }
  }

  /// Puts the last cause behind the reason of the exception: who catches an exception and throws
  /// another one says less.
  private mutating func takeCause() {
    guard let cause, let name = cause.text(.exception, source) else { return }
    let words = "caused by \(name)" + (cause.text(.reason, source).map { ": \($0)" } ?? "")
    // Source: github.com/Kotlin/kotlinx.coroutines, DispatchedTask.kt (`handleFatalException`).
    let advice = ". Please read KDoc to 'handleFatalException' method"
    let reason = facts.exception.reason.map { reason in
      reason.firstRange(of: advice).map { String(reason[..<$0.lowerBound]) } ?? reason
    }
    facts.exception.reason = reason.map { "\($0), \(words)" } ?? words
  }

  /// Takes what the program printed from the lines below. If another trace or report follows, its
  /// words are above it.
  mutating func takeWordsBelow() {
    guard grammar.traits.hasWordsBelow, facts.exception.name == nil,
      facts.applicationInformation.isEmpty
    else { return }
    let below = source.line(at: end).next
    var limit = below
    var boundary = boundary
    for _ in 0..<24 where limit < source.count {
      let line = source.line(at: limit)
      guard line.end - line.start < 4096 else { break }
      guard !boundary.isReached(at: line),
        grammar.frame(source, TraceGrammar.content(of: line, in: source)) == nil,
        source.traceGrammar(beginningAt: line, looksAhead: false) == nil
      else { return }
      limit = line.next
    }
    var notes = HeadNotes()
    notes.takeLastWords(below: end, to: limit, of: source)
    facts.applicationInformation += notes.lastWords.map(\.text)
  }
}

extension TextSource {
  /// `Jan  2 10:00:00 --- last message repeated 20 times ---`, as Apple's syslog writes it.
  fileprivate func isRepetition(_ range: Range<Int>) -> Bool {
    find(" last message repeated ", from: range.lowerBound, limit: range.upperBound) != nil
  }
}

extension StackFrame {
  /// Whether the last part of the function's name has one of these in it.
  fileprivate func endsProcess(_ parts: [String]) -> Bool {
    guard let name = symbol?.name, name.utf8.count < 256 else { return false }
    let last = name.firstRange(of: "(").map { name[..<$0.lowerBound] } ?? name[...]
    let word = last.split(separator: ":").last?.lowercased() ?? ""
    return parts.contains { word.firstRange(of: $0) != nil }
  }
}

extension TextSource {
  /// The text that an argument of one of these names has, in quotation marks and maybe behind its
  /// address. Nil if there is none, or it is empty.
  fileprivate func argument(of names: [String], _ line: Range<Int>) -> String? {
    for name in names {
      guard let start = find("\(name)=", from: line.lowerBound, limit: line.upperBound),
        start > line.lowerBound, "( ".utf8.contains(self[start - 1])
      else { continue }
      var open = start + name.utf8.count + 1
      if let address = hexadecimal(at: open, limit: line.upperBound) { open = address.end + 1 }
      guard has("\"", at: open, limit: line.upperBound) else { continue }
      var end = open + 1
      while end < line.upperBound, self[end] != Ascii.quote {
        end += self[end] == UInt8(ascii: "\\") ? 2 : 1
      }
      let text = trimmed(open + 1..<min(end, line.upperBound))
      if !text.isEmpty { return string(text) }
    }
    return nil
  }
}

extension ReportFacts.CrashException {
  /// Whether its kind or its signal is known.
  var isKnown: Bool { type != nil || signal != nil }
}

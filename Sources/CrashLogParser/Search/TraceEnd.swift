import JsonReading
import LogStatements
import ReportFormats
import ReportModel
import ReportWrappings
import RuntimeReports
import SymbolicationModel

// The end of a trace whose beginning somebody left out, above the one that the text is about.
extension Report {
  /// Whether this is no more than the outermost frames of a thread, and says nothing of a crash:
  ///
  /// ```text
  /// 21  libdispatch.dylib        0x0000000106361b0f _dispatch_worker_thread2 + 135
  /// 22  libsystem_pthread.dylib  0x00007fff60340417 _pthread_wqthread + 244
  /// 23  libsystem_pthread.dylib  0x00007fff6033f42f start_wqthread + 15
  /// ```
  var isEndOfTrace: Bool {
    guard format == .callStack, backtraces.count == 1, images.isEmpty, let stack = backtraces.first,
      let first = stack.frames.first?.index, first > 3, let last = stack.frames.last
    else { return false }
    return facts.exception.type == nil && facts.exception.signal == nil
      && facts.exception.name == nil && facts.applicationInformation.isEmpty
      && facts.process.name == nil && stack.frames.count < 24
      && last.symbol.map { Self.roots.contains($0.name) } == true
  }

  /// Whether this is another trace of the same program, which says what it is about.
  func follows(_ end: Report) -> Bool {
    format == end.format && images.isEmpty
      && (facts.exception.name != nil || !facts.applicationInformation.isEmpty)
  }

  /// The trace, with the end of the earlier one as a stack behind its own.
  func behind(_ end: Report) -> Report {
    // What it is about is its own stack.
    let isMarked = backtraces.contains { $0.isCrashed || $0.kind == .lastException }
    let own = backtraces.enumerated().map { index, stack in
      isMarked ? stack : stack.mapping(isCrashed: index == 0) { $0 }
    }
    return Report(
      format: format, byteRange: end.byteRange.lowerBound..<byteRange.upperBound, facts: facts,
      images: images, backtraces: own + end.backtraces, faults: end.faults + faults)
  }

  /// Source: github.com/apple-oss-distributions/libpthread, src/pthread_asm.s; dyld, dyldMain.cpp.
  private static let roots: Set<String> = [
    "start_wqthread", "thread_start", "_pthread_start", "start", "_dyld_start",
  ]
}

extension Report {
  /// The report with what the text above says that is no part of it: the code with which a process
  /// was killed, if a cut report has only the signal; the code of a signal, or the signal that made
  /// Mono print it, if a trace says nothing; the condition of an assertion.
  ///
  /// - Parameter floor: where the text begins that belongs to no other report.
  ///
  /// Source: github.com/Adobe-Marketing-Cloud/mobile-services, issue 352, for the first.
  func completed(withTitleAbove source: TextSource, floor: Int) -> Report {
    let exception = facts.exception
    let isAssertion =
      exception.name == "NSInternalInconsistencyException" && exception.reason == nil
    let isKilled =
      format == .crashText && exception.signal == "SIGKILL" && facts.termination.code == nil
      && facts.termination.namespace == nil
    let isBare = isKilled || isAssertion || isStackWithoutReason
    guard facts.event == .crash, isBare else { return self }
    let start = max(floor, byteRange.lowerBound - 4096)
    // What was read above the frames may begin with the title.
    let first = max(start, backtraces.first?.frames.first?.byteRange?.lowerBound ?? start)
    var report = self
    if isAssertion { report.facts.exception.reason = source.failedParameter(in: start..<first) }
    guard start < byteRange.lowerBound, !isAssertion else { return report }
    if isKilled {
      report.facts.termination.code = source.endingCode(inHeading: start..<byteRange.lowerBound)
    } else if exception.type == nil,
      let found = source.signalCode(inSentence: start..<byteRange.lowerBound),
      exception.signal ?? found.signal == found.signal
    {
      (report.facts.exception.signal, report.facts.exception.subtype) = found
    } else if exception.type == nil, exception.signal == nil, format == .callStack {
      report.facts.exception.signal = source.signalOfMono(in: start..<first)
    }
    return report
  }
}

// A stack that somebody shows first, and below it the fields of its report that say what happened.
extension Report {
  /// The stack with what the fields right below it say:
  ///
  /// ```text
  /// 0  Board  Page.turn() + 324
  /// …
  ///
  /// Exception Type:    EXC_BAD_ACCESS (SIGSEGV)
  /// Exception Subtype: KERN_INVALID_ADDRESS at 0x0000000000000640
  /// ```
  ///
  /// A report has them above its threads, and other sentences may be about another crash, so only
  /// fields count.
  ///
  /// Source: developer.apple.com/documentation/xcode/examining-the-fields-in-a-crash-report; for
  /// the order, github.com/tauri-apps/wry, issue 1730.
  func completed(withFieldsBelow source: TextSource, limit: Int) -> Report {
    guard isStackWithoutReason, let last = backtraces.map(\.byteRange.upperBound).max() else {
      return self
    }
    let start = source.line(at: last).next
    let end = source.lineStart(of: min(limit, source.count, start + 2048))
    guard start < end,
      Self.fieldKeys.contains(where: { key in
        source.find(key, from: start, limit: end) != nil
      }), let words = CrashStatements.report(in: source, start..<end),
      words.saysEnd, isAbout(sameAs: words), words.facts.process.name == nil,
      source.bytes[start..<words.byteRange.lowerBound].count(where: { $0 == Ascii.lineFeed }) <= 8
    else { return self }
    return completed(withFields: words)
  }

  /// The stack with what the head of a report below it says that has nothing but fields, and names
  /// no process; nil if these are something else.
  func completed(withFieldsOf head: Report) -> Report? {
    guard isStackWithoutReason, head.format == .crashText, head.backtraces.isEmpty,
      head.images.isEmpty, head.saysEnd, isAbout(sameAs: head), head.facts.process.name == nil,
      head.facts.fields.contains(where: { field in Self.fieldKeys.contains { field.name == $0 } })
    else { return nil }
    return completed(withFields: head)
  }

  private func completed(withFields words: Report) -> Report {
    var report = completed(with: words)
    report.facts.fields += words.facts.fields
    report.facts.memoryRegion = words.facts.memoryRegion
    report.facts.statedCrashedThread =
      facts.statedCrashedThread ?? words.facts.statedCrashedThread
    return report
  }

  /// Whether the frames are all that is known of a crash, but for the kind of the exception.
  private var isStackWithoutReason: Bool {
    (format.family == ReportFormat.callStack.family || isTextWithoutHead)
      && facts.event == .crash && facts.exception.subtype == nil && facts.exception.codes.isEmpty
      && facts.exception.name == nil && facts.termination.namespace == nil
      && facts.applicationInformation.isEmpty && facts.fields.isEmpty
  }

  private var saysEnd: Bool {
    facts.exception.type != nil || facts.termination.namespace != nil
  }

  /// Whether the other one names no other kind of exception.
  private func isAbout(sameAs words: Report) -> Bool {
    let (own, other) = (facts.exception, words.facts.exception)
    return (own.type == nil || other.type == own.type)
      && (own.signal == nil || other.signal == nil || other.signal == own.signal)
  }

  /// Whether lines have the words of an assertion, which ends the process, or say what a compiler
  /// was doing when it crashed.
  var saysOwnWords: Bool {
    facts.applicationInformation.contains {
      CrashStatements.isAssertion($0) || CompilerDump.isSentence($0)
    }
  }

  private static let fieldKeys = ["Exception Type", "Termination Reason"]
}

// What the shell says below the stack that a program printed of itself.
extension Report {
  /// The stack that a process printed when it got a signal, with the signal's name from the line of
  /// the shell, which is the next one that anybody prints:
  ///
  /// ```text
  /// 1  board                    0x000000010e62ccc0 SignalHandler(int) + 352
  /// 2  libsystem_platform.dylib 0x00007fff71c8242d _sigtramp + 29
  /// fish: Job 1, './board' terminated by signal SIGSEGV (Address boundary error)
  /// ```
  ///
  /// Source: fish-shell, src/proc.rs; for other shells, those of `ShellLine`.
  func withShellLine(below source: TextSource, limit: Int) -> Report {
    // On Linux the names may be missing, or those of the handler.
    let isBare =
      format == .llvmStackDump || format == .glibcBacktrace || format == .swiftServerBacktrace
    guard format.family == ReportFormat.callStack.family, facts.event == .crash,
      facts.exception.type == nil, facts.exception.signal == nil, facts.exception.name == nil,
      facts.termination.namespace == nil, isBare || isOfSignalHandler
    else { return self }
    let start = source.line(at: byteRange.upperBound).next
    var end = start
    for _ in 0..<(isBare ? 1 : 4) where end < min(limit, source.count) {
      let line = source.line(at: end)
      guard line.end - line.start < 1024 else { break }
      end = line.next
    }
    guard start < end, end <= limit else { return self }
    var report = self
    if isBare, let signal = source.signalAlone(in: source.line(at: start)) {
      report.facts.exception.signal = signal
      return report
    }
    guard let words = CrashStatements.report(in: source, start..<end),
      let signal = words.facts.exception.signal, words.facts.exception.type == nil,
      words.facts.exception.name == nil, words.backtraces.isEmpty
    else { return self }
    report.facts.exception.signal = signal
    return report
  }

  /// Whether a handler of signals printed the stack, which prints the signal, too.
  var isOfSignalHandler: Bool {
    hasInnermostFunction(among: 8) { name in
      ["SignalHandler", "_sigtramp", "PrintStackTrace"].contains { name.firstRange(of: $0) != nil }
    }
  }

  /// Whether one of the innermost frames of the stack that crashed, or of the first, has such a
  /// name.
  fileprivate func hasInnermostFunction(among count: Int, where fits: (String) -> Bool) -> Bool {
    let stack = backtraces.first(where: \.isCrashed) ?? backtraces.first
    return stack?.frames.prefix(count).contains { $0.symbol.map { fits($0.name) } ?? false }
      ?? false
  }
}

// Who printed the log below a stack.
extension Report {
  /// The stack of an exception that names no process, with the name from the log below it, which
  /// only that process wrote.
  func withWriter(below source: TextSource, limit: Int) -> Report {
    guard facts.exception.name != nil, facts.process.name == nil, facts.process.path == nil,
      images.isEmpty, limit >= source.count,
      backtraces.allSatisfy({ $0.frames.allSatisfy { $0.imageName == nil } }),
      let writer = source.writer(below: source.line(at: byteRange.upperBound))
    else { return self }
    var report = self
    (report.facts.process.name, report.facts.process.identifier) = (writer.name, writer.identifier)
    return report
  }
}

// What Qt printed right before it ended the process.
extension Report {
  /// The report with what qFatal() printed above it, if that ended the process:
  ///
  /// ```text
  /// board.cards: Could not find the deck "blue"
  /// This application failed to start because no deck could be found.
  ///
  /// Program crashed: Aborted at 0x0000000182342388
  /// …
  /// 4 0x0000000105cf2f38 QMessageLogger::fatal(char const*, ...) const + 148 in libQt6Core.6.dylib
  /// ```
  ///
  /// Its message is the last thing that the process printed. A category may be in front of it, and
  /// the line above says more. Other text above a report may be anybody's.
  ///
  /// Source: github.com/qt/qtbase, src/corelib/global/qlogging.cpp (`qt_message_fatal`, and
  /// `defaultPattern`, with the category in front); src/gui/kernel/qguiapplication.cpp
  /// (`init_platform`).
  ///
  /// - Parameter floor: no line is taken from above this offset.
  func withWordsOfQt(above source: TextSource, floor: Int) -> Report {
    guard byteRange.lowerBound > floor, facts.event == .crash, facts.exception.name == nil,
      facts.applicationInformation.allSatisfy({ $0 == "abort() called" }), endsInQt
    else { return self }
    var words: [String] = []
    var current = source.line(at: source.lineStart(of: byteRange.lowerBound))
    for _ in 0..<8 {
      guard let line = source.lineAbove(current), line.start >= floor,
        line.end - line.start < 1024
      else { break }
      current = line
      let range = source.trimmed(line.start..<line.end)
      if range.isEmpty, words.isEmpty { continue }
      guard words.count < 2, source.isMessageOfQt(range) else { break }
      words.insert(source.string(range), at: 0)
    }
    guard !words.isEmpty else { return self }
    var report = self
    report.facts.applicationInformation.insert(contentsOf: words, at: 0)
    return report
  }

  private var endsInQt: Bool {
    hasInnermostFunction(among: 12) { name in
      ["QMessageLogger::fatal", "qt_message_fatal", "qFatal", "_ZNK14QMessageLogger5fatal"]
        .contains { name.hasPrefix($0) }
    }
  }
}

extension TextSource {
  /// Whether a line has the category of a message (`qt.qpa.plugin: `), the class that speaks
  /// (`QWidget: `), or words that Qt ends a program with.
  fileprivate func isMessageOfQt(_ range: Range<Int>) -> Bool {
    let starts = ["This application failed to start because ", "ASSERT: \"", "ASSERT failure in "]
    if starts.contains(where: { has($0, at: range.lowerBound, limit: range.upperBound) }) {
      return true
    }
    let word = bytes[range].prefix { Ascii.isWord($0) || ".:_".utf8.contains($0) }
    guard word.count > 4, word.last == Ascii.colon, word[word.endIndex - 2] != UInt8(ascii: "."),
      has(" ", at: word.endIndex, limit: range.upperBound)
    else { return false }
    if word.first == UInt8(ascii: "Q") { return Ascii.isUppercase(word[word.startIndex + 1]) }
    return word[(word.startIndex + 1)..<(word.endIndex - 2)].contains(UInt8(ascii: "."))
      && !word.contains { Ascii.isUppercase($0) }
  }
}

// What was printed or written above a stack whose frames say less.
extension Report {
  /// Whether a stack is of a process that ended itself: a debugger shows how, and not what for.
  var isAborted: Bool {
    guard facts.exception.subtype == nil else { return false }
    switch facts.exception.signal {
    case "SIGABRT": return true
    case "SIGILL", "SIGTRAP": return endsInSwiftFailure
    default: return facts.exception.type == "EXC_CRASH"
    }
  }

  /// Whether a report says nothing about why `abort()` was called.
  var isBareAbort: Bool {
    facts.exception.signal == "SIGABRT" && facts.exception.name == nil
      && facts.applicationInformation.allSatisfy { $0 == "abort() called" }
  }

  /// Whether Swift's runtime stopped the process for what it printed before.
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/core/AssertCommon.swift.
  var endsInSwiftFailure: Bool {
    guard let frames = backtraces.first(where: \.isCrashed)?.frames ?? backtraces.first?.frames
    else { return false }
    return frames.prefix(8).contains { frame in
      frame.symbol.map { $0.name.firstRange(of: "_assertionFailure") != nil } ?? false
    }
  }

  /// Whether lines have what it prints.
  var saysSwiftFailure: Bool {
    facts.applicationInformation.contains { line in
      line.firstRange(of: "Fatal error: ") != nil && line.firstRange(of: ".swift") != nil
    }
  }

  /// The head of a report about `abort()` that ends before its frames, with the place of a panic
  /// that a sentence above it names.
  func withPanic(above source: TextSource, floor: Int?) -> Report {
    let limit = byteRange.lowerBound
    let start = max(floor ?? source.textStart, limit - 4096)
    var report = self
    if start < limit, let words = source.panicPlace(inSentence: start..<limit) {
      report.facts.applicationInformation.insert(words, at: 0)
    }
    return report
  }
}

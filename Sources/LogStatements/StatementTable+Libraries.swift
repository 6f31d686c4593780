import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// What runtimes, engines and big libraries print before they end a process, a row for each.
extension StatementMessage {
  /// Failed checks, with the place in the source.
  ///
  /// Source: FFmpeg, libavutil/avassert.h; systemd/systemd, src/basic/log.c
  /// (`log_assert_failed`); google/glog, src/logging.cc; flutter/flutter, engine's fml/logging.cc;
  /// v8/v8, src/base/logging.cc (`V8_Fatal`); GNOME/glib, glib/gtestutils.c; realm/realm-core,
  /// src/realm/util/terminate.cpp; dart-lang/sdk, runtime/platform/assert.cc; Unreal Engine,
  /// Core/Private/Misc/AssertionMacros.cpp; musl, src/exit/assert.c; mono/mono,
  /// mono/eglib/goutput.c; llvm/llvm-project, libcxx/include/__assert; gcc,
  /// libstdc++-v3/src/c++11/assert_fail.cc; LMDB/lmdb, libraries/liblmdb/mdb.c (`mdb_assert_fail`).
  static let checks = [
    Self(
      "Assertion ", writer + "Assertion {skip} failed at {file:w}:{line}",
      writer + "Assertion '{skip}' failed at {file:w}:{line}, function {skip}. Aborting.",
      means: .wordsFromSign),
    Self(
      "Check failed: ", head + "F{skip:d} {skip:w} {skip:d} {file:w}:{line}] Check failed: {skip}",
      head + "[FATAL:{file:w}({line})] Check failed: {skip}", means: .wordsFromSign),
    Self(
      "Fatal error in ", "# Fatal error in {skip}, line {line}", "# Fatal error in , line {line}",
      means: .wordsGoingOn(below: "# ")),
    Self(
      "ssertion failed: ",
      "{?Bail out! ?}ERROR:{file:w}:{line}:{symbol:w}: assertion failed: ({skip})",
      "{file}:{line}: [realm-core-{skip:w}] Assertion failed: {skip}",
      "Assertion failed: {skip} ({file:w}: {symbol:w}: {line})", means: .words),
    Self(
      "Assertion failed: ",
      head + "Assertion failed: {skip} [File:{skip}] [Line: {line}]{? {skip}?}",
      means: .wordsFromSign),
    Self("runtime/vm/", "{file:w}: {line}: error: {skip}", means: .words),
    Self(
      "Assertion at ", "{?* ?}Assertion at {file:w}:{line}, condition `{skip}' not met{?, {skip}?}",
      means: .wordsFromSign),
    Self(
      "Assertion: should not be reached at ",
      "{?* ?}Assertion: should not be reached at {file:w}:{line}", means: .wordsFromSign),
    Self(
      "/c++/v1/", "{file}:{line}: assertion {skip} failed: {skip}",
      "{file}:{line}: libc++ Hardening assertion {skip} failed: {skip}", means: .words),
    Self(
      ": Assertion '", "{file}:{line}: {skip}: Assertion '{skip}' failed.",
      "{file}:{line}: Assertion '{skip}' failed in {skip}()", means: .words),
  ]

  /// What else they say before they end the process, or after a signal.
  ///
  /// Source: gcc, libstdc++-v3/libsupc++/vterminate.cc and pure.cc; llvm/llvm-project,
  /// llvm/lib/Support/ErrorHandling.cpp; lua/lua, lauxlib.c (`panic`); ruby/ruby, signal.c;
  /// JuliaLang/julia, src/signal-handling.c; R, src/main/main.c (`sigactionSegv`); nodejs/node,
  /// src/node_errors.cc; ziglang/zig, lib/std/debug.zig; nim-lang/Nim, lib/system/excpt.nim;
  /// dlang/dmd, druntime/src/rt/dmain2.d; Free Pascal, rtl/inc/system.inc; gcc, ada/libgnat/
  /// a-except.adb, and libgfortran/runtime/compile_options.c; godotengine/godot,
  /// platform/macos/crash_handler_macos.mm.
  static let languages = [
    Self(
      "terminate called ", writer + "terminate called after throwing an instance of '{skip}'",
      means: .wordsGoingOn(below: "what():")),
    Self(
      "terminate called ", writer + "terminate called without an active exception",
      writer + "terminate called recursively", means: .wordsFromSign),
    Self("pure virtual method called", "pure virtual method called", means: .wordsFromSign),
    Self("LLVM ERROR: ", writer + "LLVM ERROR: {skip}", means: .wordsFromSign),
    Self(
      "fatal error: error in backend: ", writer + "fatal error: error in backend: {skip}",
      means: .wordsFromSign),
    // Of Swift. Elsewhere the place has no path in front of it, or the head of a log.
    Self(": Fatal error", "/{file:w}.swift:{line}: Fatal error{?{skip}?}", means: .words),
    Self(
      "UNREACHABLE executed at ", writer + "UNREACHABLE executed at {file:w}:{line}!",
      means: .wordsFromSign),
    Self(
      "PANIC: unprotected error in call to Lua API (",
      writer + "PANIC: unprotected error in call to Lua API ({skip})", means: .wordsFromSign),
    // Titles of issues begin with the same mark.
    Self(
      "[BUG] Segmentation fault at 0x", "{file:w}:{line}: [BUG] Segmentation fault at {fault}",
      "[BUG] Segmentation fault at {fault}", means: .wordsFromSign),
    Self(
      "[BUG] Bus Error at 0x", "{file:w}:{line}: [BUG] Bus Error at {fault}",
      "[BUG] Bus Error at {fault}", means: .wordsFromSign),
    Self(
      "): Segmentation fault", "signal ({signal:d}): Segmentation fault{?: {skip:d}?}",
      "[{pid}] signal {signal:d} ({skip:d}): Segmentation fault{?: {skip:d}?}", means: .parts),
    Self(
      "*** caught ", "*** caught segfault ***", "*** caught bus error ***",
      "*** caught illegal operation ***", means: .words),
    Self(
      "FATAL ERROR: ", head + "FATAL ERROR: {skip} JavaScript heap out of memory",
      head + "FATAL ERROR: {skip} process out of memory", means: .wordsFromSign),
    Self(" panic: ", "thread {skip:d} panic: {skip}", means: .words),
    Self(
      "SIGSEGV: Illegal storage access.",
      writer + "SIGSEGV: Illegal storage access. (Attempt to read from nil?)",
      means: .wordsFromSign),
    Self(
      "core.exception.", "core.exception.{exception:w}@{file:w}({line}): {skip}", means: .words),
    Self("object.Exception@", "object.Exception@{file:w}({line}): {skip}", means: .words),
    Self(
      "raised CONSTRAINT_ERROR : ", "raised CONSTRAINT_ERROR : {skip}", means: .wordsFromSign),
    Self("raised STORAGE_ERROR : ", "raised STORAGE_ERROR : {skip}", means: .wordsFromSign),
    Self("raised PROGRAM_ERROR : ", "raised PROGRAM_ERROR : {skip}", means: .wordsFromSign),
    Self(
      "Program received signal SIG", "Program received signal SIG{signal:w}: {skip}.",
      means: .wordsFromSign),
    Self(
      "Program crashed with signal ", head + "handle_crash: Program crashed with signal {signal:d}",
      means: .parts),
    // Of Xournal++ (xournalpp/xournalpp, src/core/control/CrashHandler.cpp).
    Self(
      "[Crash Handler] Crashed ", "[Crash Handler] Crashed {skip:d} time(s) with signal {signal:d}",
      means: .parts),
  ]
}

extension StatementReading {
  /// What is in a line that begins with a path, if that is the place of a check.
  static let wordsBehindPaths = [
    ": runtime error: ", "_ASSERT(", "_CHECK(", "/c++/", "[realm-core-", ": Assertion '",
    "runtime/vm/", ": Fatal error",
  ]

  /// Takes words whose other half is on the line below, behind a mark:
  ///
  /// ```text
  /// terminate called after throwing an instance of 'page::LoadError'
  ///   what():  no page
  /// ```
  mutating func takeWords(at sign: Int, _ range: Range<Int>, below line: TextLine, mark: String) {
    var words = source.string(sign..<range.upperBound)
    defer { facts.applicationInformation.append(words) }
    guard line.next < source.count else { return }
    let below = source.line(at: line.next)
    let rest = source.trimmed(below.start..<below.end)
    guard rest.count < 2048, source.has(mark, at: rest.lowerBound, limit: rest.upperBound) else {
      return
    }
    let message = source.trimmed(rest.lowerBound + mark.utf8.count..<rest.upperBound)
    guard !message.isEmpty else { return }
    words += ": \(source.string(message))"
    skipEnd = max(skipEnd, below.next)
  }
}

extension StatementMessage {
  /// What Free Pascal's runtime prints about an exception that nobody caught, and Lazarus about one
  /// that no event handler did.
  ///
  /// Source: Free Pascal, rtl/objpas/sysutils/sysutils.inc (`CatchUnhandledException`) and
  /// rtl/inc/system.inc (`InternalExit`); Lazarus, lcl/forms.pp (`ExceptionOccurred`).
  static let pascal = [
    Self(
      "An unhandled exception occurred at $", "An unhandled exception occurred at ${skip:w}",
      means: .pascalException),
    Self(
      "[FORMS.PP] ExceptionOccurred", head + "[FORMS.PP] ExceptionOccurred", means: .pascalException
    ),
    Self("Runtime error ", "Runtime error {skip:d} at ${skip:w}", means: .pascalException),
  ]
}

extension StatementReading {
  /// Takes what is below the first line of Free Pascal's words: the exception, and the first place
  /// with a line on its stack.
  ///
  /// ```text
  /// An unhandled exception occurred at $0000000100012A4C:
  /// EAccessViolation: Access violation
  ///   $0000000100012A4C
  ///   $0000000100013010  DEAL,  line 52 of deck.pas
  /// ```
  ///
  /// Lazarus has `Sender=`, `Exception=` and `Stack trace:` on lines of their own.
  ///
  /// Source: Free Pascal, rtl/unix/lnfodwrf.pp (`DwarfBackTraceStr`).
  mutating func takePascalException(_ head: Range<Int>, _ line: TextLine) -> Bool {
    guard facts.exception.name == nil, facts.applicationInformation.isEmpty else { return true }
    var (name, reason): (String?, String?)
    var hasFrames = false
    var next = line.next
    for index in 0..<64 where next < limit {
      let below = source.line(at: next)
      let text = source.trimmed(below.start..<below.end)
      guard !text.isEmpty, text.count < 1024, hasFrames || index < 8 else { break }
      if source[text.lowerBound] == UInt8(ascii: "$") {
        hasFrames = true
        takePascalFrame(text)
      } else if hasFrames {
        break
      } else if let match = Self.pascalName.match(source, text) {
        name = match.text(.exception, source)
      } else if let match = Self.pascalReason.match(source, text) {
        reason = match.text(.reason, source)
      } else if name == nil, let match = Self.pascalException.match(source, text) {
        name = match.text(.exception, source)
        reason = match.text(.reason, source)
      }
      next = below.next
    }
    if let name {
      (facts.exception.name, facts.exception.reason) = (name, reason)
    } else {
      guard source.has("Runtime error ", at: head.lowerBound, limit: head.upperBound) else {
        return false
      }
      facts.applicationInformation.append(source.string(head))
    }
    skipEnd = max(skipEnd, next)
    return true
  }

  private mutating func takePascalFrame(_ text: Range<Int>) {
    guard innermost == nil else { return }
    for pattern in Self.pascalFrames {
      guard let match = pattern.match(source, text), let file = match.text(.file, source),
        let number = match.integer(.line, source)
      else { continue }
      let name = match.text(.symbol, source)
      let symbol = FrameSymbol(
        name: name ?? "<unknown>", file: file.lastPathComponent, line: number)
      innermost = source.frame(symbol, text)
      facts.process.path = facts.process.path ?? match.text(.path, source)
      facts.process.name = facts.process.name ?? facts.process.path?.lastPathComponent
      return
    }
  }

  private static let pascalName = LinePattern("Sender={exception:w}")
  private static let pascalReason = LinePattern("Exception={reason}")
  private static let pascalException = LinePattern("{exception:w}: {reason}")
  private static let pascalFrames = [
    LinePattern("${skip:w} line {line}{?, column {skip:d}?} of {file} in {path}"),
    LinePattern("${skip:w} line {line}{?, column {skip:d}?} of {file}"),
    LinePattern("${skip:w} {symbol:w}, line {line}{?, column {skip:d}?} of {file}"),
  ]
}

extension StatementReading {
  /// Takes which method of a native module threw an exception, which React Native throws again:
  ///
  /// ```text
  /// Exception 'no cards' was thrown while invoking deal on target DeckModule with params (
  /// ```
  ///
  /// Source: github.com/facebook/react-native, React/Base/RCTModuleMethod.mm.
  mutating func takeNativeModule(_ match: LineMatch) -> Bool {
    guard facts.exception.reason == nil, let reason = match.text(.reason, source),
      let method = match.text(.symbol, source), let module = match.text(.image, source)
    else { return true }
    facts.exception.name = facts.exception.name ?? match.text(.exception, source)
    facts.exception.reason = "\(reason), thrown while invoking \(method) on target \(module)"
    return true
  }
}

extension ReportFacts.Termination {
  /// Takes what dyld says in the lines around the reason of a termination, which says only what
  /// kind of failure it was: `Library not loaded: @rpath/Kit.framework/Kit`. In reports it is below
  /// the reason, and people put it above.
  mutating func takeLinkerWords(near range: Range<Int>, _ source: TextSource) {
    let words = ["Library not loaded: ", "Symbol not found: "]
    guard namespace == "DYLD",
      !details.contains(where: { line in words.contains { line.firstRange(of: $0) != nil } })
    else { return }
    var line = source.line(at: source.lineStart(of: range.lowerBound))
    for _ in 0..<4 {
      guard let above = source.lineAbove(line) else { break }
      line = above
    }
    for _ in 0..<16 {
      let text = source.trimmed(
        line.start..<min(line.end, line.start + 1024), leading: "> `*-\t", trailing: "` \t\r")
      if words.contains(where: { source.has($0, at: text.lowerBound, limit: text.upperBound) }) {
        details.append(source.string(text))
        return
      }
      guard line.next < source.count, line.next < range.upperBound + 512 else { return }
      line = source.line(at: line.next)
    }
  }
}

extension TextSource {
  /// The name of an exception in the sentences around a line: `This is an NSRangeException`. Nil if
  /// there is none, or if there are several.
  ///
  /// - Complexity: looks at 8 lines, and at 4 kB of each.
  func exceptionName(around line: TextLine) -> String? {
    var lines: [TextLine] = []
    var current = line
    for _ in 0..<4 {
      guard let above = lineAbove(current) else { break }
      lines.append(above)
      current = above
    }
    var next = line.next
    for _ in 0..<4 where next < count {
      let below = self.line(at: next)
      lines.append(below)
      next = below.next
    }
    var found: String?
    for line in lines {
      var next = line.start
      let limit = min(line.end, line.start + 4096)
      while let end = find("Exception", from: next, limit: limit) {
        next = end + 9
        var start = end
        while start > line.start, Ascii.isWord(self[start - 1]) { start -= 1 }
        let name = string(start..<next)
        guard name.hasPrefix("NS"), name.utf8.count > 12, !Ascii.isWord(self[next]) else {
          continue
        }
        if let found, found != name { return nil }
        found = name
      }
    }
    return found
  }
}

extension TextSource {
  /// Whether a name is that of a function in which every thread begins: the end of some stack.
  ///
  /// Source: github.com/apple-oss-distributions/libpthread, src/pthread_asm.s and src/pthread.c.
  func isThreadRoot(_ name: Range<Int>) -> Bool {
    let word = bytes[name].prefix { Self.isOfName($0) }
    return Self.threadRoots.contains(string(word.startIndex..<word.endIndex))
  }

  private static let threadRoots: Set = [
    "_pthread_start", "thread_start", "start_wqthread", "_pthread_wqthread",
  ]
}

// Words about a crash that do not state it.
extension TextSource {
  /// Whether the words in front of an exception say when it is thrown: `When a method throws an …`.
  func isCondition(_ before: Range<Int>) -> Bool {
    let start = max(before.lowerBound, before.upperBound - 160)
    return find("hen ", from: start, limit: before.upperBound).flatMap {
      find(" throws a", from: max($0, before.upperBound - 14), limit: before.upperBound)
    } != nil
  }

  /// Whether the sentence of some words says that somebody only guesses: `I think this is …`,
  /// `maybe …`, `…?`.
  ///
  /// - Parameter rest: of their line, from the words on.
  func isGuessed(_ before: Range<Int>, behind rest: Range<Int>) -> Bool {
    var start = max(before.lowerBound, before.upperBound - 240)
    while let end = find(". ", from: start, limit: before.upperBound) { start = end + 2 }
    let words = string(start..<before.upperBound)
    if words.isGuess || Self.guesses.contains(where: { words.firstRange(of: $0) != nil }) {
      return true
    }
    let limit = min(rest.upperBound, rest.lowerBound + 160)
    guard let mark = find("?", from: rest.lowerBound, limit: limit) else { return false }
    // Not of an address of the web, or of Swift's optional types.
    let isEnd = mark + 1 == rest.upperBound || self[mark + 1] == Ascii.space
    return isEnd && find(". ", from: rest.lowerBound, limit: mark) == nil
      && find("`", from: rest.lowerBound, limit: mark) == nil
  }

  private static let guesses = [
    " think ", " guess ", "uspect", "Perhaps", "Possibl", "Probabl", "Maybe", "Might ",
    " could be ",
    "Could ", " unsure ", "not sure ", " seems ",
  ]
}

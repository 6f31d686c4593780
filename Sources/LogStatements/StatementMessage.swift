import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// A line that says something about a crash: a text in it that few other lines have, its shape, and
/// what it means.
struct StatementMessage: Sendable {
  let sign: String
  let pairs: BytePairs
  let patterns: [LinePattern]
  let meaning: Meaning

  init(_ sign: String, _ patterns: String..., means meaning: Meaning) {
    self.sign = sign
    pairs = BytePairs(Array(sign.utf8).span)
    self.patterns = patterns.map { LinePattern($0) }
    self.meaning = meaning
  }

  enum Meaning: Sendable {
    /// The line is what the process said.
    case words
    /// What the process said begins at the sign.
    case wordsFromSign
    /// The same, and they go on in the line below, if that begins with this mark.
    case wordsGoingOn(below: String)
    /// Xcode says why a test could not go on, in the part of the line that is called `message`.
    case testError
    /// Somebody says that the code signature was the reason.
    case signature(code: UInt64?)
    /// Each part of the line is a fact.
    case parts
    /// The parts of a line that CrashWrangler printed.
    case crashWrangler
    /// Each part of the line is a fact; with the innermost frame behind it.
    case crashReason
    /// The title of a crash names an image and its function.
    case crashTitle
    /// Each part of the line is a fact, but none of them says why.
    case facts
    /// The kernel, or who watches it, says that the process exceeded a limit of that kind.
    case exception(String, subtype: String? = nil)
    /// symptomsd says that the process exceeded a limit, whose kind is in the message.
    case resourceNotification
    /// A library's own macro of assertions says what it found, around the sign.
    case assertion
    /// A debug build's assertion failed, after which the program may go on.
    case debugAssertion
    /// glibc says around the sign that the heap is damaged.
    case damagedHeap
    /// TCC ended the process, in words that go on in the lines below.
    case brokenPrivacy
    /// Somebody ended the process.
    case termination(namespace: String, code: UInt64? = nil)
    /// The line says which signal ended the process, or for which reason it was ended.
    case end
    /// The line has what RunningBoard says when it ends a process, or the explanation in it.
    case terminateContext
    /// A test ended with its process.
    case testEnd
    /// The signal that ended a test, if another line says which.
    case testSignal
    /// A test began, or ended as it should.
    case test(isRunning: Bool)
    /// It crashed, and a report was written.
    case savedReport
    /// The line is the head of a crash of Dart's virtual machine.
    case virtualMachine
    /// The kernel panicked with these words, which go on in the next lines.
    case panic
    /// A title quotes the words of a panic.
    case panicTitle
    /// The first line of the kernel's text about a panic begins at the sign, in a sentence or cut.
    case quotedPanic
    /// The line is a part of what the Java virtual machine OpenJ9 prints.
    case openJ9
    /// The line names the program, its version and the system.
    case program
    /// The program caught a signal, at an address.
    case signalAtAddress
    /// A crash SDK names the signal, and maybe the place.
    case signalOfSdk
    /// Go says where it got the signal that the line above names.
    case signalOfGo
    /// The process was suspended while it held locks on files, whose paths follow.
    case lockedFiles
    /// Of a sanitizer of that name, or with that end of its name.
    case finding(String)
    /// Why Xcode or lldb stopped, around the sign.
    case stop
    /// Which limit was exceeded when Xcode or lldb stopped: its kind is at the sign.
    case resourceStop
    /// Somebody's own words name the kind of the exception at the sign, and maybe the function.
    case exceptionName
    /// What the kernel, or a crash SDK, says about the address of a fault stands at the sign, alone
    /// on its line, below the kind of the exception.
    case detailOfFault
    /// What a report says about the exception beside its kind.
    case exceptionMessage
    /// Each part of the line is a fact, and a page of Crashlytics has the place around it.
    case faultOnPage
    /// A sentence quotes the title of an issue of Crashlytics.
    case titleInSentence
    /// Sentry's Markdown names an exception, whose value is on the line below.
    case exceptionOfSentry
    /// A page of Crashlytics names an exception, whose reason is behind it or on the next line.
    case fatalException
    /// The Java virtual machine says which exception nobody caught, with a stack below.
    case javaException
    /// React Native says which error of JavaScript nobody caught.
    case javaScriptError
    /// React Native says which exception a native module threw, and in which method.
    case nativeModule
    /// Free Pascal or Lazarus says which exception nobody caught, with a stack below.
    case pascalException
    /// Somebody quotes what Swift's runtime said about a crash, and a frame behind it.
    case swiftCrash
    /// The line is what an exception says about a method that was called wrongly.
    case thrownReason
    /// Why the process was ended, in a field of another name than in reports.
    case terminationField
    /// The instruction that a debugger stopped at.
    case disassembly
    /// The system says why it restarted the GPU, behind the sign.
    case gpuRestart
    /// Somebody's sentence quotes the words of a library.
    case sentence
    /// malloc could not get the memory that a program asked for, which may go on without.
    case failedAllocation
  }
}

/// Whether the lines of a text may have the sign of a ``StatementMessage``. Logs have millions of
/// lines, so the signs are looked for at once, ahead of the lines.
struct SignCursor {
  private static let signs = TextSigns(StatementMessage.all.lazy.map(\.sign))
  /// The signs that are too short for the others, without those that have another one in them.
  private static let shortSigns = {
    let short = StatementMessage.all.map(\.sign).filter {
      $0.utf8.count < TextSigns.shortestText
    }
    return Set(short).sorted().filter { sign in !short.contains { $0 != sign && sign.contains($0) }
    }
  }()

  /// Where the next one of `signs` is, and the next of each of `shortSigns`; the limit if there is
  /// none.
  private var places = Array(repeating: -1, count: 1 + shortSigns.count)

  /// - Parameters:
  ///   - range: begins where the one before began, or further on.
  ///   - limit: the end of the text; always the same.
  /// - Returns: false if no sign is in the range.
  mutating func mayBeSign(in range: Range<Int>, of source: TextSource, limit: Int) -> Bool {
    for index in places.indices where places[index] < range.lowerBound {
      places[index] =
        index == 0
        ? Self.signs.firstOffset(in: source.bytes.span, from: range.lowerBound, to: limit)
        : source.find(Self.shortSigns[index - 1], from: range.lowerBound, limit: limit) ?? limit
    }
    return places.contains { $0 < range.upperBound }
  }
}

/// Which pairs of neighbouring bytes a text has; it may seem to have some more.
///
/// A text that lacks a pair of a sign does not have the sign. Logs have millions of lines, and to
/// look for every sign in each takes much longer.
struct BytePairs: Sendable {
  private var words = SIMD4<UInt64>()

  init(_ text: Span<UInt8>) {
    guard var last = text.isEmpty ? nil : text[0] else { return }
    for index in 1..<text.count {
      let byte = text[index]
      let pair = (last &* 31) &+ byte
      words[Int(pair >> 6)] |= 1 << UInt64(pair & 63)
      last = byte
    }
  }

  func contains(_ other: Self) -> Bool { (other.words & ~words) == SIMD4() }
}

extension CrashStatements {
  /// Whether a line of a process's words is what a macro of assertions printed.
  package static func isAssertion(_ words: String) -> Bool {
    words.hasPrefix("Assertion failure: ") || words.hasPrefix("Hit MOZ_CRASH(")
      || words.hasPrefix("ASSERT") || words.hasPrefix("Assertion failed: (")
      // Of V8, and of Dart's virtual machine.
      || words.hasPrefix("Fatal error in ") && words.firstRange(of: ", line ") != nil
      || words.firstRange(of: "runtime/vm/") != nil && words.firstRange(of: ": error: ") != nil
      || words.contains("_") && words.firstRange(of: ") failed at ") != nil
        && ["_ASSERT(", "_CHECK("].contains { words.firstRange(of: $0) != nil }
  }
}

extension TextSource {
  /// `GGML_ASSERT(cards) failed at Deck.cpp:62` of the words that a library's own macro prints:
  /// `/src/Deck.cpp:62: GGML_ASSERT(cards) failed`, in older versions
  /// `GGML_ASSERT: /src/Deck.cpp:62: cards`. Nil if a line only mentions the macro.
  ///
  /// Source: github.com/ggml-org/ggml, include/ggml.h.
  ///
  /// - Parameter sign: where the end of the macro's name begins.
  func failedAssertion(at sign: Int, _ line: Range<Int>) -> String? {
    guard line.count < 4096 else { return nil }
    var start = sign
    while start > line.lowerBound, sign - start < 32, Self.isOfName(self[start - 1]) { start -= 1 }
    let name = bytes[start...].prefix {
      Ascii.isUppercase($0) || Ascii.isDigit($0) || $0 == UInt8(ascii: "_")
    }
    guard start < sign, name.endIndex > sign else { return nil }
    if has(": ", at: name.endIndex, limit: line.upperBound) {
      let place = name.endIndex + 2..<line.upperBound
      guard let colon = find(": ", from: place.lowerBound, limit: place.upperBound),
        let file = placeBefore(colon, from: place.lowerBound), file.start == place.lowerBound
      else { return nil }
      let condition = string(trimmed(colon + 2..<line.upperBound))
      return condition.isEmpty
        ? nil : "\(string(name.startIndex..<name.endIndex))(\(condition)) failed at \(file.text)"
    }
    guard start - 2 > line.lowerBound, has(": ", at: start - 2, limit: start),
      let file = placeBefore(start - 2, from: line.lowerBound),
      let close = find(") failed", from: sign, limit: line.upperBound)
    else { return nil }
    // A sentence goes on behind code.
    let isCode = file.start > line.lowerBound && self[file.start - 1] == UInt8(ascii: "`")
    let end = isCode ? find("`", from: close, limit: line.upperBound) : nil
    let rest = string(close + 8..<(end ?? line.upperBound))
    return "\(string(start..<close + 8)) at \(file.text)\(rest)"
  }

  /// `Deck.cpp:62` of a path and a line that end at an offset, and where the path begins.
  private func placeBefore(_ end: Int, from floor: Int) -> (text: String, start: Int)? {
    var digits = end
    while digits > floor, end - digits < 8, Ascii.isDigit(self[digits - 1]) { digits -= 1 }
    guard digits < end, digits - 1 > floor, self[digits - 1] == Ascii.colon else { return nil }
    var start = digits - 1
    while start > floor, self[start - 1] > Ascii.space, !"\"'`(".utf8.contains(self[start - 1]) {
      start -= 1
    }
    guard bytes[start..<digits - 1].contains(UInt8(ascii: ".")) else { return nil }
    let path = string(start..<digits - 1)
    let file = path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? path
    return ("\(file):\(string(digits..<end))", start)
  }
}

extension StatementMessage {
  /// What glibc says before it calls `abort()`, because the heap is damaged. Versions up to 2.26
  /// put the program and the address around it (`*** Error in `./board': free(): invalid pointer:
  /// 0x… ***`).
  ///
  /// Source: glibc, malloc/malloc.c (`malloc_printerr`) and sysdeps/posix/libc_fatal.c.
  static let heapOfLinux = [
    "free(): ", "malloc(): ", "realloc(): ", "double free or corruption (", "corrupted size vs. ",
    "corrupted double-linked list", "malloc_consolidate(): ", "munmap_chunk(): ",
    "mremap_chunk(): ",
  ].map { Self($0, "{skip}", means: .damagedHeap) }
}

extension StatementReading {
  /// Takes what glibc says about the heap, if it is a line of its own, behind the head of a log or
  /// a label, or if a text that is about a crash quotes it or has it in its heading.
  mutating func takeDamagedHeap(_ range: Range<Int>, _ line: TextLine, _ sign: Int) -> Bool {
    guard let words = source.heapWords(at: sign, range.upperBound) else { return false }
    if facts.applicationInformation.prefix(64).contains(words) { return true }
    let before = source.trimmed(range.lowerBound..<sign)
    let isHeading = source.has("# ", at: range.lowerBound, limit: sign)
    let isOldForm = ["*** Error in ", "*** glibc detected ***"].contains {
      source.has($0, at: range.lowerBound, limit: sign)
    }
    let isLabelled =
      before.isEmpty
      || [":", "]", "|", "："].contains { mark in
        source.has(mark, at: before.upperBound - mark.utf8.count, limit: before.upperBound)
      }
    // What is around a quotation is a part of the line, but not of the range.
    let isQuoted = source.line(at: source.lineStart(of: line.start)).end > line.end
    guard isHeading || isOldForm || isLabelled,
      !(isHeading || isQuoted) || source.mentionsCrash(near: range),
      !source.listsHeapWords(around: sign, than: words)
    else { return false }
    if !isHeading, facts.process.name == nil {
      facts.takeWriter(line.start..<line.end, sign, source)
    }
    facts.applicationInformation.append(words)
    return true
  }

  /// Takes what CrashWrangler printed: the exception, its signal, and the access that failed, which
  /// may be unknown.
  ///
  /// Source: what Apple's CrashWrangler prints above a report, as reports of bugs quote it.
  mutating func takeCrashWrangler(_ match: LineMatch) -> Bool {
    guard facts.exception.type == nil, let stop = match.text(.stop, source),
      let address = match.number(.fault, source)
    else { return false }
    facts.exception.type = "EXC_\(stop)"
    facts.exception.signal = match.text(.signal, source).flatMap { UInt64($0) }
      .flatMap { MachNames.signal($0) }
    if stop == "BAD_ACCESS" {
      let access = match.text(.message, source)
      let words = ["read", "write"].contains(access) ? access ?? "" : "access"
      facts.exception.subtype = "\(words) at \(address.hexadecimal)"
    }
    return true
  }
}

extension TextSource {
  /// The words that glibc has for what it found, if nothing but the address is behind them. Where
  /// the text ends, they may be cut.
  fileprivate func heapWords(at sign: Int, _ limit: Int) -> String? {
    let limit = trimEnd(from: sign, to: limit)
    let length = limit - sign
    guard length > 12, length < 128 else { return nil }
    let words = Self.heapWords.filter { has($0, at: sign, limit: limit) }
      .max { $0.utf8.count < $1.utf8.count }
    guard let words else {
      let rest = string(sign..<limit)
      let isEnd = count - limit < 8 && bytes[limit..<count].allSatisfy { $0 <= Ascii.space }
      return isEnd && Self.heapWords.contains { $0.hasPrefix(rest) } ? rest : nil
    }
    var end = sign + words.utf8.count
    if has(": 0x", at: end, limit: limit), let (_, next) = hexadecimal(at: end + 2, limit: limit) {
      end = next
    }
    return bytes[end..<limit].allSatisfy { " *`.!\"')".utf8.contains($0) } ? words : nil
  }

  /// Whether other such words are near these, as in a list of what glibc may say.
  fileprivate func listsHeapWords(around sign: Int, than words: String) -> Bool {
    guard count <= Self.proseLimit else { return false }
    let range = max(textStart, sign - 400)..<min(count, sign + 400)
    return StatementMessage.heapOfLinux.contains { message in
      var next = range.lowerBound
      for _ in 0..<4 {
        guard let found = find(message.sign, from: next, limit: range.upperBound) else { break }
        next = found + 1
        let line = self.line(at: found)
        if let other = heapWords(at: found, min(line.end, found + 120)), other != words,
          !words.hasPrefix(other), !other.hasPrefix(words)
        {
          return true
        }
      }
      return false
    }
  }

  /// Longer texts are logs, whose lines may be the same a million times.
  private static let proseLimit = 1 << 20

  /// Whether the text around a line says that a program ended; false for a long log.
  func mentionsCrash(near range: Range<Int>) -> Bool {
    guard count <= Self.proseLimit else { return false }
    let start = max(textStart, range.lowerBound - 2048)
    let end = min(count, range.upperBound + 2048)
    return ["rash", "bort", "core dump", "SIGABRT"].contains {
      find($0, from: start, limit: end) != nil
    }
  }

  private static let heapWords = [
    "free(): invalid pointer", "free(): invalid size", "free(): invalid next size (fast)",
    "free(): invalid next size (normal)", "free(): corrupted unsorted chunks",
    "free(): double free detected in tcache 2", "free(): unaligned chunk detected in tcache 2",
    "free(): too many chunks detected in tcache", "malloc(): memory corruption",
    "malloc(): memory corruption (fast)", "malloc(): corrupted top size",
    "malloc(): invalid size (unsorted)", "malloc(): invalid next size (unsorted)",
    "malloc(): mismatching next->prev_size (unsorted)",
    "malloc(): unsorted double linked list corrupted",
    "malloc(): invalid next->prev_inuse (unsorted)", "malloc(): corrupted unsorted chunks",
    "malloc(): corrupted unsorted chunks 2", "malloc(): corrupted unsorted chunks 3",
    "malloc(): largebin double linked list corrupted (nextsize)",
    "malloc(): largebin double linked list corrupted (bk)",
    "malloc(): smallbin double linked list corrupted",
    "malloc(): unaligned tcache chunk detected", "malloc(): unaligned fastbin chunk detected",
    "malloc(): unaligned fastbin chunk detected 2", "malloc(): unaligned fastbin chunk detected 3",
    "malloc_consolidate(): invalid chunk size",
    "malloc_consolidate(): unaligned fastbin chunk detected",
    "realloc(): invalid pointer", "realloc(): invalid old size", "realloc(): invalid next size",
    "munmap_chunk(): invalid pointer", "mremap_chunk(): invalid pointer",
    "double free or corruption (prev)", "double free or corruption (!prev)",
    "double free or corruption (out)", "double free or corruption (top)",
    "double free or corruption (fasttop)", "corrupted size vs. prev_size",
    "corrupted size vs. prev_size while consolidating", "corrupted size vs. prev_size in fastbins",
    "corrupted double-linked list", "corrupted double-linked list (not small)",
  ]
}

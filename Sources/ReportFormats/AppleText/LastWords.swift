import JsonReading
package import ReportModel
import SymbolicationModel

/// What a runtime prints before it ends the process, such as `Unhandled exception.
/// System.DivideByZeroException: Attempted to divide by zero.`
package struct LastWords {
  package let text: String
  /// Where they begin, behind what a log puts in front.
  package private(set) var start: Int
  /// Where the line below them begins.
  package private(set) var end: Int

  /// Nil if the line is something else.
  ///
  /// Source: github.com/dotnet/runtime, src/coreclr/vm/excep.cpp; JetBrains/kotlin,
  /// kotlin-native/runtime/src/main/cpp/Exceptions.cpp; swiftlang/swift,
  /// stdlib/public/core/Assert.swift; rust-lang/rust, library/std/src/panicking.rs. Rust's message
  /// is in the line after the place. llvm/llvm-project, libcxxabi/src/cxa_default_handlers.cpp;
  /// apple-oss-distributions/dyld, dyld/DyldProcessConfig.cpp;
  /// apple-oss-distributions/libdispatch, src/internal.h (`DISPATCH_CLIENT_CRASH`).
  package init?(_ line: TextLine, of source: TextSource) {
    end = line.next
    var range = source.trimmed(line.start..<line.end)
    start = range.lowerBound
    guard Self.mayBeWords(range, of: source) else { return nil }
    // People quote it in their prose, or copy it from a log.
    if let words = source.clientBug(range) {
      start = words.lowerBound
      text = source.string(words)
      return
    }
    if let words = source.castFailure(range) ?? source.appKitWords(range) {
      start = words.start
      text = words.text
      return
    }
    if let words = source.humanPanic(range, line.next) {
      text = words
      return
    }
    // Of Xcode and its tools, in the log.
    let assertion = "DVTAssertions: "
    if let words = source.find(assertion, from: range.lowerBound, limit: range.upperBound),
      ["UNCAUGHT EXCEPTION (", "ASSERTION FAILURE in /"].contains(where: {
        source.has($0, at: words + assertion.utf8.count, limit: range.upperBound)
      })
    {
      start = words + assertion.utf8.count
      text = source.string(start..<range.upperBound)
      return
    }
    func starts(_ text: String) -> Bool {
      source.has(text, at: range.lowerBound, limit: range.upperBound)
    }
    func has(_ text: String) -> Bool {
      source.find(text, from: range.lowerBound, limit: range.upperBound) != nil
    }
    // A log puts time and process in front of it, and Xcode's tests what failed.
    if let stars = source.find("*** ", from: range.lowerBound, limit: range.upperBound) {
      let start =
        source.find(ReportFacts.uncaught, from: stars, limit: range.upperBound) ?? stars
      if Self.notes.contains(where: { source.has($0, at: start, limit: range.upperBound) })
        || has(ReportFacts.deallocated)
      {
        self.start = start
        text = source.string(start..<range.upperBound)
        return
      }
      // The allocator names the process in front of its words. Who copies them may leave that out,
      // or quote the line.
      let isBare = source.bytes[range.lowerBound..<stars].allSatisfy { "> |`".utf8.contains($0) }
      if source.has("*** error for object 0x", at: stars, limit: range.upperBound),
        isBare
          || stars >= range.lowerBound + 8
            && source.has("malloc: ", at: stars - 8, limit: stars)
      {
        let isNamed = [") malloc: ", "] malloc: "].contains(where: has)
        if !isNamed {
          range = stars..<range.upperBound
          self.start = stars
        }
        let next = source.line(at: line.next)
        let below = source.trimmed(next.start..<next.end)
        // A terminal breaks the line: no other line that may follow has nothing but small letters.
        guard line.next < source.count, !below.isEmpty, below.count < 80,
          source.bytes[below].allSatisfy({ Ascii.isLowercase($0) || " '".utf8.contains($0) })
        else {
          text = source.string(range)
          return
        }
        text = "\(source.string(range)) \(source.string(below))"
        end = next.next
        return
      }
    }
    // What the kernel says as the message of the exception, in whatever somebody made of it.
    if has(ReportFacts.endlessRecursion) {
      text = ReportFacts.endlessRecursion
      return
    }
    // Markdown takes the stars away, and who copies a line may begin in the middle of it.
    if let words = source.find(Self.uncaughtName, from: range.lowerBound, limit: range.upperBound),
      ReportFacts.uncaught.hasSuffix(
        source.string(range.lowerBound..<words + Self.uncaughtName.utf8.count))
    {
      let name = words + Self.uncaughtName.utf8.count
      text = "\(ReportFacts.uncaught)\(source.string(name..<range.upperBound))"
      return
    }
    if starts("["), has(ReportFacts.deallocated) {
      text = source.string(range)
      return
    }
    if let reason = source.reasonOfWrongThread(range) {
      start = reason.lowerBound
      text =
        "\(ReportFacts.uncaught)NSInternalInconsistencyException', reason: '\(source.string(reason))'"
      return
    }
    // Mono breaks the line behind the colon.
    if starts("Unhandled Exception:") {
      let words = source.trimmed(
        range.lowerBound + "Unhandled Exception:".utf8.count..<range.upperBound)
      let next = words.isEmpty && line.next < source.count ? source.line(at: line.next) : line
      let exception = words.isEmpty ? source.trimmed(next.start..<next.end) : words
      text = "Unhandled exception. \(source.string(exception))"
      end = next.next
      return
    }
    let isSwift = Self.isSwift(range, of: source)
    // Behind what a log has in front.
    let bareHead = isSwift ? nil : source.logHeadEnd(range)
    let head =
      !isSwift
      ? bareHead.flatMap {
        source.isBareFailure($0..<range.upperBound, above: line.next) ? $0 : nil
      }
      : has(".swift, line ")
        ? source.find("Fatal error: ", from: range.lowerBound, limit: range.upperBound)
        : source.logHeadEnd(range)
    if let head {
      range = head..<range.upperBound
      start = head
    }
    // Newer versions write the number of the thread behind its name.
    let lineStart = range.lowerBound
    let panic = source.panicStart(range)
    let isPanic = panic != nil
    if panic == nil, starts(Self.paintedPanic), let (words, next) = source.paintedPanic(line) {
      text = words
      end = next
      return
    }
    if let panic {
      range = panic..<range.upperBound
      start = panic
    }
    // AppCenter and others write only the exception.
    if starts("NS"), let exception = source.thrownException(range) {
      text =
        "\(ReportFacts.uncaught)\(source.string(exception.name))', reason: '\(source.string(exception.reason))'"
      return
    }
    // Of Metal. Most fields of a head begin with other letters.
    let mayBeAssertion = !Ascii.isUppercase(source[start]) || starts("MTL")
    if starts("Main Thread Checker: ") || mayBeAssertion && has(": failed assertion `") {
      text = source.string(range)
      return
    }
    // Up to Swift 3, without the place.
    if starts("fatal error: "), source.isBareFailure(range, above: line.next) {
      text = "F\(source.string(range).dropFirst())"
      return
    }
    guard
      isPanic || starts("Unhandled exception. ") || starts("Uncaught Kotlin exception: ")
        || starts("Fatal error: ") || isSwift
        || starts("libc++abi") && has(" uncaught exception of type ") && has(": ")
          && !has("type NSException")
        || starts("dyld") && (has(": Library not loaded: ") || has(": Symbol not found: "))
    else { return nil }
    let words = source.string(range)
    guard isPanic, words.hasSuffix(":"), line.next < source.bytes.count else {
      text = words
      return
    }
    let next = source.line(at: line.next)
    let message = source.trimmed(next.start..<next.end)
    let prefix = lineStart..<range.lowerBound
    text = "\(words) \(source.string(source.withoutHead(like: prefix, message)))"
  }

  /// Whether the line may hold such words. Nearly no line of a head does.
  private static func mayBeWords(_ range: Range<Int>, of source: TextSource) -> Bool {
    guard !range.isEmpty else { return false }
    func has(_ text: String, _ offset: Int) -> Bool {
      source.has(text, at: offset, limit: range.upperBound)
    }
    switch source[range.lowerBound] {
    // Words that begin with none of these have one of the signs below behind the head of a log.
    case UInt8(ascii: "F"), UInt8(ascii: "M"), UInt8(ascii: "N"), UInt8(ascii: "T"),
      UInt8(ascii: "U"):
      return true
    case UInt8(ascii: "A")...UInt8(ascii: "Z"):
      for offset in range {
        switch source[offset] {
        case UInt8(ascii: "*"): return true
        case UInt8(ascii: "."): if has(".swift", offset) { return true }
        case UInt8(ascii: "p"): if has("panicked at ", offset) { return true }
        case UInt8(ascii: "o"): if has("overflowed its stack", offset) { return true }
        case UInt8(ascii: "a"): if has("atal error: ", offset) { return true }
        case UInt8(ascii: "B"): if has("BUG IN ", offset) { return true }
        case UInt8(ascii: "D"): if has("DVTAssertions: ", offset) { return true }
        case UInt8(ascii: "C"):
          if has(castFailure, offset) || has(appKitWords, offset) { return true }
        case UInt8(ascii: "P"): if has(humanPanic, offset) { return true }
        case UInt8(ascii: "m"): if has("main thread", offset) { return true }
        default: continue
        }
      }
      return false
    default: return true
    }
  }

  /// Whether the line is a message of the Swift runtime with its place: `Game/Board.swift:25: Fatal
  /// error: no cards`, but not `(Swift/Array.swift:12)` behind it, or `Fatal error: no cards: file
  /// Game/Board.swift, line 25` up to Swift 5.3.
  private static func isSwift(_ range: Range<Int>, of source: TextSource) -> Bool {
    guard let file = source.find(".swift", from: range.lowerBound, limit: range.upperBound) else {
      return false
    }
    let isBehind = source.has(", line ", at: file + 6, limit: range.upperBound)
    guard isBehind || source.has(":", at: file + 6, limit: range.upperBound) else { return false }
    let (start, limit) = isBehind ? (range.lowerBound, file) : (file, range.upperBound)
    return failures.contains { source.find($0, from: start, limit: limit) != nil }
  }

  private static let failures = [
    "Fatal error: ", "fatal error: ", "Precondition failed", "Assertion failed",
  ]

  /// Of color-eyre and color-backtrace, which write in the place of Rust's library.
  fileprivate static let paintedPanic = "The application panicked (crashed)."

  /// The end of what is before the name of an exception, with which a line may begin.
  private static let uncaughtName = "uncaught exception '"
  private static let notes = [ReportFacts.uncaught, "*** Assertion failure in "]
}

extension TextSource {
  /// Whether words are a message of the Swift runtime without a place: above its stack, or the
  /// standard library's own. Others print `fatal error: ` too, such as clang and Go.
  ///
  /// - Parameter next: where the line below begins.
  /// Source: github.com/swiftlang/swift, stdlib/public/core: Optional.swift, ErrorType.swift,
  /// Assert.swift, with the stack of stdlib/public/runtime/Errors.cpp.
  fileprivate func isBareFailure(_ words: Range<Int>, above next: Int) -> Bool {
    let start = ["fatal error: ", "Fatal error: "].first {
      has($0, at: words.lowerBound, limit: words.upperBound)
    }
    guard let start else { return false }
    let message = words.lowerBound + start.utf8.count
    if Self.failures.contains(where: { has($0, at: message, limit: words.upperBound) }) {
      return true
    }
    guard next < count else { return false }
    let below = line(at: next)
    return has("Current stack trace:", at: below.start, limit: below.end)
  }

  private static let failures = [
    "unexpectedly found nil while ", "Unexpectedly found nil while ",
    "'try!' expression unexpectedly raised an error: ",
  ]

  /// What the exceptions say that UIKit and AppKit throw where another thread than the main one
  /// changes the user interface, without the words that the runtime puts in front: pages of crash
  /// SDKs show only the reason. All are of one name.
  ///
  /// Source: issues on github.com with the whole statement: DanXi-Dev/DanXi-swift 56,
  /// wordpress-mobile/MediaPicker-iOS 350, planetary-social/planetary-ios 1073,
  /// IndiePass/indiepass-ios 23, neilalexander/seaglass 98, banodoco/Steerable-Motion 53,
  /// apposed/jaunch 89; with the reason alone: udesk/UdeskSDK-iOS 43; with the category of a log:
  /// namhokim/cocoa_app 40.
  fileprivate func reasonOfWrongThread(_ line: Range<Int>) -> Range<Int>? {
    let head = logHeadEnd(line) ?? line.lowerBound
    var range = head..<line.upperBound
    let category = "[General] "
    if has(category, at: range.lowerBound, limit: range.upperBound) {
      range = range.lowerBound + category.utf8.count..<range.upperBound
    }
    while let first = bytes[range].first, "`'\"*> ".utf8.contains(first) {
      range = range.lowerBound + 1..<range.upperBound
    }
    while let last = bytes[range].last, "`'\"* ".utf8.contains(last) {
      range = range.lowerBound..<range.upperBound - 1
    }
    let isOne = Self.reasonsOfWrongThread.contains {
      has($0, at: range.lowerBound, limit: range.upperBound)
    }
    return isOne ? range : nil
  }

  private static let reasonsOfWrongThread = [
    "Modifications to the layout engine must not be performed from a background thread",
    "accessing _cachedSystemAnimationFence requires the main thread",
    "threading violation: expected the main thread", "Call must be made on main thread",
    "NSWindow drag regions should only be invalidated on the Main Thread",
    "NSWindow should only be instantiated on the main thread",
    "API misuse: setting the main menu on a non-main thread",
  ]

  /// `BUG IN CLIENT OF LIBDISPATCH: dispatch_sync called on queue already owned by current thread`
  /// at the start of a line, behind the head of a log, or between quotation marks in prose.
  fileprivate func clientBug(_ range: Range<Int>) -> Range<Int>? {
    guard let start = find("BUG IN ", from: range.lowerBound, limit: range.upperBound),
      ["CLIENT OF LIB", "LIB"].contains(where: { has($0, at: start + 7, limit: range.upperBound) }),
      let colon = find(": ", from: start, limit: min(range.upperBound, start + 64))
    else { return nil }
    if start == range.lowerBound || logHeadEnd(range) == start { return start..<range.upperBound }
    let mark = self[start - 1]
    guard "`'\"".utf8.contains(mark),
      let end = bytes[colon..<range.upperBound].firstIndex(of: mark), end > colon + 2
    else { return nil }
    return start..<end
  }

  /// Where the words of a Rust panic begin: `thread 'main' panicked at …`, behind what a log puts
  /// in front of them; or those at the end of a line about its stack: `thread 'main' has overflowed
  /// its stack`. Nil for other lines.
  ///
  /// Source: github.com/rust-lang/rust, library/std/src/panicking.rs and
  /// sys/pal/unix/stack_overflow.rs; sfackler/rust-log-panics, src/lib.rs, which writes the message
  /// in front of the place.
  package func panicStart(_ range: Range<Int>) -> Int? {
    let limit = min(range.upperBound, range.lowerBound + 200)
    guard let start = find("thread '", from: range.lowerBound, limit: limit),
      start == range.lowerBound || !Ascii.isWord(self[start - 1]),
      find("' panicked at ", from: start, limit: range.upperBound) != nil
        || find(") panicked at ", from: start, limit: range.upperBound) != nil
        || overflowsStack(start..<range.upperBound)
    else { return nil }
    return start
  }

  private func overflowsStack(_ range: Range<Int>) -> Bool {
    let start = range.upperBound - ReportFacts.overflowedStack.utf8.count
    return start > range.lowerBound && "')".utf8.contains(self[start - 1])
      && has(ReportFacts.overflowedStack, at: start, limit: range.upperBound)
  }

  /// Name and reason of an exception as pages of crash SDKs show them: `NSRangeException: index 5
  /// …`, or with a dot in the middle in the place of the colon. Nil for other lines.
  fileprivate func thrownException(_ range: Range<Int>) -> (name: Range<Int>, reason: Range<Int>)? {
    let near = min(range.upperBound, range.lowerBound + 64)
    let ending = "Exception"
    guard let end = find(ending, from: range.lowerBound, limit: near) else { return nil }
    let name = range.lowerBound..<end + ending.utf8.count
    let mark = [": ", " · "].first { has($0, at: name.upperBound, limit: range.upperBound) }
    guard let mark,
      bytes[name].allSatisfy({ Ascii.isLowercase($0) || Ascii.isUppercase($0) })
    else { return nil }
    return (name, name.upperBound + mark.utf8.count..<range.upperBound)
  }

  /// What color-eyre and color-backtrace say of a panic, as one line, and where the line below
  /// begins:
  ///
  /// ```text
  /// The application panicked (crashed).
  /// Message:  no cards
  /// Location: src/deck.rs:12
  /// ```
  ///
  /// Source: github.com/eyre-rs/eyre, color-eyre/src/config.rs; athre0z/color-backtrace,
  /// src/lib.rs.
  fileprivate func paintedPanic(_ line: TextLine) -> (words: String, end: Int)? {
    var parts: [String] = []
    var next = line.next
    for title in ["Message:", "Location:"] {
      guard next < count else { return nil }
      let line = self.line(at: next)
      let range = trimmed(line.start..<line.end)
      guard range.count < 4096, has(title, at: range.lowerBound, limit: range.upperBound) else {
        return nil
      }
      parts.append(string(trimmed(range.lowerBound + title.utf8.count..<range.upperBound)))
      next = line.next
    }
    return ("The application panicked at \(parts[1]): \(parts[0])", next)
  }

  /// A line without what a log puts in front of it, if that is the same as above but for digits.
  fileprivate func withoutHead(like head: Range<Int>, _ line: Range<Int>) -> Range<Int> {
    guard !head.isEmpty, line.count > head.count else { return line }
    let isSame = zip(bytes[head], bytes[line]).allSatisfy {
      $0 == $1 || Ascii.isDigit($0) && Ascii.isDigit($1)
    }
    return isSame ? trimmed(line.lowerBound + head.count..<line.upperBound) : line
  }

  /// Where the message begins that a log puts process and number in front of: `2023-05-01
  /// 10:00:00.000000+0200 App[1234:56789] `.
  package func logHeadEnd(_ range: Range<Int>) -> Int? {
    let limit = min(range.upperBound, range.lowerBound + 120)
    let ends = ["] ", "]: "].compactMap { find($0, from: range.lowerBound, limit: limit) }
    guard let close = ends.min() else { return nil }
    var open = close
    while open > range.lowerBound,
      Ascii.isDigit(self[open - 1]) || self[open - 1] == Ascii.colon
        || hexadecimalDigitValue(self[open - 1]) != nil
    {
      open -= 1
    }
    guard open < close, open - 1 > range.lowerBound, self[open - 1] == Ascii.openBracket,
      separatorLength(at: open - 2, limit: open) == 0
    else { return nil }
    // Of syslog: `Jan  2 10:00:00 host App[1234]: `.
    let end = self[close + 1] == Ascii.colon ? close + 3 : close + 2
    return skipSeparators(from: end, limit: range.upperBound)
  }

  /// Who wrote a message: `Letter Game` and 1234 of `2023-05-01 10:00:00.000000+0200 Letter
  /// Game[1234:56789] `. Nil if something else is in front of the message.
  ///
  /// - Parameter message: where the message begins.
  package func logWriter(_ line: Range<Int>, before message: Int) -> ReportFacts.ProcessReference? {
    guard logHeadEnd(line) == message,
      let open = bytes[line.lowerBound..<message].lastIndex(of: Ascii.openBracket)
    else { return nil }
    // The name may have blanks in it, and begins behind the time.
    let words = string(line.lowerBound..<open).split(separator: " ")
    let time = words.lastIndex { $0.first?.isNumber == true && $0.contains(":") }
    // Syslog has the name of the computer behind the time.
    let isOfSyslog = find("]: ", from: open, limit: message) != nil
    let name =
      time.map { time in
        let names = words[(time + 1)...]
        return (isOfSyslog && names.count > 1 ? names.dropFirst() : names).joined(separator: " ")
      } ?? words.last.map { String($0) }
    guard let name, !name.isEmpty else { return nil }
    let number = decimal(at: open + 1, limit: message)?.value
    return ReportFacts.ProcessReference(
      name: name, identifier: number.flatMap { Int(exactly: $0) })
  }
}

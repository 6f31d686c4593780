import JsonReading
package import ReportModel
import SymbolicationModel

// What the runtimes of languages print, and libraries in their place.

extension LastWords {
  /// Words that stay as they are.
  ///
  /// Source: github.com/dotnet/runtime, src/coreclr/vm/excep.cpp; JetBrains/kotlin,
  /// kotlin-native/runtime/src/main/cpp/Exceptions.cpp; swiftlang/swift,
  /// stdlib/public/core/Assert.swift; llvm/llvm-project, libcxxabi/src/cxa_default_handlers.cpp;
  /// apple-oss-distributions/dyld, dyld/DyldProcessConfig.cpp. The words of an exception may have
  /// line ends of their own.
  static func unchangedWords(_ line: WordsLine) -> LastWords? {
    let begins = ["Unhandled exception. ", "Uncaught Kotlin exception: ", "Fatal error: "]
    let isCpp =
      line.starts("libc++abi") && line.has(" uncaught exception of type ") && line.has(": ")
      && !line.has("type NSException")
    let isLinker =
      line.starts("dyld")
      && (line.has(": Library not loaded: ") || line.has(": Symbol not found: "))
    if isSwift(line) { return withBrokenSentence(line) }
    if let end = endWithoutLineBreak(line) {
      return line.words(at: line.start, line.source.string(line.start..<end))
    }
    guard begins.contains(where: line.starts) || isCpp || isLinker else { return nil }
    let words = line.words(at: line.start)
    guard !isLinker, let rest = line.source.sentenceRest(of: line.range, below: line.next) else {
      return words
    }
    return LastWords("\(words.text) \(rest.text)", at: words.start, end: rest.end)
  }

  /// An exception of Objective-C in the words of .NET, alone or behind the name of a signal or of
  /// .NET's exception: `SIGABRT: Objective-C exception thrown.  Name: NSRangeException Reason: …`.
  /// Comments in source code quote such words.
  static func dotNetException(_ line: WordsLine) -> LastWords? {
    guard let start = line.find(ReportFacts.dotNetWords),
      !line.source.bytes[line.start..<start].contains(Ascii.slash),
      let (name, reason) = ReportFacts.exceptionInDotNet(
        line.source.string(start..<line.range.upperBound))
    else { return nil }
    return line.words(at: start, thrown(name, reason))
  }

  // MARK: Swift

  /// Whether the line is a message of the Swift runtime with its place: `Game/Board.swift:25: Fatal
  /// error: no cards`, but not `(Swift/Array.swift:12)` behind it, or `Fatal error: no cards: file
  /// Game/Board.swift, line 25` up to Swift 5.3.
  private static func isSwift(_ line: WordsLine) -> Bool {
    guard let file = line.find(".swift") else { return false }
    // Of code that is inlined: `Swift/arm64-apple-ios.swiftinterface:58` (ChartsOrg/Charts 4876).
    let end = file + (line.has("interface", at: file + 6) ? 15 : 6)
    let isBehind = line.has(", line ", at: end)
    guard isBehind || line.has(":", at: end) else { return false }
    let (start, limit) = isBehind ? (line.start, file) : (file, line.range.upperBound)
    return ["Fatal error: ", "fatal error: ", "Precondition failed", "Assertion failed"]
      .contains { line.source.find($0, from: start, limit: limit) != nil } || isBare(line)
  }

  /// The line without what a log or Markdown has in front of the words of the Swift runtime.
  static func withoutLogHead(_ line: WordsLine) -> WordsLine {
    let start: Int?
    if !isSwift(line) {
      let message =
        "#*_>".utf8.contains(line.source[line.start])
        ? line.source.trimmed(line.range, leading: "#*_> ", trailing: "").lowerBound
        : line.source.logHeadEnd(line.range)
      start = message.flatMap { isBareFailure(line.from($0)) ? $0 : nil }
    } else if line.has(".swift, line ") {
      start = line.find("Fatal error: ")
    } else {
      start = line.source.logHeadEnd(line.range)
    }
    return start.map { line.from($0) } ?? line
  }

  /// Whether words are a message of the Swift runtime without a place: above its stack, or the
  /// standard library's own. Others print `fatal error: ` too, such as clang and Go.
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/core: Optional.swift, ErrorType.swift,
  /// Assert.swift, with the stack of stdlib/public/runtime/Errors.cpp.
  private static func isBareFailure(_ line: WordsLine) -> Bool {
    guard let start = ["fatal error: ", "Fatal error: "].first(where: line.starts) else {
      return false
    }
    let message = line.start + start.utf8.count
    let isOfLibrary = isOfSwift(
      line.source.string(message..<min(message + 512, line.range.upperBound)))
    guard !isOfLibrary, let (below, _) = line.below else { return isOfLibrary }
    // The rest of the message, with its place.
    if line.source.find(".swift, line ", from: below.lowerBound, limit: below.upperBound) != nil {
      return true
    }
    return line.source.has("Current stack trace:", at: below.lowerBound, limit: below.upperBound)
  }

  /// Where a message of the runtime ends that in some versions has no line break behind it, so that
  /// what is printed next follows in the same line. Nil if it is another, or ends the line.
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/runtime/Errors.cpp (`swift_abort…`), which
  /// says `destroyed` since there is one.
  private static func endWithoutLineBreak(_ line: WordsLine) -> Int? {
    guard line.starts("Fatal error: ") else { return nil }
    return ["the object was already deallocated", " was retained too many times"].lazy
      .compactMap { text in line.find(text, within: 160).map { $0 + text.utf8.count } }
      .first { $0 < line.range.upperBound }
  }

  /// Up to Swift 3, without the place.
  static func oldSwiftFailure(_ line: WordsLine) -> LastWords? {
    guard line.starts("fatal error: "), isBareFailure(line) else { return nil }
    // Behind a whole sentence, somebody goes on: `… in `turn()``.
    let message = line.start + 13
    let sentence = sentencesOfSwift.first { line.has($0, at: message) && !$0.hasSuffix(" ") }
    let end = sentence.map { message + $0.utf8.count }.flatMap {
      line.has(" in ", at: $0) ? $0 : nil
    }
    let text = line.source.string(line.start..<(end ?? line.range.upperBound))
    return line.words(at: line.start, "F\(text.dropFirst())")
  }

  /// What the Swift runtime says about a forced cast, without the addresses of the types:
  ///
  /// ```text
  /// Could not cast value of type '__NSCFNumber' (0x7fff8) to 'NSString' (0x7fff9).
  /// ```
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/runtime/Casting.cpp
  /// (`swift_dynamicCastFailure`).
  static func castFailure(_ line: WordsLine) -> LastWords? {
    let source = line.source
    let limit = line.range.upperBound
    guard let start = line.find("Could not cast value of type '", within: 200),
      start == line.start || source.logHeadEnd(line.range) == start,
      source.find("' to '", from: start, limit: limit)
        ?? source.find(") to '", from: start, limit: limit) != nil
    else { return nil }
    var text = ""
    for part in source.string(start..<limit).split(separator: " ") {
      if part.hasPrefix("(0x") {
        if let end = part.firstIndex(of: ")") { text += part[part.index(after: end)...] }
      } else {
        text += text.isEmpty ? part : " \(part)"
      }
    }
    return line.words(at: start, text.last == "." ? String(text.dropLast()) : text)
  }

  /// A message of Swift with the line below, if somebody broke one of the standard library's
  /// sentences there: `Fatal error: Unexpectedly found nil while unwrapping`, below it `an Optional
  /// value`.
  private static func withBrokenSentence(_ line: WordsLine) -> LastWords {
    let words = line.words(at: line.start, withoutQuote(line.text))
    guard line.range.count < 400, !line.has(", line "), let (below, next) = line.below,
      !below.isEmpty, below.count < 400,
      let message = line.find("rror: ").map({ line.source.string($0 + 6..<line.range.upperBound) }),
      sentences.contains(where: { sentence in
        guard sentence.hasPrefix(message), message.utf8.count > 8 else { return false }
        let rest = sentence.dropFirst(message.count).drop { $0 == " " }
        // What an error says follows its sentence; a fence may be below.
        guard !rest.isEmpty || message.hasSuffix(":") else { return false }
        return line.source[below.lowerBound] != UInt8(ascii: "`")
          && line.source.has(String(rest), at: below.lowerBound, limit: below.upperBound)
      })
    else { return withUserInfo(words, line.range, line.source) }
    // A span of code that somebody began in front of the words ends in the line below.
    if line.start > line.source.textStart, line.source[line.start - 1] == UInt8(ascii: "`"),
      let close = line.source.find("`", from: below.lowerBound, limit: below.upperBound)
    {
      let rest = line.source.string(below.lowerBound..<close)
      return LastWords("\(words.text) \(rest)", at: words.start, end: next)
    }
    let whole = LastWords("\(words.text) \(line.source.string(below))", at: words.start, end: next)
    return withUserInfo(whole, below, line.source)
  }

  /// A line without the end of a span of code that began in front of it, in a sentence.
  private static func withoutQuote(_ text: String) -> String {
    guard let end = ["`", "`."].first(where: text.hasSuffix),
      text.utf8.count(where: { $0 == UInt8(ascii: "`") }) == 1
    else { return text }
    return String(text.dropLast(end.utf8.count))
  }

  /// Source: as those of ``isBareFailure(_:)``.
  private static let sentences = [
    "Unexpectedly found nil while unwrapping an Optional value",
    "Unexpectedly found nil while implicitly unwrapping an Optional value",
    "'try!' expression unexpectedly raised an error: ",
  ]

  // MARK: .NET

  /// Mono breaks the line behind the colon.
  static func monoException(_ line: WordsLine) -> LastWords? {
    let title = "Unhandled Exception:"
    guard line.starts(title) else { return nil }
    var words = line.source.trimmed(line.start + title.utf8.count..<line.range.upperBound)
    var end = line.next
    if words.isEmpty, let below = line.below { (words, end) = below }
    return line.words(
      at: line.start, "Unhandled exception. \(line.source.string(words))", end: end)
  }

  // MARK: Rust

  /// The message is in the line below the place, behind the same head of a log.
  static func rustPanic(_ line: WordsLine) -> LastWords? {
    guard let start = line.source.panicStart(line.range) else { return nil }
    let panic = line.from(start)
    guard panic.text.hasSuffix(":"), let (below, _) = line.below else {
      return panic.words(at: start)
    }
    let message = line.source.string(line.source.withoutHead(like: panic.head, below))
    return panic.words(at: start, "\(panic.text) \(message)")
  }

  /// What color-eyre and color-backtrace say of a panic, as one line:
  ///
  /// ```text
  /// The application panicked (crashed).
  /// Message:  no cards
  /// Location: src/deck.rs:12
  /// ```
  ///
  /// Source: github.com/eyre-rs/eyre, color-eyre/src/config.rs; athre0z/color-backtrace,
  /// src/lib.rs.
  static func paintedPanic(_ line: WordsLine) -> LastWords? {
    guard line.starts("The application panicked (crashed).") else { return nil }
    let source = line.source
    var parts: [String] = []
    var last = line
    for title in ["Message:", "Location:"] {
      guard let (range, next) = last.below, range.count < 4096,
        source.has(title, at: range.lowerBound, limit: range.upperBound)
      else { return nil }
      let value = source.trimmed(range.lowerBound + title.utf8.count..<range.upperBound)
      parts.append(source.string(value))
      last = WordsLine(source: source, range: range, next: next)
    }
    return line.words(
      at: line.start, "The application panicked at \(parts[1]): \(parts[0])", end: last.next)
  }

  /// What miette's hook for panics prints, and Zellij's, as the line that Rust prints itself:
  ///
  /// ```text
  ///   × Thread 'deck' panicked.
  ///   ├─▶ at src/deck.rs:12:5
  ///   ╰─▶ no cards
  /// ```
  ///
  /// Terminals without Unicode get other signs.
  ///
  /// Source: github.com/zkat/miette, src/panic.rs and src/handlers/theme.rs;
  /// zellij-org/zellij, zellij-utils/src/errors.rs.
  static func boxedPanic(_ line: WordsLine) -> LastWords? {
    let source = line.source
    guard let sign = ["× ", "x "].first(where: { line.find($0, within: 16) != nil }),
      let start = line.find(sign, within: 16).map({ $0 + sign.utf8.count })
    else { return nil }
    let title = source.string(start..<line.range.upperBound)
    let isMain = title == "Main thread panicked."
    guard isMain || title.hasPrefix("Thread '") && title.hasSuffix("' panicked.") else {
      return nil
    }
    let panic = isMain ? "thread 'main' panicked" : "t\(title.dropFirst().dropLast())"
    var place: String?
    var next = line.next
    for _ in 0..<24 where next < source.count {
      let below = source.line(at: next)
      next = below.next
      let range = source.trimmed(below.start..<below.end)
      guard range.count < 4096 else { return nil }
      guard
        let mark = source.panicBoxes.first(where: {
          source.has($0, at: range.lowerBound, limit: range.upperBound)
        })
      else { continue }
      let text = source.string(range.lowerBound + mark.utf8.count..<range.upperBound)
      if text.hasPrefix("at ") || text.hasPrefix("At ") {
        place = String(text.dropFirst(3))
      } else if let place, mark.first == "╰" || mark.first == "`" {
        return line.words(at: line.start, "\(panic) at \(place): \(text)", end: next)
      }
    }
    return nil
  }

  /// What the file says about a panic that the crate `human-panic` writes, as one line:
  ///
  /// ```text
  /// explanation = """
  /// Panic occurred in file 'src/deck.rs' at line 12
  /// """
  /// cause = "no cards"
  /// ```
  ///
  /// Source: github.com/rust-cli/human-panic, src/lib.rs (`handle_dump`) and src/report.rs.
  static func humanPanic(_ line: WordsLine) -> LastWords? {
    let source = line.source
    let limit = line.range.upperBound
    let title = "Panic occurred in file '"
    guard let start = line.find(title, within: 40),
      start == line.start || "\"'".utf8.contains(source[start - 1])
    else { return nil }
    let path = start + title.utf8.count
    let sign = "' at line "
    guard let pathEnd = source.find(sign, from: path, limit: limit),
      let (number, _) = source.decimal(at: pathEnd + sign.utf8.count, limit: limit), let number
    else { return nil }
    let place = "The application panicked at \(source.string(path..<pathEnd)):\(number)"
    let cause = causeOfHumanPanic(below: line).map { ": \($0)" } ?? ""
    return line.words(at: line.start, place + cause)
  }

  private static func causeOfHumanPanic(below line: WordsLine) -> String? {
    let source = line.source
    let key = "cause = "
    var next = line.next
    for _ in 0..<6 where next < source.count {
      let below = source.line(at: next)
      next = below.next
      let content = source.trimmed(below.start..<below.end)
      guard content.count < 4096,
        source.has(key, at: content.lowerBound, limit: content.upperBound)
      else { continue }
      let value = source.string(content.lowerBound + key.utf8.count..<content.upperBound)
      // Text of several lines begins in the next one.
      if value == "\"\"\"" || value == "\'\'\'" {
        let first = source.line(at: next)
        return source.string(source.trimmed(first.start..<first.end).prefix(4096))
      }
      guard let mark = value.first, "\"'".contains(mark), value.last == mark,
        value.utf8.count > 1
      else { return value }
      let text = value.dropFirst().dropLast()
      guard mark == "\"" else { return String(text) }
      return text.split(separator: "\\\"", omittingEmptySubsequences: false)
        .joined(separator: "\"")
    }
    return nil
  }
}

extension TextSource {
  /// In front of each cause of an error, and of the last one.
  fileprivate var panicBoxes: [String] { ["├─▶ ", "╰─▶ ", "|-> ", "`-> "] }

  /// Whether a line is the last one of what miette prints about a panic.
  package func endsBoxedPanic(_ range: Range<Int>) -> Bool {
    ["╰─▶ ", "`-> "].contains { has($0, at: range.lowerBound, limit: range.upperBound) }
  }

  /// Where the words of a Rust panic begin: `thread 'main' panicked at …`, behind what a log puts
  /// in front of them; or those at the end of a line about its stack: `thread 'main' has overflowed
  /// its stack`. Newer versions write the number of the thread behind its name. Nil for others.
  ///
  /// Source: github.com/rust-lang/rust, library/std/src/panicking.rs and
  /// sys/pal/unix/stack_overflow.rs; sfackler/rust-log-panics, src/lib.rs, which writes the message
  /// in front of the place.
  package func panicStart(_ range: Range<Int>) -> Int? {
    let limit = min(range.upperBound, range.lowerBound + 200)
    if let start = placedPanic(range) { return start }
    guard let start = find("thread '", from: range.lowerBound, limit: limit),
      start == range.lowerBound || !Ascii.isWord(self[start - 1]),
      find("' panicked at ", from: start, limit: range.upperBound) != nil
        || find(") panicked at ", from: start, limit: range.upperBound) != nil
        || overflowsStack(start..<range.upperBound)
    else { return nil }
    return start
  }

  /// The place of a panic as a hook of the program writes it, which leaves the thread out, with the
  /// message on the line below: `[PANIC] at turn.rs:7 - panicked at /src/turn.rs:7:1:`.
  ///
  /// Source: github.com/rust-lang/rust, library/core/src/panic/panic_info.rs (`Display`);
  /// ggand0/viewskater, issue 91.
  private func placedPanic(_ range: Range<Int>) -> Int? {
    let sign = "panicked at "
    guard range.count > 16, self[range.upperBound - 1] == Ascii.colon,
      Ascii.isDigit(self[range.upperBound - 2]),
      let start = find(sign, from: range.lowerBound, limit: range.upperBound),
      start == range.lowerBound || self[start - 1] == Ascii.space,
      let end = find(".rs:", from: start, limit: range.upperBound),
      bytes[end + 4..<range.upperBound].allSatisfy({ Ascii.isDigit($0) || $0 == Ascii.colon }),
      find("thread '", from: range.lowerBound, limit: start) == nil
    else { return nil }
    return start
  }

  private func overflowsStack(_ range: Range<Int>) -> Bool {
    let start = range.upperBound - ReportFacts.overflowedStack.utf8.count
    return start > range.lowerBound && "')".utf8.contains(self[start - 1])
      && has(ReportFacts.overflowedStack, at: start, limit: range.upperBound)
  }
}

import JsonReading
import ReportModel
import SymbolicationModel

// What checkers print that a program runs under.
extension LastWords {
  /// What a sanitizer says that cannot get the memory for its own work, and ends the process:
  /// `==812==ERROR: AddressSanitizer failed to allocate 0x2000 (8192) bytes …`. After the same as a
  /// `WARNING` the process goes on.
  ///
  /// Source: llvm-project, compiler-rt/lib/sanitizer_common/sanitizer_common.cpp
  /// (`ReportMmapFailureAndDie`).
  static func sanitizerFailure(_ line: WordsLine) -> LastWords? {
    let mark = "==ERROR: "
    guard let found = line.find(mark, within: 200), found > line.start,
      Ascii.isWord(line.source[found - 1]), let sign = line.find("Sanitizer failed to ")
    else { return nil }
    let start = found + mark.utf8.count
    return start < sign && line.source.bytes[start..<sign].allSatisfy(Ascii.isWord)
      ? line.words(at: start) : nil
  }

  static let assertMark = "Assertion failed: ("
  static let libraryMark = ":ERROR:"
  static let linuxMark = ": Assertion `"

  /// Whether these are the words of `assert()`, which calls `abort()` then.
  package static func isAssertion(_ words: String) -> Bool {
    words.hasPrefix(assertMark)
      || words.hasSuffix("' failed.") && words.firstRange(of: linuxMark) != nil
  }

  /// What `assert()` and GLib's `g_assert()` print, the second on Linux:
  ///
  /// ```text
  /// Assertion failed: (count > 0), function deal, file deck.c, line 9.
  /// deck: deck.c:9: int deal(int): Assertion `count > 0' failed.
  /// Deck-App:ERROR:deck.c:9:deal: assertion failed: (count > 0)
  /// ```
  ///
  /// Source: github.com/apple-oss-distributions/Libc, gen/assert.c; glibc, assert/assert.c;
  /// gitlab.gnome.org/GNOME/glib, glib/gtestutils.c (`g_assertion_message`).
  static func failedAssert(_ line: WordsLine) -> LastWords? {
    // LLVM's own names the place as compilers do: `function deal at deck.cpp:9.`
    if line.starts(assertMark), let function = line.find("), function "),
      [", line ", " at "].contains(where: { line.from(function).has($0) })
    {
      return line.words(at: line.start)
    }
    let source = line.source
    if let end = line.find(linuxMark), line.has("' failed.", at: line.range.upperBound - 9),
      let colon = line.find(": "), colon < end
    {
      // Without the folders of the file.
      let file = source.bytes[(colon + 2)..<end].prefix { $0 != Ascii.colon }
      return line.words(at: file.lastIndex(of: Ascii.slash).map { $0 + 1 } ?? colon + 2)
    }
    guard let mark = line.find(libraryMark, within: 80), mark > line.start else { return nil }
    var start = mark
    // Of the domain of a log: the name of a library or program.
    while start > line.start, Ascii.isWord(source[start - 1]) || source[start - 1] == Ascii.minus {
      start -= 1
    }
    guard start < mark, start == line.start || source[start - 1] == Ascii.space else { return nil }
    let place = line.from(mark + libraryMark.utf8.count)
    let isFailure = [": assertion failed", ": code should not be reached"].contains {
      place.has($0)
    }
    return isFailure ? line.words(at: start) : nil
  }

  static let chromiumMark = ":FATAL:"

  /// What Chromium, and who embeds it, logs before it ends the process:
  ///
  /// ```text
  /// [812:259:0704/101112.345678:FATAL:board/deck.cc:9] Check failed: count > 0.
  /// [0704/101112.345:FATAL:deck.cc(9)] Check failed: count > 0.
  /// ```
  ///
  /// Processes that it starts for web pages or graphics write to the same log. The first number is
  /// that of the process, unless it begins the date.
  ///
  /// Source: github.com/chromium/chromium, base/logging.cc (`LogMessage::Init`).
  static func chromiumFatal(_ line: WordsLine) -> LastWords? {
    guard let mark = line.find(chromiumMark, within: 200) else { return nil }
    let source = line.source
    var start = mark
    while start > line.start, mark - start < 64,
      Ascii.isDigit(source[start - 1]) || ":/.,".utf8.contains(source[start - 1])
    {
      start -= 1
    }
    let place = mark + chromiumMark.utf8.count
    guard start > line.start, start < mark, source[start - 1] == Ascii.openBracket,
      let close = source.find("] ", from: place, limit: min(line.range.upperBound, place + 300))
    else { return nil }
    // `deck.cc(9)` or `board/deck.cc:9`
    let end = source[close - 1] == Ascii.closeParenthesis ? close - 1 : close
    var digits = end
    while digits > place, Ascii.isDigit(source[digits - 1]) { digits -= 1 }
    let message = source.trimmed(close + 2..<line.range.upperBound)
    guard digits < end, digits - 1 > place, "(:".utf8.contains(source[digits - 1]),
      !message.isEmpty
    else { return nil }
    let file = source.string(place..<digits - 1).lastPathComponent
    var words = line.words(
      at: start - 1, "FATAL: \(source.string(message)) (\(file):\(source.string(digits..<end)))")
    if let (number, end) = source.decimal(at: start, limit: mark), end < mark,
      source[end] == Ascii.colon
    {
      words.processIdentifier = number.flatMap { Int(exactly: $0) }
    }
    return words
  }

  static let mainThreadChecker = "Main Thread Checker: "
  static let mainThreadOnlyWords = " must be used from main thread only"
  static let backgroundWords = " being called from a background thread. Performing "

  /// Of the checker of the main thread, of Metal, and of UIKit itself, behind the head of a log and
  /// the category or the level of the message: `2026-01-01 10:00:00.000+0100 Board[812:4] [reports]
  /// Main Thread Checker: UI API called on a background thread: -[UIView setNeedsLayout]`.
  ///
  /// Source: developer.apple.com/documentation/xcode, "Diagnosing memory, thread, and crash issues
  /// early"; the categories and UIKit's words as people show them
  /// (github.com/duraidabdul/LocalConsole, issue 4; onevcat/Kingfisher, issue 1182).
  static func checker(_ line: WordsLine) -> LastWords? {
    if let words = mainThreadOnly(line) { return words }
    let source = line.source
    let head = source.logHeadEnd(line.range)
    let limit = line.range.upperBound
    var start = source.trimmed((head ?? line.start)..<limit, leading: "* >`|\"", trailing: "")
      .lowerBound
    guard start < limit else { return nil }
    let isCategory = source[start] == Ascii.openBracket
    if isCategory || source[start] == UInt8(ascii: "<"),
      let close = source.find(
        isCategory ? "] " : ">: ", from: start, limit: min(limit, start + 60))
    {
      start = source.skipSeparators(from: close + 2, limit: limit)
    }
    guard start < limit else { return nil }
    let message = line.from(start)
    let failure = start == line.start ? nil : failedAssertion(message)
    return failure ?? backgroundView(message)
  }

  /// `+[UIView setAnimationsEnabled:] being called from a background thread. Performing any
  /// operation from a background thread on UIView or a subclass is not supported …`.
  private static func backgroundView(_ line: WordsLine) -> LastWords? {
    guard "+-".utf8.contains(line.source[line.start]),
      let end = line.find(backgroundWords, within: 160)
    else { return nil }
    let sentence = " being called from a background thread"
    return line.words(at: line.start, line.source.string(line.start..<end + sentence.utf8.count))
  }

  /// What Xcode shows of the checker of the main thread: `UI API called from background thread:
  /// -[UIView setHidden:] must be used from main thread only`, or with a property of Swift.
  ///
  /// Source: github.com/googlevr/gvr-ios-sdk, issue 306; CoderZhuXH/XHLaunchAd, issue 184.
  private static func mainThreadOnly(_ line: WordsLine) -> LastWords? {
    let words = mainThreadOnlyWords
    let source = line.source
    guard line.range.count < 400, line.has(words) else { return nil }
    let range = source.trimmed(line.range, leading: "#*>` ", trailing: "*`. ")
    let end = range.upperBound - words.utf8.count
    guard end > range.lowerBound,
      source.has(words, at: end, limit: range.upperBound)
    else { return nil }
    var start = end - 1
    // A method in brackets, or one word.
    if source[start] == Ascii.closeBracket {
      while start > range.lowerBound, source[start] != Ascii.openBracket { start -= 1 }
      start = max(start - 1, range.lowerBound)
    } else {
      while start > range.lowerBound, source[start - 1] > Ascii.space { start -= 1 }
      guard source.bytes[start..<end].contains(UInt8(ascii: ".")) else { return nil }
    }
    return line.words(at: start, "\(mainThreadChecker)\(source.string(start..<range.upperBound))")
  }
}

extension LastWords {
  /// What Metal's checks of the API say, in code of Markdown or in a sentence, where people write
  /// other quotation marks:
  ///
  /// ```text
  /// -[MTLDebugRenderCommandEncoder setViewport:]:12: failed assertion `no viewport'
  /// It stops with `validateBoard:34: failed assertion 'no tile (2)'` now.
  /// ```
  ///
  /// Source: as people show them: github.com/google/filament, issue 5061; gfx-rs/wgpu, issue 2077;
  /// KhronosGroup/MoltenVK, issue 573; twilio/video-quickstart-ios, issue 141.
  static func metalAssertion(_ line: WordsLine) -> LastWords? {
    let source = line.source
    let sign = ": failed assertion "
    let limit = line.range.upperBound
    guard let found = line.find(sign), found + sign.utf8.count + 1 < limit else { return nil }
    let message = found + sign.utf8.count + 1
    let mark = source[message - 1]
    guard "`'\"".utf8.contains(mark) else { return nil }
    var number = found
    while number > line.start, Ascii.isDigit(source[number - 1]) { number -= 1 }
    guard number < found, number > line.start + 1, source[number - 1] == Ascii.colon,
      let start = functionStart(line, before: number - 1)
    else { return nil }
    // The mark that ends it is one that no letter follows, as in `doesn't`.
    let closing = mark == UInt8(ascii: "\"") ? mark : UInt8(ascii: "'")
    let end = (message..<limit).first { offset in
      source[offset] == closing && (offset + 1 == limit || !Ascii.isWord(source[offset + 1]))
    }
    let words = source.string(source.trimmed(message..<(end ?? limit)))
    guard !words.isEmpty else { return nil }
    return line.words(
      at: start, "\(source.string(start..<found)): failed assertion `\(words)'")
  }

  /// Where the name of a function begins that ends at an offset: a method in brackets, or one word.
  private static func functionStart(_ line: WordsLine, before end: Int) -> Int? {
    let source = line.source
    let limit = max(line.start, end - 512)
    var start = end
    if source[end - 1] == Ascii.closeBracket {
      guard let open = source.bytes[limit..<end].lastIndex(of: Ascii.openBracket), open > limit,
        "-+".utf8.contains(source[open - 1])
      else { return nil }
      start = open - 1
    } else {
      while start > limit, Ascii.isWord(source[start - 1]) || source[start - 1] == UInt8(ascii: "_")
      {
        start -= 1
      }
    }
    guard start < end, start == line.start || " `'\"(:>*".utf8.contains(source[start - 1]) else {
      return nil
    }
    return start
  }
}

extension LastWords {
  /// What Rosetta says before it ends a process whose code it cannot translate, if the place that
  /// it prints is there, in the same line or in the one below:
  ///
  /// ```text
  /// assertion failed [block != nullptr]: no block for arm_pc=0x1053
  /// (Translator.cpp:12 translate)
  /// ```
  ///
  /// Source: as people show it (github.com/shadps4-emu/shadPS4, issue 667; AvaloniaUI/Avalonia,
  /// issue 10622).
  static func rosettaAssertion(_ line: WordsLine) -> LastWords? {
    let title = "assertion failed ["
    let source = line.source
    guard let start = line.find(title),
      start == line.start || " *`'\">".utf8.contains(source[start - 1])
    else { return nil }
    let condition = start + title.utf8.count
    guard let close = source.find("]:", from: condition, limit: line.range.upperBound) else {
      return nil
    }
    var message = source.trimmed(close + 2..<line.range.upperBound)
    var end = line.next
    var place: String?
    if let (below, next) = line.below, let text = rosettaPlace(source, below) {
      place = text
      end = next
    } else if let open = source.bytes[message].lastIndex(of: Ascii.openParenthesis) {
      place = rosettaPlace(source, open..<message.upperBound)
      message = source.trimmed(message.lowerBound..<open)
    }
    guard let place else { return nil }
    // Behind the words are registers: `arm_pc=0x1053 interval=[0x10,0x20)`.
    let all = source.string(message)
    let words = all.split(separator: " ").prefix { word in
      word.firstRange(of: "=0x") == nil && word.firstRange(of: "=[0x") == nil
    }
    let told = words.isEmpty ? all : words.joined(separator: " ")
    return line.words(
      at: start,
      "assertion failed in Rosetta, \(place): \(source.string(condition..<close))"
        + (told.isEmpty ? "" : ": \(told)"), end: end)
  }

  /// `translate (Translator.cpp:12)` of `(Translator.cpp:12 translate)`, which bold text or a
  /// quotation may end with; nil if it is something else.
  private static func rosettaPlace(_ source: TextSource, _ range: Range<Int>) -> String? {
    guard range.count < 256 else { return nil }
    let text = source.string(range)
    guard let close = text.lastIndex(of: ")"), text.first == "(",
      text[text.index(after: close)...].allSatisfy({ "*`'\"".contains($0) })
    else { return nil }
    let words = text[..<close].dropFirst().split(separator: " ", maxSplits: 1)
    guard words.count == 2 else { return nil }
    let parts = words[0].split(separator: ":")
    guard parts.count == 2, parts[0].hasSuffix(".cpp") || parts[0].hasSuffix(".h"),
      parts[1].allSatisfy({ $0.isASCII && $0.isNumber })
    else { return nil }
    return "\(words[1]) (\(words[0]))"
  }
}

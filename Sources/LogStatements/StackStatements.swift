import JsonReading
import ReportFormats
package import ReportModel
import SymbolicationModel

/// An exception that nobody caught in Java, Kotlin or Scala, with its stack and what caused it:
///
/// ```text
/// Exception in thread "main" java.lang.ExceptionInInitializerError
/// \tat com.example.board.Window.show(Window.java:24)
/// \tat com.example.board.Main.main(Main.java:9)
/// Caused by: java.lang.IllegalStateException: not on the main thread
/// \t... 2 more
/// ```
///
/// Source: OpenJDK, java.base/share/classes/java/lang/Throwable.java (`printStackTrace`).
extension StatementReading {
  /// Takes the class of the exception, what it says, the innermost function, and the last of the
  /// causes in the lines below. A line without a stack below it is prose.
  mutating func takeJavaException(_ match: LineMatch, _ line: TextLine) -> Bool {
    guard facts.exception.name == nil, let range = match[.message],
      let thrown = source.javaThrowable(range)
    else { return false }
    var next = line.next
    var frame: StackFrame?
    var cause: (name: String, reason: String?)?
    var count = 0
    while next < source.count, count < Self.javaLineLimit {
      let below = source.line(at: next)
      let text = source.trimmed(below.start..<below.end, leading: " \t>", trailing: " \t")
      guard text.count < 4096 else { break }
      if source.has("at ", at: text.lowerBound, limit: text.upperBound) {
        // What Java brings along is no place, unless nothing else is there.
        if frame.map(Self.isOfJava) ?? true, let found = source.javaFrame(text, below),
          frame == nil || !Self.isOfJava(found)
        {
          frame = found
        }
      } else if source.has("Caused by: ", at: text.lowerBound, limit: text.upperBound) {
        cause = source.javaThrowable(text.lowerBound + 11..<text.upperBound) ?? cause
      } else if !source.has("... ", at: text.lowerBound, limit: text.upperBound), frame != nil {
        break
      } else if count > 3 {
        break
      }
      count += 1
      next = below.next
    }
    guard let frame else { return false }
    skipEnd = max(skipEnd, next)
    facts.exception.name = thrown.name
    let words = [
      thrown.reason, cause.map { "caused by \($0.name)\($0.reason.map { ": \($0)" } ?? "")" },
    ].compactMap(\.self)
    facts.exception.reason = words.isEmpty ? nil : words.joined(separator: ", ")
    if innermost == nil { innermost = frame }
    if facts.process.name == nil {
      facts.process.name = source.writer(above: line, floor: source.textStart)?.name ?? "java"
    }
    return true
  }

  private static let javaLineLimit = 1000

  private static func isOfJava(_ frame: StackFrame) -> Bool {
    frame.symbol.map { symbol in
      ["java.", "javax.", "jdk.", "sun.", "com.sun.", "kotlin."].contains {
        symbol.name.hasPrefix($0)
      }
    } ?? false
  }
}

extension TextSource {
  /// `java.lang.IllegalStateException` and `not on the main thread`, which may be missing. Nil if
  /// these are other words.
  fileprivate func javaThrowable(_ range: Range<Int>) -> (name: String, reason: String?)? {
    let name = bytes[range].prefix { Ascii.isWord($0) || ".$_".utf8.contains($0) }
    guard name.contains(UInt8(ascii: ".")), name.count < 256 else { return nil }
    let rest = trimmed(name.endIndex..<range.upperBound)
    if rest.isEmpty { return (string(name.startIndex..<name.endIndex), nil) }
    guard self[name.endIndex] == Ascii.colon else { return nil }
    let reason = trimmed(name.endIndex + 1..<range.upperBound)
    return (string(name.startIndex..<name.endIndex), reason.isEmpty ? nil : string(reason))
  }

  /// The frame of `at com.example.board.Window.show(Window.java:24)`, or of `at
  /// java.base/java.util.List.of(List.java:24)`.
  fileprivate func javaFrame(_ text: Range<Int>, _ line: TextLine) -> StackFrame? {
    guard let open = find("(", from: text.lowerBound, limit: text.upperBound),
      self[text.upperBound - 1] == UInt8(ascii: ")")
    else { return nil }
    // In front of the class may be its module.
    let slash = bytes[text.lowerBound..<open].lastIndex(of: Ascii.slash)
    let name = (slash.map { $0 + 1 } ?? text.lowerBound + 3)..<open
    guard bytes[name].contains(UInt8(ascii: ".")), bytes[name].allSatisfy({ $0 > Ascii.space })
    else { return nil }
    var symbol = FrameSymbol(name: string(name))
    let place = open + 1..<text.upperBound - 1
    if let colon = bytes[place].lastIndex(of: Ascii.colon),
      let (number, end) = decimal(at: colon + 1, limit: place.upperBound), end == place.upperBound
    {
      symbol.file = string(place.lowerBound..<colon)
      symbol.line = number.flatMap { Int(exactly: $0) }
    }
    var values = FrameValues(byteRange: line.start..<line.end)
    values.index = 0
    values.symbol = symbol
    return StackFrame(address: nil, carrier: .values(values))
  }
}

/// The frames of the app's own code, as HockeyApp writes them into the issues that it opens:
///
/// ```text
/// ### Version: 2.1 (130) | com.example.board ###
///
/// ### Stacktrace ###
///
/// <pre>BoardController;tableView:didSelectRowAtIndexPath:;BoardController.m;239
/// -;main;main.m;16</pre>
/// ```
///
/// A class is `-` for a function, and nothing says whether a method is one of the class. Of each
/// program the outermost is `main`, which says nothing about the crash.
///
/// Source: issues of that form, such as github.com/Provenance-Emu/Provenance, issue 1090.
struct HockeyFrames {
  private(set) var frames: [StackFrame] = []
  private(set) var range: Range<Int>?
  private(set) var version: String?
  private(set) var bundleIdentifier: String?
  /// In how many lines the first frame may still come.
  private var remainingLines = 0
  private var isOpen = false

  /// - Returns: whether the line is a frame.
  mutating func take(_ line: TextLine, _ source: TextSource) -> Bool {
    guard line.end - line.start < 512 else {
      isOpen = false
      return false
    }
    let text = source.trimmed(line.start..<line.end)
    if frames.isEmpty, takeHead(text, source) { return false }
    guard isOpen || remainingLines > 0 else { return false }
    remainingLines -= 1
    guard let frame = frame(text, source) else {
      if !text.isEmpty || remainingLines <= 0 { isOpen = false }
      return false
    }
    isOpen = true
    range = (range?.lowerBound ?? text.lowerBound)..<text.upperBound
    if let frame, frames.count < Self.limit { frames.append(frame) }
    return true
  }

  /// A page shows the innermost ones.
  private static let limit = 64

  private mutating func takeHead(_ text: Range<Int>, _ source: TextSource) -> Bool {
    func find(_ words: String) -> Int? {
      source.find(words, from: text.lowerBound, limit: text.upperBound)
    }
    // `### Stacktrace (first of multiple) ###`
    if text.count < 48, find("Stacktrace") != nil {
      remainingLines = 3
      return true
    }
    guard find("Version: ") != nil, let match = Self.version.match(source, text) else {
      return false
    }
    version = match.text(.version, source)
    bundleIdentifier = match.text(.process, source)
    return true
  }

  private static let version = LinePattern(
    "{?{skip:w} ?}Version: {version} | {process:w}{? {skip:w}?}")

  /// A frame, or nil in it for one that only starts the program; nil for another line.
  private func frame(_ text: Range<Int>, _ source: TextSource) -> StackFrame?? {
    var (start, end) = (text.lowerBound, text.upperBound)
    for tag in ["<pre>", "```"] where source.has(tag, at: start, limit: end) {
      start += tag.utf8.count
    }
    if end - start > 6, source.has("</pre>", at: end - 6, limit: end) { end -= 6 }
    let parts = source.bytes[start..<end].split(
      separator: UInt8(ascii: ";"), maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 4, !parts[0].isEmpty, !parts[1].isEmpty,
      parts[3].allSatisfy(Ascii.isDigit),
      !parts.contains(where: { $0.contains(Ascii.space) })
    else { return nil }
    let words = parts.map { String(decoding: $0, as: UTF8.self) }
    if words[0] == "-", ["main", "start"].contains(words[1]) { return .some(nil) }
    var values = FrameValues(byteRange: start..<end)
    let isSwift = words[2].hasSuffix(".swift")
    let name =
      words[0] == "-"
      ? words[1] : isSwift ? "\(words[0]).\(words[1])" : "-[\(words[0]) \(words[1])]"
    values.index = frames.count
    values.symbol = FrameSymbol(
      name: name, file: words[2].isEmpty ? nil : words[2],
      line: words[2].isEmpty ? nil : Int(words[3]))
    return StackFrame(address: nil, carrier: .values(values))
  }
}

extension TextSource {
  /// The functions of a numbered list in Markdown whose items are nothing but functions in code,
  /// each with the distance from its start, and where the line below begins:
  ///
  /// ```text
  /// 1. `deck_draw + 139`
  /// 2. `-[Board turn] + 356`
  /// ```
  ///
  /// Nil for other lists. Debuggers and `atos` write the distances, and few other lists have them.
  ///
  /// Source: CommonMark 0.31.2, sections 5.3 and 6.1; atos(1).
  func numberedFrames(
    from first: TextLine, _ limit: Int
  ) -> (frames: [NamedFrames.Frame], end: Int)? {
    var frames: [NamedFrames.Frame] = []
    var expected: UInt64?
    var end = first.start
    for _ in 0..<64 where end < limit {
      let line = self.line(at: end)
      guard line.end - line.start < 1024,
        let (number, name, text) = numberedFrame(line),
        expected.map({ $0 == number }) ?? (number < 2)
      else { break }
      frames.append(NamedFrames.Frame(image: nil, name: name, line: text))
      // At most 64 more than 1.
      expected = number + 1
      end = line.next
    }
    return frames.count > 1 ? (frames, end) : nil
  }

  /// 1 and `deck_draw` of ``1. `deck_draw + 139` ``, and all that is in the code.
  private func numberedFrame(
    _ line: TextLine
  ) -> (number: UInt64, name: Range<Int>, text: Range<Int>)? {
    let item = trimmed(line.start..<line.end, leading: "> \t", trailing: " \t\r")
    guard let first = bytes[item].first, Ascii.isDigit(first),
      let (number, end) = self.number(at: item.lowerBound, limit: item.upperBound),
      number < 128, has(". `", at: end, limit: item.upperBound),
      item.upperBound - end > 6, self[item.upperBound - 1] == UInt8(ascii: "`")
    else { return nil }
    let text = end + 3..<item.upperBound - 1
    let name = withoutOffset(text)
    return name.count < text.count && isName(name) ? (number, name, text) : nil
  }
}

/// What React Native says about an error of JavaScript that nobody caught, before it ends the
/// process:
///
/// ```text
/// Description: Unhandled JS Exception: Error: No cards
///
/// This error is located at:
///     at Board (main.jsbundle:151220:43)
///     at App
/// ```
///
/// Source: github.com/facebook/react-native, React/CoreModules/RCTExceptionsManager.mm
/// (`reportFatalException`) and React/Base/RCTAssert.m (`RCTFatal`, which throws a
/// `RCTFatalException`).
extension StatementReading {
  mutating func takeJavaScriptError(_ match: LineMatch, _ line: TextLine, _ sign: Int) -> Bool {
    guard facts.exception.name == nil, facts.exception.reason == nil, let range = match[.message],
      !source.isExample(line.start..<sign)
    else { return isErrorOfScript(match, sign) }
    var words = source.string(source.trimmed(sign..<range.upperBound))
    var next = line.next
    // Somebody broke the sentence.
    for _ in 0..<4 where next < source.count {
      let below = source.line(at: next)
      let text = source.trimmed(below.start..<below.end, leading: "> \t", trailing: " \t\r")
      guard !text.isEmpty, text.count < 512, let last = words.utf8.last, last != UInt8(ascii: "."),
        Ascii.isLowercase(source[text.lowerBound]), source.scriptFrame(text) == nil,
        !source.has("at ", at: text.lowerBound, limit: text.upperBound)
      else { break }
      words += " \(source.string(text))"
      next = below.next
    }
    facts.exception.name = Self.fatalError
    facts.exception.reason = stackOfScript(words) ?? words
    skipEnd = max(skipEnd, next)
    for _ in 0..<16 where next < source.count && innermost == nil {
      let below = source.line(at: next)
      next = below.next
      guard below.end - below.start < 1024 else { break }
      let text = source.trimmed(below.start..<below.end, leading: "> \t", trailing: " \t\r")
      guard let symbol = source.scriptFrame(text) else { continue }
      var values = FrameValues(byteRange: below.start..<below.end)
      values.index = 0
      values.symbol = symbol
      innermost = StackFrame(address: nil, carrier: .values(values))
    }
    return true
  }

  /// Whether the exception is one of these. Another line may repeat it, with its stack.
  private mutating func isErrorOfScript(_ match: LineMatch, _ sign: Int) -> Bool {
    guard facts.exception.name == Self.fatalError else { return false }
    let words = match[.message].flatMap { stackOfScript(source.string(sign..<$0.upperBound)) }
    if let words, facts.exception.reason.map({ words.hasPrefix("\($0), stack:") }) == true {
      facts.exception.reason = words
    }
    return true
  }

  /// An error of JavaScript with no more than the first function of its stack.
  private func stackOfScript(_ words: String) -> String? {
    guard let stack = words.firstRange(of: ", stack:") else { return nil }
    let rest = words[stack.upperBound...].drop { $0 == " " }
    return "\(words[..<stack.upperBound]) \(rest.prefix { $0 != " " })"
  }

  private static let fatalError = "RCTFatalException"
}

extension TextSource {
  /// The function and the place of `at Board (main.jsbundle:151220:43)`; nil for other lines.
  fileprivate func scriptFrame(_ text: Range<Int>) -> FrameSymbol? {
    guard has("at ", at: text.lowerBound, limit: text.upperBound), text.count < 512,
      let open = find(" (", from: text.lowerBound + 3, limit: text.upperBound),
      self[text.upperBound - 1] == UInt8(ascii: ")"), open > text.lowerBound + 3,
      let place = placeInSentence(from: open + 2, text.upperBound)
    else { return nil }
    return FrameSymbol(
      name: string(text.lowerBound + 3..<open), file: place.file.lastPathComponent,
      line: place.line)
  }
}

extension NamedFrames {
  /// A report of what lines say about a crash, with these stacks.
  func report(of facts: ReportFacts, _ lines: Range<Int>, _ source: TextSource) -> Report {
    let start = min(range.lowerBound, lines.lowerBound)
    let end = max(range.upperBound, lines.upperBound)
    return Report(
      format: .crashText, byteRange: start..<end, facts: facts, images: [],
      backtraces: backtraces(source, facts.process.name), faults: [])
  }
}

extension StatementReading {
  /// The stack that the text has near the words about an exception, as names alone.
  func namedFrames() -> NamedFrames? {
    guard isWholeText, innermost == nil, hockey.frames.isEmpty, facts.panic == nil,
      told.saysException || facts.exception.type != nil || facts.exception.signal != nil
        || facts.exception.reason != nil || !fields.values(of: "Exception Type").isEmpty,
      let words = range ?? told.range, source.count <= 1 << 20,
      let named = NamedFrames(in: source, source.textStart..<limit)
        ?? NamedFrames(decodedIn: source, source.textStart..<limit)
    else { return nil }
    let isNear =
      named.range.lowerBound - words.upperBound < 4096
      && words.lowerBound - named.range.upperBound < 4096
    return isNear ? named : nil
  }
}

extension Report {
  /// The head of a report with the stack that somebody wrote below it, or into it, as names. The
  /// same if it has frames, or does not say how the process ended. A frame that somebody looked up
  /// may be above it.
  ///
  /// - Parameters:
  ///   - floor: where the text begins that belongs to no other report.
  ///   - limit: where it ends.
  package func withNamedFrames(in source: TextSource, floor: Int, limit: Int) -> Report {
    guard format == .crashText, backtraces.allSatisfy(\.frames.isEmpty), images.isEmpty,
      threadStates.isEmpty, facts.event == .crash,
      facts.exception.type != nil || facts.exception.signal != nil
    else { return self }
    let end = source.lineStart(of: min(limit, byteRange.upperBound + 2048))
    let above = source.lineStart(of: max(floor, byteRange.lowerBound - 2048))
    let lines = byteRange.lowerBound..<max(end, byteRange.upperBound)
    guard byteRange.lowerBound < end,
      let named = NamedFrames(in: source, lines)
        ?? NamedFrames(
          decodedIn: source, min(max(above, floor), lines.upperBound)..<lines.upperBound)
    else { return self }
    let line = source.line(at: named.range.lowerBound)
    var facts = facts
    facts.applicationInformation.removeAll { $0 == source.string(line.start..<line.end) }
    return Report(
      format: format,
      byteRange: min(
        byteRange.lowerBound, named.range.lowerBound)..<max(
          byteRange.upperBound, named.range.upperBound),
      header: header, facts: facts, images: images,
      backtraces: named.backtraces(source, facts.process.name),
      threadStates: threadStates, faults: faults, looseLines: looseLines)
  }
}

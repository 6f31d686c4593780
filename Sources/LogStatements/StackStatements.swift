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

// Where stacks of names alone count.

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
        || !fields.values(of: "Exception Type").isEmpty,
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
        ?? NamedFrames(decodedIn: source, max(above, floor)..<lines.upperBound)
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

import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// Which program crashed and how, in a sentence: `Board crashed with EXC_CRASH (SIGABRT) while …`.
/// Alone it says too little for a report.
struct ToldCrash {
  private(set) var program: String?
  private var type: String?
  private var signal: String?
  /// With the code or the signal that reports have beside it.
  private var exception: CodeWords?
  /// What the heading of the text says, which counts if no frame does.
  private var heading: CodeWords?
  /// Of the line with ``exception``.
  private(set) var range: Range<Int>?
  /// The line that was last searched for a stack in a sentence, and whether it has one: each of its
  /// quotations may name an exception.
  private var searched: (line: Int, hasStack: Bool)?

  /// Whether a sentence is one about the frames below it.
  var saysException: Bool { exception != nil }

  /// - Parameters:
  ///   - sign: where the name of the exception begins.
  ///   - range: of the line.
  mutating func take(at sign: Int, _ range: Range<Int>, _ source: TextSource) {
    if let words = CodeWords(at: sign, range, source, isBesideStack: isBesideStack(sign, source)) {
      // The last one is nearest to the frames, unless it says less.
      if exception?.subtype == nil || words.subtype != nil {
        exception = words.withMessage(of: exception)
      }
      self.range = range
    } else if heading == nil, let words = CodeWords(inHeading: range, at: sign, source) {
      heading = words
      self.range = self.range ?? range
    }
    guard program == nil else { return }
    takeProgram(at: sign, range, source)
  }

  private mutating func isBesideStack(_ sign: Int, _ source: TextSource) -> Bool {
    let start = source.lineStart(of: sign)
    if let searched, searched.line == start { return searched.hasStack }
    let line = source.line(at: start)
    let hasStack = source.announcesStack(line) || source.chainBesideException(line) != nil
    searched = (start, hasStack)
    return hasStack
  }

  private mutating func takeProgram(at sign: Int, _ range: Range<Int>, _ source: TextSource) {
    guard let kind = source.exceptionKind(at: sign, range.upperBound) else { return }
    let start = max(range.lowerBound, sign - 160)
    // The name may be in code or bold.
    let end = source.trimmed(start..<sign, leading: "", trailing: " `*").upperBound
    var words = source.string(start..<end).split(separator: " ")[...]
    if let last = words.last, ["a", "an", "the"].contains(last) { words.removeLast() }
    guard words.popLast() == "with", let verb = words.popLast(), Self.verbs.contains(String(verb))
    else { return }
    (type, signal) = (kind.type, kind.signal)
    // Words of a sentence begin with small letters, and a program is named by one that is no
    // pronoun.
    guard let word = words.last else { return }
    let name = word.drop { "`*\"'(".contains($0) }.prefix { !"`*\"'),:".contains($0) }
    guard name.utf8.count > 2, name.first?.isLetter == true,
      name.contains(where: \.isUppercase), !Self.otherWords.contains(name.lowercased())
    else { return }
    program = String(name)
  }

  func complete(_ facts: inout ReportFacts) {
    if facts.process.name == nil { facts.process.name = program }
    guard facts.exception.type == nil, facts.exception.signal == nil else {
      // What else a sentence says about the same exception.
      if let exception, exception.type == facts.exception.type, facts.exception.message == nil {
        facts.exception.message = exception.message
      }
      return
    }
    (facts.exception.type, facts.exception.signal) = (type, signal)
  }

  /// Takes the program from a sentence about the same kind of exception.
  func completeProcess(_ facts: inout ReportFacts) {
    if facts.process.name == nil, type == facts.exception.type { facts.process.name = program }
  }

  /// Takes the heading for a sentence about the frames, if none is.
  mutating func takeHeading() { exception = exception ?? heading }

  /// What a sentence right above frames says, in which no exception is known.
  func complete(frames facts: inout ReportFacts) {
    guard let exception, facts.exception.type == nil, facts.exception.signal == nil else { return }
    facts.exception.type = exception.type
    facts.exception.signal = exception.signal
    facts.exception.subtype = exception.subtype
    facts.exception.message = exception.message
    if let word = exception.instruction, facts.exception.codes.isEmpty {
      facts.exception.codes = [1, word]
    }
  }

  private static let verbs: Set = [
    "crashed", "crashes", "crashing", "aborted", "aborts", "died", "dies", "terminated",
    "terminates", "quit", "quits", "exited", "exits",
  ]
  private static let otherWords: Set = [
    "this", "that", "they", "which", "app", "apps", "application", "program", "process", "game",
    "client", "server", "editor", "xcode", "simulator", "and", "then", "now", "also", "always",
    "ios", "ipados", "macos", "android", "iphone", "ipad", "mac", "just", "code", "thread", "build",
    "version", "release", "debug", "everything", "both", "immediately",
  ]
}

// What stands in a sentence, or between quotation marks there.
extension StatementReading {
  /// Takes the words of a library that a sentence quotes.
  ///
  /// - Parameter sign: where a text is that the words have.
  mutating func takeSentence(_ line: TextLine, _ sign: Int) -> Bool {
    guard isWholeText, !source.isExample(line.start..<sign),
      LastWords(line, of: source) == nil, let words = LastWords(inProse: line, of: source)
    else { return false }
    return take(words, line)
  }

  /// Takes what a sentence quotes, as if it had a line of its own: people put what a console, a
  /// shell or Xcode says between the marks of code.
  ///
  /// ```text
  /// The app stops with `Thread 1: signal SIGABRT` in main.
  /// I get "libc++abi: terminating with uncaught exception of type NSException" there.
  /// ```
  ///
  /// Source: CommonMark 0.31.2, section 6.1 (code spans).
  ///
  /// - Complexity: looks at four quotations.
  mutating func takeQuotation(_ line: TextLine) -> Bool {
    if let first = source.find("`", from: line.start, limit: line.end) {
      return first > line.start && takeQuotation("`", "`", from: first, line)
    }
    // Logs have many quotation marks.
    guard mayBeWords(line.start..<line.end) else { return false }
    for (open, close) in Self.quotationMarks {
      guard let first = source.find(open, from: line.start, limit: line.end) else { continue }
      return first > line.start
        && !source.bytes[line.start..<first].contains(where: { "(=[{+".utf8.contains($0) })
        && takeQuotation(open, close, from: first, line)
    }
    return false
  }

  private static let quotationMarks = [
    ("\"", "\""), ("“", "”"), ("「", "」"), ("«", "»"), ("‘", "’"),
  ]

  private mutating func takeQuotation(
    _ open: String, _ close: String, from first: Int, _ line: TextLine
  ) -> Bool {
    guard !source.has("//", at: line.start, limit: line.end),
      !source.isExample(line.start..<first)
    else { return false }
    let cursor = signs
    var next: Int? = first
    for _ in 0..<4 {
      guard var start = next.map({ $0 + open.utf8.count }) else { break }
      // Of two marks.
      while source[start] == Self.codeSpan, start < line.end { start += 1 }
      guard let end = source.find(close, from: start, limit: line.end) else { break }
      let quoted = source.trimmed(start..<end)
      if quoted.count > 8,
        takeQuoted(TextLine(start: quoted.lowerBound, end: quoted.upperBound, next: line.next))
      {
        return true
      }
      var rest = end + close.utf8.count
      while source[rest] == Self.codeSpan, rest < line.end { rest += 1 }
      next = source.find(open, from: rest, limit: line.end)
    }
    // It only goes on, and the whole line is read next.
    signs = cursor
    return false
  }

  /// Takes what stands in a span of code that a line begins with, if more spans follow.
  mutating func takeSpan(_ range: Range<Int>, _ line: TextLine) -> Bool {
    guard range.count > 8 else { return false }
    let cursor = signs
    let span = TextLine(start: range.lowerBound, end: range.upperBound, next: line.next)
    if takeQuoted(span) { return true }
    signs = cursor
    return false
  }

  /// Whether a part of a line may say something: logs have many quotation marks.
  private mutating func mayBeWords(_ range: Range<Int>) -> Bool {
    signs.mayBeSign(in: range, of: source, limit: limit) || LastWords.mayBe(in: range, of: source)
  }

  private mutating func takeQuoted(_ quoted: TextLine) -> Bool {
    if takeMessage(quoted) { return true }
    if let words = LastWords(quoted, of: source) { return take(words, quoted) }
    // Scripts have these between other marks.
    return source[quoted.end] == Self.codeSpan && ending.takeShell(quoted, source)
  }

  private static let codeSpan = UInt8(ascii: "`")
}

/// Where a program crashed, in fields that people put around the exception, in a list, in a table
/// or one below the other:
///
/// ```text
/// - **File**: `Board.swift`
/// - **Line**: `18`
/// - **Crash Message**: `Thread 1: EXC_BREAKPOINT (code=1, subcode=0x25821b18c)`
/// ```
///
/// or `Crash Location: Board binary, offset 0x3B2AC (242348)`.
///
/// Source: github.com/matomo-org/matomo-sdk-ios, issue 468; wxtsky/CodeIsland, issue 246.
struct ToldPlace {
  private var file: String?
  private var line: Int?
  private var function: String?
  private var image: String?
  private var offset: UInt64?
  private var range: Range<Int>?

  /// - Parameter exception: the lines that say what happened.
  init(around exception: Range<Int>, _ source: TextSource, limit: Int) {
    var current = source.line(at: source.lineStart(of: exception.lowerBound))
    for _ in 0..<Self.reach {
      guard let above = source.lineAbove(current) else { break }
      current = above
      take(current, source)
    }
    var next = source.lineStart(of: exception.lowerBound)
    let end = exception.upperBound
    var below = 0
    while next < min(limit, source.count), below < Self.reach, next < exception.lowerBound + 8192 {
      let line = source.line(at: next)
      next = line.next
      if line.start >= end { below += 1 }
      take(line, source)
    }
  }

  /// The frame that the fields name; nil if they name none.
  var frame: StackFrame? {
    let isKnown = function != nil || file != nil && line != nil || offset != nil || image != nil
    guard let range, isKnown else { return nil }
    var values = FrameValues(byteRange: range)
    values.index = 0
    values.imageName = image
    if function != nil || file != nil {
      values.symbol = FrameSymbol(
        name: function ?? "<unknown>", file: line == nil ? nil : file,
        line: file == nil ? nil : line)
    } else {
      values.imageOffset = offset
    }
    return StackFrame(address: nil, carrier: .values(values))
  }

  private mutating func take(_ line: TextLine, _ source: TextSource) {
    guard line.end - line.start < 512 else { return }
    let text = source.trimmed(
      line.start..<line.end, leading: "-*+|>#_` \t", trailing: "*|_` \t.")
    guard
      let colon = source.bytes[text].prefix(32).firstIndex(where: {
        $0 == Ascii.colon || $0 == UInt8(ascii: "|")
      })
    else { return }
    let key = source.string(
      source.trimmed(text.lowerBound..<colon, leading: "*_` ", trailing: "*_` ")
    )
    .lowercased()
    let value = source.trimmed(
      colon + 1..<text.upperBound, leading: "*_` |", trailing: "*_` ")
    guard !value.isEmpty else { return }
    if Self.files.contains(key) {
      takeFile(value, source)
    } else if Self.lines.contains(key) {
      guard self.line == nil,
        let (number, end) = source.decimal(at: value.lowerBound, limit: value.upperBound),
        end == value.upperBound
      else { return }
      self.line = number.flatMap { Int(exactly: $0) }.flatMap { $0 > 0 ? $0 : nil }
      note(value)
    } else if Self.places.contains(key) {
      takePlace(value, source, isOfCrash: key.hasPrefix("crash") || key.hasPrefix("fault"))
    }
  }

  private mutating func note(_ value: Range<Int>) { range = range ?? value }

  private mutating func takeFile(_ value: Range<Int>, _ source: TextSource) {
    guard file == nil else { return }
    if let place = source.placeInSentence(from: value.lowerBound, value.upperBound) {
      (file, line) = (place.file.lastPathComponent, place.line)
    } else if source.bytes[value].contains(UInt8(ascii: ".")),
      !source.bytes[value].contains(Ascii.colon), !source.bytes[value].contains(Ascii.space)
    {
      file = source.string(value).lastPathComponent
    } else {
      return
    }
    note(value)
  }

  private mutating func takePlace(
    _ value: Range<Int>, _ source: TextSource, isOfCrash: Bool
  ) {
    guard function == nil, offset == nil else { return }
    if let place = source.placeInSentence(from: value.lowerBound, value.upperBound) {
      guard file == nil else { return }
      (file, line) = (place.file.lastPathComponent, place.line)
      note(value)
    } else if let name = source.functionInSentence(value) {
      function = name
      let end = value.lowerBound + name.utf8.count
      if file == nil, let place = source.placeInSentence(from: end, value.upperBound) {
        (file, line) = (place.file.lastPathComponent, place.line)
      }
      note(value)
    } else if let place = Self.offset(in: value, source) {
      (image, offset) = place
      note(value)
    } else if image == nil, isOfCrash, let name = Self.image(in: value, source) {
      image = name
      note(value)
    }
  }

  /// `Deck` of ``the crash occurs in `Deck`, called by …``, in which the marks of code may be gone;
  /// nil for other sentences.
  private static func image(in value: Range<Int>, _ source: TextSource) -> String? {
    let limit = min(value.upperBound, value.lowerBound + 256)
    let mark = verbs.lazy.compactMap { verb in
      source.find(verb, from: value.lowerBound, limit: limit).map { $0 + verb.utf8.count }
    }.first
    guard let mark, !source.isDenied(value.lowerBound..<mark) else { return nil }
    let isCode = source.has("`", at: mark, limit: limit)
    let name = source.bytes[(isCode ? mark + 1 : mark)..<limit].prefix {
      TextSource.isOfName($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
    }
    let end = source.trimEnd(from: name.startIndex, to: name.endIndex)
    let isWhole =
      isCode ? source[end] == UInt8(ascii: "`") : end == limit || source[end] == UInt8(ascii: ",")
    guard name.count > 2, isWhole else { return nil }
    let text = source.string(name.startIndex..<end)
    return isCode || !situations.contains(text.lowercased()) ? text : nil
  }

  private static let verbs = [
    "occurs in ", "occurred in ", "happens in ", "happened in ", "crashes in ", "crashed in ",
  ]
  /// What a program may crash in that is no library.
  private static let situations: Set = [
    "production", "release", "debug", "testflight", "background", "foreground", "simulator",
    "development", "general", "main", "xcode", "both", "all", "swift", "this", "that", "it",
    "it.", "testing", "safari", "ios", "macos", "there", "here",
  ]

  /// `Board` and 0x3B2AC of `Board binary, offset 0x3B2AC (242348)` or `Board + 242348`.
  private static func offset(
    in value: Range<Int>, _ source: TextSource
  ) -> (image: String, offset: UInt64)? {
    let marks = ["offset ", "+ ", "offset: ", "+"]
    guard
      let mark = marks.lazy.compactMap({ mark in
        source.find(mark, from: value.lowerBound, limit: value.upperBound).map {
          (start: $0, end: $0 + mark.utf8.count)
        }
      }).first, mark.start > value.lowerBound,
      let number = source.hexadecimal(at: mark.end, limit: value.upperBound)?.0
        ?? source.decimal(at: mark.end, limit: value.upperBound)?.value
    else { return nil }
    var words = source.string(value.lowerBound..<mark.start)
      .split { " ,(@".contains($0) }
    while let last = words.last, ["binary", "image", "at"].contains(last) { words.removeLast() }
    guard words.count == 1, let image = words.first, image.first?.isLetter == true else {
      return nil
    }
    return (String(image), number)
  }

  /// In how many lines above and below.
  private static let reach = 8
  private static let files: Set = ["file", "source file", "crash file", "file name", "filename"]
  private static let lines: Set = ["line", "line number", "crash line"]
  private static let places: Set = [
    "location", "crash location", "crash site", "crash point", "crashed at", "crashed in",
    "faulting location", "fault location", "function", "method", "crashing function",
    "faulting function", "faulting frame", "crashing frame", "top frame", "crashed function",
  ]
}

import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// A report whose lines somebody joined with blanks, as forms, search engines and converters of
/// pages do:
///
/// ```text
/// Process: Board [812] Exception Type: EXC_CRASH (SIGABRT) Thread 0 Crashed: 0 Board 0x1… f + 4 …
/// ```
///
/// A line begins before each field, each heading and each frame. Of Crashlytics' stacks and a
/// debugger's, which have no fields, a heading with frames is enough, and so are several frames
/// from the first one on. The text counts only if a report is found in it.
struct RunOnWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    guard Self.isSign(source, source.textStart..<source.count) else { return nil }
    // What an answer would put on a line of its own stays on the line.
    var text = UnwrappedText(of: source.bytes) { text in
      text.map { $0 == Ascii.lineFeed ? Ascii.space : $0 }
    }
    var copied = source.textStart
    var isFound = false
    var next = source.textStart
    while next < source.count {
      let line = source.line(at: next)
      next = line.next
      // A longer line is data.
      guard (40..<1 << 20).contains(line.end - line.start),
        Self.isSign(source, line.start..<line.end)
      else { continue }
      let starts = RunOnLine(source, line).starts
      guard !starts.isEmpty else { continue }
      isFound = true
      for (blank, start) in starts {
        text.copy(copied..<blank)
        text.put(Ascii.lineFeed, for: blank..<start)
        copied = start
      }
    }
    guard isFound else { return nil }
    text.copy(copied..<source.count)
    return text
  }
}

extension RunOnWrapping {
  /// Whether a field is there that names the process or the crash, the heading of a stack, or a
  /// line with several addresses behind the number of the first frame.
  fileprivate static func isSign(_ source: TextSource, _ range: Range<Int>) -> Bool {
    isStackAlone(source, range) || hasSign(source, range)
  }

  private static func hasSign(_ source: TextSource, _ range: Range<Int>) -> Bool {
    signs.isAny(in: range, of: source)
  }

  private static let signs = TextSigns([
    "Exception Type:", "Process:", "Incident Identifier:", "Crashed: ", "Fatal Exception: ",
    " Crashed:", "stop reason = ", "frame #0: ",
  ])
}

extension RunOnWrapping {
  /// Whether a line of a text has frames, as in `0 Kit 0x1a7bee86c f + 220 1 Board 0x1…`.
  fileprivate static func isStackAlone(_ source: TextSource, _ range: Range<Int>) -> Bool {
    // Most texts have no address.
    guard let first = source.find(" 0x", from: range.lowerBound, limit: range.upperBound) else {
      return false
    }
    var next = max(range.lowerBound, source.lineStart(of: first))
    while next < range.upperBound {
      let line = source.line(at: next)
      next = line.next
      guard hasFirstFrame(source, line) else { continue }
      var (position, count) = (line.start, 0)
      while count < RunOnLine.fewestFramesAlone,
        let address = source.find(" 0x", from: position, limit: line.end)
      {
        (position, count) = (address + 3, count + 1)
      }
      if count == RunOnLine.fewestFramesAlone { return true }
    }
    return false
  }

  /// Whether `0 ` begins a line or is in it, perhaps behind the sign of a quotation or of code.
  private static func hasFirstFrame(_ source: TextSource, _ line: TextLine) -> Bool {
    line.end - line.start > 80
      && (source.has("0 ", at: line.start, limit: line.end)
        || [" 0 ", "`0 ", "\"0 "].contains {
          source.find($0, from: line.start, limit: line.end) != nil
        })
  }
}

/// Where the lines began that are now one.
private struct RunOnLine {
  private(set) var starts: [(blank: Int, start: Int)] = []
  private let source: TextSource
  private let end: Int
  /// The number of the last frame of the open stack.
  private var lastFrame: UInt64?
  private var fieldCount = 0
  /// How many frames are in the longest run of numbers that follow each other.
  private var frameCount = 0
  /// Whether a heading of a stack is above the frames.
  private var hasStackHeading = false
  private var isBelowState = false

  /// One field, or one number behind a heading, is in many sentences.
  private static let (fewestFields, fewestFrames) = (2, 3)
  /// Without a heading.
  static let fewestFramesAlone = 4

  /// No words if too few fields are in the line.
  init(_ source: TextSource, _ line: TextLine) {
    self.source = source
    end = line.end
    var word = source.skipSeparators(from: line.start, limit: end)
    var blank = word
    var previous = word
    while word < end {
      let start = Self.isMark(source[word]) && source[word + 1] == Ascii.zero ? word + 1 : word
      if begins(at: start, behind: start > word ? start : previous), start > line.start {
        starts.append((blank, start))
      }
      previous = word
      while word < end, source.separatorLength(at: word, limit: end) == 0 { word += 1 }
      blank = word
      word = source.skipSeparators(from: word, limit: end)
    }
    let isStack =
      hasStackHeading && frameCount >= Self.fewestFrames
      || frameCount >= Self.fewestFramesAlone
    if fieldCount < Self.fewestFields, !isStack { starts = [] }
  }

  /// Whether a byte is the sign of code or of a quotation.
  private static func isMark(_ byte: UInt8) -> Bool { "`\"'".utf8.contains(byte) }

  /// Whether a line of a report begins with the word at an offset.
  ///
  /// - Parameter previous: where the word before it begins.
  private mutating func begins(at word: Int, behind previous: Int) -> Bool {
    let byte = source[word]
    if Ascii.isDigit(byte) {
      if source.has("0x", at: word, limit: end) { return isImage(at: word, behind: previous) }
      // The number behind `Thread` is no frame's.
      return source[previous] != UInt8(ascii: "+")
        && !source.has("Thread", at: previous, limit: end) && isFrame(at: word)
    }
    // The registers below their heading.
    if isBelowState, Ascii.isLowercase(byte),
      ["x0:", "r0:", "rax:", "eax:", "r8:"].contains(where: { source.has($0, at: word, limit: end) }
      )
    {
      isBelowState = false
      return true
    }
    if byte == UInt8(ascii: "f") || byte == UInt8(ascii: "t") || byte == UInt8(ascii: "*") {
      return beginsDebuggerLine(at: word, behind: previous)
    }
    guard byte == UInt8(ascii: "e") || Ascii.isUppercase(byte) else { return false }
    if Self.stackHeadings.contains(where: { source.has($0, at: word, limit: end) }),
      !isWordOfThread(previous)
    {
      hasStackHeading = true
      lastFrame = nil
      return true
    }
    if Self.headings.contains(where: { source.has($0, at: word, limit: end) }) { return true }
    guard Ascii.isUppercase(byte) else { return false }
    let line = TextLine(start: word, end: min(end, word + 42), next: end)
    if source.has("Thread ", at: word, limit: end), Ascii.isDigit(source[word + 7]) {
      return beginsThread(at: word)
    }
    guard let field = source.fieldLine(line),
      FieldKeys.known.contains(source.string(field.key.range)), !isPartOfField(word, previous)
    else { return false }
    fieldCount += 1
    return true
  }

  /// Whether `Crashed: ` belongs to `Thread 1 Crashed: `, or to `Thread : Crashed: ` or
  /// `#1. Crashed: ` of Crashlytics' pages.
  private func isWordOfThread(_ previous: Int) -> Bool {
    source.has(": ", at: previous, limit: end) || source[previous] == UInt8(ascii: "#")
      || source.number(at: previous, limit: end).map {
        source.separatorLength(at: $0.end, limit: end) > 0
      } == true
  }

  /// `* thread #1, queue = …`, `* frame #0: 0x…`, with or without lldb's mark.
  private mutating func beginsDebuggerLine(at word: Int, behind previous: Int) -> Bool {
    if source[word] == UInt8(ascii: "*") {
      return takeDebuggerLine(at: source.skipSeparators(from: word + 1, limit: end))
    }
    let isBehindMark =
      source[previous] == UInt8(ascii: "*") && previous < word
      && source.skipSeparators(from: previous + 1, limit: end) == word
    return !isBehindMark && takeDebuggerLine(at: word)
  }

  private mutating func takeDebuggerLine(at start: Int) -> Bool {
    if source.has("thread #", at: start, limit: end), Ascii.isDigit(source[start + 8]) {
      hasStackHeading = true
      lastFrame = nil
      return true
    }
    guard source.has("frame #", at: start, limit: end),
      let (number, digits) = source.number(at: start + 7, limit: end),
      source.has(": 0x", at: digits, limit: end), follows(number)
    else { return false }
    return true
  }

  /// Whether the frame with this number is the first of a stack, or the next one.
  private mutating func follows(_ number: UInt64) -> Bool {
    guard number == 0 || lastFrame.map({ number == $0 &+ 1 }) == true else { return false }
    lastFrame = number
    frameCount = max(frameCount, Int(clamping: number) &+ 1)
    return true
  }

  /// `Version:` of `OS Version:` and the like is no field of its own.
  private func isPartOfField(_ word: Int, _ previous: Int) -> Bool {
    guard previous < word, Ascii.isUppercase(source[previous]) else { return false }
    let line = TextLine(start: previous, end: min(end, previous + 42), next: end)
    guard let field = source.fieldLine(line) else { return false }
    return field.key.range.contains(word)
      && FieldKeys.known.contains(source.string(field.key.range))
  }

  /// `Thread 0:`, `Thread 0 Crashed:`, `Thread 0 name:`, `Thread 0 crashed with … State (64-bit):`
  private mutating func beginsThread(at word: Int) -> Bool {
    guard let (_, number) = source.number(at: word + 7, limit: end) else { return false }
    let isState = source.has(" crashed with ", at: number, limit: end)
    guard
      isState || source[number] == Ascii.colon
        || [" Crashed:", " name:", " Crashed:: "].contains(where: {
          source.has($0, at: number, limit: end)
        })
    else { return false }
    lastFrame = nil
    hasStackHeading = true
    isBelowState = isState
    return true
  }

  /// `7   Board   0x0000000104a1c2f0 `, if it is the frame that comes next. Crashlytics has the
  /// distance from the start of the image in place of the address.
  private mutating func isFrame(at word: Int) -> Bool {
    guard let (number, digits) = source.number(at: word, limit: end),
      source.separatorLength(at: digits, limit: end) > 0,
      number == 0 || lastFrame.map({ number == $0 &+ 1 }) == true
    else { return false }
    // Names of images have a few words.
    let limit = min(end, digits + 100)
    guard
      let address = [" 0x", "\t0x"].compactMap({ source.find($0, from: digits, limit: limit) })
        .min()
    else { return false }
    // The text may break off in the address.
    let isCut =
      number > 0
      && source.bytes[address + 3..<source.trimEnd(from: address + 3, to: end)].allSatisfy {
        hexadecimalDigitValue($0) != nil
      }
    guard
      isCut
        || source.hexadecimal(at: address + 1, limit: end).map({ (_, last) in
          (last - address > 8 || hasStackHeading && isOneWord(digits..<address))
            && source.separatorLength(at: last, limit: end) > 0
        }) == true
    else { return false }
    return follows(number)
  }

  private func isOneWord(_ range: Range<Int>) -> Bool {
    var position = source.skipSeparators(from: range.lowerBound, limit: range.upperBound)
    while position < range.upperBound,
      source.separatorLength(at: position, limit: range.upperBound) == 0
    {
      position += 1
    }
    return source.skipSeparators(from: position, limit: range.upperBound) == range.upperBound
  }

  /// `0x104a18000 - 0x104a2bfff Board arm64 <…> /…/Board`
  private func isImage(at word: Int, behind previous: Int) -> Bool {
    guard source[previous] != Ascii.minus,
      let (_, first) = source.hexadecimal(at: word, limit: end),
      source.has(" - 0x", at: first, limit: end)
    else { return false }
    return true
  }

  /// Of Crashlytics.
  private static let stackHeadings = ["Crashed: ", "Fatal Exception: "]

  private static let headings = [
    "Application Specific Information:", "Binary Images:", "Last Exception Backtrace:",
    "Dyld Error Message:", "VM Regions Near ", "Global Trace Buffer ",
    "elapsed total CPU time (seconds):", "Elapsed total CPU time (seconds):",
    "elapsed application CPU time (seconds):", "Elapsed application CPU time (seconds):",
  ]
}

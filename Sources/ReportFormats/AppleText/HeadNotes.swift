import JsonReading
package import ReportModel

/// The lines in the head of a text report that belong to no field: what the application or its
/// libraries wrote into the report, the details of the termination, the memory region of the
/// faulting address, and what the kernel noted.
package struct HeadNotes {
  package private(set) var applicationInformation: [Note] = []
  /// What a runtime printed before it ended the process, around the report or between its fields.
  package private(set) var lastWords: [Note] = []
  private(set) var terminationDetails: [Note] = []
  /// Why the dynamic linker gave up, up to macOS 11 and iOS 12.
  private(set) var linkerMessage: [Note] = []
  /// What tells an assertion, or an error of the GPU, from others.
  private(set) var signatures: [Note] = []
  package private(set) var memoryRegion: [Note] = []
  private(set) var kernelTriage: [Note] = []
  private var section = Section.none

  package init() {}

  /// A line, and where it starts in the input.
  package struct Note {
    package let start: Int
    package let text: String
    /// The number of the process that printed it, if the line says so.
    var processIdentifier: Int?

    /// Whether the line is the rest of another one. Lists have quotes before a comma.
    func continues(_ line: String) -> Bool {
      line.hasSuffix(",") && !line.hasSuffix("\",") || HeadNotes.goesOn(line, with: text)
    }

    /// Whether a panic only follows another one: that may not leave a function, or ends a thread
    /// whose destructors then use what is already destroyed.
    ///
    /// Source: github.com/rust-lang/rust, library/core/src/panicking.rs (`panic_cannot_unwind`,
    /// `panic_in_cleanup`); library/std/src/thread/local.rs (`LocalKey::with`).
    package var isSecondPanic: Bool {
      text.hasPrefix("thread '") && Self.secondPanics.contains { text.firstRange(of: $0) != nil }
    }

    private static let secondPanics = [
      "panic in a function that cannot unwind", "panic in a destructor during cleanup",
      "cannot access a Thread Local Storage value during or after destruction",
    ]
  }

  private enum Section {
    case none, information, signatures, termination, memoryRegion, triage, linker
  }

  /// - Parameter mayBeWords: whether the line may be what a runtime printed.
  package mutating func take(_ line: TextLine, of source: TextSource, mayBeWords: Bool = true) {
    var end = line.end
    while end > line.start,
      [Ascii.carriageReturn, Ascii.space, Ascii.tab].contains(source[end - 1])
    {
      end -= 1
    }
    func starts(_ text: String) -> Bool { source.has(text, at: line.start, limit: end) }
    func note(from start: Int) -> Note { Self.note(of: line, start..<end, in: source) }
    if line.start == end {
      section = .none
    } else if !Self.mayBeHeading(source[line.start]) {
      takeText(line, end: end, of: source, mayBeWords)
    } else if starts(Self.informationHeading) {
      section = .information
      var rest = line.start + Self.informationHeading.utf8.count
      while rest < end, source[rest] == Ascii.space || source[rest] == Ascii.tab { rest += 1 }
      if rest < end { applicationInformation.append(note(from: rest)) }
    } else if starts(Self.signaturesHeading) {
      section = .signatures
    } else if starts(Self.deadlock) {
      applicationInformation.append(note(from: line.start))
    } else if starts("Xamarin Exception Stack:") {
      // Behind the words of the exception that it belongs to.
      section = .information
    } else if starts("Termination Reason:")
      || starts("Termination Description:") && ",:".utf8.contains(source[end - 1])
    {
      // A description may go on in the next lines.
      section = .termination
    } else if starts("VM Region Info:") || starts("VM Regions Near") {
      section = .memoryRegion
      memoryRegion.append(note(from: line.start))
    } else if starts(Self.protection) {
      memoryRegion.append(note(from: line.start + Self.protection.utf8.count))
    } else if starts(Self.swiftMessage) {
      applicationInformation.append(note(from: line.start + Self.swiftMessage.utf8.count))
    } else if starts("Kernel Triage:") {
      section = .triage
    } else if starts(Self.linkerHeading) {
      section = .linker
      // Forms join the lines.
      let rest = source.skipSeparators(
        from: line.start + Self.linkerHeading.utf8.count, limit: end)
      if rest < end { linkerMessage.append(note(from: rest)) }
    } else if starts("kernel messages:") {
      // What follows is about the whole system.
      section = .none
    } else {
      takeText(line, end: end, of: source, mayBeWords)
    }
  }

  private static func note(of line: TextLine, _ range: Range<Int>, in source: TextSource) -> Note {
    Note(start: line.start, text: String(decoding: source.bytes[range], as: UTF8.self))
  }

  /// Whether one of the headings in `take` may begin with the byte.
  private static func mayBeHeading(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A"), UInt8(ascii: "D"), UInt8(ascii: "K"), UInt8(ascii: "S"),
      UInt8(ascii: "T"), UInt8(ascii: "V"), UInt8(ascii: "X"), UInt8(ascii: "k"):
      true
    default: false
    }
  }

  /// Adds a line without a heading to the section that it stands in.
  ///
  /// - Parameter end: of its text.
  private mutating func takeText(
    _ line: TextLine, end: Int, of source: TextSource, _ mayBeWords: Bool
  ) {
    func note(from start: Int) -> Note { Self.note(of: line, start..<end, in: source) }
    switch section {
    case .none:
      if mayBeWords { takeLastWords(line, of: source) }
    case .linker:
      linkerMessage.append(note(from: source.skipSeparators(from: line.start, limit: end)))
    case .triage:
      // The end of a block of code.
      guard !source.has("```", at: line.start, limit: end) else { break }
      kernelTriage.append(note(from: line.start))
    case .information:
      let rest = note(from: line.start)
      if let last = applicationInformation.last, Self.goesOn(last.text, with: rest.text) {
        applicationInformation.removeLast()
        applicationInformation.append(Note(start: last.start, text: "\(last.text) \(rest.text)"))
      } else {
        applicationInformation.append(rest)
      }
    case .signatures: signatures.append(note(from: line.start))
    case .memoryRegion:
      // A line end is lost.
      let heading = end - Self.informationHeading.utf8.count
      if source[end - 1] == Ascii.colon, heading > line.start,
        source.has(Self.informationHeading, at: heading, limit: end)
      {
        takeRegion(Self.note(of: line, line.start..<heading, in: source))
        section = .information
      } else {
        takeRegion(note(from: line.start))
      }
    case .termination:
      if source.has("```", at: line.start, limit: end)
        || Self.fieldsAfterTermination.contains(where: {
          source.has($0, at: line.start, limit: end)
            || line.next >= source.count && end - line.start > 5
              && $0.utf8.starts(with: source.bytes[line.start..<end])
        }) || isFrame(line.start..<end, of: source)
      {
        // The text may end within the name.
        section = .none
      } else {
        terminationDetails.append(note(from: line.start))
      }
    }
  }

  /// Whether somebody broke a sentence into two lines: the first is long and ends in a word, and
  /// the second begins with a small letter, as no line does that a library wrote.
  static func goesOn(_ first: String, with second: String) -> Bool {
    guard first.utf8.count >= brokenLine, let last = first.utf8.last,
      Ascii.isLowercase(last) || last == Ascii.comma,
      let start = second.utf8.first, Ascii.isLowercase(start), second.utf8.count < 512
    else { return false }
    let word = second.utf8.prefix { $0 > Ascii.space }
    return word.allSatisfy { Ascii.isLowercase($0) || $0 == Ascii.comma || $0 == Ascii.minus }
      && !beginnings.contains { second.hasPrefix($0) }
  }

  /// Shorter lines are not broken.
  private static let brokenLine = 50
  /// What libraries write with a small letter.
  private static let beginnings = [
    "abort", "crashed on ", "terminating ", "objc", "dyld", "detected ", "stack ", "last ",
  ]

  /// Takes the line of a memory region, or the rest of one that a mail program broke: behind the
  /// size (`[ 1392K]`) are the rights (`r-x/rwx`), behind these the mode (`SM=COW`), then the path.
  private mutating func takeRegion(_ note: Note) {
    let rest = note.text.drop { $0 == " " }
    let isRights = "r-".utf8.contains(rest.utf8.first ?? 0)
    // Hardly any line begins so.
    guard
      isRights && rest.utf8.dropFirst(3).first == Ascii.slash || rest.hasPrefix("SM=")
        || rest.utf8.first == Ascii.slash,
      let last = memoryRegion.last?.text, last.utf8.count < 1024,
      last.firstRange(of: " __") != nil, last.firstRange(of: " /") == nil,
      isRights
        ? last.utf8.last == Ascii.closeBracket
        : (last.firstRange(of: " SM=") != nil) == (rest.utf8.first == Ascii.slash)
    else { return memoryRegion.append(note) }
    let start = memoryRegion.removeLast().start
    memoryRegion.append(Note(start: start, text: "\(last) \(rest)"))
  }

  /// Whether a line is a function with an offset: people put frames without numbers below fields.
  private func isFrame(_ range: Range<Int>, of source: TextSource) -> Bool {
    let content = FrameContentReader(source: source, range: range).read()
    guard case .symbolicated(let symbol) = content else { return false }
    return symbol.offset != nil
  }

  /// Takes what a runtime printed before it ended the process from the lines above a report: people
  /// paste the output of a program with its report.
  ///
  /// Complexity: reads at most 64 lines, none above an earlier report.
  ///
  /// - Parameter floor: nothing is taken from above this offset.
  package mutating func takeLastWords(above start: Int, of source: TextSource, to floor: Int = 0) {
    defer { dropSecondPanic() }
    var end = start
    var remaining = 32
    while remaining > 0, end > max(source.textStart, floor) {
      remaining -= 1
      var lineStart = end - 1
      while lineStart > source.textStart, source[lineStart - 1] != Ascii.lineFeed {
        lineStart -= 1
        if end - lineStart > Self.longestLine { return }
      }
      let line = source.line(at: lineStart)
      if source.has("0x", at: lineStart, limit: line.end) { return }
      if takeLastWords(line, of: source) {
        // Above a second panic is the first one, maybe far above.
        guard lastWords.last?.isSecondPanic == true else { return }
        if lastWords.count == 1 { remaining = 32 }
      }
      end = lineStart
    }
  }

  /// Takes what the dynamic linker says, and which memory is around the address of a fault, from
  /// the lines above a report whose other head is missing.
  ///
  /// Complexity: reads at most 16 lines.
  mutating func takeSections(above line: TextLine, of source: TextSource) {
    var current = line
    for _ in 0..<16 {
      guard let above = source.lineAbove(current), above.end - above.start < Self.longestLine else {
        return
      }
      current = above
      // Frames of an earlier report.
      guard !Ascii.isDigit(source[above.start]) else { return }
      guard let heading = Self.headingAbove(above, in: source) else { continue }
      current = TextLine(start: heading, end: above.end, next: above.next)
      while current.start < line.start {
        // Frames and fields of an earlier report end it.
        if source.isBlank(current) { break }
        take(current, of: source)
        current = source.line(at: current.next)
      }
      section = .none
      return
    }
  }

  /// Where such a section begins on a line: at its first word, or at that of a quoted text that
  /// somebody gave a name, as in `text: "VM Regions Near 0x8:`.
  private static func headingAbove(_ line: TextLine, in source: TextSource) -> Int? {
    let first = source.skipSeparators(from: line.start, limit: line.end)
    let reach = min(line.end, first + 64)
    let quote = source.bytes[first..<reach].firstIndex(of: Ascii.quote)
    return [first, quote.map { $0 + 1 }].lazy.compactMap(\.self).first { start in
      sectionsAbove.contains { source.has($0, at: start, limit: line.end) }
    }
  }

  private static let linkerHeading = "Dyld Error Message:"
  private static let sectionsAbove = [
    linkerHeading, "VM Regions Near", "VM Region Info:", signaturesHeading,
  ]
  private static let signaturesHeading = "Application Specific Signatures:"

  /// The first of two panics says what happened: the second one only ends the process, since the
  /// first may not leave the function.
  private mutating func dropSecondPanic() {
    let isToldBetter = lastWords.contains {
      $0.text.hasPrefix("thread '") && !$0.isSecondPanic
    }
    if isToldBetter { lastWords.removeAll(where: \.isSecondPanic) }
  }

  /// Takes what a runtime printed from the lines below a report that no other report follows.
  ///
  /// Complexity: reads at most 32 lines.
  package mutating func takeLastWords(below end: Int, to limit: Int, of source: TextSource) {
    guard end < limit, lastWords.isEmpty else { return }
    var next = source.line(at: end).next
    for _ in 0..<32 where next < limit {
      let line = source.line(at: next)
      if line.end - line.start > Self.longestLine || takeLastWords(line, of: source) { return }
      next = line.next
    }
  }

  @discardableResult
  private mutating func takeLastWords(_ line: TextLine, of source: TextSource) -> Bool {
    guard let words = LastWords(line, of: source) else { return false }
    lastWords.append(
      Note(start: line.start, text: words.text, processIdentifier: words.processIdentifier))
    // Frames without addresses: `   at Game.Board.Turn() in /src/Board.cs:line 12`.
    var next = words.end
    for _ in 0..<16 where words.text.hasPrefix("Unhandled exception. ") && next < source.count {
      let frame = source.line(at: next)
      guard
        source.has("at ", at: source.skipSeparators(from: next, limit: frame.end), limit: frame.end)
      else { break }
      lastWords.append(Note(start: frame.start, text: source.string(frame.start..<frame.end)))
      next = frame.next
    }
    return true
  }

  mutating func add(_ words: LastWords, at start: Int) {
    lastWords.append(Note(start: start, text: words.text))
  }

  private static let longestLine = 4096

  /// The notes that start before an offset: text after the end of a report is not part of it.
  package func before(_ end: Int) -> HeadNotes {
    var notes = self
    notes.applicationInformation.removeAll { $0.start >= end }
    notes.lastWords.removeAll { $0.start >= end }
    notes.terminationDetails.removeAll { $0.start >= end }
    notes.linkerMessage.removeAll { $0.start >= end }
    notes.signatures.removeAll { $0.start >= end }
    notes.memoryRegion.removeAll { $0.start >= end }
    notes.kernelTriage.removeAll { $0.start >= end }
    return notes
  }

  /// KSCrash writes it below the codes. Source: github.com/kstenerud/KSCrash,
  /// KSCrashReportFilterAppleFmt.m.
  private static let deadlock = "Application main thread deadlocked"

  /// Of Cr4shed.
  private static let protection = "VM Protection: "
  private static let swiftMessage = "Swift Error Message: "

  private static let informationHeading = "Application Specific Information:"

  private static let fieldsAfterTermination = [
    "Terminating Process:", "Termination Signal:", "Termination Description:",
    "Triggered by Thread:", "Crashed Thread:", "Highlighted by Thread:", "Highlighted Thread:",
    "Triggered by thread:", "Exception ",
  ]
}

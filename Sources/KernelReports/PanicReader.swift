import JsonReading
package import ReportFormats
public import ReportModel
import SymbolicationModel

extension ReportFormat {
  /// `.ips`: a kernel panic or a forced reset (bug types 10, 110, 151 and 210).
  public static let ipsPanic = ReportFormat(.panic("ipsPanic"))
  /// A kernel panic as text.
  public static let kernelPanic = ReportFormat(.panic("kernelPanic"))
}

extension FormatTraits {
  fileprivate static func panic(_ name: String) -> FormatTraits {
    FormatTraits(
      schemaName: name, shortName: "panic",
      unreadable: { _ in
        "is a kernel panic, not the crash of an app: its addresses belong to the kernel"
      }, [.isReport, .mayBeWrapped])
  }
}

/// Reads kernel panics and forced resets: `.ips` of bug types 10, 110, 151 and 210, and text. Their
/// addresses belong to the kernel, so they have no backtraces to symbolicate.
package struct PanicReader: ReportReader {
  package init() {}

  private static let bugTypes: Set = ["10", "110", "151", "210"]

  package var formats: [ReportFormat] { [.ipsPanic, .kernelPanic] }
  package var readsJson: Bool { true }
  package func format(ofBugType type: String) -> ReportFormat? {
    Self.bugTypes.contains(type) ? .ipsPanic : nil
  }

  /// A body without the line above it.
  package func format(
    ofMemberAt start: Int, limit: Int, in source: TextSource
  ) -> ReportFormat? {
    source.has("\"panicString\"", at: start, limit: limit) ? .ipsPanic : nil
  }

  package var lineSigns: LineSigns {
    .beginning(
      Array("p*PDK`<>UBk".utf8),
      words: [TextSource.powerPCTrap, TextSource.returnAddresses, TextSource.armAbort])
  }
  package func format(
    ofLine line: TextLine, at start: Int, in source: TextSource
  ) -> ReportFormat? {
    let isSign =
      source.panicBegins(at: start, limit: line.end)
      || source.has("*** Panic Report ***", at: start, limit: line.end)
      || source.isPanicPart(line) || source.isPanicBehindMark(line)
    return isSign ? .kernelPanic : nil
  }
  package func beginsReport(_ line: TextLine, in source: TextSource) -> Bool {
    source.isPanicStart(line) || source.isPanicTitle(line)
  }

  package func reports(in input: ReportInput) -> [Report] {
    switch input.detectedFormat {
    case .ipsPanic, .json:
      let events = IpsEvent.all(in: input, ofTypes: Self.bugTypes)
      let reports = events.compactMap { Self.report($0, input.source) }
      return events.isEmpty ? bodies(in: input) : reports
    case .kernelPanic: return textReports(in: input)
    default: return []
    }
  }

  /// Bodies without the line above them, as people paste them.
  private func bodies(in input: ReportInput) -> [Report] {
    let source = input.source
    guard source.find("\"panicString\"", from: 0, limit: source.count) != nil else { return [] }
    var reports: [Report] = []
    for document in JsonDocuments(input) {
      var limit = document.byteRange.upperBound
      if document.damage != nil {
        limit = input.claimedRanges.first { $0.lowerBound >= limit }?.lowerBound ?? source.count
      }
      let event = IpsEvent(body: document, source, limit: limit)
      guard let report = Self.report(event, source) else { continue }
      reports.append(report)
      // What follows the damage is part of it.
      if document.damage != nil { break }
    }
    return reports
  }

  private static func report(_ event: IpsEvent, _ source: TextSource) -> Report? {
    // Forced resets call it `string`.
    let words = event["panicString"]?.string
    guard let text = words ?? event["string"]?.string ?? cutText(of: event, source),
      var panic = PanicDescription(lines: lines(of: text), isAlone: words != nil)
    else { return nil }
    panic.kernelVersion = panic.kernelVersion ?? event["kernel"]?.string
    var facts = ReportFacts(event)
    facts.event = .panic
    facts.take(panic)
    return Report(
      format: .ipsPanic, byteRange: event.byteRange, header: event.header, facts: facts,
      images: [], backtraces: [], faults: event.faults)
  }

  /// The text of a panic that is cut before its closing quotation mark.
  private static func cutText(of event: IpsEvent, _ source: TextSource) -> String? {
    let limit = event.byteRange.upperBound
    guard !event.faults.isEmpty,
      let key = source.find("\"panicString\"", from: event.byteRange.lowerBound, limit: limit),
      let start = source.find("panic(", from: key, limit: limit)
        ?? source.find("Debugger message: ", from: key, limit: limit)
    else { return nil }
    return source.string(start..<limit).replacing("\\n", with: "\n")
      .replacing("\\t", with: "\t").replacing("\\\"", with: "\"").replacing("\\/", with: "/")
  }

  /// The reports as text. The first has what stands above it, and each what stands below it up to
  /// the next report.
  private func textReports(in input: ReportInput) -> [Report] {
    var reports: [Report] = []
    var part = Part()
    var boundary = ReportBoundary(input.source, input.signs)
    func finish() {
      if let report = part.report(input.source) { reports.append(report) }
      part = Part()
    }
    input.forEachFreeLine { line in
      guard let line else { return finish() }
      let isPanic =
        input.source.isPanicStart(line) && !part.isEnd(line, of: input.source)
        || !part.hasPanic && input.source.isPanicBehindMark(line)
      let isReport = !isPanic && boundary.mayBeReached(at: line)
      if part.hasPanic ? isPanic || isReport : part.hasSign && (isReport || part.isCut && isPanic) {
        finish()
      }
      part.take(line, of: input.source, isPanic: isPanic, beginsReport: isReport)
    }
    finish()
    return reports
  }

  /// A part of an input that may be a panic.
  private struct Part {
    private var start: Int?
    private var end = 0
    private var hasTitle = false
    private(set) var hasPanic = false
    /// Whether there are lines of a panic below its first one, which is missing.
    private(set) var isCut = false
    /// Whether it begins with a trap of a PowerPC, below which the kernel calls `panic()`.
    private var hasTrap = false
    /// Whether another report is above, so that not all that is above belongs to the panic.
    private var isBelowReport = false

    var hasSign: Bool { hasTitle || isCut }

    /// Whether a line says once more what the part begins with: `panic(cpu 0 caller 0xFFFF0003):
    /// 0x300 - Data access` below a trap of a PowerPC.
    ///
    /// Source: XNU, osfmk/ppc/trap.c (`panic_caller = (0xFFFF0000 | …)`).
    func isEnd(_ line: TextLine, of source: TextSource) -> Bool {
      hasTrap && source.find(" caller 0xFFFF", from: line.start, limit: line.end) != nil
    }

    mutating func take(
      _ line: TextLine, of source: TextSource, isPanic: Bool, beginsReport: Bool
    ) {
      guard !source.isBlank(line) else { return }
      if isPanic {
        hasPanic = true
        hasTrap = source.beginsPowerPCTrap(line)
      } else if source.isPanicTitle(line) {
        hasTitle = true
      } else if !hasPanic, source.isPanicPart(line) {
        isCut = true
      } else if !hasSign, !hasPanic {
        isBelowReport = isBelowReport || beginsReport
        if isBelowReport {
          start = nil
          return
        }
      }
      start = start ?? line.start
      end = line.end
    }

    func report(_ source: TextSource) -> Report? {
      guard hasSign || hasPanic, let start else { return nil }
      let lines = PanicReader.lines(of: source.string(start..<end))
      // Something may be stuck to the first line.
      let panic =
        PanicDescription(lines: lines)
        ?? (isCut && !hasPanic ? PanicDescription(lines: lines, isBelowFirst: true) : nil)
      guard let panic else { return nil }
      var facts = ReportFacts()
      facts.event = .panic
      facts.take(panic)
      return Report(
        format: .kernelPanic, byteRange: start..<end, facts: facts, images: [], backtraces: [],
        faults: [])
    }
  }

  package static func lines(of text: String) -> [Substring] {
    text.withBytes { lines(of: text, $0) }
  }

  private static func lines(of text: String, _ bytes: Span<UInt8>) -> [Substring] {
    var lines: [Substring] = []
    var start = text.startIndex
    var offset = 0
    while true {
      let (end, next) = nextLineEnd(bytes, from: offset)
      let endIndex = text.utf8.index(start, offsetBy: end - offset)
      lines.append(text[start..<endIndex])
      guard next > end else { return lines }
      start = text.utf8.index(endIndex, offsetBy: next - end)
      offset = next
    }
  }

  /// The first line end at or after `start`, as `Character.isNewline` has them, and the offset
  /// after it; twice the end of the text if there is none. Looks at 8 bytes at a time: the text of
  /// a panic may be most of its report.
  private static func nextLineEnd(
    _ bytes: Span<UInt8>, from start: Int
  ) -> (end: Int, next: Int) {
    var offset = start
    while offset < bytes.count {
      if bytes.count - offset >= 8 {
        let word = bytes.word(at: offset)
        // The highest bit of bytes up to CR, and of bytes that are not ASCII.
        let found = (word | word &- .everyByte &* 0x0E) & (.everyByte &* 0x80)
        offset += found.trailingZeroBitCount / 8
        if found == 0 { continue }
      }
      let length = lineEndLength(bytes, at: offset)
      if length > 0 { return (offset, offset + length) }
      offset += 1
    }
    return (bytes.count, bytes.count)
  }

  private static func lineEndLength(_ bytes: Span<UInt8>, at offset: Int) -> Int {
    func follows(_ expected: UInt8..., at distance: Int = 1) -> Bool {
      offset + distance < bytes.count && expected.contains(bytes[offset + distance])
    }
    switch bytes[offset] {
    case Ascii.carriageReturn: return follows(Ascii.lineFeed) ? 2 : 1
    case Ascii.lineFeed, 0x0B, 0x0C: return 1
    // U+0085; U+2028 and U+2029.
    case 0xC2: return follows(0x85) ? 2 : 0
    case 0xE2: return follows(0x80) && follows(0xA8, 0xA9, at: 2) ? 3 : 0
    default: return 0
    }
  }
}

extension TextSource {
  func isPanicTitle(_ line: TextLine) -> Bool {
    let start = skipSeparators(from: line.start, limit: line.end)
    return has("*** Panic Report ***", at: start, limit: line.end)
  }

  /// The first line of a panic behind what opens a block: a fence, `<pre><code>`, `>`.
  func isPanicBehindMark(_ line: TextLine) -> Bool {
    let start = skipSeparators(from: line.start, limit: line.end)
    guard "`<>".utf8.contains(self[start]),
      let panic = Self.panicStarts.lazy.compactMap({
        find($0, from: start, limit: min(line.end, start + 64))
      }).first
    else { return false }
    // A quotation whose lines all have the mark is taken out of it first.
    let isQuoted = self[start] == Ascii.greater && self[panic - 1] != UInt8(ascii: "`")
    return !isQuoted && !Ascii.isWord(self[panic - 1]) && panicBegins(at: panic, limit: line.end)
  }

  /// Whether a panic begins at an offset.
  ///
  /// Source: XNU, osfmk/kern/debug.c; osfmk/i386/mp.c for the second form, which one processor
  /// writes about others that do not answer; osfmk/ppc/trap.c for the third; osfmk/arm/trap.c
  /// (`sleh_abort`) for the fourth, which iPhone OS writes alone.
  fileprivate func panicBegins(at start: Int, limit: Int) -> Bool {
    Self.panicStarts.contains { has($0, at: start, limit: limit) }
      && (Ascii.isDigit(self[start + 10]) || hasPlaceholder(at: start + 10, limit: limit))
      || has(Self.powerPCTrap, at: start, limit: limit)
      || has(Self.armAbort, at: start, limit: limit)
        && find(": fault_type=0x", from: start, limit: min(limit, start + 96)) != nil
  }

  /// Whether somebody who describes several panics wrote a letter for the number of the processor,
  /// and the words of the panic follow: `panic(cpu N): zone map exhausted`.
  private func hasPlaceholder(at position: Int, limit: Int) -> Bool {
    guard PanicDescription.placeholders.contains(self[position]),
      has("): ", at: position + 1, limit: limit) || has(" caller ", at: position + 1, limit: limit),
      let end = find("): ", from: position, limit: min(limit, position + 64))
    else { return false }
    return bytes[end + 3..<limit].count { $0 == Ascii.space } >= 3
  }

  fileprivate func beginsPowerPCTrap(_ line: TextLine) -> Bool {
    let start = skipSeparators(from: line.start, limit: line.end)
    return has(Self.powerPCTrap, at: start, limit: line.end)
  }

  private static let panicStarts = ["panic(cpu ", "Panic(CPU "]
  fileprivate static let powerPCTrap = "Unresolved kernel trap(cpu "
  fileprivate static let armAbort = "kernel abort type "
  /// What is above the return addresses of Intel's processors.
  fileprivate static let returnAddresses = "Backtrace (CPU "
  /// What is below them, whatever the words were.
  private static let currentProcess = "BSD process name corresponding to current thread: "

  /// A line below the first one that no other report has.
  func isPanicPart(_ line: TextLine) -> Bool {
    let start = skipSeparators(from: line.start, limit: line.end)
    switch self[start] {
    case UInt8(ascii: "P"):
      return has("Panicked task 0x", at: start, limit: line.end)
        && find(": pid ", from: start, limit: line.end) != nil
    case UInt8(ascii: "B"):
      return has(Self.returnAddresses, at: start, limit: line.end)
        && find("Frame : Return Address", from: start, limit: line.end) != nil
        || has(Self.currentProcess, at: start, limit: line.end)
    case UInt8(ascii: "D"):
      return ["panic", "Fatal Exception"].contains {
        has("Debugger message: \($0)", at: start, limit: line.end)
      }
    case UInt8(ascii: "K"): return isListOfExtensions(line, start)
    default: return false
    }
  }

  /// Whether a line is `Kernel Extensions in backtrace:` above an extension with its addresses:
  /// `org.example.Board(2.1)[UUID]@0xfffffe004f224000->0xfffffe004f45e5af`; or without them, as
  /// people shorten it, above the version of the system and of the kernel.
  ///
  /// Source: XNU, libkern/c++/OSKext.cpp (`OSKext::printKextsInBacktrace`).
  private func isListOfExtensions(_ line: TextLine, _ start: Int) -> Bool {
    let title = "Kernel Extensions in backtrace:"
    guard has(title, at: start, limit: line.end),
      trimEnd(from: start, to: line.end) == start + title.utf8.count, line.next < count
    else { return false }
    let below = self.line(at: line.next)
    guard below.end - below.start < 512,
      let at = find("]@0x", from: below.start, limit: below.end),
      let (_, end) = hexadecimal(at: at + 2, limit: below.end)
    else { return isAboveVersions(line) }
    return has("->0x", at: end, limit: below.end)
  }

  /// Whether `Mac OS version:` and `Kernel version:` are in the paragraphs below, with the words
  /// that the kernel begins its own with.
  private func isAboveVersions(_ line: TextLine) -> Bool {
    let limit = min(count, line.next + 4096)
    guard let system = find("\nMac OS version:", from: line.next, limit: limit),
      let kernel = find("\nKernel version:", from: system, limit: limit)
    else { return false }
    return find("Darwin Kernel Version ", from: kernel, limit: min(limit, kernel + 64)) != nil
  }

  /// `panic(cpu 1 caller 0x…): …`.
  func isPanicStart(_ line: TextLine) -> Bool {
    let start = skipSeparators(from: line.start, limit: line.end)
    return panicBegins(at: start, limit: line.end)
  }
}

extension ReportFacts {
  fileprivate mutating func take(_ panic: PanicDescription) {
    self.panic = panic
    process.name = panic.task
    process.identifier = panic.taskIdentifier
    if hardwareModel == nil { hardwareModel = panic.model }
    if system.build == nil { system.build = panic.systemBuild }
    if date == nil { date = panic.time.map { UtcDate(secondsSince1970: $0).description } }
  }
}

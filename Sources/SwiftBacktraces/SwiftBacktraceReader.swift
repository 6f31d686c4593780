import JsonReading
package import ReportFormats
public import ReportModel
import SymbolicationModel

// What Swift's runtime prints about a crash: the output of `swift-backtrace`, in the middle of the
// program's own output.
//
// ```text
// *** Signal 11: Backtracing from 0x55d6b3e88e13... done ***
//
// *** Program crashed: Bad pointer dereference at 0x0000000000000008 ***
//
// Platform: x86_64 Linux (Ubuntu 24.04.3 LTS)
//
// Thread 0 "game" crashed:
//
// 0      0x000055d6b3e88e13
// 1 [ra] 0x000055d6b3e88f0f
// …
// Images (13 omitted):
//
// 0x000055d6b3e88000–0x000055d6b3e89478 864cfd3f162f3c181b8ecce463a9c341076bc11a game /srv/game
//
// Backtrace took 0.02s
// ```
//
// `SwiftBacktraceReader` finds it, `SwiftBacktraceBuilder` collects the parts of one report,
// `PlainLine` is a line without colours, and `PlainLine+…` each read one kind of line.
// `SwiftBacktraceJsonReader` reads the same report as JSON (`SWIFT_BACKTRACE=format=json`). Both
// give a `SwiftBacktraceContent`, which becomes the `Report`.

extension ReportFormat {
  /// What the Swift runtime prints when a program crashes.
  public static let swiftBacktrace = ReportFormat(
    .swiftBacktrace("swiftBacktrace", "Swift backtrace", frames: .swiftTable))
  /// The backtrace of the Swift runtime as JSON.
  public static let swiftBacktraceJson = ReportFormat(
    .swiftBacktrace(
      "swiftBacktraceJson", "Swift backtrace as JSON", [.mayPrecedeText], frames: .swiftFrames))
}

extension FormatTraits {
  fileprivate static func swiftBacktrace(
    _ name: String, _ shortName: String, _ marks: Marks = [], frames: FrameWriting
  ) -> FormatTraits {
    FormatTraits(
      schemaName: name, shortName: shortName,
      unreadable: { _ in
        "looks like a Swift backtrace, but has no thread and no image that can be read"
      }, family: "swiftBacktrace",
      marks.union([.isReport, .hasStacks, .mayBeWrapped, .showsColumns]), frames: frames)
  }
}

/// Finds and reads Swift's backtraces as text, whatever surrounds them.
package struct SwiftBacktraceReader: ReportReader {
  package init() {}

  package var formats: [ReportFormat] { [.swiftBacktrace] }
  /// A log collector may put the time and names before each line, so the headline may begin
  /// anywhere.
  package var lineSigns: LineSigns {
    .holding(["Program crashed: ", "Swift runtime failure: ", ": Backtracing from ", " crashed:"])
  }
  package func format(
    ofLine line: TextLine, at start: Int, in source: TextSource
  ) -> ReportFormat? {
    source.swiftBacktraceHeadline(line) != nil || source.isLoneSwiftThread(line)
      ? .swiftBacktrace : nil
  }
  package func beginsReport(_ line: TextLine, in source: TextSource) -> Bool {
    let first = source[line.start]
    return (first == UInt8(ascii: "*") || first == 0xF0)
      && source.swiftBacktraceHeadline(line) != nil
  }
  package func streamedReport(
    from line: TextLine, in source: TextSource
  ) -> StreamedReport? {
    source.swiftBacktraceHeadline(line) == nil ? nil : .lines(SwiftBacktraceLines())
  }

  package func reports(in input: ReportInput) -> [Report] {
    guard input.detectedFormat.family == ReportFormat.swiftBacktrace.family else { return [] }
    var walk = SwiftBacktraceWalk(
      source: input.source, claimedRanges: input.claimedRanges, signs: input.signs,
      allowance: input.allowance)
    return walk.reports()
  }
}

/// The line that says how long it took is the end of a backtrace in a stream.
private struct SwiftBacktraceLines: StreamedLines {
  func place(of line: TextLine, in source: TextSource) -> StreamedPlace {
    if source.find("Backtrace took ", from: line.start, limit: line.end) != nil { return .last }
    let first = source.skipSeparators(from: line.start, limit: line.end)
    // The runtime may have been told to write JSON below its first line.
    if source[first] == Ascii.openBrace { return .other }
    // Frames, images and registers have addresses; source lines and headings are among them.
    return source.find("0x", from: line.start, limit: line.end) != nil ? .part : .loose
  }
}

private struct SwiftBacktraceWalk {
  let source: TextSource
  let allowance: ReportAllowance
  var claimedRanges: ArraySlice<Range<Int>>
  private var found: [Report] = []
  /// The words of a crash without frames, and how many there are in the text.
  private var words: (report: Report?, count: Int) = (nil, 0)
  private var builder: SwiftBacktraceBuilder?
  private var boundary: ReportBoundary

  init(
    source: TextSource, claimedRanges: [Range<Int>], signs: FormatSigns, allowance: ReportAllowance
  ) {
    self.source = source
    self.allowance = allowance
    self.claimedRanges = claimedRanges[...]
    boundary = ReportBoundary(source, signs)
  }

  /// All reports, in the order of the input.
  mutating func reports() -> [Report] {
    var next = source.textStart
    while next < source.count {
      let line = source.line(at: next)
      if let range = claimedRanges.first, line.next > range.lowerBound {
        finishReport()
        claimedRanges.removeFirst()
        next = max(next, range.upperBound)
        continue
      }
      next = line.next
      if let headline = source.swiftBacktraceHeadline(line) {
        if builder?.continues(with: headline, line) == true { continue }
        finishReport()
        builder = SwiftBacktraceBuilder(
          source: source, start: line, prefixWidth: prefixWidth(headline, line), headline,
          allowance: allowance)
      } else if builder?.isLone != false, source.isLoneSwiftThread(line) {
        finishReport()
        builder = SwiftBacktraceBuilder(source: source, lone: line, allowance: allowance)
        builder?.consume(line)
      } else if builder != nil, boundary.isReached(at: line) {
        // It was cut, and the next report follows.
        finishReport()
      } else {
        builder?.consume(line)
      }
      if builder?.isClosed == true { finishReport() }
    }
    finishReport()
    // A text about backtraces has several.
    return found.isEmpty && words.count == 1 ? [words.report].compactMap(\.self) : found
  }

  private mutating func finishReport() {
    if let report = builder?.finish() {
      found.append(report)
    } else if let builder, !builder.isLone {
      words = (builder.reportOfWords, words.count + 1)
    }
    builder = nil
  }

  /// The width of the prefix that a log puts before every line. What precedes the headline may be
  /// such a prefix, or output of the program that did not end its line: the heading of a thread, a
  /// few lines below, tells which, or the innermost frame if somebody left the heading out.
  private func prefixWidth(_ headline: SwiftBacktraceHeadline, _ line: TextLine) -> Int {
    guard headline.column > 0 else { return 0 }
    var next = line.next
    for count in 0..<16 where next < source.count {
      let line = source.line(at: next)
      next = line.next
      for width in [0, headline.column] {
        let plain = PlainLine(source, line, prefixWidth: width)
        if plain.threadHeading() != nil { return width }
        if count < 3, plain.start < plain.end,
          case .frame(let frame) = plain.frame(expectedIndex: 0), frame.values.index == 0
        {
          return width
        }
      }
    }
    return 0
  }
}

extension TextSource {
  /// What the line says if it is a headline of a Swift backtrace; nil otherwise.
  func swiftBacktraceHeadline(_ line: TextLine) -> SwiftBacktraceHeadline? {
    let text = bytes.span.extracting(line.start..<line.end)
    // A star, or the first byte of an emoji.
    return text.holds(UInt8(ascii: "*")) || text.holds(0xF0)
      ? PlainLine(self, line, prefixWidth: 0).headline() : nil
  }

  /// Whether the line is the heading of the thread that crashed, and the next one with text its
  /// innermost frame: people show that part of a backtrace alone.
  func isLoneSwiftThread(_ line: TextLine) -> Bool {
    guard line.end - line.start < 256, self[line.start] == UInt8(ascii: "T"),
      PlainLine(self, line, prefixWidth: 0).threadHeading()?.isCrashed == true
    else { return false }
    var next = line.next
    for _ in 0..<3 where next < count {
      let below = self.line(at: next)
      next = below.next
      if isBlank(below) { continue }
      guard below.end - below.start < 4096,
        case .frame(let frame) = PlainLine(self, below, prefixWidth: 0).frame(expectedIndex: 0)
      else { return false }
      // Other stacks have the address behind an image.
      return frame.values.index == 0
        && (frame.address != nil || find("0x", from: below.start, limit: below.end) == nil)
    }
    return false
  }
}

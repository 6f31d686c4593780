package import JsonReading
public import ReportModel
import SymbolicationModel

// Apple's JSON format (`.ips`) of iOS 15, macOS 12 and later: a header, which is one JSON object on
// a line, and below it a body, which is another.
//
// `IpsReader` finds the reports in an input, `IpsBodyReader` makes a `Report` of a body. Unknown
// keys are ignored; the value for a missing key is nil.

extension ReportFormat {
  /// `.ips` of iOS 15, macOS 12 and later: a crash as two JSON documents (bug type 309).
  public static let ipsCrash = ReportFormat(
    FormatTraits(
      schemaName: "ips", shortName: ".ips",
      unreadable: { _ in
        "is a crash report as JSON (.ips), but has no threads and images that can be read; export it again"
      },
      [.hasStacks, .mayBeWrapped, .mayPrecedeText], appleText: .translation, frames: .ipsFrames))
}

/// Finds `.ips` reports, wherever on a line one begins: alone, below a text or above one, several
/// of them, on one line or many, with or without the header.
package struct IpsReader: ReportReader {
  package init() {}

  package var formats: [ReportFormat] { [.ipsCrash] }
  package var readsJson: Bool { true }
  package func format(ofBugType type: String) -> ReportFormat? { type == "309" ? .ipsCrash : nil }

  package func reports(in input: ReportInput) -> [Report] {
    guard !input.detectedFormat.isBinary else { return [] }
    var walk = IpsWalk(input)
    return walk.reports()
  }
}

private struct IpsWalk {
  private let input: ReportInput
  private let source: TextSource
  private var found: [Report] = []
  private var claimedRanges: ArraySlice<Range<Int>>
  private var lines: LineMemory
  /// How often a damaged value may be left for a header inside it, and so be read again. The limit
  /// keeps the time from growing with the square of the input.
  private var remainingReturns = 16

  init(_ input: ReportInput) {
    self.input = input
    source = input.source
    claimedRanges = input.claimedRanges[...]
    lines = LineMemory(source)
  }

  /// All reports, in the order of the input.
  mutating func reports() -> [Report] {
    var next = source.textStart
    while let line = nextLineWithBrace(from: next) {
      let start = source.skipSeparators(from: line.start, limit: line.end)
      if let end = claimedEnd(around: start) {
        next = end
      } else {
        next = source[start] == Ascii.openBrace ? read(at: start, line) : line.next
      }
    }
    return found
  }

  /// The end of the report of another reader that has this offset.
  private mutating func claimedEnd(around offset: Int) -> Int? {
    claimedRanges = claimedRanges.drop { $0.upperBound <= offset }
    guard let range = claimedRanges.first, range.contains(offset) else { return nil }
    return range.upperBound
  }

  /// The rest of a line at `start`, or the first line after it, that has a brace somewhere. Most
  /// texts have hardly any.
  private mutating func nextLineWithBrace(from start: Int) -> TextLine? {
    let brace = source.bytes.span.firstOffset(of: Ascii.openBrace, from: start)
    guard brace < source.count else { return nil }
    var lineStart = brace
    while lineStart > start, source[lineStart - 1] != Ascii.lineFeed { lineStart -= 1 }
    return lines.line(at: lineStart)
  }

  /// Reads the object at `start`, and the body below it if it is a header.
  ///
  /// - Returns: the offset to go on at.
  private mutating func read(at start: Int, _ line: TextLine) -> Int {
    guard let document = input.jsonDocument(in: start..<source.count) else {
      return line.next
    }
    if isBody(document) { return add(nil, document, line) }
    if document.damage != nil { return offsetAfterDamage(document, line) }
    let end = document.byteRange.upperBound
    guard document.root[.bugType] != nil, let body = body(after: end) else { return end }
    let bodyLine = lines.line(at: body.byteRange.lowerBound)
    let header = JsonHeader(document.root)
    if isBody(body) || Self.isCrash(header.bugType) && isPartOfBody(body) {
      return add(header, body, bodyLine)
    }
    return body.damage == nil ? body.byteRange.upperBound : offsetAfterDamage(body, bodyLine)
  }

  private func body(after end: Int) -> JsonDocument? {
    guard let document = input.jsonDocument(in: end..<source.count),
      document.root.kind == .object
    else { return nil }
    return document
  }

  private mutating func add(
    _ header: JsonHeader?, _ document: JsonDocument, _ line: TextLine
  ) -> Int {
    var document = document
    var next = document.byteRange.upperBound
    if document.damage != nil {
      next = offsetAfterDamage(document, line)
      // The header of the next report looked like a part of this one.
      let start = document.byteRange.lowerBound
      if next < document.byteRange.upperBound, next > start,
        let shorter = input.jsonDocument(in: start..<next)
      {
        document = shorter
      }
    }
    var reader = IpsBodyReader(document: document, allowance: input.allowance)
    found.append(reader.read(header: header))
    return next
  }

  // MARK: Kinds

  /// Whether this is the body of a crash report: it has threads and images, or at least says what
  /// happened. If it breaks off, the name of the process or frames will do.
  private func isBody(_ document: JsonDocument) -> Bool {
    let root = document.root
    let isCut = document.damage != nil
    // Other reports have some of this, too.
    let bugType = root[.bugType]?.string
    guard bugType == nil || Self.isCrash(bugType) else {
      return root[.threads]?.kind == .array
        && (root[.usedImages]?.kind == .array
          || isCut && root[.procName] != nil)
    }
    let saysWhy =
      root[.exception]?[.type]?.string?.hasPrefix("EXC_") == true
      || root[.termination]?["namespace"]?.string?.allSatisfy { $0.isUppercase || $0 == "_" }
        == true
      || root[.applicationSpecificInformation]?.kind == .object
      || root[.faultingThread]?.integer != nil
      // dyld ended it.
      || root[.fatalDyldError]?.integer ?? 0 > 0 && root[.procName]?.string != nil
      // The type is behind the codes.
      || isCut && root[.procName]?.string != nil && root[.exception]?[.rawCodes]?.kind == .array
    guard let threads = root[.threads], threads.kind == .array else {
      return saysWhy || bugType != nil && root[.procName]?.string != nil
        || root[.lastExceptionBacktrace].map(isFrames) == true
    }
    return root[.usedImages]?.kind == .array
      || isCut && (root[.procName] != nil || saysWhy || hasFrames(threads) || hasFault(threads))
  }

  /// Whether one of the threads is the one that crashed, with its registers.
  private func hasFault(_ threads: JsonValue) -> Bool {
    threads.elements.contains { thread in
      thread[.triggered]?.isAffirmative == true && thread[.threadState]?.kind == .object
    }
  }

  /// Whether the first thread has frames of an `.ips`.
  private func hasFrames(_ threads: JsonValue) -> Bool {
    for thread in threads.elements {
      if let frames = thread[.frames] { return isFrames(frames) }
    }
    return false
  }

  private func isFrames(_ list: JsonValue) -> Bool {
    for frame in list.elements {
      return frame[.imageOffset] != nil && frame[.imageIndex] != nil
    }
    return false
  }

  private func isPartOfBody(_ document: JsonDocument) -> Bool {
    let root = document.root
    return document.damage != nil || root[.threads] != nil || root[.usedImages] != nil
  }

  /// 309: a crash. 308: a fault of the operating system, reported in the same form.
  private static func isCrash(_ bugType: String?) -> Bool { bugType == "309" || bugType == "308" }

  // MARK: Damage

  /// The offset to go on at after a value that broke off: the header of another report inside it,
  /// else the line in which it broke off if nothing of the value is on it, else the line after
  /// that.
  private mutating func offsetAfterDamage(_ document: JsonDocument, _ line: TextLine) -> Int {
    let end = document.byteRange.upperBound
    if remainingReturns > 0, let header = firstHeaderLine(from: line.next, to: end) {
      remainingReturns -= 1
      return header
    }
    var lineStart = min(end, source.count)
    while lineStart > line.next, source[lineStart - 1] != Ascii.lineFeed { lineStart -= 1 }
    guard lineStart > line.start, end < source.count else { return max(line.next, end) }
    let isAtLineStart = source.skipSeparators(from: lineStart, limit: end) == end
    return max(line.next, isAtLineStart ? lineStart : source.line(at: lineStart).next)
  }

  /// The first line between two offsets that looks like a header: an object on one line with a
  /// `bug_type`.
  private func firstHeaderLine(from start: Int, to end: Int) -> Int? {
    var next = start
    while next < end {
      let line = source.line(at: next)
      if source.has("{\"", at: line.start, limit: line.end),
        source.find("\"bug_type\"", from: line.start, limit: line.end) != nil,
        source[source.trimEnd(from: line.start, to: line.end) - 1] == Ascii.closeBrace
      {
        return line.start
      }
      next = line.next
    }
    return nil
  }
}

/// The body of an `.ips` report with the values that several readers need. Everything is read from
/// the bytes each time it is asked for, and is nil if it is missing or of the wrong kind: copies
/// from TestFlight lack much of it.
package struct IpsBody: Sendable {
  package let json: JsonValue
  /// The object above the body; nil if the file has only the body.
  private let header: JsonHeader?

  package init(_ json: JsonValue, header: JsonHeader?) {
    self.json = json
    self.header = header
  }

  /// `CFBundleShortVersionString`.
  package var bundleShortVersion: String? { json[.bundleInfo]?[.bundleShortVersion]?.string }
  package var bundleVersion: String? { json[.bundleInfo]?[.bundleVersion]?.string }
  package var bundleIdentifier: String? { json[.bundleInfo]?[.bundleIdentifier]?.string }
  /// The name and version of the system: `iPhone OS 16.0`.
  package var osTrain: String? { json[.osVersion]?[.train]?.string }
  /// Whether the system is a device's, not a Mac's or a simulator's.
  package var isEmbedded: Bool { json[.osVersion]?[.isEmbedded]?.isAffirmative ?? false }
  /// The platform of the executable by its Mach-O number (`PLATFORM_MACOS` 1, `PLATFORM_IOS` 2,
  /// simulators 7 to 9), which only the header has.
  package var platform: Int? { header?.text("platform").flatMap { Int($0) } }
  /// The thread that the report points at: its index in the list of threads.
  package var faultingThread: Int? { number(.faultingThread) }

  package func string(_ key: IpsKey) -> String? { json[key]?.string }

  package func number(_ key: IpsKey) -> Int? {
    json[key]?.integer.flatMap { Int(exactly: $0) }
  }
}

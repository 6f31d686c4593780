import JsonReading
import LogStatements
import ReportFormats
import ReportModel
import ReportWrappings
import RuntimeReports
import SymbolicationModel

/// Reads the reports that stand in an input as they are, of one format or of several.
///
/// The readers of the format that is seen first are asked first. What they leave is then searched
/// for signs of other formats. Each family of formats is tried once, so that the time stays
/// proportional to the size of the input.
struct ReportReading {
  private let source: TextSource
  private let readers: [any ReportReader]
  private let limits: ResourceLimits
  private let documents: JsonDocumentMemory
  private var triedFamilies: Set<String> = []

  init(_ bytes: [UInt8], _ readers: [any ReportReader], _ limits: ResourceLimits) {
    source = TextSource(bytes: bytes)
    self.readers = readers
    self.limits = limits
    documents = JsonDocumentMemory(bytes)
  }

  /// All reports, in the order of the input.
  ///
  /// - Parameter format: what the input looks like.
  mutating func reports(_ format: ReportFormat) -> [Report] {
    var reports = read(format, beside: [])
    guard !format.isBinary else { return reports }
    while let sign = nextSign(outside: reports) {
      // What was taken for Apple's text below the sign may belong to the other format.
      let kept = reports.filter {
        !$0.format.mayHoldText || $0.byteRange.upperBound <= sign.lineStart
      }
      let found = read(sign.format, beside: kept)
      if found.contains(where: { $0.format.family == sign.format.family }) { reports = found }
    }
    // What is left of another format, such as one that is indented, may look like the head of a
    // text. That format may be found in a wrapping.
    if format.isReport, !format.mayHoldText,
      reports.allSatisfy({ $0.format.mayHoldText && !$0.hasFrames })
    {
      return []
    }
    return joined(reports)
  }

  /// The reports, with the head of one and the trace below it, in another format, as one: SDKs and
  /// people write frames of their own below Apple's fields. So do they leave the first lines of a
  /// sample out.
  private func joined(_ reports: [Report]) -> [Report] {
    var whole: [Report] = []
    var reports = reports
    if let last = reports.last, isOfWarning(last), let end = endBelow(last) {
      reports = reports.filter { !isOfWarning($0) } + [end]
    }
    for (index, report) in reports.enumerated() {
      if let stack = whole.last,
        isNear(stack.byteRange.upperBound, report.byteRange.lowerBound),
        let completed = stack.completed(withFieldsOf: report)
          ?? stack.withManagedStack(of: report, in: source)
      {
        whole[whole.count - 1] = completed
        continue
      }
      guard let head = whole.last, head.format == .crashText, !head.hasFrames,
        head.images.isEmpty, report.isBelowHead(head),
        isNear(head.byteRange.upperBound, report.byteRange.lowerBound)
      else {
        let limit =
          index + 1 < reports.count ? reports[index + 1].byteRange.lowerBound : source.count
        let floor = whole.last?.byteRange.upperBound ?? source.textStart
        let report = withReason(report, behind: whole.last)
          .completed(withFieldsBelow: source, limit: limit)
          .withWordsOfQt(above: source, floor: floor)
          .withShellLine(below: source, limit: limit)
          .withWriter(below: source, limit: limit)
          .withNamedFrames(in: source, floor: floor, limit: limit)
          .withLookedUpNames(in: source, floor: floor, limit: limit)
          .completed(withTitleAbove: source, floor: floor)
        if whole.count == 1, let end = whole.first, end.isEndOfTrace, report.follows(end),
          isNear(end.byteRange.upperBound, report.byteRange.lowerBound)
        {
          whole = [report.behind(end)]
        } else {
          whole.takeSignal(of: report, in: source)
          whole.append(report)
        }
        continue
      }
      whole[whole.count - 1] = report.below(head)
    }
    return whole.withoutLaunches
  }

  /// A trace that does not say why, or the head of a report that ends before it does, with what the
  /// lines above it say: people write fields of a report into their own text.
  private func withReason(_ report: Report, behind last: Report?) -> Report {
    let facts = report.facts
    let isTrace = report.format.family == ReportFormat.callStack.family
    let isCutHead =
      report.format == .crashText && facts.event == .crash && !facts.fields.isEmpty
      && !report.hasFrames
    let endsInSwift = isTrace && report.endsInSwiftFailure
    let isAborted = isTrace && report.isAborted
    if isCutHead, report.isBareAbort {
      return report.withPanic(above: source, floor: last?.byteRange.upperBound)
    }
    guard isTrace || isCutHead || report.isTextWithoutHead,
      facts.exception.type == nil && facts.exception.signal == nil || isAborted,
      facts.exception.name == nil,
      facts.termination.namespace == nil, facts.applicationInformation.isEmpty
    else { return report }
    let limit = report.byteRange.lowerBound
    var start = max(last?.byteRange.upperBound ?? source.textStart, limit - 4096)
    start = last == nil && start == source.textStart ? start : source.line(at: start).next
    guard start < limit,
      let words = CrashStatements.report(
        in: source, start..<limit, isAboveFrames: !isCutHead,
        countsHeadings: isTrace && report.saysNothingOfItsEnd),
      words.facts.exception.type != nil || words.facts.termination.namespace != nil
        || words.facts.exception.signal != nil
          && (isCutHead || words.facts.exception.subtype != nil || report.isOfSignalHandler)
        || words.facts.exception.reason != nil && facts.exception.reason == nil
          && report.endsInThrow
        || words.saysOwnWords || endsInSwift && words.saysSwiftFailure,
      isNear(words.byteRange.upperBound, limit),
      !isAborted || words.facts.termination.namespace == "TCC" || report.endsInThrow
        || words.saysOwnWords || endsInSwift && words.saysSwiftFailure
    else { return isCutHead ? withSignalInSentence(report, start..<limit) : report }
    if !isTrace, !isCutHead {
      // Fields in a list or a table are those of a report in Markdown, which is read as a whole.
      let first = source.skipSeparators(from: words.byteRange.lowerBound, limit: limit)
      return "-*+|".utf8.contains(source[first]) ? report : report.completed(with: words)
    }
    if isCutHead, words.facts.process.isOther(than: facts.process) { return report }
    let end = source.line(at: source.lineStart(of: words.byteRange.upperBound))
    let whole = report.with(words)
    return isTrace && source.announcesStack(end) ? whole.withFirstStackCrashed : whole
  }

  /// The head of a report that ends before it says why, with the signal that a sentence above it
  /// quotes from a shell.
  private func withSignalInSentence(_ report: Report, _ range: Range<Int>) -> Report {
    guard let signal = source.shellSignal(inSentence: range) else { return report }
    var report = report
    report.facts.exception.signal = signal
    return report
  }

  /// Whether a stack is that of a warning. AppKit lists who called it wrongly, and the process goes
  /// on:
  ///
  /// ```text
  /// WARNING: NSWindow drag regions should only be invalidated on the Main Thread! … Called from (
  /// ```
  ///
  /// Source: the words of `-[NSWindow(NSWindow_Theme)
  /// _postWindowNeedsToResetDragMarginsUnlessPostingDisabled]`, as people show them
  /// (github.com/raeleus/Particle-Park, issue 1).
  private func isOfWarning(_ report: Report) -> Bool {
    guard report.format.family == ReportFormat.callStack.family, report.facts.exception.name == nil,
      let first = report.backtraces.first?.byteRange.lowerBound
    else { return false }
    let line = source.line(at: source.lineStart(of: first))
    return [line, source.lineAbove(line)].compactMap(\.self).contains { line in
      line.end - line.start < 1024
        && source.find("Called from (", from: line.start, limit: line.end) != nil
    }
  }

  /// What the lines below a stack say about an exception that nobody caught.
  private func endBelow(_ report: Report) -> Report? {
    let start = source.line(at: report.byteRange.upperBound).next
    guard start < source.count,
      let words = CrashStatements.report(in: source, start..<min(source.count, start + 65536)),
      words.facts.exception.name != nil
    else { return nil }
    return words
  }

  private func isNear(_ end: Int, _ start: Int) -> Bool {
    guard start >= end, start - end < 2048 else { return false }
    return source.bytes[end..<start].count { $0 == Ascii.lineFeed } <= 24
  }

  /// The reports that `others` leave, and the others themselves.
  private mutating func read(_ format: ReportFormat, beside others: [Report]) -> [Report] {
    triedFamilies.insert(format.family)
    let allowance = ReportAllowance(limits, after: others)
    var reports = others
    func input() -> ReportInput {
      ReportInput(
        bytes: source.bytes, detectedFormat: format,
        claimedRanges: reports.map(\.byteRange).sorted { $0.lowerBound < $1.lowerBound },
        signs: CrashLogParser.signs, allowance: allowance, documents: documents)
    }
    // Most readers find nothing, and leave the input as it is to the next one.
    var left = input()
    for reader in readers {
      let found = reader.reports(in: left)
      if found.isEmpty { continue }
      reports += found
      left = input()
    }
    // Text is looked for beside every report.
    if !reports.isEmpty { triedFamilies.insert(ReportFormat.crashText.family) }
    return reports.sorted { $0.byteRange.lowerBound < $1.byteRange.lowerBound }
  }

  /// The first line of no report that shows a format that was not tried.
  private func nextSign(outside reports: [Report]) -> (format: ReportFormat, lineStart: Int)? {
    var claimed: [Range<Int>] = []
    for report in reports {
      var range = report.byteRange
      if report.format.mayHoldText {
        // The head of another format may look like a text without frames, or like the head of one.
        guard report.hasFrames else { continue }
        let second = source.line(at: range.lowerBound).next
        range = min(second, range.upperBound)..<range.upperBound
      }
      claimed.append(range)
    }
    var search = SignSearch(source, outside: claimed, documents) {
      $0.isReport && !triedFamilies.contains($0.family)
    }
    return search.first()
  }
}

extension ReportFacts.Process {
  /// Whether both are named, and not alike: by their numbers, if both have one.
  fileprivate func isOther(than process: Self) -> Bool {
    if let identifier, let other = process.identifier { return identifier != other }
    return name != nil && name != process.name
  }
}

extension Report {
  /// Whether this may be what follows the head of a report: a trace, or the tree of a sample whose
  /// own head is missing.
  fileprivate func isBelowHead(_ head: Report) -> Bool {
    if format.family == ReportFormat.sample.family {
      return facts.fields.isEmpty && !head.facts.saysWhy
    }
    return format.family == ReportFormat.callStack.family
      && (images.isEmpty || format.has(.listsNoImages))
  }

  /// The trace with what the head above it says.
  fileprivate func below(_ head: Report) -> Report {
    var facts = head.facts
    if [.sample, .hang].contains(self.facts.event) {
      facts.event = self.facts.event
      facts.eventExtent = self.facts.eventExtent
      if facts.codeType == "ARM64" { facts.architecture = .arm64 }
    }
    facts.takeException(ofTrace: self.facts.exception)
    if facts.exception.codes.isEmpty { facts.exception.codes = self.facts.exception.codes }
    facts.applicationInformation += self.facts.applicationInformation
    facts.crashedThread = self.facts.crashedThread
    return Report(
      format: format, byteRange: head.byteRange.lowerBound..<byteRange.upperBound, facts: facts,
      images: images, backtraces: backtraces, faults: head.faults + faults)
  }

  /// The trace, or the head of a report, with all that lines above it say.
  fileprivate func with(_ words: Report) -> Report {
    var facts = completed(with: words).facts
    facts.applicationInformation = words.facts.applicationInformation
    facts.fields = words.facts.fields + facts.fields
    facts.statedCrashedThread = facts.statedCrashedThread ?? words.facts.statedCrashedThread
    return Report(
      format: format,
      byteRange: format.mayHoldText
        ? byteRange : words.byteRange.lowerBound..<byteRange.upperBound,
      facts: facts, images: images, backtraces: innermost(words) + backtraces, faults: faults)
  }

  /// What lines above a trace name as the place, if none of its threads is said to have crashed.
  private func innermost(_ words: Report) -> [Backtrace] {
    words.facts.exception.signal == nil || backtraces.contains(where: \.isCrashed)
      ? [] : words.backtraces
  }

  /// The stack with how it ended, and whose it is, as lines above it say. Its own exception stays
  /// if they name none.
  func completed(with words: Report) -> Report {
    var report = self
    if words.facts.exception.type != nil
      || facts.exception.type == nil && facts.exception.signal == nil
    {
      report.facts.exception = words.facts.exception
    } else if facts.exception.name == nil, facts.exception.reason == nil {
      report.facts.exception.name = words.facts.exception.name
      report.facts.exception.reason = words.facts.exception.reason
    }
    report.facts.termination = words.facts.termination
    if facts.process.name == nil { report.facts.process = words.facts.process }
    if facts.system.name == nil { report.facts.system = words.facts.system }
    return report
  }

  /// Whether an exception that nobody caught ended the process, as its frames say. What it said is
  /// not on the stack.
  ///
  /// Source: github.com/apple-oss-distributions/objc4, runtime/objc-exception.mm.
  fileprivate var endsInThrow: Bool {
    guard let frames = backtraces.first(where: \.isCrashed)?.frames ?? backtraces.first?.frames
    else { return false }
    return frames.prefix(12).contains { frame in
      frame.symbol.map { symbol in Self.throwing.contains { symbol.name.hasPrefix($0) } } ?? false
    }
  }

  private static let throwing = [
    "_objc_terminate", "objc_terminate", "objc_exception_throw", "__exceptionPreprocess",
  ]

  /// Whether each stack has a number, and none is said to have crashed; or one is, and no more.
  fileprivate var saysNothingOfItsEnd: Bool {
    backtraces.allSatisfy { $0.kind == .thread }
      && (backtraces.contains(where: \.isCrashed) || backtraces.allSatisfy { $0.number != nil })
  }
}

/// Looks for a sign of a report below the reports that were read.
///
/// The first sign of an input may be anywhere in it (``ReportFormat/firstSign(in:)``); this one is
/// on a line of no report.
struct SignSearch {
  private let source: TextSource
  private let documents: JsonDocumentMemory
  private let isWanted: (ReportFormat) -> Bool
  private let wantsText: Bool
  private var lines: FreeLines
  private let signs = CrashLogParser.signs
  private var fragments = FragmentFinder(CrashLogParser.signs)
  /// Up to here JSON was read that breaks off. It is not read again, so that the time stays linear.
  private var damagedEnd = 0

  /// - Parameter claimedRanges: the reports, ascending.
  init(
    _ source: TextSource, outside claimedRanges: [Range<Int>], _ documents: JsonDocumentMemory,
    where isWanted: @escaping (ReportFormat) -> Bool
  ) {
    self.source = source
    self.documents = documents
    lines = FreeLines(source, outside: claimedRanges)
    self.isWanted = isWanted
    wantsText = isWanted(.crashText)
  }

  /// The first wanted format, and the start of the line that shows it.
  mutating func first() -> (format: ReportFormat, lineStart: Int)? {
    while let line = lines.next() {
      let start = source.skipSeparators(from: line.start, limit: line.end)
      if start == line.end { continue }
      if source.beginsObject(at: start, limit: line.end) {
        let format = signs.format(ofJsonFrom: line, isFirst: false, in: source)
        if let format, isWanted(format) { return (format, line.start) }
        // An object on one line was just looked at. Logs have millions of these.
        if !endsWithBrace(line), let document = document(at: start) {
          let format = signs.format(of: document, in: source)
          if isWanted(format) { return (format, line.start) }
          lines.skip(to: document.byteRange.upperBound)
        }
      } else if let format = signs.format(ofLine: line, at: start, in: source),
        isWanted(format)
      {
        return (format, line.start)
      }
      if wantsText, source.reportStart(line, fragments: &fragments) != nil {
        return (.crashText, line.start)
      }
    }
    return nil
  }

  private func endsWithBrace(_ line: TextLine) -> Bool {
    source[source.trimEnd(from: line.start, to: line.end) - 1] == Ascii.closeBrace
  }

  /// The document that begins at an offset, if it is whole.
  private mutating func document(at start: Int) -> JsonDocument? {
    guard start >= damagedEnd, let document = documents.document(in: start..<lines.limit) else {
      return nil
    }
    guard document.damage == nil else {
      damagedEnd = document.byteRange.upperBound
      return nil
    }
    return document
  }
}

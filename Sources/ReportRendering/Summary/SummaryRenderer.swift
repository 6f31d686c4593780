import CodeOwnership
import CrashLogParser
import CrashReading
import FunctionNames
import ReportCompletion
package import ReportSymbolication
import SymbolicationModel
package import Wording

/// Summarises each report in a few lines: which process, where in the user's code it crashed and
/// why, what else the report says about that, the frames, and which symbols are missing.
package struct SummaryRenderer {
  /// The greatest number of lines for a report.
  static let lineLimit = 25

  private let input: SymbolicatedInput
  private let look: TerminalLook

  package init(_ input: SymbolicatedInput, _ look: TerminalLook = .plain) {
    self.input = input
    self.look = look
  }

  /// One block for each report, separated by empty lines.
  package var text: String { lines.plainText }

  /// The summary for the terminal or pipe that shows it. Paths keep their bytes.
  package var bytes: [UInt8] { look.shown(lines) }

  private var lines: [StyledLine] {
    var lines: [StyledLine] = []
    for report in input.shownReports {
      if !lines.isEmpty { lines.append(StyledLine("")) }
      lines += self.lines(of: report)
    }
    return lines
  }

  private func lines(of report: SymbolicatedReport) -> [StyledLine] {
    let reading = CrashReading(report, input.options)
    let cause = report.cause(reading)
    let facts = report.source.facts
    if let lines = SummaryEvent.lines(facts, cause) {
      return lines.enumerated().map { index, text in
        let style: TextStyle = index == 0 ? .strong : text == cause.reason?.text ? .alarm : .plain
        let line = StyledText(shortened(text, to: SummaryHeadline.lengthLimit), style)
        return StyledLine(text == cause.reason?.text ? line.withoutStructure : line)
      }
    }
    let paint = SummaryPaint(report, input.options, look)
    var lines = head(report, cause, reading, paint)
    let end =
      [signature(report, reading), wantedSymbols(report, reading)].compactMap(\.self)
      + report.joinRefusals.prefix(2).map {
        StyledLine(shortened("not looked up: \($0)", to: SummaryHeadline.lengthLimit))
      } + [StyledLine(missingSymbols(report))]
    if let backtrace = report.shownBacktrace(input.options) {
      lines.append(StyledLine(heading(of: backtrace.source, in: report.source), .strong))
      let isTree = backtrace.source.isCallTree
      let frames = SummaryFrames(
        isTree ? backtrace.heaviestStack(input.options) : backtrace.shownFrames(input.options),
        areOutermostFirst: isTree,
        hasOmissions: !isTree && !backtrace.source.omissions.isEmpty && !input.options.onlyUserCode,
        lineLimit: Self.lineLimit - lines.count - end.count,
        crashSite: cause.site?.place.frame)
      lines += frames.lines(paint)
    }
    return lines + end
  }

  // MARK: Before the frames

  private func head(
    _ report: SymbolicatedReport, _ cause: CrashCause, _ reading: CrashReading,
    _ paint: SummaryPaint
  ) -> [StyledLine] {
    let facts = report.source.facts
    let crashed = report.crashBacktrace().map { report.backtraces[$0.index].source }
    let headline = SummaryHeadline(cause, facts, paint, thread: crashed?.name)
    // What the headline says in full is not repeated.
    let others = SummaryFacts(facts, said: headline.isWhole ? cause.reason : nil)
    // Other processes of a spindump were only watched.
    // Stacks of microstackshots may be of any thread.
    let isSample = facts.event == .sample && report.source.format != .microstackshots
    let activity =
      (isSample || facts.event == .hang) && !facts.isBystander && headline.text == nil
      ? report.mainThreadActivity(input.options) : nil
    // Who reads only the headline must not take what follows for the thread that crashed.
    var event = headline.text ?? facts.eventHeadline.map { StyledText($0, .alarm) }
    var thread = unknownThread(report, reading)
    if let text = thread, var whole = event {
      whole.append(" — \(text)")
      if whole.shortened(to: SummaryHeadline.lengthLimit) == whole {
        (event, thread) = (whole, nil)
      }
    }
    let lines: [StyledText?] = [
      process(report), event, thread.map { StyledText($0) },
      activity.map { SummaryHeadline.text(of: $0, paint) },
    ]
    return lines.compactMap(\.self).map {
      StyledLine($0.shortened(to: SummaryHeadline.lengthLimit).withoutStructure)
    }
      + others.lines.compactMap { line in
        let text = StyledText(line.text).shortened(to: SummaryHeadline.lengthLimit)
        // Cut, a line may be what the headline shows of it.
        guard headline.isWhole || text.plain != headline.text?.plain else { return nil }
        guard line.isQuoted else { return StyledLine(text.withoutStructure) }
        var quoted = StyledText("    ")
        quoted.append(text.withoutStructure)
        return StyledLine(quoted, .wrap(indent: 6))
      }
  }

  /// Why no frame is accused, if the text does not have those of the thread that crashed.
  private func unknownThread(
    _ report: SymbolicatedReport, _ reading: CrashReading
  ) -> String? {
    let facts = report.source.facts
    if facts.event == .crash, !facts.endsWhereverItIs, let crash = report.crashBacktrace(),
      case let stack = report.backtraces[crash.index].source, stack.hasOnlyOuterFrames
    {
      let thread = stack.number.map { "thread \($0) crashed; its" } ?? "the"
      return "\(thread) innermost frames are not in this text"
    }
    let hasNoFrames = report.backtraces.allSatisfy(\.frames.isEmpty)
    // The system ended the process wherever it was.
    guard !facts.endsWhereverItIs,
      report.isCrashOfUnknownThread
        || hasNoFrames && facts.event == .crash && facts.statedCrashedThread != nil
    else { return nil }
    guard report.source.beginsBelowCrash else {
      return facts.unknownThreadText(isUnread: hasUnreadFrames(report.source))
    }
    let caller = reading.frames(ofBacktrace: 0).first { frame in
      frame.ownFunction != nil && reading.owners.owner(of: frame) == .user
    }
    return facts.unknownFramesText(
      below: caller.flatMap { frame in
        frame.ownFunction.map { name in
          let image = frame.imageName == unknownImageName ? "" : " in \(frame.imageFileName)"
          return shortened(FittedText.function(name, columns: 100) + image, to: 140)
        }
      })
  }

  /// Whether a line may be a frame that is in no stack: then nothing is said of what the text has
  /// not.
  private func hasUnreadFrames(_ report: Report) -> Bool {
    if report.faults.contains(where: { $0.kind == .unreadableFrame }) { return true }
    let text = TextSource(bytes: input.bytes)
    // Of many reports each is looked at alone, so that the time stays proportional to the text.
    let reach = input.reports.count < 256 ? 65536 : 0
    let reports = reach > 0 ? input.reports.map(\.source) : [report]
    let read = reports.flatMap { $0.backtraces.map(\.byteRange) }
      .sorted { $0.lowerBound < $1.lowerBound }
    let end = min(text.count, report.byteRange.upperBound + reach)
    var (next, index) = (text.lineStart(of: max(0, report.byteRange.lowerBound - reach)), 0)
    var isOfOtherThread = false
    while next < end {
      let line = text.line(at: next)
      next = line.next
      // A stack below the heading of another thread is not the one that is missing.
      if text.has("Thread ", at: line.start, limit: line.end),
        let number = text.decimal(at: line.start + 7, limit: line.end)?.value
      {
        isOfOtherThread = report.facts.statedCrashedThread.map { number != UInt64($0) } ?? false
        continue
      }
      if text.isBlank(line) { isOfOtherThread = false }
      if isOfOtherThread { continue }
      while index < read.count, read[index].upperBound <= line.start { index += 1 }
      if index < read.count, read[index].lowerBound < line.end { continue }
      if text.mayBeFrame(line) { return true }
    }
    return false
  }

  /// `Letter Shuffle 6 (1.3), pid 57833, iPhone OS 12.4 (16G77), arm64, 2019-07-31 11:32:24.3585
  /// -0700`
  private func process(_ report: SymbolicatedReport) -> StyledText {
    let facts = report.source.facts
    var text = StyledText(report.processText, .strong)
    let rest = [
      report.processIdentifier.map { "pid \($0)" }, facts.system.text, facts.architecture?.name,
      facts.date,
    ].compactMap(\.self)
    text.append(rest.map { ", \($0)" }.joined())
    return text
  }

  private func heading(of backtrace: Backtrace, in report: Report) -> String {
    if backtrace.isCallTree, backtrace.kind != .digest {
      return treeHeading(of: backtrace, in: report.format)
    }
    switch backtrace.kind {
    case .lastException: return "last exception:"
    case .applicationSpecific:
      return "application specific backtrace\(backtrace.number.map { " \($0)" } ?? ""):"
    case .digest: return "\(backtrace.name ?? "digest"):"
    case .thread:
      let hasCrashed = backtrace.isCrashed && report.facts.wasEnded
      guard let number = backtrace.number else {
        if hasCrashed { return "crashed thread\(note(on: backtrace)):" }
        // Its heading is above the text.
        if report.beginsBelowCrash, let number = report.facts.statedCrashedThread,
          backtrace.byteRange == report.backtraces.first?.byteRange
        {
          return "thread \(number) crashed; its outer frames:"
        }
        let isTail =
          report.format == .crashText && report.threads.count > 1
          && backtrace.frames.first?.index ?? 0 > 0
        return isTail ? "a thread whose number is not in this text:" : "frames:"
      }
      return "thread \(number)\(hasCrashed ? " crashed" : "")\(note(on: backtrace)):"
    }
  }

  /// `heaviest stack of thread 3385283 (com.apple.main-thread), 1593 samples:`
  private func treeHeading(of backtrace: Backtrace, in format: ReportFormat) -> String {
    let thread = backtrace.number.map { " of thread \(format.threadText($0))" } ?? ""
    let samples = backtrace.sampleCount.map { $0 == 1 ? ", 1 sample" : ", \($0) samples" } ?? ""
    return "heaviest stack\(thread)\(note(on: backtrace))\(samples):"
  }

  private func note(on backtrace: Backtrace) -> String {
    let names = [backtrace.name, backtrace.dispatchQueue].compactMap(\.self).joined(separator: ", ")
    return names.isEmpty ? "" : " (\(shortened(names, to: 160)))"
  }

  // MARK: After the frames

  /// `signature 6e7fa26fd4f0c3d1: EXC_BREAKPOINT | Board.turnTile(at:) | GameView.tapped()`
  /// None for samples and spindumps, where nothing happened that others could be compared with.
  private func signature(
    _ report: SymbolicatedReport, _ reading: CrashReading
  ) -> StyledLine? {
    guard report.source.facts.event != .sample else { return nil }
    return report.signature(input.options, reading).map { signature in
      StyledLine(
        shortened(
          "signature \(signature.hash): \(signature.text)", to: SummaryHeadline.lengthLimit),
        .faint)
    }
  }

  /// `symbols that would help most: Letter Shuffle (UUID …, arm64), 6 frames of the crash`. Nil if
  /// the last line names that image, and no other.
  private func wantedSymbols(
    _ report: SymbolicatedReport, _ reading: CrashReading
  ) -> StyledLine? {
    guard let wanted = WantedImage(report, reading, input.options) else { return nil }
    let others = report.missingImages.map(\.image).filter { !$0.belongsToSystem }
    let names = others.map(\.shownIdentity).withoutRepetitions
    if !wanted.image.belongsToSystem, names.count == 1 { return nil }
    let frames = wanted.frameCount == 1 ? "1 frame" : "\(wanted.frameCount) frames"
    let owner = wanted.image.belongsToSystem ? " (a system library)" : ""
    return StyledLine(
      "symbols that would help most: \(wanted.image.shownIdentity), \(frames) of the crash\(owner)")
  }

  /// `6 of 11 frames resolved; no symbols for Letter Shuffle (UUID …, arm64), 5 frames of system
  /// libraries`
  private func missingSymbols(_ report: SymbolicatedReport) -> String {
    let counts = FrameCounts(report, input.options)
    var names: [String] = []
    var systemFrames = 0
    for missing in report.missingImages {
      if missing.image.belongsToSystem {
        systemFrames += missing.frameCount
      } else {
        names.append(missing.image.shownIdentity)
      }
    }
    names = names.withoutRepetitions
    let count = names.count
    if count > 3 { names = names.prefix(2) + ["\(count - 2) more images"] }
    if systemFrames > 0 {
      names.append("\(systemFrames) \(systemFrames == 1 ? "frame" : "frames") of system libraries")
    }
    let total = counts.shortText
    return names.isEmpty ? total : "\(total); no symbols for \(names.joined(separator: ", "))"
  }
}

extension Report {
  /// Whether the text begins within the thread that crashed, behind its heading and its innermost
  /// frames: the next heading is that of the thread with the next number. Apple's reports have them
  /// in order.
  fileprivate var beginsBelowCrash: Bool {
    guard format == .crashText, let crashed = facts.statedCrashedThread, backtraces.count > 1,
      let next = backtraces[1].number, next > 0, next - 1 == crashed
    else { return false }
    let first = backtraces[0]
    return first.kind == .thread && first.number == nil && !first.isCrashed
      && first.frames.first?.index.map { $0 > 0 } == true
  }
}

extension ReportFacts {
  /// The same if the text has the outer frames of the thread: `thread 0 crashed below Board.turn()
  /// in Board; its innermost frames are not in this text`.
  ///
  /// - Parameter caller: the innermost function of the program that is there.
  fileprivate func unknownFramesText(below caller: String?) -> String {
    let place = caller.map { " below \($0)" } ?? ""
    let thread = "thread \(statedCrashedThread ?? 0)\(threadNote)"
    if isEndedByOthers {
      return place.isEmpty
        ? "the innermost frames of \(thread) are not in this text"
        : "\(thread) was\(place); its innermost frames are not in this text"
    }
    return wasEnded
      ? "\(thread) crashed\(place); its innermost frames are not in this text"
      : "\(thread) did it\(place); its innermost frames are not in this text"
  }

  /// Why the summary accuses no frame: `thread 30 crashed; its frames are not in this text`.
  ///
  /// - Parameter isUnread: whether the text may have them.
  fileprivate func unknownThreadText(isUnread: Bool) -> String {
    guard let number = statedCrashedThread else {
      return "which thread crashed is not in this text"
    }
    let absence = isUnread ? "could not be read" : "are not in this text"
    if isEndedByOthers {
      return "the frames of thread \(number)\(threadNote) \(absence)"
    }
    return
      "thread \(number)\(threadNote) \(wasEnded ? "crashed" : "did it"); its frames \(absence)"
  }

  /// Whether somebody else ended the process: then a thread is only where it was at that time.
  private var isEndedByOthers: Bool {
    // Who misuses a guarded resource is at work.
    exception.signal == "SIGKILL" || exception.type == "00000020"
      || termination.isByOthers && exception.type != "EXC_GUARD" && termination.namespace != "GUARD"
  }

  /// ` (com.apple.main-thread)` of `Crashed Thread:  0  Dispatch queue: com.apple.main-thread`.
  private var threadNote: String {
    let stated = fields.first { ["Triggered by Thread", "Crashed Thread"].contains($0.name) }
    guard let text = stated?.value else { return "" }
    var words = text.drop { $0.isNumber || $0 == " " || $0 == "," }
    if let mark = words.firstRange(of: "Dispatch queue: ")
      ?? words.firstRange(of: "Dispatch Queue: ")
    {
      words = words[mark.upperBound...]
    }
    return words.isEmpty ? "" : " (\(shortened(String(words), to: 100)))"
  }
}

extension ReportFacts.System {
  /// `iPhone OS 12.4 (16G77)`; `build 16G77` if no more is known, and nil if nothing is.
  package var text: String? {
    if name == nil, version == nil { return build.map { "build \($0)" } }
    let parts = [name, version, build.map { "(\($0))" }].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }
}

extension ReportFormat {
  /// The number of a thread as the report writes it.
  func threadText(_ number: Int) -> String {
    has(.hasHexadecimalThreads) ? "0x" + String(number, radix: 16) : String(number)
  }
}

extension StyledText {
  /// The text as a line of a summary. If it looks like a heading of a report or of a summary, or
  /// like a frame, it begins with U+FFFD: reports choose their texts.
  fileprivate var withoutStructure: StyledText {
    guard Self.looksLikeStructure(plain) else { return self }
    var text = StyledText("\u{fffd}")
    text.append(self)
    return text
  }

  private static func looksLikeStructure(_ text: String) -> Bool {
    let start = text.drop { $0.isWhitespace }
    // Errors of several languages are called `EOFError` or the like.
    if StructuralLine.isOne(Array(text.utf8)[...]), !start.hasPrefix("EOF") { return true }
    // `0   Kit   0x…`
    let rest = start.drop(while: \.isDecimalDigit)
    if rest.startIndex != start.startIndex { return rest.prefix(2).allSatisfy(\.isWhitespace) }
    if ["signature ", "last exception:", "frames:"].contains(where: { start.hasPrefix($0) }) {
      return true
    }
    guard start.contains(":") else { return false }
    // `thread 'main' panicked at …` is what Rust says.
    if start.hasPrefix("thread ") { return start.dropFirst(7).first?.isDecimalDigit == true }
    return start.hasPrefix("crashed thread") || start.hasPrefix("heaviest stack")
  }
}

import CodeOwnership
import CrashLogParser
import CrashReading
import ReportCompletion
import ReportSymbolication
import SymbolicationModel
import Wording

/// Writes the reports of an input as Markdown, for an issue of GitHub or GitLab: the headline, a
/// table of facts, the crashed thread, the other threads folded, and which symbols are missing.
struct MarkdownRenderer {
  /// The greatest length in characters. GitHub takes 65,536, and people write something themselves.
  static let characterLimit = 60_000

  private let input: SymbolicatedInput

  init(_ input: SymbolicatedInput) { self.input = input }

  var bytes: [UInt8] {
    var document = MarkdownDocument(limit: Self.characterLimit - Self.noteLength)
    let reports = input.shownReports
    for (index, report) in reports.enumerated() {
      guard document.room >= Self.leastRoom else {
        document.end(with: "\(PageWords.moreReports(reports.count - index))\n")
        break
      }
      if index > 0 { document.append("\n") }
      write(report, to: &document)
    }
    return Array(document.text.utf8)
  }

  /// The room for a note at the end.
  private static let noteLength = 200
  /// A report in less says nothing.
  private static let leastRoom = 4000

  private func write(_ report: SymbolicatedReport, to document: inout MarkdownDocument) {
    let reading = CrashReading(report, input.options)
    let cause = report.cause(reading)
    let facts = report.source.facts
    let title = SummaryEvent.title(facts) ?? report.processText
    document.append("### \(MarkdownText.code(shortened(title, to: Self.valueLimit)))\n\n")
    document.append(headline(cause, facts))
    document.append(table(of: factRows(report, reading, cause)))
    if let lines = SummaryEvent.lines(facts, cause) {
      document.append(MarkdownText.block(lines.map { shortened($0, to: Self.valueLimit) }))
      return
    }
    let missing = missingSymbols(report)
    document.reserve(missing)
    let (open, folded) = report.backtracesToShow(input.options)
    if !open.isEmpty { document.append("\n**\(report.crashHeading)**\n\n") }
    for item in open { document.appendBlock(lines(of: item.backtrace, report, cause)) }
    if !folded.isEmpty {
      let heading = open.isEmpty ? PageWords.threads : PageWords.threadsHeading(folded.count)
      document.append("\n<details>\n<summary>\(heading)</summary>\n\n")
      let shown = folded.prefix { item in
        document.appendBlock(lines(of: item.backtrace, report, cause), isOptional: true)
      }
      if shown.count < folded.count {
        document.append("\(PageWords.moreThreads(folded.count - shown.count))\n\n")
      }
      document.append("</details>\n")
    }
    document.appendReserved(missing)
  }

  /// The greatest length of a fact in characters.
  private static let valueLimit = 300

  // MARK: Why, where and what

  private func headline(_ cause: CrashCause, _ facts: ReportFacts) -> String {
    let reason = HtmlHeadline.reason(cause, facts)
    var text = MarkdownText.code(shortened(reason, to: Self.valueLimit))
    if let sureness = cause.reason.flatMap({ PageWords.sureness($0.finding.confidence) }) {
      text += " (\(sureness))"
    }
    text += "\n"
    if let site = cause.site {
      let frame = site.place.frame
      let place = frame.lineKnowledge == .line ? frame.shownPlace : nil
      let name = site.place.function ?? HtmlHeadline.name(of: frame)
      text += place.map { "at \(MarkdownText.code($0)) in " } ?? "in "
      text += MarkdownText.code(shortened(name, to: Self.valueLimit))
      text += site.place.library.map { ", in \(MarkdownText.code($0))" } ?? ""
      text +=
        site.place.ownCaller.flatMap(HtmlHeadline.calledBy).map { own in
          ", \(MarkdownText.code(own))"
        } ?? ""
      text += "\n"
    } else if let frame = cause.systemFrame {
      let name = HtmlHeadline.name(of: frame)
      text += "in \(MarkdownText.code(shortened(name, to: Self.valueLimit)))"
      if frame.ownFunction != nil, frame.imageName != unknownImageName {
        text += ", in \(MarkdownText.code(shortened(frame.imageFileName, to: 60)))"
      }
      text += "\n"
    }
    return text + "\n"
  }

  private func factRows(
    _ report: SymbolicatedReport, _ reading: CrashReading, _ cause: CrashCause
  ) -> [(label: String, text: String?)] {
    let facts = report.source.facts
    let system = [facts.system.text, facts.architecture?.name, facts.hardwareModel]
    let exception = cause.reason?.saysExceptionType == true ? nil : facts.exception
    let counts = report.source.format.hasStacks ? FrameCounts(report, input.options) : nil
    return [
      (PageWords.system, system.compactMap(\.self).joined(separator: ", ")),
      (PageWords.date, facts.date),
      (PageWords.exception, exception?.text(withCodes: true)),
      (
        PageWords.thrown,
        cause.reason?.source == .thrownException ? nil : facts.exception.thrownText
      ),
      (
        PageWords.termination,
        facts.endsBySignalAlone ? nil : facts.terminationText(beside: cause.reason)
      ),
      (PageWords.information, facts.applicationInformation.joined(separator: "; ")),
      (PageWords.memory, facts.memoryRegion.first),
      (PageWords.triage, facts.kernelTriage.withoutRepetitions.joined(separator: "; ")),
      (PageWords.incident, facts.incident),
      (
        PageWords.signature,
        facts.event == .sample
          ? nil : report.signature(input.options, reading).map { "\($0.hash): \($0.text)" }
      ),
      (PageWords.frames, counts.map { PageWords.naming($0) }),
    ]
  }

  private func table(of facts: [(label: String, text: String?)]) -> String {
    let rows = facts.compactMap { fact -> String? in
      guard let text = fact.text, !text.isEmpty else { return nil }
      return "| \(fact.label) | \(MarkdownText.cell(shortened(text, to: Self.valueLimit))) |\n"
    }
    return rows.isEmpty ? "" : "| | |\n| --- | --- |\n" + rows.joined()
  }

  // MARK: Frames and images

  private func lines(
    of backtrace: SymbolicatedBacktrace, _ report: SymbolicatedReport, _ cause: CrashCause
  ) -> [String] {
    let source = backtrace.source
    let names = [source.name, source.dispatchQueue].compactMap(\.self).joined(separator: ", ")
    let isTree = source.isCallTree
    let frames = SummaryFrames(
      isTree ? backtrace.heaviestStack(input.options) : backtrace.shownFrames(input.options),
      areOutermostFirst: isTree,
      hasOmissions: !isTree && !source.omissions.isEmpty && !input.options.onlyUserCode,
      lineLimit: .max, crashSite: cause.site?.place.frame)
    let heading = PageWords.title(of: source, report.source)
    let end = names.isEmpty ? "" : " (\(shortened(names, to: 160)))"
    let paint = SummaryPaint(report, input.options, .plain)
    return ["\(heading)\(end):"] + frames.lines(paint).map(\.text.plain)
  }

  private func missingSymbols(_ report: SymbolicatedReport) -> String {
    let images = report.missingImages.filter { !$0.image.belongsToSystem }
    guard !images.isEmpty else { return "" }
    let shown = images.prefix(Self.imageLimit)
    var text = "\n**\(PageWords.missing)**\n\n"
    for missing in shown {
      let identity = MarkdownText.code(shortened(missing.image.shownIdentity, to: 160))
      text += "- \(identity): \(counted(missing.frameCount, "frame"))\n"
    }
    if shown.count < images.count {
      text += "- \(counted(images.count - shown.count, "more image"))\n"
    }
    return text
  }

  private static let imageLimit = 20
}

/// Markdown of a limited length.
private struct MarkdownDocument {
  private(set) var text = ""
  /// How many more characters fit. Negative if what is always written did not.
  private(set) var room: Int

  init(limit: Int) { room = limit }

  mutating func append(_ piece: String) {
    text += piece
    // No character has less than a scalar.
    room -= piece.unicodeScalars.count
  }

  /// Keeps room for what comes after the threads.
  mutating func reserve(_ piece: String) { room -= piece.unicodeScalars.count }

  mutating func appendReserved(_ piece: String) { text += piece }

  mutating func end(with note: String) { text += "\n\(note)" }

  /// Appends a block, or of a block that is too long the first lines and how many there are more.
  ///
  /// - Parameter isOptional: whether it is left out instead; the result says whether it was not.
  @discardableResult
  mutating func appendBlock(_ lines: [String], isOptional: Bool = false) -> Bool {
    let fenceLength = 100
    var length = fenceLength
    let fitting = lines.prefix { line in
      length += line.unicodeScalars.count + 1
      return length <= room
    }
    guard fitting.count < lines.count else {
      append(MarkdownText.block(lines))
      return true
    }
    guard !isOptional else { return false }
    let rest = PageWords.moreLines(lines.count - fitting.count)
    append(MarkdownText.block(fitting + [rest]))
    return true
  }
}

/// Spells text from reports and symbol files in Markdown (GitHub's and GitLab's).
///
/// Such text is always code, in a span or a block: there, neither Markdown nor HTML means anything,
/// and the sites make no mention, link or emoji of it (GitHub Flavored Markdown Spec 0.29, sections
/// 4.5 and 6.3). A backslash does not prevent mentions: sites find them after Markdown is read.
enum MarkdownText {
  /// The text as a code span, on one line.
  static func code(_ text: String) -> String {
    let text = clean(text)
    let fence = String(repeating: "`", count: longestRun(ofBackticksIn: text) + 1)
    // One space at each end is not shown, if there is one at both.
    let needsPadding =
      text.hasPrefix("`") || text.hasSuffix("`") || text.hasPrefix(" ") && text.hasSuffix(" ")
    let padding = needsPadding ? " " : ""
    return text.isEmpty ? "" : "\(fence)\(padding)\(text)\(padding)\(fence)"
  }

  /// The text as a cell of a table. A bar would end the cell, in a code span too, and whether a
  /// backslash before it is one depends on what is before that, so bars are between spans.
  static func cell(_ text: String) -> String {
    text.split(separator: "|", omittingEmptySubsequences: false)
      .map { code(trimmed($0)) }.joined(separator: " \\| ")
  }

  /// Lines as a block of code, which ends with a line end.
  static func block(_ lines: [String]) -> String {
    let lines = lines.map { clean($0).withoutCommands }
    let run = lines.map { longestRun(ofBackticksIn: $0) }.max() ?? 0
    let fence = String(repeating: "`", count: max(3, run + 1))
    return "\(fence)text\n" + lines.map { $0 + "\n" }.joined() + "\(fence)\n"
  }

  /// The text with U+FFFD for what is not shown, or shows other text in another place, and without
  /// marks of commands to a CI system, which may print it.
  private static func clean(_ text: String) -> String {
    let text = text.withoutCommandMarks
    guard text.unicodeScalars.contains(where: HtmlText.isNamed) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      scalars.append(scalar == "\t" ? " " : HtmlText.isNamed(scalar) ? "\u{fffd}" : scalar)
    }
    return String(scalars)
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0 == " " }
    return String(start.prefix(start.count - start.reversed().prefix { $0 == " " }.count))
  }

  private static func longestRun(ofBackticksIn text: String) -> Int {
    var (longest, length) = (0, 0)
    for byte in text.utf8 {
      length = byte == UInt8(ascii: "`") ? length + 1 : 0
      longest = max(longest, length)
    }
    return longest
  }
}

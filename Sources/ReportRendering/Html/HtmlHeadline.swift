import CodeOwnership
import CrashLogParser
import CrashReading
import FunctionNames
import ReportCompletion
import ReportSymbolication
import SymbolicationModel
import Wording

/// The box at the top of a report: why and where it crashed, and what else the report says about
/// that.
struct HtmlHeadline {
  private let facts: ReportFacts
  private let cause: CrashCause
  private let activity: ThreadActivity?
  private let counts: FrameCounts?

  /// - Parameters:
  ///   - activity: what the main thread did, if the report is not about a crash.
  ///   - counts: nil for a report without stacks.
  init(
    _ source: Report, _ cause: CrashCause, _ activity: ThreadActivity?, _ counts: FrameCounts?
  ) {
    self.facts = source.facts
    self.cause = cause
    self.activity = activity
    self.counts = counts
  }

  package func write(to writer: inout HtmlWriter, index: Int, level: Int, label: String) {
    let anchor = HtmlAnchor.report(index, .headline)
    writer.element(
      .section, .classes([.headline]), .id(anchor), .label(label)
    ) { writer in
      writer.heading(level, .classes([.why])) { writer in
        writer.text(Self.reason(cause, facts))
        guard let sureness = cause.reason.flatMap({ PageWords.sureness($0.finding.confidence) })
        else { return }
        writer.space()
        writer.element(.small, .classes([.certainty]), text: "(\(sureness))")
      }
      writePlace(to: &writer, index: index)
      writer.element(.dl, .classes([.facts])) { writeFacts(to: &$0) }
    }
  }

  // MARK: Why and where

  /// Why it crashed, as the heading of a report.
  static func reason(_ cause: CrashCause, _ facts: ReportFacts) -> String {
    guard let reason = cause.reason else {
      return (cause.calledText ?? facts.eventHeadline)?.withCapital ?? PageWords.noReason
    }
    if reason.isOnlyExceptionType { return facts.exception.text(withCodes: true) ?? reason.text }
    // Words of the program itself stay as they are.
    switch reason.source {
    case .trapMessage, .thrownException, .applicationSpecificInformation, .panic: return reason.text
    case .termination, .function, .exceptionType, .event: return reason.text.withCapital
    }
  }

  /// `Board.swift:25 in Board.turnTile(at:)`, with a link to the frame.
  private func writePlace(to writer: inout HtmlWriter, index: Int) {
    let doing = cause.activity ?? activity?.text
    guard let site = cause.site ?? activity?.site else {
      if let doing { return writer.element(.p, .classes([.where]), text: doing.withCapital) }
      guard let frame = cause.systemFrame else { return }
      return writer.element(.p, .classes([.where])) { writer in
        writer.element(.code) { $0.name(Self.name(of: frame)) }
        if frame.ownFunction != nil, frame.imageName != unknownImageName {
          writer.text(", \(PageWords.partOf(frame.imageFileName))")
        }
      }
    }
    let frame = site.place.frame
    writer.element(.p, .classes([.where])) { writer in
      if let doing { writer.text("\(doing.withCapital) ") }
      let place = frame.lineKnowledge == .line ? frame.shownPlace : nil
      let name = site.place.function ?? Self.name(of: frame)
      writer.element(.a, .link(.report(index, .site))) { writer in
        writer.element(.code) { $0.name(place ?? name) }
      }
      if place != nil {
        writer.text(" in ")
        writer.element(.code) { $0.name(name) }
      }
      if let library = site.place.library { writer.text(", \(PageWords.partOf(library))") }
      if let own = site.place.ownCaller.flatMap(Self.calledBy) { writer.text(", \(own)") }
    }
  }

  /// The program's own function that called the place, with its line: `called by main (main.c:7)`.
  static func calledBy(_ own: ShownFrame) -> String? {
    own.ownFunction.flatMap { name in
      own.shownPlace.map { shortened("called by \(name) (\($0))", to: 300) }
    }
  }

  /// The function, or else the place in the image.
  static func name(of frame: ShownFrame) -> String {
    frame.ownFunction ?? "\(frame.imageName) + \(frame.imageOffset ?? 0)"
  }

  // MARK: Facts

  private func writeFacts(to writer: inout HtmlWriter) {
    let lines = SummaryEvent.lines(facts, cause)
    if let lines {
      // The first two are the title and the reason.
      writeLines(
        PageWords.event, lines.dropFirst(cause.reason == nil ? 1 : 2).map { $0 }, to: &writer)
    }
    let said = cause.reason
    func fact(_ label: String, _ text: String?) {
      guard let text, !text.isEmpty else { return }
      writer.element(.dt, text: label)
      writer.element(.dd, text: text)
    }
    fact(
      PageWords.exception,
      said?.saysExceptionType == true ? nil : facts.exception.text(withCodes: true))
    fact(PageWords.thrown, said?.source == .thrownException ? nil : facts.exception.thrownText)
    let isTold = lines != nil || facts.endsBySignalAlone || facts.termination.text == said?.text
    fact(PageWords.termination, isTold ? nil : facts.terminationText(beside: said))
    fact(PageWords.ender, facts.otherEnder?.text)
    writeLines(
      PageWords.information,
      facts.applicationInformation.filter { ReportFacts.withoutWriter($0) != said?.text },
      to: &writer)
    writeEvidence(to: &writer)
    writeLines(PageWords.memory, facts.memoryRegion, to: &writer)
    writeLines(PageWords.triage, facts.kernelTriage.withoutRepetitions, to: &writer)
    fact(PageWords.frames, counts.map { PageWords.naming($0) })
  }

  private func writeLines(_ label: String, _ lines: [String], to writer: inout HtmlWriter) {
    guard !lines.isEmpty else { return }
    writer.element(.dt, text: label)
    writer.element(.dd) { writer in
      writer.element(.pre) { writer in
        for (index, line) in lines.enumerated() {
          if index > 0 { writer.newline() }
          writer.text(line.withSpacesForTabs)
        }
      }
    }
  }

  private func writeEvidence(to writer: inout HtmlWriter) {
    guard let finding = cause.reason?.finding, !finding.evidence.isEmpty else { return }
    // The heading says the reason already.
    let texts = finding.evidence.map { $0.text == finding.text ? $0.sourceText : $0.description }
      .withoutRepetitions
    writer.element(.dt, text: PageWords.evidence)
    for text in texts { writer.element(.dd) { $0.name(text) } }
  }
}

extension ShownFrame {
  /// `GameData.swift:18`; the file alone if it has no line; nil without a file.
  var shownPlace: String? {
    guard let file = shownFile else { return nil }
    guard let line, line > 0 else { return file }
    return "\(file):\(line)"
  }
}

extension String {
  /// The text as the beginning of a sentence: with a capital, if it begins with a plain word.
  var withCapital: String {
    let word = prefix { $0 != " " }
    guard word.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }),
      let first = word.first
    else { return self }
    return first.uppercased() + dropFirst()
  }
}

import CodeOwnership
import CrashLogParser
import CrashReading
import ReportSymbolication
import SymbolicationModel

/// One report in a page.
struct HtmlReport {
  /// Its index among the reports of the page.
  let index: Int
  private let report: SymbolicatedReport
  private let facts: ReportFacts
  private let options: SymbolicationOptions
  private let cause: CrashCause
  private let activity: ThreadActivity?
  /// The level of its own heading: 1 if it is alone in the page.
  private let level: Int
  private let opensMostSampled: Bool

  /// - Parameter opensMostSampled: whether the heaviest call tree of a report without a crash is
  ///   open.
  init(
    _ report: SymbolicatedReport, index: Int, _ options: SymbolicationOptions, headingLevel: Int,
    opensMostSampled: Bool
  ) {
    self.report = report
    self.index = index
    self.options = options
    self.opensMostSampled = opensMostSampled
    facts = report.source.facts
    cause = report.cause(options)
    activity = report.mainThreadActivity(options)
    level = headingLevel
  }

  /// `Letter Shuffle 6 (1.3)`; `jetsam event` if the report is not about a process.
  var title: String { SummaryEvent.title(facts) ?? report.processText }

  /// The same with what the report is about, unless that is a crash: `Game 1.2: hang of 8.0 s`.
  var pageTitle: String {
    ([title] + [facts.eventHeadline].compactMap(\.self)).joined(separator: ": ")
  }

  /// What the main thread did: `Game, pid 12: the main thread was waiting for a lock, in
  /// Board.load()`.
  var story: String? {
    guard let activity else { return nil }
    let place = activity.site?.place.frame
    let doing = [activity.text, place?.ownFunction ?? place?.imageName].compactMap(\.self)
    return [title, report.processIdentifier.map { "pid \($0)" }].compactMap(\.self)
      .joined(separator: ", ") + ": " + doing.joined(separator: " ")
  }

  /// The one of several processes that a spindump is about; the others were only watched.
  static func target(of reports: [HtmlReport]) -> HtmlReport? {
    let targets = reports.filter { !$0.facts.isBystander }
    return targets.count < reports.count ? targets.first : nil
  }

  /// What several reports are called: the process if it is the same, or else the event.
  static func title(of reports: [HtmlReport], inputName: String) -> String {
    let processes = Set(reports.map(\.title))
    if let first = reports.first, reports.count > 1 {
      if processes.count == 1 {
        return PageWords.title(ofProcess: first.title, reportCount: reports.count)
      }
      if let target = target(of: reports) { return target.pageTitle }
      let events = Set(reports.map(\.facts.eventHeadline))
      if events.count == 1, let event = events.first ?? nil {
        return PageWords.title(ofEvent: event.withCapital, processCount: reports.count)
      }
    }
    return PageWords.title(inputName.lastPathComponent, reportCount: reports.count)
  }

  /// Why it crashed, or what else the report is about.
  var reason: String? { cause.reason?.text ?? facts.eventHeadline }

  /// Writes its heading and the line below that.
  func writeHeading(to writer: inout HtmlWriter) {
    writer.heading(level) { $0.text(title) }
    let parts = [facts.system.text, facts.architecture?.name, facts.hardwareModel, facts.date]
    let line = parts.compactMap(\.self).joined(separator: " · ")
    if !line.isEmpty { writer.element(.p, .classes([.meta]), text: line) }
  }

  /// Writes links to its sections.
  func writeContents(notices: HtmlNotices, to writer: inout HtmlWriter) {
    writer.element(.nav, .label(PageWords.contents)) { writer in
      writer.element(.ul, .listRole) { writer in
        func link(_ anchor: HtmlAnchor, _ text: String) {
          writer.element(.li) { $0.element(.a, .link(anchor), text: text) }
        }
        link(.report(index, .headline), PageWords.summary)
        if !notices.isEmpty { link(.missing, notices.heading) }
        let (open, folded) = report.backtracesToShow(options)
        if !open.isEmpty { link(.report(index, .crash), report.crashHeading) }
        if !folded.isEmpty {
          link(.report(index, .threads), PageWords.threadsHeading(folded.count))
        }
        if !report.source.shownRegisters.isEmpty {
          link(.report(index, .registers), PageWords.registers)
        }
        if HtmlImages(report, options).isShown { link(.report(index, .images), PageWords.images) }
        link(.report(index, .report), PageWords.report)
      }
    }
  }

  /// Writes its sections.
  ///
  /// - Parameters:
  ///   - inputName: what to call the input, if the page has only this report.
  ///   - notices: writes what is said about the input, if the page has only this report.
  package func write(
    to writer: inout HtmlWriter, inputName: String?, notices: (inout HtmlWriter) -> Void
  ) {
    let isWithoutStacks = !report.source.format.hasStacks
    HtmlHeadline(
      report.source, cause, activity, isWithoutStacks ? nil : FrameCounts(report, options)
    ).write(to: &writer, index: index, level: level + 1, label: label(PageWords.summary))
    notices(&writer)
    let (open, folded) = report.backtracesToShow(options)
    let frames = HtmlBacktrace(report, options, cause, activity, reportIndex: index)
    section(.crash, report.crashHeading, to: &writer, isShown: !open.isEmpty) { writer in
      for item in open {
        frames.write(item, isOpen: isCrash || opensMostSampled, to: &writer)
      }
    }
    section(
      .threads, open.isEmpty ? PageWords.threads : PageWords.threadsHeading(folded.count),
      to: &writer, isShown: !folded.isEmpty
    ) { writer in
      for item in folded { frames.write(item, isOpen: false, to: &writer) }
    }
    let registers = report.source.shownRegisters
    section(.registers, PageWords.registers, to: &writer, isShown: !registers.isEmpty) { writer in
      writer.element(.dl, .classes([.registers])) { writer in
        for register in registers {
          writer.element(.div) { writer in
            writer.element(.dt, text: register.name)
            writer.element(.dd) { $0.address(register.value) }
          }
        }
      }
    }
    let images = HtmlImages(report, options)
    section(
      .images, PageWords.imagesHeading(images.count), to: &writer, isShown: images.isShown
    ) { images.write(to: &$0) }
    section(
      .report, PageWords.report, to: &writer, isShown: inputName != nil || !facts.fields.isEmpty
    ) { writer in
      writeFacts(inputName: inputName, to: &writer)
      writeFields(to: &writer)
    }
  }

  /// What the section of a report is called in a page of several. Names of sections differ.
  var sectionLabel: String { label(title) }

  private func label(_ heading: String) -> String {
    level == 1 ? heading : PageWords.label(heading, ofReport: index + 1)
  }

  private var isCrash: Bool { facts.event == .crash || facts.event == .leak }

  private func section(
    _ part: HtmlAnchor.Part, _ heading: String, to writer: inout HtmlWriter, isShown: Bool,
    content: (inout HtmlWriter) -> Void
  ) {
    guard isShown else { return }
    writer.element(.section, .id(.report(index, part)), .label(label(heading))) { writer in
      writer.heading(level + 1) { $0.text(heading) }
      content(&writer)
    }
  }

  /// Writes which process and which report it is.
  private func writeFacts(inputName: String?, to writer: inout HtmlWriter) {
    let process = facts.process
    let who = [
      report.processName, report.processIdentifier.map { "pid \($0)" }, process.bundleIdentifier,
      process.role, facts.isTranslated == true ? "translated (Rosetta)" : nil,
      facts.distribution?.text,
    ].compactMap(\.self).withoutRepetitions.joined(separator: ", ")
    let launch = [facts.launchDate, facts.timeSinceLaunch.map { "\($0) before" }]
      .compactMap(\.self).joined(separator: ", ")
    let entries = [
      (PageWords.process, who.isEmpty ? nil : who), (PageWords.path, process.path),
      (PageWords.launchDate, launch.isEmpty ? nil : launch),
      (PageWords.awake, facts.timeAwake.map { "\($0) s" }),
      (PageWords.parent, facts.parent.text),
      (PageWords.responsible, facts.otherResponsible?.text),
      (PageWords.incident, facts.incident), (PageWords.input, inputName),
    ]
    writer.element(.dl, .classes([.facts])) { writer in
      for case (let label, let text?) in entries {
        writer.element(.dt, text: label)
        writer.element(.dd, text: text)
      }
    }
  }

  private func writeFields(to writer: inout HtmlWriter) {
    guard !facts.fields.isEmpty else { return }
    writer.element(.details) { writer in
      writer.element(.summary, text: PageWords.fieldsHeading(facts.fields.count))
      writer.element(.dl, .classes([.fields])) { writer in
        for field in facts.fields {
          writer.element(.dt, text: field.name)
          writer.element(.dd) { $0.name(field.value) }
        }
      }
    }
  }
}

/// A backtrace, and its index among those that are shown.
typealias ShownBacktrace = (index: Int, backtrace: SymbolicatedBacktrace)

extension SymbolicatedReport {
  /// What `open` of `backtracesToShow` is called.
  var crashHeading: String {
    let event = source.facts.event
    let isKnown = crashBacktrace() != nil || event != .crash
    return isKnown ? PageWords.crashHeading(event) : PageWords.firstThread
  }

  /// The backtraces of the crash, or else the one that was seen in the most samples; and the
  /// others.
  func backtracesToShow(
    _ options: SymbolicationOptions
  ) -> (open: [ShownBacktrace], folded: [ShownBacktrace]) {
    let selected = backtraces.filter(\.isSelected).enumerated().map {
      (index: $0.offset, backtrace: $0.element)
    }
    let ofCrash = Set(
      selected.filter { item in
        item.backtrace.source.isCrashed || item.backtrace.source.kind == .lastException
      }.map(\.index))
    let first = crashBacktrace()?.index ?? mostSampledIndex(options)
    let open = selected.filter { ofCrash.contains($0.index) || $0.index == first }
    let folded = selected.filter { !ofCrash.contains($0.index) && $0.index != first }
    return (open, folded)
  }
}

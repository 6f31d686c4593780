import CodeOwnership
import CrashLogParser
import CrashReading
import ReportSymbolication
import SymbolicationModel
import Wording

/// The backtraces of a report in a page: each is a list of frames that can be folded.
struct HtmlBacktrace {
  private let report: SymbolicatedReport
  private let options: SymbolicationOptions
  private let reportIndex: Int
  private let site: (backtrace: Int, place: CrashSite)?
  private let siteWord: String
  private let owners: CodeOwners

  /// - Parameter activity: whose place is marked, if the report is not about a crash.
  init(
    _ report: SymbolicatedReport, _ options: SymbolicationOptions, _ cause: CrashCause,
    _ activity: ThreadActivity?, reportIndex: Int
  ) {
    self.report = report
    self.options = options
    self.reportIndex = reportIndex
    site = cause.site ?? activity?.site
    siteWord = cause.site == nil ? PageWords.here : PageWords.crashSite
    owners = CodeOwners(of: report, options.codePatterns)
  }

  package func write(_ item: ShownBacktrace, isOpen: Bool, to writer: inout HtmlWriter) {
    let backtrace = item.backtrace
    let site = site.flatMap { $0.backtrace == item.index ? $0.place.frame : nil }
    let isTree = backtrace.source.isCallTree
    writer.element(.details, [.classes([.thread])] + (isOpen ? [.open] : [])) { writer in
      writeSummary(of: backtrace, showsFunction: !isOpen, to: &writer)
      let frames = HtmlFrames(
        owners: owners, isTree: isTree, siteAnchor: .report(reportIndex, .site), siteWord: siteWord)
      var isSiteFound = false
      func write(_ frame: ShownFrame, to writer: inout HtmlWriter) {
        let isSite = !isSiteFound && site.map { $0.isSameRow(as: frame) } == true
        if isSite { isSiteFound = true }
        frames.write(frame, isSite: isSite, to: &writer)
      }
      func writeList(_ frames: ArraySlice<ShownFrame>, to writer: inout HtmlWriter) {
        guard !frames.isEmpty else { return }
        writer.element(.ol, .classes([.frames]), .listRole) { writer in
          for frame in frames { write(frame, to: &writer) }
        }
      }
      let hasOmissions = !backtrace.source.omissions.isEmpty && !options.onlyUserCode
      let frameCount = backtrace.frames.count
      guard !isTree, frameCount <= Self.mostFolded, hasOmissions || frameCount > Self.fewestFolded
      else {
        return writer.element(
          .ol, .classes(isTree ? [.frames, .tree] : [.frames]), .listRole
        ) { writer in
          backtrace.forEachShownFrame(options) { write($0, to: &writer) }
        }
      }
      let shown = backtrace.shownFrames(options)
      let parts = hasOmissions ? shown.partsBetweenOmissions : [(missing: 0, frames: shown[...])]
      for (missing, frames) in parts {
        if missing > 0 {
          writer.element(.p, .classes([.detail]), text: PageWords.leftOut(missing))
        }
        var next = frames.startIndex
        for run in FrameRepetitions(frames).runs {
          let second = run.start + run.period
          guard run.end - second >= Self.fewestFolded else { continue }
          writeList(shown[next..<second], to: &writer)
          writer.element(.details, .classes([.again])) { writer in
            writer.element(
              .summary, text: PageWords.repetition(period: run.period, times: run.rounds - 1))
            writeList(shown[second..<run.end], to: &writer)
          }
          next = run.end
        }
        writeList(shown[next..<frames.endIndex], to: &writer)
      }
    }
  }

  /// Fewer frames that repeat are not folded.
  private static let fewestFolded = 12
  /// The frames of a stack are in memory at once to be folded. No stack is deep enough for more.
  private static let mostFolded = 1 << 18

  /// `Thread 0 crashed com.apple.main-thread 12 frames`, and the function of a folded thread.
  private func writeSummary(
    of backtrace: SymbolicatedBacktrace, showsFunction: Bool, to writer: inout HtmlWriter
  ) {
    let source = backtrace.source
    var frameCount = 0
    var first: String?
    backtrace.forEachShownFrame(options) { frame in
      if frameCount == 0 { first = frame.readableFunction }
      frameCount += 1
    }
    writer.element(.summary) { writer in
      writer.element(.b, text: PageWords.title(of: source, report.source))
      for name in [source.name, source.dispatchQueue].compactMap(\.self) {
        writer.space()
        writer.element(.code) { $0.name(shortened(name, to: 160)) }
      }
      writer.space()
      let samples = source.sampleCount.map { [counted($0, "sample")] } ?? []
      let counts =
        samples + [
          frameCount == 0 ? PageWords.noFrames : counted(frameCount, "frame")
        ]
      writer.element(.span, .classes([.detail]), text: counts.joined(separator: ", "))
      if let first, showsFunction, !source.isCallTree {
        writer.space()
        writer.element(.code, .classes([.detail])) { $0.name(shortened(first, to: 80)) }
      }
    }
  }
}

extension ShownFrame {
  /// Whether both are the same row of a backtrace.
  fileprivate func isSameRow(as other: ShownFrame) -> Bool {
    index == other.index && isInlined == other.isInlined && address == other.address
  }
}

/// Writes the frames of a backtrace, one item of a list for each.
struct HtmlFrames {
  let owners: CodeOwners
  /// Whether they are of a call tree, with counts in place of numbers.
  let isTree: Bool
  /// The name of the frame of the headline.
  let siteAnchor: HtmlAnchor
  /// What it is called.
  let siteWord: String

  package func write(_ frame: ShownFrame, isSite: Bool, to writer: inout HtmlWriter) {
    let owner = owners.owner(of: frame)
    let depth = frame.depth.flatMap { isTree && $0 > 0 ? $0 : nil }
    let classes = HtmlAttribute.classes(classes(frame, owner, isSite), depth: depth)
    writer.element(.li, [classes] + (isSite ? [.id(siteAnchor)] : [])) { writer in
      writer.element(.span, .classes([.number])) {
        $0.number(isTree ? frame.sampleCount ?? frame.index : frame.index)
      }
      writer.space()
      if !isTree { writeImage(frame, to: &writer) }
      writeFunction(frame, owner, to: &writer)
      if isTree {
        writer.space()
        writeImage(frame, to: &writer)
      }
      writePlace(frame, to: &writer)
      if let depth = frame.depth, depth > HtmlClass.greatestDepth {
        writeTag(PageWords.depth(depth), to: &writer)
      }
      if frame.isInlined { writeTag(PageWords.inlined, to: &writer) }
      if isSite { writeTag(siteWord, to: &writer) }
      if let address = frame.address {
        writer.space()
        writer.element(.span, .classes([.address])) { $0.address(address.value) }
      }
      if let source = frame.source { write(source, to: &writer) }
    }
  }

  private func classes(_ frame: ShownFrame, _ owner: CodeOwner, _ isSite: Bool) -> [HtmlClass] {
    var classes: [HtmlClass] = []
    switch owner {
    case .user: break
    case .library: classes.append(.library)
    case .system: classes.append(.system)
    }
    if frame.isInlined { classes.append(.inlined) }
    if isSite { classes.append(.site) }
    return classes
  }

  private func writeImage(_ frame: ShownFrame, to writer: inout HtmlWriter) {
    writer.element(.span, .classes([.image])) { $0.name(frame.imageName) }
    if !isTree { writer.space() }
  }

  private func writeFunction(
    _ frame: ShownFrame, _ owner: CodeOwner, to writer: inout HtmlWriter
  ) {
    writer.element(owner == .user ? .b : .span, .classes([.function])) { writer in
      guard let function = frame.readableFunction else {
        return writer.text(frame.placeInImage)
      }
      writer.name(function)
      // Without a line, the distance is what is known of the place.
      if frame.shownPlace == nil, let offset = frame.offset { writer.text(" + \(offset)") }
    }
  }

  private func writePlace(_ frame: ShownFrame, to writer: inout HtmlWriter) {
    guard let place = frame.shownPlace else { return }
    writer.space()
    writer.element(.span, .classes([.place])) { $0.name(place) }
  }

  private func writeTag(_ text: String, to writer: inout HtmlWriter) {
    writer.space()
    writer.element(.span, .classes([.tag]), text: text)
  }

  private func write(_ source: SourceExcerpt, to writer: inout HtmlWriter) {
    let width = String(source.firstLine + source.lines.count - 1).utf8.count
    writer.element(.pre, .classes([.source])) { writer in
      for (index, line) in source.lines.enumerated() {
        let number = String(source.firstLine + index)
        let padding = String(repeating: " ", count: width - number.utf8.count)
        let text = "\(padding)\(number)  \(line.withSpacesForTabs)"
        if index > 0 { writer.newline() }
        if source.firstLine + index == source.line {
          writer.element(.b, .classes([.sourceLine]), text: text)
        } else {
          writer.text(text)
        }
      }
    }
  }
}

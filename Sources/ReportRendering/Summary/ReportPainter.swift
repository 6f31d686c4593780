import CodeOwnership
import CrashLogParser
import CrashReading
import FunctionNames
import ReportSymbolication
import SymbolicationModel
import Wording

/// Paints a report as text for a terminal: the crashed thread, the frame where it failed and the
/// app's own frames stand out, those of the operating system do not, places in source files are
/// links, and lines fit.
///
/// The output is read again to find out where its frames are. So every format of text, and whatever
/// is wrapped around it, is painted alike, and what was not recognised stays as it is.
struct ReportPainter {
  let input: SymbolicatedInput
  let look: TerminalLook

  /// - Returns: the output with sequences for its parts. Everything else in it is harmless for a
  ///   terminal, as `TerminalFilter` leaves it.
  func painted(_ output: [UInt8]) -> [UInt8] {
    let (marks, edits) = marks(in: output)
    var filter = TerminalFilter()
    var painted: [UInt8] = []
    painted.reserveCapacity(output.count + output.count / 4)
    var offset = 0
    var rest = edits[...]
    /// Up to `end`, with the edits there. One that does not lie in a part as a whole is left out.
    func show(upTo end: Int) {
      var bytes: [UInt8] = []
      while let edit = rest.first, edit.range.lowerBound < end {
        rest.removeFirst()
        guard edit.range.lowerBound >= offset, edit.range.upperBound <= end else { continue }
        bytes += output[offset..<edit.range.lowerBound]
        bytes += edit.text.utf8
        offset = edit.range.upperBound
      }
      painted += filter.shown(bytes + output[offset..<end])
      offset = end
    }
    for mark in marks {
      guard mark.range.lowerBound >= offset, mark.range.upperBound <= output.count else { continue }
      show(upTo: mark.range.lowerBound)
      if let link = mark.link { painted += SourceLinks.start(of: link).utf8 }
      if look.hasColors { painted += mark.style.start.utf8 }
      show(upTo: mark.range.upperBound)
      if look.hasColors { painted += mark.style.end.utf8 }
      if mark.link != nil { painted += SourceLinks.end.utf8 }
    }
    show(upTo: output.count)
    return painted
  }

  /// A part of the output with a look of its own.
  private struct Mark {
    let range: Range<Int>
    let style: TextStyle
    var link: String?
  }

  private func marks(in output: [UInt8]) -> (marks: [Mark], edits: [ReportFit.Edit]) {
    guard
      let reports = try? CrashLogParser.parse(
        output, limits: input.options.limits, logField: input.options.logField)
    else {
      return ([], [])
    }
    let known = [input.reports, input.shownReports].first { $0.count == reports.count }
    let links = SourceLinks(look)
    var fit = look.width.map { ReportFit(output, width: $0) }
    var marks: [Mark] = []
    for (index, report) in reports.enumerated() where report.json == nil {
      let wrapping = report.wrapping
      if wrapping?.isTranslation == true { continue }
      let sources = known.map { [$0[index]] } ?? input.reports
      let frames = KnownFrames(sources, input.options)
      let text = wrapping?.text ?? output
      var found: [Mark] = []
      var site = frames.site
      for backtrace in report.backtraces where backtrace.embeddedText == nil {
        Self.markHeading(of: backtrace, in: text, &found)
        var parts = backtrace.frames.map { FrameParts($0, in: text) }
        fit?.add(&parts) { wrapping?.inputRange(of: $0) ?? $0 }
        for (frame, parts) in zip(backtrace.frames, parts) {
          let isSite = site?.isSame(as: frame, in: backtrace) == true
          // A recursion comes through the place many times.
          if isSite { site = nil }
          guard let parts else { continue }
          Self.mark(frame, parts, isSite: isSite, frames, links, &found)
        }
      }
      marks += found.map { mark in
        Mark(
          range: wrapping?.inputRange(of: mark.range) ?? mark.range, style: mark.style,
          link: mark.link)
      }
    }
    if !reports.isEmpty {
      fit?.wrapOtherLines(
        skipping: reports.filter { $0.json != nil }.map { report in
          report.wrapping?.inputRange(of: report.byteRange) ?? report.byteRange
        })
    }
    return (marks.sorted { $0.range.lowerBound < $1.range.lowerBound }, fit?.sortedEdits ?? [])
  }

  // MARK: Headings

  /// A heading has at most this many bytes; what is longer is no heading.
  private static let headingLimit = 1000

  /// Marks the lines above the frames of the crashed thread, and of exceptions.
  private static func markHeading(
    of backtrace: Backtrace, in text: [UInt8], _ marks: inout [Mark]
  ) {
    let style: TextStyle
    switch backtrace.kind {
    case .thread where backtrace.isCrashed: style = .alarm
    case .lastException, .applicationSpecific: style = .strong
    case .thread, .digest: return
    }
    let start = backtrace.byteRange.lowerBound
    let end =
      backtrace.frames.first?.byteRange?.lowerBound ?? backtrace.addressListRange?.lowerBound
      ?? backtrace.byteRange.upperBound
    guard start < end, end <= text.count, end - start <= headingLimit else { return }
    var line = start
    while line < end {
      let lineEnd = text[line..<end].firstIndex { $0 == 0x0a || $0 == 0x0d } ?? end
      if line < lineEnd { marks.append(Mark(range: line..<lineEnd, style: style)) }
      line = lineEnd + 1
    }
  }

  // MARK: Frames

  /// - Parameter isSite: whether it crashed in this frame: its number, image and address are red.
  private static func mark(
    _ frame: StackFrame, _ parts: FrameParts, isSite: Bool, _ frames: KnownFrames,
    _ links: SourceLinks?, _ marks: inout [Mark]
  ) {
    let (range, name, place) = (parts.range, parts.name, parts.place)
    let symbol = frame.symbol
    let known = frames.frame(frame, symbol)
    let link = place == nil ? nil : links?.link(to: known?.path ?? symbol?.file)
    if known?.owner == .system {
      guard let place, let link else { return marks.append(Mark(range: range, style: .faint)) }
      marks += [
        Mark(range: range.lowerBound..<place.lowerBound, style: .faint),
        Mark(range: place, style: .faint, link: link),
        Mark(range: place.upperBound..<range.upperBound, style: .faint),
      ]
      return
    }
    if isSite {
      let end = name?.lowerBound ?? place?.lowerBound ?? range.upperBound
      if end > range.lowerBound { marks.append(Mark(range: range.lowerBound..<end, style: .alarm)) }
    }
    if known?.owner == .user, let name { marks.append(Mark(range: name, style: .strong)) }
    if let place {
      // `<compiler-generated>` is no file.
      let isFile = symbol?.file?.hasPrefix("<") == false
      marks.append(Mark(range: place, style: isFile ? .place : .faint, link: link))
    }
  }
}

/// What was found out about the frames of reports, by their addresses.
private struct KnownFrames {
  struct Known {
    let owner: CodeOwner
    let file: String?
    let line: Int?
    /// Where the source file is, if that is known.
    let path: String?
  }

  private var byAddress: [UInt64: [Known]] = [:]
  /// Where the first of the reports crashed.
  private(set) var site: Site?

  /// The frame that the headline names.
  struct Site {
    let frame: ShownFrame
    let backtrace: Backtrace

    /// Whether a frame of the output is this one. Calls inlined at its address have other places.
    func isSame(as other: StackFrame, in otherBacktrace: Backtrace) -> Bool {
      otherBacktrace.kind == backtrace.kind && otherBacktrace.isCrashed == backtrace.isCrashed
        && other.address?.value == frame.address?.value
        && other.symbol?.file == frame.location.shownFile
        && other.symbol?.line == frame.location.line
    }
  }

  /// A report may state another place for one address in each of a million frames.
  private static let placeLimit = 64

  init(_ reports: [SymbolicatedReport], _ options: SymbolicationOptions) {
    // Frames that the options leave out are in the text all the same.
    let options = options.ofAllCode
    for report in reports {
      let reading = CrashReading(report, options)
      let owners = reading.owners
      if site == nil, let place = report.cause(reading).site?.place,
        let index = report.crashBacktrace()?.index
      {
        site = Site(frame: place.frame, backtrace: report.backtraces[index].source)
      }
      for backtrace in report.backtraces {
        backtrace.forEachShownFrame(options) { frame in
          guard let address = frame.address?.value else { return }
          let location = frame.location
          // A recursion has one address many times.
          let others = byAddress[address] ?? []
          guard others.count < Self.placeLimit,
            !others.contains(where: {
              $0.file == location.shownFile && $0.line == location.line
            })
          else { return }
          byAddress[address, default: []].append(
            Known(
              owner: owners.owner(of: frame), file: location.shownFile, line: location.line,
              path: location.path))
        }
      }
    }
  }

  /// What is known about a frame of the output: calls inlined at its address have other places.
  func frame(_ frame: StackFrame, _ symbol: FrameSymbol?) -> Known? {
    guard let all = frame.address.flatMap({ byAddress[$0.value] }) else { return nil }
    return all.first { $0.file == symbol?.file && $0.line == symbol?.line } ?? all.first
  }
}

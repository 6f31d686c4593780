import CrashLogParser
import CrashReading
import FunctionNames
import ReportSymbolication
import SymbolicationModel
import Wording

/// Paints a report as text for a terminal: the crashed thread, the frame where it failed and the
/// app's own frames stand out, those of the operating system do not, and places in source files are
/// links.
///
/// The output is read again to find out where its frames are. So every format of text, and whatever
/// is wrapped around it, is painted alike, and what was not recognised stays as it is.
struct ReportPainter {
  let input: SymbolicatedInput
  let look: TerminalLook

  /// - Returns: the output with sequences for its parts. Everything else in it is harmless for a
  ///   terminal, as `TerminalFilter` leaves it.
  func painted(_ output: [UInt8]) -> [UInt8] {
    var filter = TerminalFilter()
    var painted: [UInt8] = []
    painted.reserveCapacity(output.count + output.count / 4)
    var offset = 0
    for mark in marks(in: output) {
      guard mark.range.lowerBound >= offset, mark.range.upperBound <= output.count else { continue }
      painted += filter.shown(Array(output[offset..<mark.range.lowerBound]))
      if let link = mark.link { painted += SourceLinks.start(of: link).utf8 }
      if look.hasColors { painted += mark.style.start.utf8 }
      painted += filter.shown(Array(output[mark.range]))
      if look.hasColors { painted += mark.style.end.utf8 }
      if mark.link != nil { painted += SourceLinks.end.utf8 }
      offset = mark.range.upperBound
    }
    return painted + filter.shown(Array(output[offset...]))
  }

  /// A part of the output with a look of its own.
  private struct Mark {
    let range: Range<Int>
    let style: TextStyle
    var link: String?
  }

  private func marks(in output: [UInt8]) -> [Mark] {
    guard
      let reports = try? CrashLogParser.parse(
        output, limits: input.options.limits, logField: input.options.logField)
    else {
      return []
    }
    let known = [input.reports, input.shownReports].first { $0.count == reports.count }
    let links = SourceLinks(look)
    var marks: [Mark] = []
    for (index, report) in reports.enumerated() where report.json == nil {
      let sources = known.map { [$0[index]] } ?? input.reports
      let frames = KnownFrames(sources, input.options)
      let text = report.wrapping?.text ?? output
      var found: [Mark] = []
      var site = frames.site
      for backtrace in report.backtraces where backtrace.embeddedText == nil {
        Self.markHeading(of: backtrace, in: text, &found)
        for frame in backtrace.frames {
          let isSite = site?.isSame(as: frame, in: backtrace) == true
          // A recursion comes through the place many times.
          if isSite { site = nil }
          Self.mark(frame, isSite: isSite, in: text, frames, links, &found)
        }
      }
      guard let wrapping = report.wrapping else {
        marks += found
        continue
      }
      guard !wrapping.isTranslation else { continue }
      marks += found.map { mark in
        Mark(range: wrapping.inputRange(of: mark.range), style: mark.style, link: mark.link)
      }
    }
    return marks.sorted { $0.range.lowerBound < $1.range.lowerBound }
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
    _ frame: StackFrame, isSite: Bool, in text: [UInt8], _ frames: KnownFrames,
    _ links: SourceLinks?, _ marks: inout [Mark]
  ) {
    guard let range = frame.byteRange, range.upperBound <= text.count else { return }
    let symbol = frame.symbol
    let place = symbol.flatMap { placeRange(of: $0, in: text[range]) }
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
    let name = nameRange(of: frame, symbol, in: text)
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

  /// Where the frame shows its function, or what stands for it.
  private static func nameRange(
    of frame: StackFrame, _ symbol: FrameSymbol?, in text: [UInt8]
  ) -> Range<Int>? {
    guard
      let content = frame.line?.contentRange ?? frame.values?.parts?.content
        ?? frame.values?.treeParts?.function,
      content.upperBound <= text.count
    else { return nil }
    guard let symbol else { return content.isEmpty ? nil : content }
    let count = symbol.name.utf8.count
    guard text[content].starts(with: symbol.name.utf8), count > 0 else { return nil }
    return content.lowerBound..<content.lowerBound + count
  }

  /// In bytes. Whoever made a report may have made a line of any length.
  private static let longestPlace = 4096
  /// The bytes that may follow a place: a spindump has the image and the address there.
  private static let longestTail = 1024

  /// Where the frame shows its file and line: the last `file:`, with the numbers behind it.
  private static func placeRange(
    of symbol: FrameSymbol, in line: ArraySlice<UInt8>
  ) -> Range<Int>? {
    guard let file = symbol.file, symbol.line != nil else { return nil }
    let wanted = Array("\(file):".utf8)
    guard line.count >= wanted.count, wanted.count <= longestPlace else { return nil }
    var start = line.endIndex - wanted.count
    let first = max(line.startIndex, start - longestTail)
    while start >= first {
      if line[start] == wanted[0], line[start...].starts(with: wanted) {
        let numbers = line[(start + wanted.count)...].prefix {
          (UInt8(ascii: "0")...UInt8(ascii: ":")).contains($0)
        }
        return start..<start + wanted.count + numbers.count
      }
      start -= 1
    }
    return nil
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
    var options = options
    // Frames that the options leave out are in the text all the same.
    options.onlyUserCode = false
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

import JsonReading
package import ReportFormats
public import ReportModel

// The text of `spindump`: spindumps, hang and spin reports, and the diagnostics of processes that
// used too much (`cpu_resource`, `wakeups_resource`, `diskwrites_resource`), which iOS puts below a
// line of JSON.
//
// ```text
// Date/Time:       2017-07-27 11:08:56 +0800
// …
// Data Source:     Stackshots
//
// Heaviest stack for the target process:
//   21  ??? (libdyld.dylib + 6368) [0x18849e8e0]
//
// Process:         accountsd [323]
// Path:            /System/Library/…/accountsd
//
//   Thread 0x9e8              DispatchQueue 1           1000 samples (1-1000)
//   1000  start + 1 (libdyld.dylib + 21045) [0x104720235]
//     1000  ??? (accountsd + 2610) [0x1045e4a32]
//            *1000  ipc_mqueue_receive_continue + 0 (kernel + 854224) [0xffffff80002d08d0]
//
//   Binary Images:
//            0x1045e4000 -        0x1045e4fff  accountsd (640.0.19)   <82C7AC47-…>  /System/…
// ```
//
// Each process is a report with images of its own. `SpindumpReader` finds the text,
// `SpindumpBuilder` cuts it into processes, `SpindumpProcess` collects the parts of one, and
// `TextSource+Spindump…` each read one kind of line. `CallTreeBuilder` finds out which frame calls
// which.

extension ReportFormat {
  /// The text of `spindump`, and hang and spin reports. Each process is a report.
  public static let spindump = ReportFormat(.spindump("spindump", "spindump, hang or spin report"))
  /// A CPU, disk write or wakeups diagnostic as text, made from microstackshots, with or without a
  /// line of JSON above it. Each process is a report.
  public static let microstackshots = ReportFormat(
    .spindump("microstackshots", "resource diagnostic made of microstackshots"))
  /// A spindump as encoded binary, which `spindump -i` turns into text.
  public static let spindumpBinary = ReportFormat(
    FormatTraits(
      schemaName: "spindumpBinary",
      unreadable: { _ in
        "is a spindump in its binary format; turn it into text with 'spindump -i FILE -o TEXT' on a Mac"
      }, [.hasStacks]))
}

extension FormatTraits {
  fileprivate static func spindump(_ name: String, _ longName: String) -> FormatTraits {
    FormatTraits(
      schemaName: name,
      unreadable: { _ in "looks like a \(longName), but has no stack that can be read" },
      family: "spindump",
      [.isReport, .hasStacks, .mayBeWrapped, .hasHexadecimalThreads], appleText: .original,
      frames: .spindumpTree)
  }
}

/// Finds and reads spindumps and diagnostics as text.
package struct SpindumpReader: ReportReader {
  package init() {}

  package var formats: [ReportFormat] { [.spindump, .microstackshots] }
  package var lineSigns: LineSigns { .beginning(Array("DUEHTP".utf8)) }
  package func format(
    ofLine line: TextLine, at start: Int, in source: TextSource
  ) -> ReportFormat? {
    if source.has("Use spindump -i ", at: start, limit: line.end) { return .spindumpBinary }
    if source.beginsPieceOfSpindump(line) { return .spindump }
    if source.beginsPowerstats(line) { return .microstackshots }
    return source.has("Date/Time:", at: start, limit: line.end)
      ? source.spindumpFormat(from: line) : nil
  }
  package func beginsReport(_ line: TextLine, in source: TextSource) -> Bool {
    source.has("Date/Time:", at: line.start, limit: line.end)
      && source.spindumpFormat(from: line) != nil
  }
  package func format(belowHeader body: TextLine, in source: TextSource) -> ReportFormat? {
    guard source.has("Date/Time:", at: body.start, limit: body.end) else { return nil }
    return source.spindumpFormat(from: body) ?? .microstackshots
  }

  package func reports(in input: ReportInput) -> [Report] {
    guard input.detectedFormat == .spindump || input.detectedFormat == .microstackshots else {
      return []
    }
    var found: [Report] = []
    var builder: SpindumpBuilder?
    /// The last line with text, if it may be a header.
    var headerLine: TextLine?
    /// Where the lines begin that no other report has.
    var freeStart: Int?
    let source = input.source
    func finish() {
      found += builder?.finish() ?? []
      builder = nil
    }
    /// - Parameter first: where the report begins, with fields before the line that shows it.
    func begin(_ format: ReportFormat, from first: TextLine, at line: TextLine) {
      builder = SpindumpBuilder(
        source: source, start: first, header: nil, format: format, input)
      var next = first
      while next.start < line.start {
        builder?.consume(next)
        next = source.line(at: next.next)
      }
    }
    input.forEachFreeLine { line in
      guard let line else {
        (headerLine, freeStart) = (nil, nil)
        return finish()
      }
      let first = freeStart ?? line.start
      freeStart = first
      if source.has("Date/Time:", at: line.start, limit: line.end),
        let format = source.spindumpFormat(from: line)
      {
        finish()
        if let first = headerLine,
          let header = JsonHeader(source.bytes, in: first.start..<first.end)
        {
          builder = SpindumpBuilder(
            source: source, start: first, header: header, format: format, input)
        } else {
          begin(format, from: source.reasonLine(above: line, from: first), at: line)
        }
        // A line of JSON belongs to the first report below it only.
        headerLine = nil
      }
      if builder == nil, source.beginsPowerstats(line) {
        begin(.microstackshots, from: line, at: line)
      }
      if builder == nil, source.beginsPieceOfSpindump(line) {
        begin(.spindump, from: source.processLine(above: line, from: first), at: line)
      }
      builder?.consume(line)
      guard builder == nil, !source.isBlank(line) else { return }
      headerLine = source.has("{\"", at: line.start, limit: line.end) ? line : nil
    }
    finish()
    return found
  }
}

extension TextSource {
  /// A diagnostic begins with the date, and names its data source or counts its steps within 40
  /// lines.
  ///
  /// - Parameter first: the line with the date.
  func spindumpFormat(from first: TextLine) -> ReportFormat? {
    var next = first.next
    for _ in 0..<40 where next < count {
      let line = self.line(at: next)
      next = line.next
      if has("Data Source:", at: line.start, limit: line.end) {
        let isMicro = find("Microstackshots", from: line.start, limit: line.end) != nil
        return isMicro ? .microstackshots : .spindump
      }
      if has("Steps:", at: line.start, limit: line.end) { return .spindump }
    }
    return nil
  }

  /// Whether a diagnostic begins here that has lost its first lines: at what happened, at the
  /// heaviest stack, or at a thread, with frames below it.
  func beginsPieceOfSpindump(_ line: TextLine) -> Bool {
    let start = skipSeparators(from: line.start, limit: line.end)
    if has("Event: ", at: start, limit: line.end) {
      let next = self.line(at: line.next)
      let event = skipSeparators(from: start + 6, limit: line.end)
      return line.next < count
        && Self.spindumpEvents.contains {
          has($0, at: event, limit: line.end)
        }
        && ["Duration:", "Action taken:", "CPU:", "Wakeups:", "Writes:"].contains {
          has($0, at: next.start, limit: next.end)
        }
    }
    let isStack = has("Heaviest stack for the ", at: start, limit: line.end)
    guard isStack || spindumpThread(line)?.count != nil, line.next < count else { return false }
    var first = self.line(at: line.next)
    // What a thread is: `<thread QoS default, IO tier 0>`.
    for _ in 0..<2
    where !isStack && first.next < count
      && self[skipSeparators(from: first.start, limit: first.end)] == Ascii.less
    {
      first = self.line(at: first.next)
    }
    let node = spindumpNode(first)
    return node.map { spindumpFrame($0.content) != nil } ?? false
  }

  /// Whether the part of a diagnostic about one process begins here, with the number of its samples
  /// below it.
  func beginsPowerstats(_ line: TextLine) -> Bool {
    has("Powerstats for:", at: line.start, limit: line.end)
      && isLine("Microstackshots:", amongNext: 16, after: line)
  }

  private static let spindumpEvents = ["hang", "spin", "cpu usage", "wakeups", "disk writes"]

  /// The first line above that names the process or is of the head, if only fields are between
  /// them; else the same line.
  fileprivate func processLine(above line: TextLine, from start: Int) -> TextLine {
    first(
      of: [
        "Process:", "Command:", "OS Version:", "Architecture:", "Report Version:",
        "Incident Identifier:", "Data Source:",
      ], above: line, from: start)
  }

  /// The line above that says why the kernel took the stacks, if only fields and a rule are between
  /// them; else the same line.
  fileprivate func reasonLine(above line: TextLine, from start: Int) -> TextLine {
    first(of: ["Stackshot Reason:"], above: line, from: start)
  }

  /// - Parameter limit: where the lines begin that no other report has.
  private func first(
    of keys: [String], above line: TextLine, from limit: Int
  ) -> TextLine {
    var (first, current) = (line, line)
    for _ in 0..<24 {
      guard current.start > limit else { break }
      var start = current.start - 1
      while start > limit, self[start - 1] != Ascii.lineFeed, current.start - start < 1000 {
        start -= 1
      }
      current = self.line(at: start)
      if isBlank(current) || has("====", at: current.start, limit: current.end) { continue }
      // The rest of a value that was broken has one blank in front.
      if skipSeparators(from: current.start, limit: current.end) == current.start + 1 { continue }
      guard fieldLine(current) != nil, !isOfCrash(current) else { break }
      if keys.contains(where: { has($0, at: current.start, limit: current.end) }) {
        first = current
      }
    }
    return first
  }

  /// Whether a field is one of a crash report, whose text ends there.
  private func isOfCrash(_ line: TextLine) -> Bool {
    ["Exception ", "Termination ", "Triggered by ", "Crashed Thread:"].contains {
      has($0, at: line.start, limit: line.end)
    }
  }
}

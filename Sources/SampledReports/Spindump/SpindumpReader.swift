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
  package var lineSigns: LineSigns { .beginning([UInt8(ascii: "D"), UInt8(ascii: "U")]) }
  package func format(
    ofLine line: TextLine, at start: Int, in source: TextSource
  ) -> ReportFormat? {
    if source.has("Use spindump -i ", at: start, limit: line.end) { return .spindumpBinary }
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
    let source = input.source
    func finish() {
      found += builder?.finish() ?? []
      builder = nil
    }
    input.forEachFreeLine { line in
      guard let line else {
        headerLine = nil
        return finish()
      }
      if source.has("Date/Time:", at: line.start, limit: line.end),
        let format = source.spindumpFormat(from: line)
      {
        finish()
        let header = headerLine.flatMap {
          JsonHeader(source.bytes, in: $0.start..<$0.end)
        }
        builder = SpindumpBuilder(
          source: source, start: header == nil ? line : headerLine ?? line, header: header,
          format: format, input)
        // A line of JSON belongs to the first report below it only.
        headerLine = nil
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
}

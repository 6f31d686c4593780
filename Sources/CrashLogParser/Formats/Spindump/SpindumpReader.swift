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

/// Finds and reads spindumps and diagnostics as text.
package struct SpindumpReader: ReportReader {
  package init() {}

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
        let format = ReportFormat.diagnostic(in: source, from: line)
      {
        finish()
        let header = headerLine.flatMap {
          JsonHeader(source.bytes, in: $0.start..<$0.end)
        }
        builder = SpindumpBuilder(
          source: source, start: header == nil ? line : headerLine ?? line, header: header,
          format: format, allowance: input.allowance)
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

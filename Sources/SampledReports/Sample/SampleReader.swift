import JsonReading
package import ReportFormats
public import ReportModel

// What `sample` prints, and what Activity Monitor saves as a sample of a process:
//
// ```text
// Analysis of sampling App (pid 8339) every 1 millisecond
// Process:         App [8339]
// …
// Call graph:
//     2705 Thread_359069   DispatchQueue_1: com.apple.main-thread  (serial)
//     + 2705 start  (in libdyld.dylib) + 1  [0x7fff6fbfecc9]
//     +   2705 ???  (in App)  load address 0x10226d000 + 0x3e30  [0x102270e30]
// …
// Total number in stack (recursive counted multiple, when >=5):
//         31       _pthread_start  (in libsystem_pthread.dylib) + 148  [0x7fff7381d109]
//
// Sort by top of stack, same collapsed (when >= 5):
//         mach_msg_trap  (in libsystem_kernel.dylib)        36490
//
// Binary Images:
// ```
//
// `SampleReader` finds it, `SampleBuilder` collects the parts of one sample, and
// `TextSource+SampleFrame` reads a frame. `CallTreeBuilder` finds out which frame calls which.

extension ReportFormat {
  /// The text of `sample`.
  public static let sample = ReportFormat(
    FormatTraits(
      schemaName: "sample",
      unreadable: { _ in "looks like a sample of a process, but has no stack that can be read" },
      [.isReport, .hasStacks, .mayBeWrapped], appleText: .original, frames: .sampleTree))
}

/// Finds and reads the samples of processes that `sample` prints.
package struct SampleReader: ReportReader {
  package init() {}

  package var formats: [ReportFormat] { [.sample] }
  package var lineSigns: LineSigns { .beginning(Array("SAC".utf8)) }
  package func format(
    ofLine line: TextLine, at start: Int, in source: TextSource
  ) -> ReportFormat? {
    source.sampleStarts(at: line) || source.callGraphStarts(at: line) ? .sample : nil
  }
  package func beginsReport(_ line: TextLine, in source: TextSource) -> Bool {
    guard source.sampleStarts(at: line) else { return false }
    return source[line.start] == UInt8(ascii: "A") || source.isFollowedByAnalysis(line)
  }
  package func streamedReport(
    from line: TextLine, in source: TextSource
  ) -> StreamedReport? {
    source.sampleStarts(at: line) || source.has("Call graph:", at: line.start, limit: line.end)
      ? .text : nil
  }

  package func reports(in input: ReportInput) -> [Report] {
    guard input.detectedFormat == .sample else { return [] }
    var found: [Report] = []
    var builder: SampleBuilder?
    func finish() {
      if let report = builder?.finish() { found.append(report) }
      builder = nil
    }
    let source = input.source
    input.forEachFreeLine { line in
      guard let line else { return finish() }
      if source.sampleStarts(at: line), builder?.mayBegin(at: line) != true {
        finish()
        builder = SampleBuilder(source: source, start: line, input)
      } else if builder == nil, source.callGraphStarts(at: line) {
        builder = SampleBuilder(source: source, start: line, input)
      }
      builder?.consume(line)
      if builder?.isClosed == true { finish() }
    }
    finish()
    return found
  }
}

extension TextSource {
  /// Whether a line is one of the first two of a sample: `Sampling process 8339 for 3 seconds …`,
  /// `Analysis of sampling App (pid 8339) every …`.
  package func sampleStarts(at line: TextLine) -> Bool {
    let start = skipSeparators(from: line.start, limit: line.end)
    switch self[start] {
    case UInt8(ascii: "S"):
      return has("Sampling process ", at: start, limit: line.end)
        && Ascii.isDigit(self[start + 17]) && find(" for ", from: start, limit: line.end) != nil
    case UInt8(ascii: "A"):
      return has("Analysis of sampling ", at: start, limit: line.end)
        && find(" (pid ", from: start, limit: line.end) != nil
    default: return false
    }
  }

  /// Whether a line is the heading of the tree, and the tree follows: somebody pasted a sample from
  /// there on.
  package func callGraphStarts(at line: TextLine) -> Bool {
    let end = trimEnd(from: line.start, to: line.end)
    guard has("Call graph:", at: line.start, limit: end), end - line.start == 11,
      line.next < count
    else { return false }
    let next = self.line(at: line.next)
    return sampleNode(next).flatMap { sampleThread($0, next) } != nil
  }

  /// Whether a line is the first of a sample, and not one that `sample` printed into a log: the
  /// name of the process follows a few lines below.
  fileprivate func isFollowedByAnalysis(_ line: TextLine) -> Bool {
    isLine("Analysis of sampling ", amongNext: 4, after: line)
  }
}

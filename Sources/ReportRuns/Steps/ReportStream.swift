import CrashLogParser
import ReportRendering
package import ReportSymbolication
package import SymbolicationModel

/// Symbolicates the reports in a stream that may never end: `--stream`. Other text comes out as
/// soon as it cannot be part of a report, and a report as soon as it is complete (`ReportCutter`).
package struct ReportStream {
  private var cutter: ReportCutter
  private var job: ReportJob
  private var pieces: ArraySlice<ReportCutter.Piece> = []
  /// The most bytes that a report may have.
  package let limit: UInt64

  /// What comes out next. All together is the stream with the answers in place.
  package enum Output {
    case text([UInt8])
    /// Reports, and the lines around them.
    case result(ReportJob.Result)
    /// The beginning of what is too large to be held back.
    case tooLarge([UInt8])
    /// What is compressed and cannot be unpacked.
    case unreadable(ReportReadError, [UInt8])
  }

  /// Where frames are that were not found, because their records are of no known shape.
  package var hint: String? { cutter.hint?.message }

  package init(_ job: ReportJob, limits: ResourceLimits) {
    self.job = job
    // The end of the stream has the sum.
    self.job.steps.countsTraces = false
    limit = limits.streamedReportSize
    cutter = ReportCutter(limit: Int(clamping: limit), logField: job.steps.options.logField)
  }

  /// After how many milliseconds of silence to call `pause`; nil if it would do nothing.
  package var pauseLength: CInt? {
    switch cutter.patience {
    case .short: 500
    case .long: 5000
    case .none, .endless: nil
    }
  }

  // MARK: Input

  package mutating func take(_ bytes: [UInt8]) { pieces += cutter.take(bytes) }

  /// Nothing came for a while.
  package mutating func pause() { pieces += cutter.pause() }

  /// Nothing comes any more.
  package mutating func end() { pieces += cutter.end() }

  // MARK: Output

  /// Whether the next output must be worked for, so that those before it are written first.
  package var isNextCandidate: Bool {
    if case .candidate = pieces.first { true } else { false }
  }

  /// The next output; nil if more must come in first.
  package mutating func next() -> Output? {
    switch pieces.popFirst() {
    case nil:
      pieces = []
      return nil
    case .text(let bytes): return .text(bytes)
    case .tooLarge(let bytes): return .tooLarge(bytes)
    case .candidate(let bytes):
      let content: [UInt8]
      do throws(ReportReadError) {
        content = try ReportBytes(bytes, limit: limit).bytes
      } catch {
        return .unreadable(error, bytes)
      }
      return .result(
        job.steps.result(
          of: job.resolve(job.steps.prepared(content)), shownPath: "standard input"))
    }
  }
}

/// What was found in a stream.
package struct StreamTotals: Hashable, Sendable {
  package private(set) var reportCount = 0
  private var counts = FrameCounts()

  package init() {}

  package mutating func add(_ tally: InputTally) {
    reportCount += tally.formats.count
    counts += tally.counts
  }

  /// `2 stack traces in the stream: 9 of 14 frames resolved`
  package var message: String {
    switch reportCount {
    case 0: "no stack trace in the stream"
    case 1: "1 stack trace in the stream: \(counts.text)"
    default: "\(reportCount) stack traces in the stream: \(counts.text)"
    }
  }
}

import CrashLogParser
package import ReportSymbolication

/// Puts answers back into the bytes of a report, for one way of writing frames.
///
/// A format whose frames are written like those of another one uses the same splicer.
protocol ReportSplicer {
  /// Adds the edits that a report needs. Ranges are offsets in `bytes`, the whole input.
  ///
  /// Frames without an answer, and frames that are not written in this way, stay as they are.
  static func splice(_ report: SymbolicatedReport, of bytes: [UInt8], into edits: inout ByteEdits)
}

/// Puts answers into the backtraces of a report, each by itself.
protocol BacktraceSplicer: ReportSplicer {
  /// Nil if the frames are not written in this way.
  init?(_ report: SymbolicatedReport, of bytes: [UInt8])

  mutating func splice(_ backtrace: SymbolicatedBacktrace, into edits: inout ByteEdits)
}

extension BacktraceSplicer {
  static func splice(_ report: SymbolicatedReport, of bytes: [UInt8], into edits: inout ByteEdits) {
    guard var splicer = Self(report, of: bytes) else { return }
    for backtrace in report.backtraces where backtrace.isChanged {
      splicer.splice(backtrace, into: &edits)
    }
  }
}

/// For a format that no answers are written into: the report comes out as it went in.
enum UnchangedSplicer: ReportSplicer {
  static func splice(
    _ report: SymbolicatedReport, of bytes: [UInt8], into edits: inout ByteEdits
  ) {}
}

extension SymbolicatedReport {
  /// The splicer for the frames of the report's format.
  var splicer: any ReportSplicer.Type {
    switch source.format.traits.frames {
    case .unchanged: UnchangedSplicer.self
    case .appleText: TextSplicer.self
    case .ipsFrames: IpsSplicer.self
    case .stackshotFrames: StackshotSplicer.self
    case .callStackFrames: MetricKitSplicer.self
    case .sdkFrames: SdkJsonSplicer.self
    case .swiftTable: SwiftBacktraceSplicer.self
    case .swiftFrames: SwiftBacktraceJsonSplicer.self
    case .sampleTree: SampleSplicer.self
    case .spindumpTree: SpindumpSplicer.self
    case .lines: FrameLineSplicer.self
    }
  }
}

extension SymbolicatedInput {
  /// The input with the answers in place: text stays text, JSON stays JSON, and a wrapping stays
  /// around its report. A binary report becomes the text that it stands for. Nil if answers cannot
  /// be written into the wrapping.
  package var completedInput: [UInt8]? {
    guard let wrapping, !wrapping.isTranslation else { return splicedBytes }
    guard let outer = wrapping.inputEdits(edits.list) else { return nil }
    var edits = ByteEdits()
    for edit in outer { edits.replace(edit.range, with: edit.replacement) }
    return edits.applied(to: input)
  }

  /// The text of the reports with the answers in place.
  package var splicedBytes: [UInt8] { edits.applied(to: bytes) }

  private var edits: ByteEdits {
    var edits = ByteEdits()
    for report in reports { report.splicer.splice(report, of: bytes, into: &edits) }
    return edits
  }
}

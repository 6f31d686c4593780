import CrashLogParser
import ReportSymbolication

/// Puts answers back into the bytes of a report, for one way of writing frames.
///
/// A format whose frames are written like those of another one uses the same splicer.
protocol ReportSplicer {
  /// Adds the edits that a report needs. Ranges are offsets in `bytes`, the whole input.
  ///
  /// Frames without an answer, and frames that are not written in this way, stay as they are.
  static func splice(_ report: SymbolicatedReport, of bytes: [UInt8], into edits: inout ByteEdits)
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

/// For a format that no answers are written into: the report comes out as it went in.
enum UnchangedSplicer: ReportSplicer {
  static func splice(
    _ report: SymbolicatedReport, of bytes: [UInt8], into edits: inout ByteEdits
  ) {}
}

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
  /// The splicer for the report's format. Nothing else in this module depends on the format.
  var splicer: any ReportSplicer.Type {
    switch source.format {
    case .ipsCrash: IpsSplicer.self
    case .swiftBacktrace: SwiftBacktraceSplicer.self
    case .swiftBacktraceJson: SwiftBacktraceJsonSplicer.self
    case .sample: SampleSplicer.self
    case .ipsStackshot: StackshotSplicer.self
    case .spindump, .microstackshots: SpindumpSplicer.self
    case .metricKit: MetricKitSplicer.self
    case .ksCrashJson, .sentryEvent, .bugsnagEvent, .measureException: SdkJsonSplicer.self
    case .crashText, .crashTextWithJsonHeader, .leaks, .frameFragment, .plCrashReporterBinary:
      TextSplicer.self
    default: UnchangedSplicer.self
    }
  }
}

/// For a format that no answers are written into: the report comes out as it went in.
enum UnchangedSplicer: ReportSplicer {
  static func splice(
    _ report: SymbolicatedReport, of bytes: [UInt8], into edits: inout ByteEdits
  ) {}
}

import CrashLogParser

/// Puts answers back into the bytes of a report, for one way of writing frames.
///
/// A format whose frames are written like those of another one uses the same splicer.
protocol ReportSplicer {
  /// Adds the edits that a report needs. Ranges are offsets in `bytes`, the whole input.
  ///
  /// Frames without an answer, and frames that are not written in this way, stay as they are.
  static func splice(_ report: SymbolicatedReport, of bytes: [UInt8], into edits: inout ByteEdits)

  /// Whether frames show the columns of source locations.
  static var showsColumns: Bool { get }
  /// Whether source lines can be put below a frame.
  static var hasPlaceForSourceLines: Bool { get }
  /// How the report becomes Apple's text.
  static var appleText: AppleTextOrigin { get }
}

/// How a report becomes Apple's text (`--format crash`).
enum AppleTextOrigin: Hashable {
  /// It is Apple's text already.
  case original
  /// Apple's tools translate it; a text with the same incident is such a translation.
  case translation
  /// Apple's tools do not: it gets a text in the same format from what was read of it.
  case model
  /// There is no such text.
  case none
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

  /// Whether Apple's tools make text reports from it: then a text report of the same incident is a
  /// copy.
  var isTranslatable: Bool { splicer.appleText == .translation }
}

/// For a format that no answers are written into: the report comes out as it went in.
enum UnchangedSplicer: ReportSplicer {
  static let showsColumns = false
  static let hasPlaceForSourceLines = false
  static let appleText = AppleTextOrigin.none

  static func splice(
    _ report: SymbolicatedReport, of bytes: [UInt8], into edits: inout ByteEdits
  ) {}
}

package import CrashLogParser

/// How a report becomes Apple's text (`--format crash`).
package enum AppleTextOrigin: Hashable {
  /// It is Apple's text already.
  case original
  /// Apple's tools translate it; a text with the same incident is such a translation.
  case translation
  /// Apple's tools do not: it gets a text in the same format from what was read of it.
  case model
  /// There is no such text.
  case none
}

extension ReportFormat {
  package var appleText: AppleTextOrigin {
    switch self {
    case .ipsCrash: .translation
    case .crashText, .crashTextWithJsonHeader, .leaks, .frameFragment, .plCrashReporterBinary,
      .sample, .spindump, .microstackshots:
      .original
    case .ipsStackshot, .metricKit, .ksCrashJson, .sentryEvent, .bugsnagEvent, .measureException:
      .model
    default: .none
    }
  }

  /// Whether frames show the columns of source locations.
  package var showsColumns: Bool { self == .swiftBacktrace || self == .swiftBacktraceJson }

  /// Whether source lines can be put below a frame.
  package var hasPlaceForSourceLines: Bool {
    switch self {
    case .crashText, .crashTextWithJsonHeader, .leaks, .frameFragment, .plCrashReporterBinary: true
    default: false
    }
  }
}

extension SymbolicatedReport {
  /// Whether Apple's tools make text reports from it: then a text report of the same incident is a
  /// copy.
  package var isTranslatable: Bool { source.format.appleText == .translation }
}

extension [Report] {
  /// The format of the first report if none has stacks; nil otherwise.
  package var formatWithoutStacks: ReportFormat? {
    contains { $0.format.hasStacks } ? nil : first?.format
  }
}

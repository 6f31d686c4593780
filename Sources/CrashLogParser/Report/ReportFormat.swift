/// The kinds of crash and diagnostic reports that are recognised, and other things that people
/// submit instead.
public enum ReportFormat: Hashable, Sendable {
  // MARK: Formats that are read

  /// A crash report as text, from Apple's ReportCrash and its successors, Xcode's Organizer,
  /// TestFlight, PLCrashReporter or KSCrash.
  case crashText
  /// A crash report as text below one line of JSON: `.ips` files of iOS 9 to 14.
  case crashTextWithJsonHeader
  /// What `leaks` prints: the stacks on which memory was allocated that is in use no more. Its
  /// frames are written with the outermost first.
  case leaks
  /// Only frame lines, with `LOAD + offset`.
  case frameFragment
  /// `.ips` of iOS 15, macOS 12 and later: a crash as two JSON documents (bug type 309).
  case ipsCrash
  /// What the Swift runtime prints when a program crashes.
  case swiftBacktrace
  /// The backtrace of the Swift runtime as JSON.
  case swiftBacktraceJson
  /// A MetricKit payload, a diagnostic from one, or its call stack tree; also App Store Connect's
  /// diagnostic logs.
  case metricKit
  /// A report of KSCrash as JSON.
  case ksCrashJson
  /// An event of Sentry as JSON, alone or in an envelope.
  case sentryEvent
  /// An event of Bugsnag as JSON, alone or in a payload.
  case bugsnagEvent
  /// An exception of the Measure SDK as JSON, alone or among the events of a session.
  case measureException
  /// A report of PLCrashReporter in its binary format. It is read as the text that it stands for.
  case plCrashReporterBinary
  /// The text of `sample`.
  case sample
  /// The text of `spindump`, and hang and spin reports. Each process is a report.
  case spindump
  /// A CPU, disk write or wakeups diagnostic as text, made from microstackshots, with or without a
  /// line of JSON above it. Each process is a report.
  case microstackshots
  /// `.ips`: the stacks of all processes (bug type 288). Each process is a report.
  case ipsStackshot
  /// A format whose reader is not part of this module, with the name that the reader gives it.
  case other(String)

  // MARK: Formats without stacks: only their facts are read

  /// `.ips`: what was in memory when it ran out (bug types 98, 198 and 298).
  case ipsJetsam
  /// `.ips`: a kernel panic or a forced reset (bug types 10, 110, 151 and 210).
  case ipsPanic
  /// A kernel panic as text.
  case kernelPanic

  // MARK: Formats that are only recognised

  /// `.ips` of any other kind; the type is empty if it cannot be read.
  case ips(bugType: String)
  /// A spindump as encoded binary, which `spindump -i` turns into text.
  case spindumpBinary
  /// A property list, which old versions of iTunes wrapped around crash reports. Reports inside XML
  /// property lists are read.
  case propertyList
  /// JSON of an unknown kind.
  case json
  /// Text in UTF-16. Reports in it are read.
  case utf16Text
  /// A compressed file: gzip, zip, bzip2, xz or zstd.
  case archive
  /// A picture: PNG, JPEG, GIF.
  case picture
  /// Text with fonts, as an editor saves it (RTF). Reports in it are read.
  case richText
  /// A page of the web (HTML). Reports in it are read.
  case webPage
  /// A Mach-O or ELF file.
  case objectFile
  /// None of these.
  case unknown

  /// Recognises what `bytes` hold by the first line that shows it. Text of any length may precede a
  /// report.
  ///
  /// - Complexity: reads no further than that line, except in JSON that has none.
  public static func detect(_ bytes: [UInt8]) -> ReportFormat {
    detect(TextSource(bytes: bytes))
  }
}

extension ReportFormat {
  /// Whether its reports have stacks to symbolicate. Those of the others are only summarised.
  package var hasStacks: Bool {
    switch self {
    case .ipsJetsam, .ipsPanic, .kernelPanic: false
    default: true
    }
  }

  /// Whether a report in Apple's text format may stand somewhere in an input that looks like this.
  /// In the others there are lines that only resemble one.
  var mayHoldText: Bool {
    switch self {
    case .crashText, .crashTextWithJsonHeader, .leaks, .frameFragment, .propertyList, .richText,
      .webPage, .unknown:
      true
    case .ipsCrash, .swiftBacktrace, .swiftBacktraceJson, .other, .ipsJetsam, .ipsPanic,
      .ipsStackshot, .ips, .microstackshots, .spindump, .spindumpBinary, .sample, .kernelPanic,
      .metricKit, .ksCrashJson, .sentryEvent, .bugsnagEvent, .measureException,
      .plCrashReporterBinary, .json, .utf16Text, .archive, .picture,
      .objectFile:
      false
    }
  }
}

extension ReportFormat {
  /// Whether it is the JSON of an SDK that collects crashes.
  var isSdkJson: Bool {
    switch self {
    case .ksCrashJson, .sentryEvent, .bugsnagEvent, .measureException: true
    default: false
    }
  }
}

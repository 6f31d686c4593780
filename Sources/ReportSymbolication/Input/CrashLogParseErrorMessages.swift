package import CrashLogParser

extension CrashLogParseError {
  /// One sentence: what the input is instead of a crash report, and what to do about it.
  ///
  /// - Parameter path: what to call the input.
  package func message(path: String) -> String {
    switch self {
    case .emptyInput: "\(path) is empty; expected a crash report"
    case .inputTooLarge(let count): "\(path) has \(count) bytes; the limit is 4 GiB"
    case .noReportFound(let format): "\(path) \(format.explanation)"
    }
  }
}

extension ReportFormat {
  /// What a file of this format is, to follow its name in a sentence.
  fileprivate var explanation: String {
    switch self {
    case .crashText, .crashTextWithJsonHeader:
      "looks like a crash report, but has no thread and no binary image that can be read"
    case .leaks:
      "looks like a report of leaks, but has no stack that can be read"
    case .frameFragment:
      "has lines that look like stack frames, but none of them can be read"
    case .ipsCrash:
      "is a crash report as JSON (.ips), but has no threads and images that can be read; export it again"
    case .ipsJetsam:
      "is a jetsam report, which lists the memory use of processes and has no stack to symbolicate"
    case .ipsPanic, .kernelPanic:
      "is a kernel panic, not the crash of an app: its addresses belong to the kernel"
    case .spindumpBinary:
      "is a \(name); turn it into text with 'spindump -i FILE -o TEXT' on a Mac"
    case .ipsStackshot, .microstackshots, .spindump, .sample:
      "looks like a \(name), but has no stack that can be read"
    case .ips(bugType: "224"):
      "is a message log of rtcreportingd (.ips type 224), which is not a crash report"
    case .ips(let bugType):
      "is an .ips report of type '\(bugType)', which is not a crash report"
    case .swiftBacktrace, .swiftBacktraceJson:
      "looks like a Swift backtrace, but has no thread and no image that can be read"
    case .metricKit:
      "looks like a MetricKit payload, but has no call stack that can be read"
    case .ksCrashJson, .sentryEvent, .bugsnagEvent, .measureException:
      "looks like \(name), but has no thread and no stack that can be read"
    case .plCrashReporterBinary:
      "is a \(name), but has no thread and no image that can be read; it may be cut short"
    case .propertyList:
      "is a property list without a crash report"
    case .json:
      "is JSON, but not a known kind of report"
    case .other(let name):
      "looks like a report of the format \(name), but nothing in it can be read"
    case .utf16Text:
      "is UTF-16 text without a crash report"
    case .archive:
      "is compressed; unpack it first"
    case .picture:
      "is a picture; give the report as text"
    case .richText:
      "is rich text (RTF) without a crash report; save the report as plain text"
    case .webPage:
      "is a web page (HTML) without a crash report; save the report itself as a file"
    case .objectFile:
      "is a Mach-O or ELF file; give the report first, and symbol files after it or with -d"
    case .unknown:
      "has no crash report: expected 'Thread N:' with frames, or 'Binary Images:'"
    }
  }

  private var name: String {
    switch self {
    case .ipsStackshot: "stackshot"
    case .microstackshots: "resource diagnostic made of microstackshots"
    case .spindump: "spindump, hang or spin report"
    case .spindumpBinary: "spindump in its binary format"
    case .sample: "sample of a process"
    case .ksCrashJson: "a report of KSCrash"
    case .sentryEvent: "an event of Sentry"
    case .bugsnagEvent: "an event of Bugsnag"
    case .measureException: "a session or exception of the Measure SDK"
    case .plCrashReporterBinary: "PLCrashReporter report in its binary format"
    default: "report"
    }
  }
}

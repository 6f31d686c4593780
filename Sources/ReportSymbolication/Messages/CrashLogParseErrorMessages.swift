import CrashLogParser

extension CrashLogParseError {
  /// One sentence: what was found where a crash report was expected, and what to do about it.
  ///
  /// - Parameter path: what to call the input.
  func message(path: String) -> String {
    switch self {
    case .emptyInput: "\(path) is empty; expected a crash report"
    case .inputTooLarge(let count): "\(path) has \(count) bytes; reports of up to 4 GiB are read"
    case .noReportFound(let format): "\(path) \(format.explanation)"
    }
  }
}

extension ReportFormat {
  /// What a file of this format is, to follow its name in a sentence.
  fileprivate var explanation: String {
    switch self {
    case .crashText, .crashTextWithJsonHeader:
      "begins like a crash report and has neither a thread nor a binary image that could be read"
    case .frameFragment:
      "has lines that look like stack frames, none of which could be read"
    case .ipsCrash:
      "is a crash report as JSON (.ips) without threads and images that could be read; export it again"
    case .ipsJetsam:
      "is a jetsam report: it lists what was in memory and has no stack to symbolicate"
    case .ipsPanic, .kernelPanic:
      "is a kernel panic, not the crash of an app: its addresses belong to the kernel"
    case .ipsStackshot, .microstackshots, .spindump, .spindumpBinary, .sample:
      "is a \(name): stacks that were sampled, not a crash; this format is not read"
    case .ips(let bugType):
      "is an .ips report of type '\(bugType)', which is not a crash report"
    case .swiftBacktrace, .swiftBacktraceJson:
      "begins like a Swift backtrace and has neither a thread nor an image that could be read"
    case .metricKit, .ksCrashJson, .plCrashReporterBinary:
      "is a \(name), a format that is not read; it was passed through as it is"
    case .propertyList:
      "is a property list, and there is no crash report in it"
    case .json:
      "is JSON, and of no kind of report that is known"
    case .other(let name):
      "looks like a report of the format \(name), but nothing in it could be read"
    case .utf16Text:
      "is text in UTF-16; convert it first: iconv -f UTF-16 -t UTF-8"
    case .archive:
      "is compressed; unpack it first"
    case .picture:
      "is a picture; the report itself is needed, as text"
    case .objectFile:
      "is a Mach-O or ELF file; the report comes first, and symbol files after it or with -d"
    case .unknown:
      "holds no crash report: neither a 'Thread N:' with frames nor 'Binary Images:' was found"
    }
  }

  private var name: String {
    switch self {
    case .ipsStackshot: "stackshot"
    case .microstackshots: "resource diagnostic made of microstackshots"
    case .spindump: "spindump, hang or spin report"
    case .spindumpBinary: "spindump in its binary form"
    case .sample: "sample of a process"
    case .metricKit: "MetricKit payload"
    case .ksCrashJson: "KSCrash report as JSON"
    case .plCrashReporterBinary: "PLCrashReporter report in its binary form"
    default: "report"
    }
  }
}

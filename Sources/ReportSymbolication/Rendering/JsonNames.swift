import CrashLogParser

// What the schema calls the kinds of things. They are a promise to those who read the JSON, and
// independent of what the cases are called.

extension ParsedReport {
  var formatName: String {
    switch self {
    case .ips: "ips"
    case .swiftBacktrace(let report):
      report.format == .swiftBacktraceJson ? "swiftBacktraceJson" : "swiftBacktrace"
    case .text(let report):
      switch report.format {
      case .crashTextWithJsonHeader: "crashTextWithJsonHeader"
      case .frameFragment: "frameFragment"
      default: "crashText"
      }
    }
  }

  var faults: [ParseFault] {
    switch self {
    case .text(let report): report.faults
    case .ips(let report): report.faults
    case .swiftBacktrace(let report): report.faults
    }
  }
}

extension SymbolicatedBacktrace.Kind {
  var name: String {
    switch self {
    case .thread: "thread"
    case .lastException: "lastException"
    case .applicationSpecific: "applicationSpecific"
    }
  }
}

extension ParseFault.Kind {
  var name: String {
    switch self {
    case .damagedJsonHeader: "damagedJsonHeader"
    case .unreadableFrame: "unreadableFrame"
    case .frameOutsideBacktrace: "frameOutsideBacktrace"
    case .unreadableImage: "unreadableImage"
    case .unreadableImageIdentity: "unreadableImageIdentity"
    case .cutLine: "cutLine"
    case .unreadableNumber: "unreadableNumber"
    case .damagedJson: "damagedJson"
    case .unexpectedJsonValue: "unexpectedJsonValue"
    case .imageIndexOutOfRange: "imageIndexOutOfRange"
    }
  }
}

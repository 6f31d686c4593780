import CrashLogParser
import SymbolicationModel

// The string values of the JSON schema (`docs/report.schema.json`). Programs rely on them, so they
// do not follow the case names in the code.

extension ReportEvent {
  var schemaName: String {
    switch self {
    case .crash: "crash"
    case .hang: "hang"
    case .cpuUsage: "cpuUsage"
    case .wakeups: "wakeups"
    case .diskWrites: "diskWrites"
    case .memory: "memory"
    case .launch: "launch"
    case .leak: "leak"
    case .sample: "sample"
    case .panic: "panic"
    }
  }
}

extension Backtrace.Kind {
  var schemaName: String {
    switch self {
    case .thread: "thread"
    case .lastException: "lastException"
    case .applicationSpecific: "applicationSpecific"
    case .digest: "digest"
    }
  }
}

extension ParseFault.Kind {
  var schemaName: String {
    switch self {
    case .damagedJsonHeader: "damagedJsonHeader"
    case .unreadableFrame: "unreadableFrame"
    case .frameOutsideBacktrace: "frameOutsideBacktrace"
    case .unreadableImage: "unreadableImage"
    case .unreadableImageIdentity: "unreadableImageIdentity"
    case .cutLine: "cutLine"
    case .wrappedLine: "wrappedLine"
    case .unreadableNumber: "unreadableNumber"
    case .damagedJson: "damagedJson"
    case .damagedBinary: "damagedBinary"
    case .unexpectedJsonValue: "unexpectedJsonValue"
    case .imageIndexOutOfRange: "imageIndexOutOfRange"
    case .tooManyThreads: "tooManyThreads"
    case .tooManyFrames: "tooManyFrames"
    case .tooManyImages: "tooManyImages"
    }
  }
}

extension ShownFrame.Origin {
  var schemaName: String {
    switch self {
    case .dwarf: "dwarf"
    case .breakpad: "breakpad"
    case .symbolTable: "symbolTable"
    case .exportTrie: "exportTrie"
    case .miniDebugInfo: "miniDebugInfo"
    case .symbolStub: "symbolStub"
    case .symbolTableAndLineTable: "symbolTableAndLineTable"
    case .report: "report"
    case .reportAndLineTable: "reportAndLineTable"
    }
  }
}

extension ReasonSource {
  var schemaName: String {
    switch self {
    case .trapMessage: "trapMessage"
    case .thrownException: "thrownException"
    case .applicationSpecificInformation: "applicationSpecificInformation"
    case .termination: "termination"
    case .panic: "panic"
    case .function: "function"
    case .exceptionType: "exceptionType"
    }
  }
}

extension CauseEvidence.Source {
  var schemaName: String {
    switch self {
    case .field: "field"
    case .frame: "frame"
    case .register: "register"
    case .information: "applicationSpecificInformation"
    case .sourceLine: "sourceLine"
    }
  }

  /// The name of the field or register, or the number of the frame.
  var name: String? {
    switch self {
    case .field(let name), .register(let name): name
    case .frame(let index): String(index)
    case .information, .sourceLine: nil
    }
  }
}

extension AddressContradiction.Kind {
  var schemaName: String {
    switch self {
    case .otherAddress: "otherAddress"
    case .otherImage: "otherImage"
    case .outsideImage: "outsideImage"
    }
  }
}

extension FrameExplanation.MatchBasis {
  var schemaName: String {
    switch self {
    case .uuid: "uuid"
    case .buildId: "buildId"
    case .name: "name"
    }
  }
}

extension FrameExplanation.Reason {
  var schemaName: String {
    switch self {
    case .noAddress: "noAddress"
    case .noImage: "noImage"
    case .noSymbolFile: "noSymbolFile"
    case .noLinkBase: "noLinkBase"
    case .unnamed: "unnamed"
    case .leftOut: "leftOut"
    }
  }
}

extension FrameExplanation.Refusal {
  var schemaName: String {
    switch self {
    case .otherBuild: "otherBuild"
    case .unusableFile: "unusableFile"
    case .symbol: "symbol"
    case .statedName: "statedName"
    }
  }
}

extension FrameAddressKind {
  var schemaName: String {
    switch self {
    case .programCounter: "programCounter"
    case .returnAddress: "returnAddress"
    case .asyncResumePoint: "asyncResumePoint"
    }
  }
}

extension ManglingScheme {
  var schemaName: String {
    switch self {
    case .swift: "swift"
    case .oldSwift: "oldSwift"
    case .itanium: "itanium"
    case .rustLegacy: "rustLegacy"
    case .rustV0: "rustV0"
    }
  }
}

extension DemanglingLimit {
  var schemaName: String {
    switch self {
    case .nameLength: "nameLength"
    case .nesting: "nesting"
    case .shownLength: "shownLength"
    }
  }
}

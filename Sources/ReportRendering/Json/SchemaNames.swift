import CrashLogParser
import CrashReading
import ReportSymbolication
import SymbolicationModel

// The string values of the JSON schema (`docs/report.schema.json`) for enums with payloads. Other
// enums have them as raw values. Programs rely on both.

extension CauseEvidence.Source {
  package var schemaName: String {
    switch self {
    case .field: "field"
    case .frame: "frame"
    case .register: "register"
    case .information: "applicationSpecificInformation"
    case .sourceLine: "sourceLine"
    }
  }

  /// The name of the field or register, or the number of the frame.
  package var name: String? {
    switch self {
    case .field(let name), .register(let name): name
    case .frame(let index): String(index)
    case .information, .sourceLine: nil
    }
  }
}

extension FrameExplanation.Reason {
  package var schemaName: String {
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
  package var schemaName: String {
    switch self {
    case .otherBuild: "otherBuild"
    case .unusableFile: "unusableFile"
    case .symbol: "symbol"
    case .statedName: "statedName"
    }
  }
}

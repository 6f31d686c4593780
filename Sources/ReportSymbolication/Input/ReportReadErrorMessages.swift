import FunctionNames
package import SymbolicationModel
import SystemPackage
import Wording

extension ReportReadError {
  /// One sentence: why the report at `path` is not read, and what to try.
  package func message(report path: String, limits: ResourceLimits) -> String {
    switch self {
    case .unreadable(.fileTooLarge):
      let limit = ResourceLimit.reportSize
      return
        "the report \(path) is not read: it is larger than \(limit.shown(limits.reportSize)); \(limit.remedy(from: limits.reportSize))"
    case .archive: return "\(path) \(reason)"
    case .unreadable, .damagedCompression, .implausibleSize:
      let report =
        path == "standard input" ? path : "the report \(path.isEmpty ? "''" : path)"
      return "cannot read \(report): \(reason)"
    }
  }

  /// What to say after the name of the file.
  package var reason: String {
    switch self {
    case .unreadable(let errno): "\(errno)"
    case .archive(0, _):
      "is an archive without crash reports; symbol files are given after the report or with -d"
    case .archive(let count, let first):
      "is an archive with \(count) crash \(count == 1 ? "report" : "reports") (\(count == 1 ? "" : "the first is ")\(first ?? "")); unpack it and give the folder"
    case .damagedCompression(let method, .truncated):
      "its \(method.rawValue) data is cut short; copy or download it again"
    case .damagedCompression(let method, .trailingBytes(let count)):
      "\(count) \(count == 1 ? "byte follows" : "bytes follow") its \(method.rawValue) data; remove what was appended, or unpack it with \(method.rawValue) -dc"
    case .damagedCompression(let method, .damaged):
      "its \(method.rawValue) data is damaged; copy or download it again"
    case .damagedCompression(let method, let error): "its \(method.rawValue) data: \(error.text)"
    case .implausibleSize(let method, let compressed, let limit):
      "its \(ByteSize.text(compressed)) of \(method.rawValue) data unpack to more than \(ByteSize.text(limit)), which no report does; if it is one, unpack it first"
    }
  }
}

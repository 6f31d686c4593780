import ReportSymbolication

/// Which frames without a name make a run with `--strict` fail.
enum Strictness: Hashable, Sendable {
  /// None: `--strict` was not given.
  case none
  /// Those that someone can have symbols for: all but the frames in libraries of the operating
  /// system.
  case app
  case all

  func isViolated(by result: ReportJob.Result) -> Bool {
    switch self {
    case .none: false
    case .app: !result.isCompleteOutsideSystem
    case .all: !result.isComplete
    }
  }
}

import ReportSymbolication

/// Which frames without a name make a run with `--strict` fail.
enum Strictness: Hashable, Sendable {
  /// None: `--strict` was not given.
  case none
  /// Those that someone can have symbols for: all but the frames in libraries of the operating
  /// system.
  case app
  case all

  /// The frames of a result without a name that count.
  func unresolvedCount(in tally: InputTally) -> Int {
    switch self {
    case .none: 0
    case .app: tally.unresolvedOutsideSystem
    case .all: tally.unresolved
    }
  }

  func isViolated(by result: ReportJob.Result) -> Bool {
    switch self {
    case .none: false
    case .app: !result.isCompleteOutsideSystem
    case .all: !result.isComplete
    }
  }
}

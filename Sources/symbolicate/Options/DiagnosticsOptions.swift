import ArgumentParser
import ReportRuns
import ReportSymbolication
import SymbolicationModel

/// What `symbolicate` says besides the result, and when it fails.
struct DiagnosticsOptions: OptionList {
  @Flag(help: "Exit with status 2 if a frame of the app has no name.")
  var strict = false

  /// What `--strict=all` is read as (`ProgramArguments`): a flag of ArgumentParser takes no value,
  /// and an option would take the report that follows it.
  @Flag(
    name: .customLong("strict-all"), help: "Exit with status 2 if any frame has no name.")
  var strictAll = false

  @Flag(help: "Explain where each name comes from.")
  var explain = false

  @Flag(
    name: [.short, .long],
    help: "Say for each image which symbol file was used.")
  var verbose = false

  @Option(
    name: .customLong("dwarf-reader"),
    help: ArgumentHelp(
      "What reads DWARF: built-in, or libdwarf (damaged files can crash libdwarf). (default: built-in)",
      valueName: "reader"),
    completion: .list(DwarfReaderChoice.allCases.map(\.rawValue)))
  var dwarfReaderName: String?

  var options: [Mirror.Child] {
    [
      ("_strict", _strict), ("_strictAll", _strictAll), ("_explain", _explain),
      ("_verbose", _verbose), ("_dwarfReaderName", _dwarfReaderName),
    ]
  }

  // Converted here, and not by ArgumentParser, as in `SourcePathOptions`.
  func validate() throws {
    if let dwarfReaderName, DwarfReaderChoice(rawValue: dwarfReaderName) == nil {
      throw ValidationError("--dwarf-reader needs built-in or libdwarf, not '\(dwarfReaderName)'.")
    }
  }

  var dwarfReader: DwarfReaderChoice {
    dwarfReaderName.flatMap { DwarfReaderChoice(rawValue: $0) } ?? .builtIn
  }

  var strictness: Strictness { strictAll ? .all : strict ? .app : .none }
}

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

  /// Why `--strict` makes the run fail.
  ///
  /// - Parameter frames: 0 if no one knows, because a limit left them out.
  func violation(frames: Int, reports: Int) -> String {
    let option = self == .all ? "--strict=all" : "--strict"
    let place = reports == 1 ? "" : " in \(reports) reports"
    switch frames {
    case 0: return "\(option): some frames\(place) were left out"
    case 1: return "\(option): 1 frame\(place) has no name"
    default: return "\(option): \(frames) frames\(place) have no name"
    }
  }
}

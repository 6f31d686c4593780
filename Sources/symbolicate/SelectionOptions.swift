import ArgumentParser
import ReportSymbolication

/// Which parts of a report are symbolicated.
struct SelectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The threads to symbolicate: all, crashed, or numbers (0,3).", valueName: "threads"))
  var threads = SymbolicationOptions.ThreadSelection.all

  @Option(
    name: .customLong("process"),
    help: ArgumentHelp(
      "Symbolicate only this process of a report about several: its name or its number. Repeatable.",
      valueName: "process"))
  var processes: [String] = []

  func validate() throws {
    if processes.contains("") { throw ValidationError(UsageMessages.emptyProcess) }
  }
}

extension SymbolicationOptions.ThreadSelection: ExpressibleByArgument {
  /// Parses `all`, `crashed`, or thread numbers separated by commas (`0,3`); nil for anything else.
  public init?(argument: String) {
    switch argument {
    case "all": self = .all
    case "crashed": self = .crashed
    default:
      let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.allSatisfy({ $0 != nil }) else { return nil }
      self = .numbered(Set(numbers.compactMap(\.self)))
    }
  }

  // ArgumentParser would find this by reflection.
  public var defaultValueDescription: String {
    switch self {
    case .all: "all"
    case .crashed: "crashed"
    case .numbered(let numbers): numbers.sorted().map(String.init).joined(separator: ",")
    }
  }
}

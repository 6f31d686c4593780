import ArgumentParser
import ReportSymbolication

/// Which parts of a report are symbolicated.
struct SelectionOptions: OptionList {
  @Option(
    name: .customLong("threads"),
    help: ArgumentHelp(
      "The threads to symbolicate: all, crashed, or numbers (0,3). (default: all)",
      valueName: "threads"))
  var threadNames: String?

  @Option(
    name: .customLong("process"),
    help: ArgumentHelp(
      "Symbolicate only this process of a report about several: its name or its number. Repeatable.",
      valueName: "process"))
  var processes: [String] = []

  var options: [Mirror.Child] { [("_threadNames", _threadNames), ("_processes", _processes)] }

  // Converted here, and not by ArgumentParser, as in `SourcePathOptions`.
  var threads: SymbolicationOptions.ThreadSelection {
    threadNames.flatMap { .init(optionValue: $0) } ?? .all
  }

  func validate() throws {
    if let threadNames, SymbolicationOptions.ThreadSelection(optionValue: threadNames) == nil {
      throw ValidationError(UsageMessages.notThreads(threadNames))
    }
    if processes.contains("") { throw ValidationError(UsageMessages.emptyProcess) }
  }
}

extension SymbolicationOptions.ThreadSelection {
  /// Parses `all`, `crashed`, or thread numbers separated by commas (`0,3`); nil for anything else.
  init?(optionValue argument: String) {
    switch argument {
    case "all": self = .all
    case "crashed": self = .crashed
    default:
      let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.allSatisfy({ $0 != nil }) else { return nil }
      self = .numbered(Set(numbers.compactMap(\.self)))
    }
  }
}

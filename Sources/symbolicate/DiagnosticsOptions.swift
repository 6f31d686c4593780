import ArgumentParser
import SymbolicationModel

/// What `symbolicate` says besides the result, and when it fails.
struct DiagnosticsOptions: OptionList {
  @Flag(
    help:
      "Exit with status 2 if a frame is unresolved. Frames of the operating system, which no one has symbols for, count only with --strict=all."
  )
  var strict = false

  /// What `--strict=all` is read as (`ProgramArguments`): a flag of ArgumentParser takes no value,
  /// and an option would take the report that follows it.
  @Flag(name: .customLong("strict-all"), help: .hidden)
  var strictAll = false

  @Flag(
    help:
      "Explain each frame on standard error and in JSON: the source of its answer, and what was rejected."
  )
  var explain = false

  @Flag(
    name: [.short, .long],
    help: "Say for each image which symbol file was used, and what it was matched by.")
  var verbose = false

  @Option(
    name: .customLong("dwarf-reader"),
    help: ArgumentHelp(
      "What reads DWARF: built-in, or libdwarf, the reference. Damaged files can crash libdwarf, so use it only with symbol files you trust. (default: built-in)",
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
      throw ValidationError(UsageMessages.notADwarfReader(dwarfReaderName))
    }
  }

  var dwarfReader: DwarfReaderChoice {
    dwarfReaderName.flatMap { DwarfReaderChoice(rawValue: $0) } ?? .builtIn
  }

  var strictness: Strictness { strictAll ? .all : strict ? .app : .none }
}

import ArgumentParser
import ReportSymbolication
import SymbolicationModel

/// Which frames are looked up, and how they are shown, in every command that completes frames.
struct FrameOptions: OptionList {
  @Flag(help: "Skip frames in libraries of the operating system.")
  var onlyUserCode = false

  @Flag(help: "Also look up frames that have a name and a line already.")
  var resymbolicate = false

  @Flag(name: .customLong("no-inlines"), help: "Leave out inlined calls.")
  var hidesInlines = false

  @Option(
    name: .customLong("demangle"),
    help: ArgumentHelp(
      "How to show names: simplified, full (with modules, types and hashes), or none (mangled). (default: simplified)",
      valueName: "style"),
    completion: .list(["simplified", "full", "none"]))
  var demanglingName: String?

  var options: [Mirror.Child] {
    [
      ("_onlyUserCode", _onlyUserCode), ("_resymbolicate", _resymbolicate),
      ("_hidesInlines", _hidesInlines), ("_demanglingName", _demanglingName),
    ]
  }

  // Converted here, and not by ArgumentParser, as in `SourcePathOptions`.
  func validate() throws {
    if let demanglingName, DemanglingStyle(optionValue: demanglingName) == nil {
      throw ValidationError(UsageMessages.notADemanglingStyle(demanglingName))
    }
  }

  func apply(to options: inout SymbolicationOptions) {
    options.onlyUserCode = onlyUserCode
    options.resymbolicates = resymbolicate
    options.showsInlinedFrames = !hidesInlines
    options.demangling =
      demanglingName.flatMap { DemanglingStyle(optionValue: $0) } ?? .simplified
  }
}

extension DemanglingStyle {
  /// The style that `--demangle` names; nil for any other word.
  init?(optionValue word: String) {
    switch word {
    case "simplified": self = .simplified
    case "full": self = .full
    case "none": self = .raw
    default: return nil
    }
  }
}

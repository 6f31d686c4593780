import ArgumentParser
import CrashReading
import ReportRendering
import ReportRuns
import ReportSymbolication
import SymbolicationModel
import SymbolicationWorker
import SymbolTools
import Wording

/// Which parts of a report are symbolicated.
struct SelectionOptions: OptionList {
  @Option(
    name: .customLong("threads"),
    help: ArgumentHelp(
      "Only these threads: crashed, or numbers such as 0,3.",
      valueName: "threads"))
  var threadNames: String?

  @Option(
    name: .customLong("process"),
    help: ArgumentHelp(
      "Symbolicate only this process of a report about several: its name or number (repeatable).",
      valueName: "process"))
  var processes: [String] = []

  var options: [Mirror.Child] { [("_threadNames", _threadNames), ("_processes", _processes)] }

  // Converted here, and not by ArgumentParser, as in `SourcePathOptions`.
  var threads: SymbolicationOptions.ThreadSelection {
    threadNames.flatMap { .init(optionValue: $0) } ?? .all
  }

  func validate() throws {
    if let threadNames, SymbolicationOptions.ThreadSelection(optionValue: threadNames) == nil {
      throw ValidationError(
        "--threads needs all, crashed, or numbers such as 0,3, not '\(threadNames)'.")
    }
    if processes.contains("") {
      throw ValidationError("--process needs the name or the number of a process.")
    }
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

/// `--log-field`, of every command that reads logs.
struct LogFieldOption: OptionList {
  @Option(
    name: .customLong("log-field"),
    help: ArgumentHelp(
      "In a log of JSON records, take the text from this field, such as msg or event.text.",
      valueName: "field"))
  var logField: String?

  var options: [Mirror.Child] { [("_logField", _logField)] }

  func validate() throws {
    if logField == "" { throw ValidationError("--log-field needs the name of a field.") }
  }
}

/// Which frames are looked up, and how they are shown, in every command that completes frames.
struct FrameOptions: OptionList {
  @Flag(help: "Skip frames in libraries of the operating system.")
  var onlyUserCode = false

  @Flag(help: "Also look up frames that have a name and a line already.")
  var resymbolicate = false

  @Flag(name: .customLong("no-inlines"), help: "Leave out inlined calls.")
  var hidesInlines = false

  @Option(
    name: [.customShort("l"), .customLong("load-address")],
    help: ArgumentHelp(
      "Where an image of a stack trace was loaded: App=0x104a10000 (repeatable).",
      valueName: "image=address"))
  var loadAddressTexts: [String] = []

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
      ("_hidesInlines", _hidesInlines), ("_loadAddressTexts", _loadAddressTexts),
      ("_demanglingName", _demanglingName),
    ]
  }

  // Converted here, and not by ArgumentParser, as in `SourcePathOptions`.
  func validate() throws {
    if let demanglingName, DemanglingStyle(optionValue: demanglingName) == nil {
      throw ValidationError("--demangle needs simplified, full or none, not '\(demanglingName)'.")
    }
    for text in loadAddressTexts where Self.loadAddress(text) == nil {
      throw ValidationError("--load-address needs IMAGE=0xADDRESS, not '\(text)'.")
    }
  }

  private static func loadAddress(_ text: String) -> (image: String, address: LoadAddress)? {
    guard let equals = text.lastIndex(of: "="), equals > text.startIndex else { return nil }
    let digits = text[text.index(after: equals)...]
    guard digits.hasPrefix("0x"), let value = UInt64(digits.dropFirst(2), radix: 16) else {
      return nil
    }
    return (String(text[..<equals]), LoadAddress(value))
  }

  func apply(to options: inout SymbolicationOptions) {
    options.onlyUserCode = onlyUserCode
    options.resymbolicates = resymbolicate
    options.showsInlinedFrames = !hidesInlines
    for case let (image, address)? in loadAddressTexts.map(Self.loadAddress) {
      options.loadAddresses[image] = address
    }
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

/// Whose code frames are, beyond what the program finds out itself, and which of them a signature
/// has.
struct CodePatternOptions: OptionList {
  @Option(
    name: .customLong("user-code"),
    help: ArgumentHelp(
      "Images and functions that are your own code, such as 'MyKit*' (repeatable).",
      valueName: "pattern"))
  var userCodePatterns: [String] = []

  @Option(
    name: .customLong("library-code"),
    help: ArgumentHelp(
      "Images and functions that are not your own code, such as 'Alamofire*' (repeatable).",
      valueName: "pattern"))
  var libraryCodePatterns: [String] = []

  @Option(
    name: .customLong("rules"),
    help: ArgumentHelp(
      "Add to the rules of signatures: lines of 'drop PATTERN', 'app PATTERN' and 'system PATTERN'.",
      valueName: "file"),
    completion: .file())
  var rulesPath: String?

  var options: [Mirror.Child] {
    [
      ("_userCodePatterns", _userCodePatterns), ("_libraryCodePatterns", _libraryCodePatterns),
      ("_rulesPath", _rulesPath),
    ]
  }

  func validate() throws {
    for (name, patterns) in [("user", userCodePatterns), ("library", libraryCodePatterns)]
    where patterns.contains("") {
      throw ValidationError(
        "--\(name)-code needs the name of an image or a function, or a pattern such as 'MyKit*'.")
    }
  }

  var patterns: CodePatterns { CodePatterns(user: userCodePatterns, library: libraryCodePatterns) }

  /// Ends the command if the file of rules cannot be read.
  func signatureRules(limits: ResourceLimits) throws -> SignatureRules {
    guard let rulesPath else { return SignatureRules() }
    let bytes = try InputFile.readForOption(path: rulesPath, limits: limits)
    do throws(SignatureRuleError) {
      return try SignatureRules(bytes)
    } catch {
      Diagnostics.error(error.message(path: rulesPath))
      throw ExitCode(ExitStatus.unreadableInput.rawValue)
    }
  }
}

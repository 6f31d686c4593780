import ArgumentParser
import ReportSymbolication
import SymbolicationModel

/// Whose code frames are, beyond what the program finds out itself, and which of them a signature
/// has.
struct CodePatternOptions: OptionList {
  @Option(
    name: .customLong("user-code"),
    help: ArgumentHelp(
      "Images and functions that are your own code, such as 'MyKit*'. Repeatable.",
      valueName: "pattern"))
  var userCodePatterns: [String] = []

  @Option(
    name: .customLong("library-code"),
    help: ArgumentHelp(
      "Images and functions that are not your own code, such as 'Alamofire*'. Repeatable.",
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
      throw ValidationError(UsageMessages.emptyPattern(option: "\(name)-code"))
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

import ArgumentParser
import ReportSymbolication
import SymbolicationModel

/// `--rules`, of every command that makes signatures.
struct RulesOption: ParsableArguments {
  @Option(
    name: .customLong("rules"),
    help: ArgumentHelp(
      "Add to the rules of signatures: lines of 'drop PATTERN', 'app PATTERN' and 'system PATTERN'.",
      valueName: "file"),
    completion: .file())
  var path: String?

  /// Ends the command if the file cannot be read.
  func read(limits: ResourceLimits) throws -> SignatureRules {
    guard let path else { return SignatureRules() }
    let bytes = try InputFile.readForOption(path: path, limits: limits)
    do throws(SignatureRuleError) {
      return try SignatureRules(bytes)
    } catch {
      Diagnostics.error(error.message(path: path))
      throw ExitCode(ExitStatus.unreadableInput.rawValue)
    }
  }
}

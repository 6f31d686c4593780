import ArgumentParser
import ReportSymbolication
import SymbolicationModel
import SystemPackage

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
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try InputFile.read(path: path, limit: limits.reportSize)
    } catch {
      Diagnostics.error(InputMessages.unreadable(path, error))
      throw ExitCode(ExitStatus.unreadableInput.rawValue)
    }
    do throws(SignatureRuleError) {
      return try SignatureRules(bytes)
    } catch {
      Diagnostics.error(error.message(path: path))
      throw ExitCode(ExitStatus.unreadableInput.rawValue)
    }
  }
}

import ArgumentParser
import ReportSymbolication

/// Whose code frames are, beyond what the program finds out itself.
struct CodePatternOptions: ParsableArguments {
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

  var patterns: CodePatterns { CodePatterns(user: userCodePatterns, library: libraryCodePatterns) }
}

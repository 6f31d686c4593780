import ArgumentParser
import Platform

extension ParsableCommand {
  /// Ends the program with what there is to say about `error`, which may be a request that
  /// ArgumentParser answers itself, such as that of a description for tools.
  static func end(after error: any Error) -> Never {
    let status = exitCode(for: error).rawValue
    let text = message(for: error)
    if status == ExitStatus.success.rawValue {
      if !text.isEmpty { OutputFile.printToEnd(text) }
    } else if !text.isEmpty {
      Diagnostics.error(ArgumentErrors.shown(text, of: configuration.commandName ?? ""))
      if status == ExitStatus.usage.rawValue {
        Diagnostics.text(ArgumentErrors.seeHelp(of: configuration.commandName ?? ""))
      }
    }
    Platform.exit(status)
  }
}

/// What is said about wrong arguments.
private enum ArgumentErrors {
  /// What ArgumentParser or a command says about wrong arguments, in the form of our messages: no
  /// capital at the beginning, no full stop, one line.
  ///
  /// - Parameter command: as of `seeHelp`.
  static func shown(_ text: String, of command: String) -> String {
    let isOfOption = ["nknown option", "issing value for", "--load-address needs"].contains {
      text.contains($0)
    }
    if command == "symbolicate", isOfOption,
      let arguments = ProgramArguments.all?.dropFirst(),
      let message = ForeignOptions.message(for: Array(arguments))
    {
      return message
    }
    if let message = joinedValue(text) ?? wrongNumberOfArguments(text, of: command) {
      return message
    }
    var text = invalidValue(withoutUnlikelySuggestion(withValuesInLine(text)))
    if text.hasSuffix(".") { text.removeLast() }
    text = text.split(separator: "\n   or: ", omittingEmptySubsequences: false)
      .joined(separator: "; or: ")
      .split(separator: "\n", omittingEmptySubsequences: false).joined(separator: " ")
    if let range = text.firstRange(of: ". Did you mean ") {
      text.replaceSubrange(range, with: "; did you mean ")
    }
    // Names of variables keep their capitals.
    let isSentence = text.dropFirst().first?.isLowercase == true
    return isSentence ? text.prefix(1).lowercased() + text.dropFirst() : text
  }

  /// ArgumentParser suggests the nearest option, however far it is.
  private static func withoutUnlikelySuggestion(_ text: String) -> String {
    guard let start = text.firstRange(of: ". Did you mean '"),
      let word = text[..<start.lowerBound].split(separator: "'").last
    else { return text }
    let suggestion = text[start.upperBound...].prefix { $0 != "'" }
    return ForeignOptions.isLikely(suggestion, for: word) ? text : String(text[..<start.lowerBound])
  }

  /// Of `-dd.dSYM`, ArgumentParser says that the option is unknown, or that it needs a value.
  private static func joinedValue(_ text: String) -> String? {
    guard text.contains("Missing value for '-"), let start = text.firstRange(of: ">' in '-")
    else { return nil }
    let word = text[start.upperBound...].prefix { $0 != "'" }
    guard let option = word.first, word.count > 1 else { return nil }
    return "the value of -\(option) needs a space before it: -\(option) \(word.dropFirst())"
  }

  /// `--top needs a number, not 'x'` of `The value 'x' is invalid for '--top <n>'`. All options
  /// whose values are not listed take numbers.
  private static func invalidValue(_ text: String) -> String {
    guard text.hasPrefix("The value '"), let end = text.firstRange(of: "' is invalid for '") else {
      return text
    }
    let value = text[..<end.lowerBound].dropFirst("The value '".count)
    let option = text[end.upperBound...].prefix { $0 != " " && $0 != "'" }
    let list = text.firstRange(of: "; expected ").map { range in
      text[range.upperBound...].prefix { $0 != "." }
    }
    return "\(option) needs \(list ?? "a number"), not '\(value)'"
  }

  /// What the commands with an argument of a fixed number take.
  private static let takenArguments = [
    "check": "a release: an .xcarchive, an .ipa, an app or another directory, or an archive of one",
    "doctor": "a report, or '-' for standard input", "dsym-for-uuid": "a UUID",
    "worker": "records on standard input",
  ]

  private static func wrongNumberOfArguments(_ text: String, of command: String) -> String? {
    guard let taken = takenArguments[command] else { return nil }
    if text.contains("issing expected argument") { return "give \(taken)" }
    guard text.contains("nexpected argument"), let start = text.firstRange(of: "'") else {
      return nil
    }
    let argument = text[start.upperBound...].prefix { $0 != "'" }
    return "unexpected argument '\(argument)'; '\(command)' takes \(taken)"
  }

  /// ArgumentParser lists the values of an option on lines of their own, or in a sentence.
  private static func withValuesInLine(_ text: String) -> String {
    if let list = text.firstRange(of: ". Please provide one of the following:\n") {
      let values = text[list.upperBound...].split(separator: "\n").map {
        $0.drop { $0 == " " || $0 == "-" }
      }
      return "\(text[..<list.lowerBound]); expected \(values.joined(separator: ", "))"
    }
    let shells = "Please use --generate-completion-script=<shell> with one of:"
    if let list = text.firstRange(of: shells) {
      let sentence = text[..<list.lowerBound].prefix { $0 != "." }
      let words = text[list.upperBound...].split { $0.isWhitespace }.joined(separator: ", ")
      return "\(sentence); expected \(words)"
    }
    guard let list = text.firstRange(of: ". Please provide one of ") else { return text }
    return "\(text[..<list.lowerBound]); expected \(text[list.upperBound...].filter { $0 != "'" })"
  }

  /// The line below an error.
  ///
  /// - Parameter command: `symbolicate`, or the name of a subcommand.
  static func seeHelp(of command: String) -> String {
    let command = command == "symbolicate" ? command : "symbolicate \(command)"
    return "'\(command) -h' shows how it is used, and '\(command) --help' has the options."
  }
}

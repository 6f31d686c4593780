import ArgumentParser

/// The options of every command but `atos`.
struct GeneralOptions: ParsableArguments {
  @Flag(name: [.short, .long], help: "Write nothing but errors to standard error.")
  var quiet = false

  /// `main.swift` prints the version, wherever the option stands. It is here for help, completions
  /// and man pages: ArgumentParser's own option has no short name.
  @Flag(name: [.customShort("V"), .customLong("version")], help: "Print the version.")
  var printsVersion = false
}

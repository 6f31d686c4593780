import ArgumentParser

/// The options of every command but `atos`.
struct GeneralOptions: OptionList {
  @Flag(name: [.short, .long], help: "Write nothing but errors to standard error.")
  var quiet = false

  // `Help` answers these two, wherever they stand. They are here for help, completions and man
  // pages: ArgumentParser's own option for the version has no short name, and its own for help
  // costs each start a reflection.

  @Flag(name: [.customShort("V"), .customLong("version")], help: "Print the version.")
  var printsVersion = false

  @Flag(
    name: [.customShort("h"), .customLong("help")],
    help: "Print a short help (-h), or the whole help (--help).")
  var printsHelp = false

  var options: [Mirror.Child] {
    [("_quiet", _quiet), ("_printsVersion", _printsVersion), ("_printsHelp", _printsHelp)]
  }
}

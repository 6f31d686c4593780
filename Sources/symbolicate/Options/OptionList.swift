import ArgumentParser

/// Options that belong together. Most commands have a list as an `OptionGroup`.
///
/// The program's own command does not, because of the time of its start: for each group,
/// ArgumentParser makes the Swift runtime search all protocol conformances four times, 110,000
/// instructions each time, and reflects on the properties. `SymbolicateCommand` hands all options
/// to ArgumentParser as if they were its own. No two of its lists share the name of a property.
protocol OptionList: ParsableArguments {
  /// Every option, under the name of the property that holds it. Parsing fails if one is missing.
  var options: [Mirror.Child] { get }
}

/// A list of options, and the heading under which the help shows it.
struct OptionSection {
  let list: any OptionList
  /// For the help, where time does not matter.
  let group: () -> Any

  /// - Parameter title: a `HelpSection`, or none for general options.
  init<List: OptionList>(_ list: List, title: String = "") {
    self.list = list
    group = { OptionGroup<List>(title: title) }
  }

  func validate() throws {
    var list = list
    try list.validate()
  }
}

/// Any name of a property.
///
/// A debug build of ArgumentParser checks that a command decodes all its options; it asks the first
/// container that the command makes.
struct OptionName: CodingKey {
  let stringValue: String

  init(stringValue: String) { self.stringValue = stringValue }

  init?(intValue: Int) { nil }

  var intValue: Int? { nil }
}

/// The sections of options in help and man pages.
enum HelpSection {
  static let symbols = "Symbols"
  static let output = "Output"
  static let frames = "Frames"
  static let indexes = "Indexes"
  static let resources = "Resources"
  static let diagnostics = "Diagnostics"
}

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
    name: [.customShort("h"), .customLong("help"), .customLong("help-all")],
    help: "Print examples, the usual options, or all of them.")
  var printsHelp = false

  var options: [Mirror.Child] {
    [("_quiet", _quiet), ("_printsVersion", _printsVersion), ("_printsHelp", _printsHelp)]
  }
}

/// The sections of options in help and man pages.
enum HelpSection {
  static let symbols = "Symbols"
  static let output = "Output"
  static let selection = "Selection"
  static let sourcePaths = "Source paths"
  static let indexes = "Indexes"
  static let resources = "Resources"
  static let diagnostics = "Diagnostics"
}

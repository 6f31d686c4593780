/// Names of options in earlier versions. They go on working, and no help shows them.
enum EarlierSpellings {
  /// `arguments` with the names of today.
  ///
  /// - Parameter command: the name of a subcommand.
  static func replaced(in arguments: [String], of command: String) -> [String] {
    let (earlier, today) =
      switch command {
      case "uuid", "check", "doctor": ("--json", "--format=json")
      case "worker": ("--output", "--format")
      case "index": ("--index-dir", "--output")
      default: ("", "")
      }
    guard !earlier.isEmpty else { return arguments }
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    let renamed = arguments[..<end].map { word in
      let isEarlier = word == earlier || word.hasPrefix(earlier + "=")
      return isEarlier ? today + word.dropFirst(earlier.count) : word
    }
    return renamed + arguments[end...]
  }
}

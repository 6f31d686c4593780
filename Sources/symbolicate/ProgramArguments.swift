import FileSystem

/// The words of the command line.
enum ProgramArguments {
  /// The name of the program, and its arguments, as paths: `CommandLine.arguments` replaces bytes
  /// that are not UTF-8, and no path could be made of that.
  ///
  /// Nil if there are none, not even the name of the program: a static program of Swift finds them
  /// through `/proc`, and takes an error there for an empty list. The program must not act as if
  /// nothing was asked for.
  ///
  /// Soundness: the system's array of arguments lives as long as the process.
  static var all: [String]? {
    let words = (0..<Int(CommandLine.argc)).compactMap { index in
      unsafe CommandLine.unsafeArgv[index].map { unsafe String(pathBytes: $0) }
    }
    return words.isEmpty ? nil : words
  }
}

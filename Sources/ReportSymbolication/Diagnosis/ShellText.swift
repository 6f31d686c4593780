import SymbolicationModel

/// Words of a shell command.
enum ShellText {
  /// `word` so that a POSIX shell reads it as one word with exactly these characters (POSIX.1-2017,
  /// Shell Command Language, section 2.2.2).
  static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "_-./:,+@%".utf8.contains(byte)
        }
      }
    return isPlain ? word : "'" + word.replacingQuotes + "'"
  }

  /// The same for the path of a file: one that begins with `-` is not taken for an option.
  static func path(_ path: String) -> String {
    quoted(path.hasPrefix("-") && path != "-" ? "./" + path : path)
  }
}

extension String {
  fileprivate var replacingQuotes: String {
    split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
  }
}

import FileSystem
package import SymbolicationModel
import Wording

/// Words of a shell command.
package enum ShellText {
  /// `word` so that a POSIX shell reads it as one word with exactly these characters (POSIX.1-2017,
  /// Shell Command Language, section 2.2.2).
  package static func quoted(_ word: String) -> String {
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
    guard !word.hasPathBytes else { return dollarQuoted(word) }
    return isPlain ? word : "'" + word.replacingQuotes + "'"
  }

  /// A path with bytes that are not UTF-8: `$'…'`, which POSIX.1-2024 has, and bash, zsh and others
  /// have had for long.
  private static func dollarQuoted(_ path: String) -> String {
    var quoted = "$'"
    for byte in path.pathBytes {
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\\"):
        quoted += "\\" + String(Unicode.Scalar(byte))
      case 0x20..<0x7f: quoted.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 8)
        quoted += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      }
    }
    return quoted + "'"
  }

  /// A file's path as one word. A path that begins with `-` gets `./` in front, so that no command
  /// takes it for an option.
  package static func path(_ path: String) -> String {
    quoted(path.hasPrefix("-") && path != "-" ? "./" + path : path)
  }

  /// The options that name `places`, each with a blank before it. Passwords of servers are left
  /// out, and so is what the environment names.
  package static func options(_ places: SymbolPlaces) -> String {
    let environment = Set(SearchPath.directories())
    let directories = places.searchDirectories.filter { !environment.contains($0) }
      .withoutRepetitions
    let servers = places.servers.map { "\($0.shownUrl),\($0.layout.rawValue)" }
    return
      (places.paths.map { " -d \(path($0))" } + directories.map { " -s \(path($0))" }
      + servers.map { " --symbol-server \(quoted($0))" }).joined()
      + (places.isOffline ? " --offline" : "")
  }

  /// The command that says where symbols were looked for, and why they do not fit.
  package static func doctorCommand(report: String, places: SymbolPlaces) -> String {
    "symbolicate doctor \(path(report))\(options(places))"
      .withoutControlCharacters
  }
}

extension String {
  fileprivate var replacingQuotes: String {
    split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
  }
}

import SymbolicationModel

/// An option of `atos`. The list is read from the help text, so completions offer what people read
/// there.
struct AtosOption {
  /// Without the dash: `d`, `delimiter`.
  let names: [String]
  /// `DELIMITER`; nil for a flag.
  let valueName: String?
  let description: String

  /// What a shell offers as the value.
  enum Values {
    case files
    case directories
    case words([String])
    case anything
  }

  var values: Values {
    switch valueName {
    case "SYMBOLS", "FILE": .files
    case "DIRECTORY": .directories
    case "READER": .words(DwarfReaderChoice.allCases.map(\.rawValue))
    case "ARCHITECTURE": .words(["arm64", "arm64e", "arm64_32", "x86_64", "i386", "armv7"])
    default: .anything
    }
  }

  static let all: [AtosOption] = {
    // A description goes on on lines that are indented further.
    var entries: [String] = []
    for line in AtosUsage.text.split(separator: "\n") {
      if line.hasPrefix("      "), let last = entries.indices.last {
        entries[last] += " " + line.drop { $0 == " " }
      } else {
        entries.append(String(line))
      }
    }
    return entries.compactMap { AtosOption(entry: $0) }
  }()

  /// Nil if the entry is no option: `  -d, -delimiter DELIMITER  print this after …`.
  init?(entry line: String) {
    guard line.hasPrefix("  -") else { return nil }
    let parts = line.dropFirst(2).split(separator: " ", omittingEmptySubsequences: false)
    let head = parts.prefix { !$0.isEmpty }
    names = head.filter { $0.hasPrefix("-") }.map { word in
      String(word.dropFirst().prefix { $0 != "," })
    }
    valueName = head.last.flatMap { $0.hasPrefix("-") ? nil : String($0) }
    description = parts.dropFirst(head.count).filter { !$0.isEmpty }.joined(separator: " ")
  }
}

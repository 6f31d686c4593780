package import SymbolicationModel
import Wording

/// A list of UUIDs and build-ids, one a line, in any spelling. The architecture and the name may
/// follow. The lines of `symbolicate uuid` and `dwarfdump --uuid` are such lines. Empty lines, and
/// lines that begin with `#`, are ignored.
package struct UuidList: Sendable {
  package private(set) var entries: [Entry] = []
  /// The lines that hold none.
  package private(set) var problems: [Problem] = []

  package struct Entry: Hashable, Sendable {
    package let identity: WrittenIdentity
    package let architecture: Architecture?
    package let name: String?
  }

  package struct Problem: Hashable, Sendable {
    /// From 1.
    package let line: Int
    package let text: String
  }

  package init(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let text = String(decoding: line, as: UTF8.self)
      var words = text.split { $0 == " " || $0 == "\t" || $0 == "\r" }[...]
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      if first == "UUID:" { words.removeFirst() }
      guard let word = words.popFirst(), let identity = WrittenIdentity(String(word)) else {
        problems.append(Problem(line: index + 1, text: text))
        continue
      }
      let architecture = words.first.flatMap(Self.architecture)
      if architecture != nil { words.removeFirst() }
      let name = words.isEmpty ? nil : words.joined(separator: " ")
      entries.append(Entry(identity: identity, architecture: architecture, name: name))
    }
  }

  /// The architecture that a word states, alone or in parentheses; nil for any other word.
  private static func architecture(_ word: Substring) -> Architecture? {
    var name = word
    if name.hasPrefix("("), name.hasSuffix(")") { name = name.dropFirst().dropLast() }
    return known.contains(String(name)) ? Architecture(name: String(name)) : nil
  }

  private static let known: Set<String> = [
    "arm64", "arm64e", "arm64_32", "armv7", "armv7s", "armv7k", "armv6", "x86_64", "x86_64h",
    "i386", "aarch64", "arm", "riscv64",
  ]
}

extension UuidList.Problem {
  /// One sentence: which line, and what was expected.
  ///
  /// - Parameter path: what to call the list.
  package func message(path: String) -> String {
    "line \(line) of \(path) is '\(text)'; expected a UUID or a build-id, and maybe an architecture and a name"
      .withoutControlCharacters
  }
}

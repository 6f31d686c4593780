import CrashLogParser
package import ReportSymbolication
package import SymbolicationModel
package import SymbolStore
import Wording

/// The images whose symbols a set of reports, or a list, needs.
package struct NeededImages: Sendable {
  /// In the order in which they were first needed.
  package private(set) var images: [Image] = []
  private var places: [Key: Int] = [:]
  /// The reports, and the inputs that hold them.
  package private(set) var inputCount = 0

  package struct Image: Sendable {
    package let description: ImageDescription
    let wanted: WantedSymbols.Image
    /// How many inputs have frames without a name in it, and how many such frames they have.
    fileprivate(set) var inputCount: Int
    fileprivate(set) var frameCount: Int
    /// Whether it stands in a list.
    fileprivate(set) var isListed = false

    /// Whether its symbols are missed if there are none: in reports, some frames only want lines.
    var isMissed: Bool { isListed || frameCount > 0 }
  }

  /// The identity says which image it is; without one, a name and an architecture.
  private enum Key: Hashable, Sendable {
    case identity(ImageIdentity)
    case description(ImageDescription)

    init(_ description: ImageDescription) {
      self = description.identity.map(Key.identity) ?? .description(description)
    }
  }

  package init() {}

  /// Adds the images that a run over the input would look up frames in.
  package mutating func add(_ input: PreparedInput) {
    inputCount += 1
    var frames: [Key: Int] = [:]
    var order: [(ReportImage, ImageDescription)] = []
    for report in input.reports {
      for (questions, description) in zip(report.questions, report.images) {
        let key = Key(description)
        if frames[key] == nil { order.append((questions.image, description)) }
        frames[key, default: 0] += questions.namelessCount
      }
    }
    for (image, description) in order {
      let count = frames[Key(description)] ?? 0
      add(
        Image(
          description: description, wanted: WantedSymbols.Image(image),
          inputCount: count > 0 ? 1 : 0, frameCount: count))
    }
  }

  /// Adds the images of a list.
  package mutating func add(_ list: UuidList) {
    for entry in list.entries {
      let identity = entry.identity.identity
      add(
        Image(
          description: ImageDescription(
            identity: identity, architecture: entry.architecture,
            names: Set([entry.name].compactMap(\.self))),
          wanted: WantedSymbols.Image(
            name: entry.name ?? "", identity: identity, architecture: entry.architecture),
          inputCount: 0, frameCount: 0, isListed: true))
    }
  }

  /// Adds what other inputs need, as if they were added one after the other.
  package mutating func add(_ other: NeededImages) {
    inputCount += other.inputCount
    for image in other.images { add(image) }
  }

  private mutating func add(_ image: Image) {
    images.merge(image, Key(image.description), &places) { known in
      known.inputCount += image.inputCount
      known.frameCount += image.frameCount
      if image.isListed { known.isListed = true }
    }
  }
}

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

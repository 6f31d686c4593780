import Foundation
import TestSupport

/// The names that the project's files and folders have, and the words in its sources.
struct SourceNames {
  private var paths: Set<String> = []
  private var components: Set<String> = []
  private var words: Set<Substring> = []

  static let all = Result { try SourceNames() }

  private init() throws {
    for folder in ["Sources", "Tests", "Scripts", "Packaging", "Fixtures", "docs"] {
      let root = "\(Fixtures.packageDirectory)/\(folder)"
      paths.insert(folder)
      for case let path as String in FileManager.default.enumerator(atPath: root) ?? .init() {
        paths.insert("\(folder)/\(path)")
        components.formUnion(path.split(separator: "/").map(String.init))
        let isSource = [".swift", ".sh", ".py"].contains { path.hasSuffix($0) }
        if isSource { try addWords(of: "\(root)/\(path)") }
      }
    }
    for file in ["Package.swift", "Makefile"] {
      components.insert(file)
      try addWords(of: "\(Fixtures.packageDirectory)/\(file)")
    }
  }

  /// Which bytes are part of a word: letters, digits, underscores, and all that are not ASCII.
  private static let isInWords = (0...255 as ClosedRange<UInt8>).map { byte in
    byte >= 0x80 || byte == UInt8(ascii: "_") || Character(Unicode.Scalar(byte)).isLetter
      || Character(Unicode.Scalar(byte)).isNumber
  }

  private mutating func addWords(of path: String) throws {
    let text = String(decoding: try Fixtures.bytes(of: path), as: UTF8.self)
    for word in text.utf8.split(whereSeparator: { !Self.isInWords[Int($0)] }) {
      words.insert(Substring(word))
    }
  }

  /// Whether `span` is written like a path, a type or an environment variable of the project, and
  /// nothing has that name.
  func isMissing(_ span: String) -> Bool {
    if let variable = span.firstMatch(of: /SYMBOLICATE_\w+/)?.0 {
      // Some names are put together: `"SYMBOLICATE_BENCH_" + …`.
      return !words.contains { $0 == variable || $0.hasSuffix("_") && variable.hasPrefix($0) }
    }
    if span.wholeMatch(of: /(Sources|Tests|Scripts|Packaging|Fixtures|docs)\/[\w\/.+-]+/) != nil {
      // In `Fixtures/Malformed/TARGET` the last part stands for any name.
      let path = span.replacing(/\/[A-Z]{3,}$/, with: "")
      return !paths.contains(path)
    }
    if span.wholeMatch(of: /[\w+]+\.swift/) != nil { return !components.contains(span) }
    // `SymbolRefusal` and `OutputFile.Failure`. A single word, such as `Runtime`, may be anything.
    guard span.wholeMatch(of: /([A-Z][a-z]+){2,}(\.[A-Z]\w+)*/) != nil else { return false }
    return !span.split(separator: ".").allSatisfy {
      words.contains($0) || components.contains(String($0))
    }
  }
}

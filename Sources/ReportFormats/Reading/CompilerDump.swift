import JsonReading
package import ReportModel
import SymbolicationModel

/// What a compiler was doing when it crashed: the numbered lines that LLVM's signal handler prints
/// above the stack, which may be missing. The last one is innermost.
///
/// ```text
/// Stack dump:
/// 0.\tProgram arguments: /usr/bin/swift-frontend -frontend -c Page.swift
/// 1.\tApple Swift version 5.6 (swiftlang-5.6.0.323.62 clang-1316.0.20.8)
/// 2.\tCompiling with the current language version
/// 3.\tWhile type-checking 'load(_:)' (at /src/Page.swift:12:8)
/// ```
///
/// Source: llvm-project, llvm/lib/Support/PrettyStackTrace.cpp, which prints them for a crash only;
/// github.com/swiftlang/swift, lib/FrontendTool/FrontendTool.cpp and lib/AST/PrettyStackTrace.cpp.
package struct CompilerDump {
  private var program: String?
  private var version: String?
  /// In the order of the lines.
  private var steps: [String] = []

  package init() {}

  /// - Returns: whether the line is one of them.
  package mutating func take(_ line: TextLine, _ source: TextSource) -> Bool {
    guard Ascii.isDigit(source[line.start]) else { return takeEnd(line, source) }
    guard let (_, end) = source.decimal(at: line.start, limit: line.end),
      source.has(".", at: end, limit: line.end)
    else { return false }
    let start = source.skipSeparators(from: end + 1, limit: line.end)
    guard start > end + 1 else { return false }
    func starts(_ text: String) -> Bool { source.has(text, at: start, limit: line.end) }
    if starts("Program arguments: ") {
      let path = start + 19
      let word = source.bytes[path..<line.end].prefix { $0 > Ascii.space }
      program = String(decoding: word, as: UTF8.self).lastPathComponent
      return true
    }
    if let sign = ["Apple Swift version ", "Swift version "].first(where: starts) {
      version = source.string(source.trimmed(start + sign.utf8.count..<line.end))
      return true
    }
    guard program != nil || version != nil, steps.count < Self.stepLimit else { return false }
    steps.append(source.string(source.trimmed(start..<line.end)))
    return true
  }

  private static let stepLimit = 64

  /// Takes the second part of a step, which begins behind a line end of its own: ` for 'load(_:)'
  /// (at /src/Page.swift:12:8)`.
  private mutating func takeEnd(_ line: TextLine, _ source: TextSource) -> Bool {
    guard !steps.isEmpty, source.has("for '", at: line.start, limit: line.end) else { return false }
    let last = steps.removeLast()
    let isMangled = last.firstRange(of: "\"@$s") != nil
    let words = isMangled ? String(last.prefix { $0 != "\"" }) : "\(last) "
    steps.append(words + source.string(source.trimmed(line.start..<line.end)))
    return true
  }

  /// Whether the lines say what the compiler did.
  package var saysWhy: Bool { words != nil }

  /// `the compiler crashed while type-checking 'load(_:)' (at Page.swift:12:8)`. Swift's
  /// interpreter runs the user's code in its own process.
  private var sentence: String? {
    words.map { "\($0.hasPrefix(Self.interpreting) ? "the interpreter" : Self.writer) \($0)" }
  }

  private static let interpreting = "crashed while running user code "
  private static let writer = "the compiler"

  /// Whether a line of a process's words is such a sentence.
  package static func isSentence(_ words: String) -> Bool {
    words.hasPrefix("\(writer) crashed while ") || words.hasPrefix("the interpreter crashed while ")
  }

  /// The assertion that a step repeats, which the compiler printed above its dump.
  private var assertion: String? {
    steps.last { $0.hasPrefix("Assertion failed: (") }
  }

  /// What the innermost lines say: what it worked on, with the place in the source code, and what
  /// it did for that.
  private var words: String? {
    guard let last = steps.last(where: Self.isStep) else { return nil }
    let place = steps.last { Self.isStep($0) && Self.place(in: $0) != nil }
    guard let place, place != last else { return "crashed while \(Self.inSentence(last))" }
    return "crashed while \(Self.inSentence(place)): \(Self.inSentence(last))"
  }

  private static func isStep(_ text: String) -> Bool {
    text.hasPrefix("While ") || text.hasPrefix("Running pass ") || text.hasPrefix(parsing)
      || text.hasSuffix("'") && text.contains(": ")
  }

  /// Of swiftlang/swift, lib/Parse/Parser.cpp (`PrettyStackTraceParser`).
  private static let parsing = "With parser at source location: "

  /// `type-checking 'load(_:)' (at Page.swift:12:8)` of `While type-checking 'load(_:)' (at
  /// /src/Page.swift:12:8)`.
  private static func inSentence(_ text: String) -> String {
    if text.hasPrefix(parsing) {
      return "parsing \(String(text.dropFirst(parsing.utf8.count)).lastPathComponent)"
    }
    var words = text.hasPrefix("While ") ? String(text.dropFirst(6)) : text
    if words.hasPrefix("Running pass ") { words = "running\(words.dropFirst(7))" }
    // `Page.cpp:12:8: parsing function body 'load'`, `Page.cpp:12:8: current parser token ';'`: of
    // clang, clang/lib/AST/DeclBase.cpp, clang/lib/Parse/Parser.cpp.
    if words == text, words.hasSuffix("'"), let colon = words.firstRange(of: ": ") {
      let token = "current parser token "
      let step = words[colon.upperBound...]
      let work = step.hasPrefix(token) ? "parsing \(step.dropFirst(token.utf8.count))" : "\(step)"
      words = "\(work) (at \(String(words[..<colon.lowerBound]).lastPathComponent))"
    }
    guard let place = place(in: words),
      let slash = words[place].lastIndex(of: "/")
    else { return words }
    return "\(words[..<place.lowerBound])\(words[words.index(after: slash)...])"
  }

  /// Where a path begins in a step, up to the end: `(at /src/Page.swift:12:8)`, `at
  /// [/src/Page.swift:12:8 - line:14:2]`.
  private static func place(in text: String) -> Range<String.Index>? {
    for sign in ["(at /", "at [/", "at /"] {
      if let found = text.firstRange(of: sign) {
        return text.index(before: found.upperBound)..<text.endIndex
      }
    }
    return nil
  }

  /// `the compiler crashed while type-checking 'load(_:)' (at Page.swift:12:8)`, if the lines that
  /// a program left for the report say so.
  package static func words(of lines: [String]) -> String? {
    guard let first = lines.firstIndex(of: title) else { return nil }
    let source = TextSource(bytes: Array(lines[first...].joined(separator: "\n").utf8))
    var dump = Self()
    var next = source.textStart
    while next < source.count {
      let line = source.line(at: next)
      _ = dump.take(line, source)
      next = line.next
    }
    return dump.sentence
  }

  package static let title = "Stack dump:"

  package func complete(_ facts: inout ReportFacts) {
    if facts.process.name == nil { facts.process.name = program }
    if let assertion, !facts.applicationInformation.contains(assertion) {
      facts.applicationInformation.append(assertion)
    }
    guard let sentence else { return }
    if facts.process.name == nil { facts.process.name = "Swift compiler" }
    if facts.process.version == nil { facts.process.version = version }
    facts.applicationInformation.append(sentence)
  }
}

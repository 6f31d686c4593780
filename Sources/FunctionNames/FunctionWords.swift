import SymbolicationModel
import Wording

/// A function's name in the forms that patterns of names are compared with.
package struct FunctionWords: Sendable {
  package let readable: String
  /// The last word before the parameters: `closure #1 in _assertionFailure(_:_:)` has
  /// `_assertionFailure`, as has `Swift._assertionFailure (Swift.StaticString) -> ()`.
  package let lastWord: String
  /// The first bytes of both; 0 if there is none.
  package let first: UInt8
  package let wordFirst: UInt8
  /// Which bytes the name has, a bit for each value of their low six bits.
  package let letters: UInt64

  /// - Parameter readable: demangled.
  package init(_ readable: String) {
    self.readable = readable
    letters = Self.letters(of: readable)
    let bytes = readable.utf8
    first = bytes.first ?? 0
    let inner = Self.functionStart(readable)
    var (begin, stop) = (inner, Self.stop(bytes[inner...]))
    let space = UInt8(ascii: " ")
    // `Swift.(_fatalErrorMessage in _8A2F6F9C) (Swift.StaticString) -> ()`, of a private function.
    if let open = stop, open > begin, bytes[open] == UInt8(ascii: "("),
      bytes[bytes.index(before: open)] == UInt8(ascii: "."),
      bytes[begin..<open].elementsEqual("Swift.".utf8)
        || readable.hasPrefixBytes("specialized Swift.(")
    {
      begin = bytes.index(after: open)
      stop = bytes[begin...].firstIndex(of: space)
    }
    let head = bytes[begin..<(stop ?? bytes.endIndex)]
    let last = head.lastIndex { $0 != space }
    var words = last.map { head[...$0] } ?? head.prefix(0)
    // `Swift.Array._checkIndex <A, B where A: Hashable> (A) -> B`, as Swift 1 and 2 wrote names.
    let isGeneric = stop != nil && words.last == UInt8(ascii: ">")
    if isGeneric, let open = words.firstIndex(of: UInt8(ascii: "<")), open > words.startIndex,
      words[words.index(before: open)] == space
    {
      words = words[..<words.index(before: open)]
    }
    var start = words.lastIndex(of: space).map { words.index(after: $0) } ?? words.startIndex
    // Names with all their modules.
    if words[start...].starts(with: "Swift.".utf8), let dot = words.lastIndex(of: UInt8(ascii: "."))
    {
      start = words.index(after: dot)
    }
    lastWord = String(Substring(words[start...]))
    wordFirst = lastWord.utf8.first ?? 0
  }

  /// Where the function begins that closures are in whose types are written out: `closure #1 (A) ->
  /// B in closure #1 (A) -> B in Swift._assertionFailure(…) -> Never`.
  static func functionStart(_ readable: String) -> String.Index {
    let bytes = readable.utf8
    var start = bytes.startIndex
    // Nearly all names begin otherwise.
    guard bytes.first == UInt8(ascii: "c") else { return start }
    while bytes[start...].starts(with: "closure #".utf8) {
      var (depth, position) = (0, start)
      var next: String.Index?
      while position < bytes.endIndex, next == nil {
        switch bytes[position] {
        case UInt8(ascii: "("): depth += 1
        case UInt8(ascii: ")"): depth -= 1
        case UInt8(ascii: " ") where depth == 0 && bytes[position...].starts(with: " in ".utf8):
          next = bytes.index(position, offsetBy: 4)
        default: break
        }
        position = bytes.index(after: position)
      }
      guard let next else { break }
      start = next
    }
    return start
  }

  private static func stop(_ bytes: Substring.UTF8View) -> String.Index? {
    bytes.firstIndex {
      $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "+")
    }
  }

  package static func letters(of text: String) -> UInt64 {
    text.withBytes { bytes in
      var letters: UInt64 = 0
      for index in bytes.indices { letters |= 1 << UInt64(bytes[index] & 63) }
      return letters
    }
  }
}

// Functions that end the process for whoever calls them.
extension FunctionWords {
  /// Whether a word in the name of a function says that it ends the process.
  package var endsProcess: Bool {
    guard !readable.hasPrefix("-["), !readable.hasPrefix("+[") else { return false }
    var words: [String] = []
    var word = ""
    for character in lastWord {
      if character.isUppercase || !character.isLetter {
        if !word.isEmpty { words.append(word) }
        word = ""
      }
      if character.isLetter { word += character.lowercased() }
    }
    words.append(word)
    return words.contains { Self.fatalWords.contains($0) }
      || words.contains("signal") && words.contains { $0 == "handler" || $0 == "handle" }
  }

  private static let fatalWords: Set = [
    "abort", "fatal", "panic", "assert", "assertion", "bug", "die", "fail", "failed", "failure",
    "terminate",
  ]

  /// Whether the function writes a stack, such as `ggml_print_backtrace()`.
  ///
  /// Source: github.com/ggml-org/ggml, src/ggml.c.
  package var showsStack: Bool {
    ["print_backtrace", "print_stacktrace", "print_stack_trace", "dump_backtrace"].contains {
      readable.hasBytes(of: $0)
    }
  }
}

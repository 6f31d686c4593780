import SymbolicationModel

/// A function's name in the forms that patterns of names are compared with.
package struct FunctionWords: Sendable {
  package let readable: String
  /// The last word before the parameters: `closure #1 in _assertionFailure(_:_:)` has
  /// `_assertionFailure`.
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
    let stop = bytes.firstIndex {
      $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "+")
    }
    let space = UInt8(ascii: " ")
    let head = bytes[..<(stop ?? bytes.endIndex)]
    let last = head.lastIndex { $0 != space }
    let words = last.map { head[...$0] } ?? head.prefix(0)
    let start = words.lastIndex(of: space).map { words.index(after: $0) } ?? words.startIndex
    lastWord = String(Substring(words[start...]))
    wordFirst = lastWord.utf8.first ?? 0
  }

  package static func letters(of text: String) -> UInt64 {
    text.withBytes { bytes in
      var letters: UInt64 = 0
      for index in bytes.indices { letters |= 1 << UInt64(bytes[index] & 63) }
      return letters
    }
  }
}

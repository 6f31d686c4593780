/// Why, and at which offset, the input stops being JSON.
package struct JsonError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The input ends inside a value.
    case unexpectedEnd
    /// A byte that is not allowed at its position.
    case unexpectedByte(UInt8)
    /// A line ends inside a string.
    case lineEndInString
    /// A backslash in a string that does not begin a valid escape.
    case invalidEscape
    /// A number that is not spelt as JSON requires: `01`, `1.`, `-`.
    case invalidNumber
    /// A word that is not `true`, `false` or `null`.
    case invalidWord
    /// An escaped surrogate without its other half. Only readers that ask for a string's bytes
    /// refuse it.
    case halfSurrogate
    /// More values or bytes than 32-bit offsets can address.
    case tooLarge
  }

  package let kind: Kind
  /// The offset in the input at which reading stopped. For ``Kind/unexpectedEnd``, the end of the
  /// range that may be read.
  package let offset: Int

  package init(kind: Kind, offset: Int) {
    self.kind = kind
    self.offset = offset
  }
}

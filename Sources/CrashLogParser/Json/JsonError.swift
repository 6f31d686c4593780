/// Where a text stops being JSON, and why.
package struct JsonError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The input ends inside a value.
    case unexpectedEnd
    /// A byte that cannot stand where it stands.
    case unexpectedByte(UInt8)
    /// A line ends inside a string.
    case lineEndInString
    /// A backslash in a string with something behind it that is no escape.
    case invalidEscape
    /// A number that is not spelt as JSON spells numbers: `01`, `1.`, `-`.
    case invalidNumber
    /// A word that is not `true`, `false` or `null`.
    case invalidWord
    /// More values, or a greater input, than 32-bit offsets can tell apart.
    case tooLarge
  }

  package let kind: Kind
  /// The place that could not be read on from, as an offset in the input; the end of what may be
  /// read for ``Kind/unexpectedEnd``.
  package let offset: Int

  package init(kind: Kind, offset: Int) {
    self.kind = kind
    self.offset = offset
  }
}

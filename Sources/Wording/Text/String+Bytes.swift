import SymbolicationModel

extension String {
  /// Whether the text begins with the bytes of `start`. `hasPrefix` compares characters.
  package func hasPrefixBytes(_ start: String) -> Bool {
    let text = utf8Span.span
    let wanted = start.utf8Span.span
    guard text.count >= wanted.count else { return false }
    for index in wanted.indices where text[index] != wanted[index] { return false }
    return true
  }

  /// Whether the bytes of `part` occur in the text. `contains` compares characters, and takes
  /// hundreds of times as long for a name.
  package func hasBytes(of part: String) -> Bool {
    let text = utf8Span.span
    let wanted = part.utf8Span.span
    guard !wanted.isEmpty else { return true }
    var start = text.firstOffset(of: wanted[0], from: 0)
    while text.count - start >= wanted.count {
      var length = 1
      while length < wanted.count, text[start + length] == wanted[length] { length += 1 }
      if length == wanted.count { return true }
      start = text.firstOffset(of: wanted[0], from: start + 1)
    }
    return false
  }
}

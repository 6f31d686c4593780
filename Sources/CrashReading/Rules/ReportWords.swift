import Wording

extension String {
  /// The longest run of characters of a kind behind the first `marker`; nil if it is empty or the
  /// marker is missing.
  func word(after marker: String, of isPart: (Character) -> Bool) -> String? {
    guard hasBytes(of: marker), let start = firstRange(of: marker)?.upperBound else { return nil }
    let word = self[start...].prefix(while: isPart)
    return word.isEmpty ? nil : String(word)
  }

  /// The longest run of characters of a kind before the first `marker`.
  func word(before marker: String, of isPart: (Character) -> Bool) -> String? {
    guard hasBytes(of: marker), let end = firstRange(of: marker)?.lowerBound else { return nil }
    let length = self[..<end].reversed().prefix(while: isPart).count
    return length == 0 ? nil : String(self[index(end, offsetBy: -length)..<end])
  }
}

extension Character {
  /// Whether it is one of `0` to `9`.
  var isDecimalDigit: Bool { isASCII && isNumber }
}

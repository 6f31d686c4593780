/// Punycode (RFC 3492) with lower-case digits only, as Rust v0 uses it for identifiers that are not
/// ASCII.
enum Punycode {
  /// The identifier with the ASCII characters `basic` and the other characters that `encoded`
  /// states; nil if `encoded` is malformed or states a control character.
  ///
  /// Cost: each inserted character moves those after it; an identifier has at most `limit`
  /// characters.
  static func decode(basic: ArraySlice<UInt8>, encoded: ArraySlice<UInt8>) -> [Unicode.Scalar]? {
    guard !encoded.isEmpty, basic.count &+ encoded.count <= limit else { return nil }
    var scalars = basic.map { Unicode.Scalar($0) }
    var (codePoint, insertion, bias) = (128, 0, 72)
    var rest = encoded
    while !rest.isEmpty {
      let previous = insertion
      var weight = 1
      var position = base
      while true {
        guard let digit = rest.popFirst().flatMap(value) else { return nil }
        // Numbers are below 2^31 before each step, so none overflows 64 bits.
        insertion += digit * weight
        guard insertion < 1 << 31 else { return nil }
        let threshold = min(max(position - bias, 1), 26)
        if digit < threshold { break }
        weight *= base - threshold
        guard weight < 1 << 31 else { return nil }
        position += base
      }
      let count = scalars.count + 1
      bias = adapted(insertion - previous, count: count, isFirst: previous == 0)
      codePoint += insertion / count
      insertion %= count
      guard let scalar = UInt32(exactly: codePoint).flatMap(Unicode.Scalar.init),
        scalar.properties.generalCategory != .control
      else { return nil }
      scalars.insert(scalar, at: insertion)
      insertion += 1
    }
    return scalars
  }

  /// The most characters that an identifier may have.
  private static let limit = 4096

  private static let base = 36

  private static func value(of digit: UInt8) -> Int? {
    switch digit {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit - UInt8(ascii: "a"))
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0")) + 26
    default: nil
    }
  }

  private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var bias = 0
    while delta > 455 {
      delta /= 35
      bias += base
    }
    return bias + 36 * delta / (delta + 38)
  }
}

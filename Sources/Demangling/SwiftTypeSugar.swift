/// The short spellings of types that `swift-demangle` prints and the Swift runtime does not: `[A]`
/// for `Swift.Array<A>`, `[A : B]` for `Swift.Dictionary<A, B>`, `A?` for `Swift.Optional<A>`.
enum SwiftTypeSugar {
  /// The longest name that is shortened, in bytes. Every type is scanned again for each type around
  /// it, which takes long in longer names.
  private static let maximalLength = 1 << 13

  private static let types: [(prefix: [UInt8], kind: Kind)] = [
    (Array("Swift.Array<".utf8), .array), (Array("Swift.Optional<".utf8), .optional),
    (Array("Swift.Dictionary<".utf8), .dictionary),
  ]

  private enum Kind {
    case array
    case optional
    case dictionary
  }

  /// Shortens the types in `name`, a name as the Swift runtime demangles it.
  static func applied(to name: String) -> String {
    var text = Array(name.utf8)
    guard text.count <= maximalLength else { return name }
    // From the end to the start, so that the arguments of a type are shortened before the type.
    var index = text.count
    while index > 0 {
      index -= 1
      guard text[index] == UInt8(ascii: "S"), index == 0 || !isPartOfName(text[index - 1]),
        let (prefix, kind) = types.first(where: { text[index...].starts(with: $0.prefix) }),
        let arguments = Arguments(text, from: index + prefix.count),
        let short = spelling(of: kind, arguments, in: text)
      else { continue }
      text.replaceSubrange(index...arguments.end, with: short)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), 0x80...:
      true
    default: false
    }
  }

  private static func spelling(
    of kind: Kind, _ arguments: Arguments, in text: [UInt8]
  ) -> [UInt8]? {
    // An extension with conditions keeps the long name: `Swift.Array<A where A: Swift.Hashable>`.
    guard !arguments.haveConditions else { return nil }
    let whole = text[arguments.start..<arguments.end]
    switch (kind, arguments.comma) {
    case (.array, nil): return Array("[".utf8) + whole + "]".utf8
    case (.optional, nil):
      return arguments.needParentheses
        ? Array("(".utf8) + whole + ")?".utf8 : Array(whole) + "?".utf8
    case (.dictionary, let comma?):
      let value = text[comma..<arguments.end].dropFirst().drop { $0 == UInt8(ascii: " ") }
      return Array("[".utf8) + text[arguments.start..<comma] + " : ".utf8 + value + "]".utf8
    default: return nil
    }
  }

  /// The text between the angle brackets of a type.
  private struct Arguments {
    let start: Int
    /// The index of the closing bracket.
    private(set) var end: Int
    /// The index of the first comma between arguments.
    private(set) var comma: Int?
    private(set) var haveConditions = false
    /// Whether the text has several words, as `(A) -> B`, so that a `?` would belong to the last
    /// one.
    private(set) var needParentheses = false

    /// Nil if there is no closing bracket.
    init?(_ text: [UInt8], from start: Int) {
      self.start = start
      self.end = start
      // `any P` needs no parentheses, `some` does.
      var words = text[start...]
      if words.starts(with: "any ".utf8) { words.removeFirst(4) }
      let firstWord = words.startIndex
      needParentheses = words.starts(with: "some>".utf8)
      var depth = 0
      var isLocalType = false
      for index in start..<text.count {
        switch text[index] {
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "<"): depth += 1
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        case UInt8(ascii: ">") where index == start || text[index - 1] != UInt8(ascii: "-"):
          guard depth > 0 else {
            end = index
            return
          }
          depth -= 1
        case UInt8(ascii: ",") where depth == 0 && comma == nil: comma = index
        case UInt8(ascii: " ") where depth == 0 && index >= firstWord:
          // A local type is one word: `A #1 in f() -> Int`.
          if !needParentheses, text[index...].starts(with: " #".utf8) { isLocalType = true }
          needParentheses = !isLocalType
          if text[index...].starts(with: " where ".utf8) { haveConditions = true }
        default: break
        }
        guard depth >= 0 else { return nil }
      }
      return nil
    }
  }
}

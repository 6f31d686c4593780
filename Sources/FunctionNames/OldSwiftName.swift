/// The names that Swift 1 to 3 gave functions, in short: `static Board.draw` of
/// `_TZFV4Game5Board4drawfT_T_`. Types of parameters are left out.
///
/// Source: github.com/swiftlang/swift, docs/ABI.rst of version 3.0 ("Mangling").
package enum OldSwiftName {
  /// Nil for names of other kinds, and for those that need more of the grammar, such as thunks and
  /// generic types. Some writers keep the underscore that symbol tables put in front.
  package static func short(_ name: String) -> String? {
    guard name.utf8.count < 1024, name.hasPrefix("_T") || name.hasPrefix("__T") else { return nil }
    var reader = Reader(Array(name.utf8.drop { $0 == UInt8(ascii: "_") }.dropFirst()))
    let isThunk = reader.take("To")
    let isStatic = reader.take("Z")
    guard let words = reader.function() else { return nil }
    return (isThunk ? "@objc " : "") + (isStatic ? "static " : "") + words
  }

  private struct Reader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

    mutating func take(_ text: String) -> Bool {
      guard bytes[position...].starts(with: text.utf8) else { return false }
      position += text.utf8.count
      return true
    }

    /// What is behind `F`: where the function is, and its name. A closure has its function there.
    mutating func function() -> String? {
      guard take("F") else { return nil }
      if current == UInt8(ascii: "F") {
        // The type of the outer function is between its name and that of the inner one.
        return function().map { $0.hasPrefix("part of ") ? $0 : "part of \($0)" }
      }
      guard let context = context(0) else { return nil }
      guard let member = member() else { return nil }
      return context.isEmpty ? member : "\(context).\(member)"
    }

    /// The types that the function is in, without the module.
    private mutating func context(_ depth: Int) -> String? {
      guard depth < 16 else { return nil }
      switch current {
      case UInt8(ascii: "C"), UInt8(ascii: "V"), UInt8(ascii: "O"), UInt8(ascii: "P"):
        position += 1
        guard let outer = context(depth + 1), let name = identifier() else { return nil }
        return outer.isEmpty ? name : "\(outer).\(name)"
      case UInt8(ascii: "E"):
        // Of an extension: the module that has it, and what it extends.
        position += 1
        guard identifier() != nil else { return nil }
        return context(depth + 1)
      default: return take("Ss") || take("So") || take("SC") || identifier() != nil ? "" : nil
      }
    }

    private mutating func member() -> String? {
      if let name = name() { return name }
      switch current {
      case UInt8(ascii: "c"), UInt8(ascii: "C"): return "init"
      case UInt8(ascii: "d"), UInt8(ascii: "D"): return "deinit"
      case UInt8(ascii: "g"): return accessor("getter")
      case UInt8(ascii: "s"): return accessor("setter")
      case UInt8(ascii: "m"): return accessor("materializeForSet")
      case UInt8(ascii: "w"): return accessor("willset")
      case UInt8(ascii: "W"): return accessor("didset")
      default: return nil
      }
    }

    private mutating func accessor(_ kind: String) -> String? {
      position += 1
      return name().map { "\($0).\(kind)" }
    }

    /// A name, perhaps behind a word that makes it unique in its file: `P33_0123…4draw`.
    private mutating func name() -> String? {
      if current == UInt8(ascii: "P") {
        position += 1
        guard identifier() != nil else { return nil }
      }
      return identifier()
    }

    /// `4draw`
    private mutating func identifier() -> String? {
      var length = 0
      let start = position
      while case UInt8(ascii: "0")...UInt8(ascii: "9") = current, position - start < 4 {
        length = length * 10 + Int(current - UInt8(ascii: "0"))
        position += 1
      }
      guard length > 0, position + length <= bytes.count else { return nil }
      let text = bytes[position..<position + length]
      guard
        text.allSatisfy({ byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
          default: false
          }
        })
      else { return nil }
      position += length
      return String(decoding: text, as: UTF8.self)
    }
  }
}

import SymbolicationModel
import Wording

/// The name of a function without what differs between builds: offsets, numbers of closures, blocks
/// and lambdas, generic arguments, hashes, and what compilers, linkers and demanglers add to either
/// end. Also without the parameters of C++, which only some symbol files have.
package enum SignatureName {
  /// What a closure begins with.
  static let closureStart = "closure in "

  /// The most bytes that are looked at. Each step takes time in proportion to them.
  private static let byteLimit = 4096
  /// The most characters of a result.
  private static let characterLimit = 500

  /// - Parameter name: demangled.
  /// - Returns: nil if the name says nothing, such as a hidden one.
  package static func normalized(_ name: String) -> String? {
    guard !emptyStarts.contains(where: { name.utf8.starts(with: $0.utf8) }) else { return nil }
    var text = NameText(Array(name.utf8.prefix(byteLimit)))
    text.removeWrittenOffsets()
    text.removeEndings()
    text.shortenBlock()
    if !text.isObjectiveC {
      text.unifyAnonymous()
      text.removeTags()
      text.removeGenericArguments()
      text.unwrap()
      text.removeNumbers()
      text.unifyInitializers()
      text.removeParameters()
      text.removeReturnType()
    }
    let normal = shortened(text.string.withoutControlCharacters, to: characterLimit)
    return normal.isEmpty ? nil : normal
  }

  /// How names begin that stand for no function: the linker hid the name, or the nearest symbol is
  /// not one of code.
  private static let emptyStarts = [
    "<redacted>", "__hidden#", "GCC_except_table", "___lldb_unnamed_symbol", "_mh_execute_header",
    "__mh_execute_header", "???", "<unknown>",
  ]
}

/// Names that lost their end, or gained the text after it, when a report was pasted.
package enum DamagedName {
  package static func isDamaged(_ name: String) -> Bool {
    var (round, square) = (0, 0)
    name.withBytes { bytes in
      for index in bytes.indices {
        switch bytes[index] {
        case UInt8(ascii: "("): round += 1
        case UInt8(ascii: ")"): round -= 1
        case UInt8(ascii: "["): square += 1
        case UInt8(ascii: "]"): square -= 1
        default: break
        }
      }
    }
    return round != 0 || square != 0 || endsWithDots(name) || holdsAddress(name)
  }

  /// Nearly no name does, and comparing characters takes long.
  private static func endsWithDots(_ name: String) -> Bool {
    let last = name.utf8.last
    return last == UInt8(ascii: ".") && name.hasSuffix("...")
      || last == "…".utf8.last && name.hasSuffix("…")
  }

  /// ` 0x1a2b3c4d `: the next frame, or the rest of this one, is on the same line.
  private static func holdsAddress(_ name: String) -> Bool {
    guard name.hasBytes(of: "0x"), let start = name.firstRange(of: "0x") else { return false }
    let isOfName = name[..<start.lowerBound].last.map { $0.isLetter || $0.isNumber || $0 == "_" }
    return isOfName != true && name[start.upperBound...].prefix { $0.isHexDigit }.count >= 6
  }
}

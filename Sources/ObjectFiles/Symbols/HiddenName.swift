import BinaryInput
import SymbolicationModel

/// A name that a build with bitcode hid: `__hidden#12_` stands for line 12, counted from 0, of the
/// symbol map (``BcSymbolMap``). Functions, files and directories are hidden, each string as a
/// whole.
package struct HiddenName: Hashable, Sendable {
  /// The line of the map, counted from 0 without its header.
  package let number: Int
  let underscores: Underscores

  /// How many underscores the name has in front.
  enum Underscores: Hashable, Sendable {
    /// One: the leading underscore of Mach-O symbols was removed.
    case removed
    case usual
    /// Three: a Mach-O symbol, for maps that list names without their leading underscore.
    case added
  }

  /// Nil if `name` is not hidden. What follows the number and an underscore does not matter.
  package init?(_ name: String) {
    let bytes = name.utf8
    guard bytes.first == UInt8(ascii: "_") else { return nil }
    var rest = bytes[...]
    var count = 0
    while rest.first == UInt8(ascii: "_"), count <= 3 {
      rest.removeFirst()
      count += 1
    }
    switch count {
    case 1: underscores = .removed
    case 2: underscores = .usual
    case 3: underscores = .added
    default: return nil
    }
    guard rest.starts(with: Self.mark.utf8) else { return nil }
    rest = rest.dropFirst(Self.mark.utf8.count)
    let digits = rest.prefix { $0.isDecimalDigit }
    // No map has 10¹⁵ lines.
    guard (1...15).contains(digits.count), let number = Int(Substring(digits)) else { return nil }
    guard digits.endIndex == rest.endIndex || rest[digits.endIndex] == UInt8(ascii: "_") else {
      return nil
    }
    self.number = number
  }

  /// What all hidden names have, after their underscores.
  static let mark = "hidden#"
}

extension ObjectFile {
  /// Whether names in the file were hidden when it was compiled to bitcode: they are
  /// `__hidden#123_`, and only the BCSymbolMap of that build has the real ones.
  ///
  /// Apple's compiler replaces names throughout, so it is enough to look at the first 16 MB of the
  /// names in the debug information and in the symbol table. Cost: these bytes are searched. Names
  /// in compressed sections are not found; bitcode is older than these.
  package var hasHiddenNames: Bool {
    guard format == .machO else { return false }
    let mark = Array("__hidden#".utf8)
    let limit = 16 << 20
    if let strings = try? debugSection(".debug_str"), strings.contains(mark, inFirst: limit) {
      return true
    }
    guard case .machO(_, _, let offset, let size) = symbolTableSource,
      let names = try? region.subregion(offset: UInt64(offset), count: UInt64(size))
    else { return false }
    return names.contains(mark, inFirst: limit)
  }
}

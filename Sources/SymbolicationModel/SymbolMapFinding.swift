/// Why names that a build with bitcode hid (`__hidden#1_`) are not replaced by the real ones.
public enum SymbolMapFinding: Hashable, Sendable {
  /// There is no symbol map: the name that its file would have, `UUID.bcsymbolmap`.
  case absent(name: String)
  /// The file at `path` cannot be used.
  case unusable(path: String, SymbolMapRefusal)
  /// The map at `path` has `count` names, and name `number`, counted from 0, is not among them.
  case missingName(path: String, number: Int, count: Int)
}

/// Why a file is not used as a symbol map.
public enum SymbolMapRefusal: Error, Hashable, Sendable {
  /// The system refused to open or read it: the value of C's `errno`.
  case inaccessible(errno: CInt)
  /// It does not begin with `BCSymbolMap Version:`; up to 16 bytes of its beginning.
  case noHeader(firstBytes: [UInt8])
  /// It has another version than 1.0 and 2.0.
  case unsupportedVersion(String)
  /// It has more bytes than are read.
  case tooLarge(byteCount: UInt64, limit: UInt64)
}

/// Why the property list of a dSYM is not used.
public enum PropertyListRefusal: Hashable, Sendable {
  /// The system refused to open or read it: the value of C's `errno`.
  case inaccessible(errno: CInt)
  /// It cannot be read at this byte.
  case damaged(offset: Int)
}

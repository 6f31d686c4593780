package import BinaryInput
package import SymbolicationModel
import SystemPackage

/// The names that a build with bitcode hid from Apple: the file `UUID.bcsymbolmap` in the folder
/// `BCSymbolMaps` of an archive.
///
/// Its first line is `BCSymbolMap Version: 2.0` (or `1.0`), and each line after it is a name, which
/// ``HiddenName`` numbers. LLVM's dsymutil reads it in `SymbolMap.cpp`.
///
/// The names are read when they are asked for: of a map, only the positions of some lines are kept.
package struct BcSymbolMap: Sendable {
  private let bytes: ByteRegion
  /// Where every 32nd line begins.
  private let marks: [UInt32]
  /// The number of names.
  package let count: Int
  /// Version 1.0 lists names without the underscore that they have in Mach-O symbol tables.
  private let addsUnderscores: Bool

  /// The largest file that is read. Maps of large apps have some 10 MB.
  package static let byteLimit: UInt64 = 1 << 28
  /// The longest line that is taken for a name, in bytes.
  package static let nameLimit = 1 << 16
  private static let markDistance = 32
  private static let header = "BCSymbolMap Version:"

  /// Cost: the file is read once.
  package init(_ bytes: ByteRegion) throws(SymbolMapRefusal) {
    guard UInt64(bytes.count) <= Self.byteLimit else {
      throw .tooLarge(byteCount: UInt64(bytes.count), limit: Self.byteLimit)
    }
    guard bytes.holds(Array(Self.header.utf8), at: 0) else {
      throw .noHeader(firstBytes: bytes.prefix(16))
    }
    var cursor = ByteCursor(bytes, byteOrder: .native)
    let line = Self.readLine(&cursor, limit: 64)
    let version = String(
      decoding: line.dropFirst(Self.header.utf8.count).drop { $0 == UInt8(ascii: " ") },
      as: UTF8.self)
    switch version {
    case "1.0": addsUnderscores = true
    case "2.0": addsUnderscores = false
    default: throw .unsupportedVersion(version)
    }
    var marks: [UInt32] = []
    var count = 0
    while !cursor.isAtEnd {
      if count % Self.markDistance == 0 { marks.append(UInt32(cursor.position)) }
      Self.skipLine(&cursor)
      count += 1
    }
    self.bytes = bytes
    self.marks = marks
    self.count = count
  }

  /// The map in the regular file at `path`.
  package init(contentsOfFile path: String) throws(SymbolMapRefusal) {
    let bytes: ByteRegion
    do {
      bytes = try MappedFile.openRegularFile(path: path)
    } catch {
      throw .inaccessible(errno: error.errno.rawValue)
    }
    try self.init(bytes)
  }

  /// The real name, as a symbol table or DWARF would have it; nil if the map has no such line, or
  /// an empty one, or one that is too long for a name. Bytes that are not UTF-8 are replaced by
  /// U+FFFD.
  package func name(of hidden: HiddenName) -> String? {
    guard hidden.number < count else { return nil }
    var cursor = ByteCursor(
      bytes, at: UInt64(marks[hidden.number / Self.markDistance]), byteOrder: .native)
    for _ in 0..<(hidden.number % Self.markDistance) { Self.skipLine(&cursor) }
    let line = Self.readLine(&cursor, limit: Self.nameLimit)
    guard !line.isEmpty else { return nil }
    let underscore = UInt8(ascii: "_")
    switch hidden.underscores {
    case .removed where !addsUnderscores && line.first == underscore && line.count > 1:
      return String(decoding: line.dropFirst(), as: UTF8.self)
    case .added where addsUnderscores && line.first == 1:
      // Clang marks names that get no underscore, those of Objective-C methods, with this byte.
      return String(decoding: line.dropFirst(), as: UTF8.self)
    case .added where addsUnderscores: return "_" + String(decoding: line, as: UTF8.self)
    case .removed, .usual, .added: return String(decoding: line, as: UTF8.self)
    }
  }

  private static func skipLine(_ cursor: inout ByteCursor) {
    while !cursor.isAtEnd, cursor.readUInt8() != UInt8(ascii: "\n") {}
  }

  /// The next line without its end, also without a carriage return; empty if it has more than
  /// `limit` bytes.
  private static func readLine(_ cursor: inout ByteCursor, limit: Int) -> [UInt8] {
    var line: [UInt8] = []
    while !cursor.isAtEnd {
      let byte = cursor.readUInt8()
      if byte == UInt8(ascii: "\n") { break }
      guard line.count < limit else { return [] }
      line.append(byte)
    }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return line
  }
}

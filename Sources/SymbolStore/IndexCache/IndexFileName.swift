import SymbolicationModel

/// The names of files in a cache of indexes. Files with other names are never removed.
enum IndexFileName: Equatable {
  /// `HEX-ARCHITECTURE.gsym`
  case index
  /// A file that is being written, or whose writer was interrupted; or the lock of a writer.
  case temporary

  private static let temporaryStart = ".symbolicate-index-"
  private static let temporaryEnd = ".partial"

  static func temporary(_ number: UInt64) -> String {
    temporaryStart + number.hexadecimalDigits() + temporaryEnd
  }

  private static let lockEnd = ".lock"

  /// The lock that the writer of the index with that name holds.
  static func lock(_ indexName: String) -> String { temporaryStart + indexName + lockEnd }

  /// Nil for a name that the cache does not give.
  init?(_ name: String) {
    if name.hasPrefix(Self.temporaryStart), name.hasSuffix(Self.lockEnd),
      Self(String(name.dropFirst(Self.temporaryStart.count).dropLast(Self.lockEnd.count))) == .index
    {
      self = .temporary
      return
    }
    if name.hasPrefix(Self.temporaryStart), name.hasSuffix(Self.temporaryEnd),
      Self.isHexadecimal(
        name.utf8.dropFirst(Self.temporaryStart.utf8.count).dropLast(Self.temporaryEnd.utf8.count))
    {
      self = .temporary
      return
    }
    guard name.hasSuffix(".gsym") else { return nil }
    let parts = name.utf8.dropLast(5).split(
      separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].count % 2 == 0, Self.isHexadecimal(parts[0]),
      !parts[1].isEmpty, parts[1].allSatisfy(IndexCache.isInNames)
    else { return nil }
    self = .index
  }

  private static func isHexadecimal(_ text: some Collection<UInt8>) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isLowercaseHexadecimalDigit }
  }
}

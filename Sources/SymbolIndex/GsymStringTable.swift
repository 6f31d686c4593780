import BinaryInput
import Glibc

/// Strings, each once and followed by a zero, in the order in which they came; the first is empty.
///
/// Soundness of the unsafe reads: strings are hashed and compared through pointers that are used only
/// within the closure they are handed to. An entry's `offset` and `count` lie in `bytes`, which only
/// grows, and as many bytes are compared as both strings have.
@safe struct GsymStringTable: Sendable {
  private(set) var bytes: [UInt8] = [0]
  /// In the order of their numbers.
  private(set) var entries: [Entry]
  /// Numbers of entries, where their hashes lead; 0 for none. Their count is a power of two.
  private var slots: [UInt32]

  struct Entry {
    /// In `bytes`.
    let offset: Int
    /// Without the zero.
    let count: Int
    let hash: Int
  }

  init() {
    entries = [Entry(offset: 0, count: 0, hash: 0)]
    slots = [UInt32](repeating: 0, count: 64)
  }

  /// The number of a string, which is added if it is not here yet; 0 for the empty one. A string ends
  /// at its first zero byte.
  mutating func number(of string: Span<UInt8>) -> UInt32 {
    unsafe string.withUnsafeBufferPointer { unsafe number(of: UnsafeRawBufferPointer($0)) }
  }

  mutating func number(of string: ByteRegion) -> UInt32 {
    unsafe string.withUnsafeBytes { unsafe number(of: $0) }
  }

  /// The number here of a string of another table.
  mutating func number(of entry: Entry, in other: borrowing GsymStringTable) -> UInt32 {
    unsafe other.bytes.withUnsafeBytes {
      let string = unsafe $0[entry.offset..<(entry.offset + entry.count)]
      return unsafe number(of: UnsafeRawBufferPointer(rebasing: string), hash: entry.hash)
    }
  }

  /// Hashes are of the process: strings from a file cannot be made to meet in one slot.
  private mutating func number(of string: UnsafeRawBufferPointer) -> UInt32 {
    let text = unsafe UnsafeRawBufferPointer(rebasing: string.prefix { $0 != 0 })
    var hasher = Hasher()
    unsafe hasher.combine(bytes: text)
    return unsafe number(of: text, hash: hasher.finalize())
  }

  private mutating func number(of string: UnsafeRawBufferPointer, hash: Int) -> UInt32 {
    guard string.count > 0 else { return 0 }
    var slot = hash & (slots.count - 1)
    while slots[slot] != 0 {
      let entry = entries[Int(slots[slot])]
      if entry.hash == hash, entry.count == string.count, unsafe holds(string, at: entry.offset) {
        return slots[slot]
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    let number = UInt32(truncatingIfNeeded: entries.count)
    entries.append(Entry(offset: bytes.count, count: string.count, hash: hash))
    unsafe bytes.append(contentsOf: string)
    bytes.append(0)
    slots[slot] = number
    if entries.count * 2 > slots.count { grow() }
    return number
  }

  private func holds(_ string: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    unsafe bytes.withUnsafeBytes {
      guard let own = $0.baseAddress, let other = string.baseAddress else {
        return false
      }
      return unsafe memcmp(own + offset, other, string.count) == 0
    }
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    for (number, entry) in entries.enumerated().dropFirst() {
      var slot = entry.hash & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(truncatingIfNeeded: number)
    }
  }
}

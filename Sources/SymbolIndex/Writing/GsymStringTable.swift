import BinaryInput
import Platform

/// Strings without duplicates, each followed by a zero byte, numbered in the order in which they
/// were added. String 0 is empty.
///
/// Soundness of the unsafe reads: strings are hashed and compared through pointers that are only
/// used within the closure that receives them. The `offset` and `count` of an entry lie in `bytes`,
/// which only grows, and both compared strings have at least as many bytes as are compared.
@safe struct GsymStringTable: Sendable {
  private(set) var bytes: [UInt8] = [0]
  /// By number.
  private(set) var entries: [Entry]
  /// A hash table of entry numbers with linear probing; 0 for an empty slot. The count is a power
  /// of two.
  private var slots: [UInt32]

  struct Entry {
    /// From the start of `bytes`.
    let offset: Int
    /// In bytes, without the zero.
    let count: Int
    let hash: Int
  }

  /// - Parameter capacity: for how many strings beside the empty one there is room from the start.
  init(capacity: Int = 0) {
    entries = []
    entries.reserveCapacity(capacity + 1)
    entries.append(Entry(offset: 0, count: 0, hash: 0))
    var slotCount = 64
    while slotCount < 2 * (capacity + 1) { slotCount *= 2 }
    slots = [UInt32](repeating: 0, count: slotCount)
  }

  /// The number of `string`, which is added if it is new; 0 for the empty string. A string ends at
  /// its first zero byte.
  mutating func number(of string: Span<UInt8>) -> UInt32 {
    unsafe string.withUnsafeBufferPointer { unsafe number(of: UnsafeRawBufferPointer($0)) }
  }

  /// The number of `string`, which is added if it is new; 0 for the empty string. A string ends at
  /// its first zero byte.
  mutating func number(of string: ByteRegion) -> UInt32 {
    unsafe string.withUnsafeBytes { unsafe number(of: $0) }
  }

  /// The number in this table of a string of another table, which is added if it is new. Its hash
  /// is not computed again.
  mutating func number(of entry: Entry, in other: borrowing GsymStringTable) -> UInt32 {
    unsafe other.bytes.withUnsafeBytes {
      let string = unsafe $0[entry.offset..<(entry.offset + entry.count)]
      return unsafe number(of: UnsafeRawBufferPointer(rebasing: string), hash: entry.hash)
    }
  }

  /// The seed of `Hasher` is random for each process, so no file can make its strings collide.
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

/// Numbers by offset. A unit asks for the name of each inlined call, and a dictionary would take
/// longer to find it than reading the call takes.
struct OffsetTable {
  private struct Entry {
    var offset: UInt64
    var number: Int32
    var isUsed: Bool
  }

  /// A hash table with linear probing. The count is a power of two, and at least half are free.
  private var entries = [Entry](
    repeating: Entry(offset: 0, number: 0, isUsed: false), count: 256)
  private var count = 0
  /// Random, so that no file can make its offsets collide; odd, so that no bit is lost.
  private let factor = UInt64.random(in: .min ... .max) | 1

  /// The number at `offset`; nil if there is none.
  subscript(offset: UInt64) -> Int32? {
    let entry = entries[place(of: offset)]
    return entry.isUsed ? entry.number : nil
  }

  /// Adds the number at `offset`, which must have none.
  mutating func insert(_ number: Int32, at offset: UInt64) {
    if (count + 1) * 2 > entries.count { grow() }
    entries[place(of: offset)] = Entry(offset: offset, number: number, isUsed: true)
    count += 1
  }

  /// The index in `entries` of `offset`, or of the free entry for it.
  @inline(__always)
  private func place(of offset: UInt64) -> Int {
    let mask = entries.count - 1
    // The high bits of the product depend on all bits of the offset.
    var place = Int(truncatingIfNeeded: (offset &* factor) &>> 32) & mask
    while entries[place].isUsed, entries[place].offset != offset { place = (place + 1) & mask }
    return place
  }

  private mutating func grow() {
    let old = entries
    entries = [Entry](
      repeating: Entry(offset: 0, number: 0, isUsed: false), count: old.count * 2)
    for entry in old where entry.isUsed { entries[place(of: entry.offset)] = entry }
  }
}

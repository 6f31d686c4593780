import BinaryInput
package import SymbolicationModel

/// The code symbols of an object file by address, one for each address.
///
/// A symbol reaches as far as its stated size (ELF with `st_size`), otherwise to the next symbol; in
/// either case not beyond its section. Where symbols overlap, which only stated sizes make possible,
/// an address belongs to the one that starts last before it.
///
/// Several symbols at one address are frequent: aliases, weak definitions beside strong ones,
/// compilers' own labels, functions folded into one. Kept is, in this order, one with a stated size
/// (a function rather than a label), a function by its type, an external one (the name that other
/// images and their authors know) before a private one, and of equals the one that comes first in
/// the file, so that the choice depends on the file alone.
package struct SymbolTable: Sendable {
  /// Symbols that were left out because their names could not be found.
  package let faults: [ObjectFileError]
  /// Ascending by start; starts are distinct.
  private let entries: [Entry]
  private let strings: ByteRegion

  private struct Entry: Sendable {
    let start: UInt64
    let end: UInt64
    let nameOffset: UInt32
    /// The entry that the start of this one lies in, or one that once did and has ended;
    /// `noEntry` where there is none. Following these finds every entry that holds an address.
    let enclosing: UInt32
  }

  private static let noEntry = UInt32.max

  /// How many symbols there are.
  package var count: Int { entries.count }

  /// The symbol numbered `index`, from 0 to `count`, in ascending order of address. Cost: its name is
  /// copied.
  package subscript(index: Int) -> Symbol {
    let entry = entries[index]
    return Symbol(
      rawName: strings.text(at: UInt64(entry.nameOffset)) ?? "",
      addresses: LinkAddress(entry.start)..<LinkAddress(entry.end))
  }

  /// The symbol that holds `address`. Cost: a binary search, then a step for each symbol that starts
  /// around the one found; the name is copied.
  package func symbol(at address: LinkAddress) -> Symbol? {
    index(of: address).map { self[$0] }
  }

  /// The number of the symbol that holds `address`.
  package func index(of address: LinkAddress) -> Int? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].start <= address.value { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    var index = UInt32(low - 1)
    while index != Self.noEntry {
      let entry = entries[Int(index)]
      if address.value < entry.end { return Int(index) }
      index = entry.enclosing
    }
    return nil
  }

  /// Takes the candidates of one object file in any order.
  init(_ candidates: consuming [Candidate], strings: ByteRegion, faults: [ObjectFileError]) {
    self.strings = strings
    self.faults = faults
    var sorted = candidates
    sorted.sort { $0.precedes($1) }

    var entries: [Entry] = []
    entries.reserveCapacity(sorted.count)
    // The entries whose ranges hold the place reached, innermost last.
    var open: [UInt32] = []
    var index = 0
    while index < sorted.count {
      let candidate = sorted[index]
      repeat { index += 1 } while index < sorted.count && sorted[index].start == candidate.start
      let next = index < sorted.count ? sorted[index].start : UInt64.max
      let end = candidate.hasSize ? candidate.limit : min(candidate.limit, next)
      while let last = open.last, entries[Int(last)].end <= candidate.start { open.removeLast() }
      let entry = Entry(
        start: candidate.start, end: end, nameOffset: candidate.nameOffset,
        enclosing: open.last ?? Self.noEntry)
      // Only what reaches into the next symbol can enclose it.
      if end > next { open.append(UInt32(entries.count)) }
      entries.append(entry)
    }
    self.entries = entries
  }

  /// A symbol as a table states it, known to start within a code section.
  struct Candidate {
    let start: UInt64
    /// Above `start`: where it ends by its own size, or where its section ends.
    let limit: UInt64
    let nameOffset: UInt32
    /// Its place in the table.
    let index: UInt32
    let hasSize: Bool
    /// Of several at one address, the lowest is kept.
    let rank: UInt8

    fileprivate func precedes(_ other: Candidate) -> Bool {
      if start != other.start { return start < other.start }
      if rank != other.rank { return rank < other.rank }
      return index < other.index
    }
  }
}

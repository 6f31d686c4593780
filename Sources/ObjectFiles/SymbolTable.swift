import BinaryInput
package import SymbolicationModel

/// The code symbols of an object file by address, one for each address.
///
/// A symbol reaches as far as its stated size (ELF with `st_size`), otherwise to the next symbol, or to
/// where else the file says that other code begins (`LC_FUNCTION_STARTS`, symbols whose names are
/// hidden); in either case not beyond its section. Where symbols overlap, which only stated sizes make
/// possible, an address belongs to the one that starts last before it.
///
/// Several symbols at one address are frequent: aliases, weak definitions beside strong ones,
/// compilers' own labels, functions folded into one. Kept is, in this order, one with a stated size
/// (a function rather than a label), a function by its type, an external one (the name that other
/// images and their authors know) before a private one, and of equals the one that comes first in
/// the file, so that the choice depends on the file alone.
package struct SymbolTable: Sendable {
  /// Symbols that were left out because their names could not be found, and what else is wrong.
  package let faults: [ObjectFileError]
  /// Where symbols begin whose names are hidden (`<redacted>`): ascending, each once.
  private let hiddenStarts: [LinkAddress]
  /// Ascending by start; starts are distinct.
  private let entries: [Entry]
  private let names: SymbolNames

  private struct Entry: Sendable {
    let start: UInt64
    let end: UInt64
    /// What `names` knows the name by.
    let name: UInt32
    /// The highest bit says that `end` is by a stated size. The others number the entry that the start
    /// of this one lies in, or one that once did and has ended; `noEntry` where there is none.
    /// Following these finds every entry that holds an address.
    private let links: UInt32

    init(start: UInt64, end: UInt64, name: UInt32, enclosing: UInt32, hasSize: Bool) {
      self.start = start
      self.end = end
      self.name = name
      links = enclosing & ~Self.sizeBit | (hasSize ? Self.sizeBit : 0)
    }

    private static let sizeBit: UInt32 = 1 << 31
    static let noEntry = ~sizeBit

    var enclosing: UInt32 { links & ~Self.sizeBit }
    var hasSize: Bool { links & Self.sizeBit != 0 }
  }

  /// How many symbols there are.
  package var count: Int { entries.count }

  /// The symbol numbered `index`, from 0 to `count`, in ascending order of address. Cost: its name is
  /// copied.
  package subscript(index: Int) -> Symbol {
    let entry = entries[index]
    return Symbol(
      rawName: names.text(entry.name),
      addresses: LinkAddress(entry.start)..<LinkAddress(entry.end))
  }

  /// Whether the symbol numbered `index` ends where its stated size says; else it only reaches there
  /// because nothing else that is known begins before.
  package func hasSize(_ index: Int) -> Bool { entries[index].hasSize }

  /// Where the symbol numbered `index` begins.
  package func start(_ index: Int) -> LinkAddress { LinkAddress(entries[index].start) }

  /// The symbol that holds `address`. Cost: a binary search, then a step for each symbol that starts
  /// around the one found; the name is copied.
  package func symbol(at address: LinkAddress) -> Symbol? {
    index(of: address).map { self[$0] }
  }

  /// The number of the symbol that holds `address`.
  package func index(of address: LinkAddress) -> Int? {
    var index = lastIndex(upTo: address).map { UInt32($0) } ?? Entry.noEntry
    while index != Entry.noEntry {
      let entry = entries[Int(index)]
      if address.value < entry.end { return Int(index) }
      index = entry.enclosing
    }
    return nil
  }

  /// The number of the last symbol that begins at `address` or before it, whether or not it reaches
  /// there. Cost: a binary search.
  package func lastIndex(upTo address: LinkAddress) -> Int? {
    let place = entries.partitionPoint { $0.start > address.value }
    return place > 0 ? place - 1 : nil
  }

  /// Where the last symbol with a hidden name begins of those up to `address`.
  package func lastHiddenStart(upTo address: LinkAddress) -> LinkAddress? {
    hiddenStarts[..<hiddenStarts.partitionPoint { $0 > address }].last
  }

  /// Takes the candidates of one object file in any order.
  ///
  /// - Parameters:
  ///   - boundaries: where other code begins, ascending: as far as a symbol without a size reaches.
  ///   - hiddenStarts: where symbols with hidden names begin, in any order; boundaries, too.
  init(
    _ candidates: consuming [Candidate], names: SymbolNames, boundaries: [UInt64] = [],
    hiddenStarts: [UInt64] = [], faults: [ObjectFileError]
  ) {
    self.names = names
    self.faults = faults
    let hidden = hiddenStarts.sorted()
    self.hiddenStarts = hidden.indices.lazy
      .filter { $0 == 0 || hidden[$0] != hidden[$0 - 1] }.map { LinkAddress(hidden[$0]) }
    let boundaries = hidden.isEmpty ? boundaries : (boundaries + hidden).sorted()
    var sorted = candidates
    sorted.sort { $0.precedes($1) }

    var entries: [Entry] = []
    entries.reserveCapacity(sorted.count)
    // The entries whose ranges hold the place reached, innermost last.
    var open: [UInt32] = []
    var index = 0
    var boundary = 0
    while index < sorted.count {
      let candidate = sorted[index]
      repeat { index += 1 } while index < sorted.count && sorted[index].start == candidate.start
      let next = index < sorted.count ? sorted[index].start : UInt64.max
      while boundary < boundaries.count, boundaries[boundary] <= candidate.start { boundary += 1 }
      var end = candidate.limit
      if !candidate.hasSize {
        end = min(end, next)
        if boundary < boundaries.count { end = min(end, boundaries[boundary]) }
      }
      while let last = open.last, entries[Int(last)].end <= candidate.start { open.removeLast() }
      let entry = Entry(
        start: candidate.start, end: end, name: candidate.name,
        enclosing: open.last ?? Entry.noEntry, hasSize: candidate.hasSize)
      // Only what reaches into the next symbol can enclose it.
      if end > next { open.append(UInt32(entries.count)) }
      entries.append(entry)
    }
    self.entries = entries
  }

  /// One without symbols.
  init(faults: [ObjectFileError] = []) {
    self.init([], names: .strings(ByteRegion(copying: [])), faults: faults)
  }

  /// A symbol as a table states it, known to start within a code section.
  struct Candidate {
    let start: UInt64
    /// Above `start`: where it ends by its own size, or where its section ends.
    let limit: UInt64
    /// What the table's names know its name by.
    let name: UInt32
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

/// The names of a symbol table.
enum SymbolNames: Sendable {
  /// By their offsets in a string table.
  case strings(ByteRegion)
  /// By the nodes of an export trie that they end in.
  case exportTrie(ExportTrie)

  /// What is not UTF-8 is replaced by U+FFFD; empty where there is no such name. Cost: as long as the
  /// name is.
  func text(_ name: UInt32) -> String {
    switch self {
    case .strings(let strings): strings.text(at: UInt64(name)) ?? ""
    case .exportTrie(let trie): trie.name(ofNode: Int(name))
    }
  }
}

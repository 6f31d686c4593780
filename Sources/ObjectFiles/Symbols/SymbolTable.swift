import BinaryInput
package import SymbolicationModel
import Synchronization

/// The code symbols of an object file by address, one for each address.
///
/// A symbol with a stated size (ELF, `st_size`) reaches that far. Any other symbol reaches to the
/// next symbol, or to the next address at which the file states that other code begins
/// (`LC_FUNCTION_STARTS`, symbols with hidden names). No symbol reaches beyond its section. Only
/// symbols with stated sizes can overlap; an address then belongs to the one that starts last.
///
/// Several symbols at one address are common: aliases, weak definitions beside strong ones, labels
/// of compilers, functions folded into one. The one that is kept is chosen by these rules, in this
/// order: one with a stated size (a function, not a label); one of type function; an external one,
/// whose name other images and their authors know; the first in the file, so that the choice
/// depends on nothing but the file.
package struct SymbolTable: Sendable {
  /// Symbols that were left out because their names are missing, and other damage of the tables.
  package let faults: [ObjectFileError]
  /// The starts of symbols with hidden names (`<redacted>`), ascending and distinct.
  private let hiddenStarts: [LinkAddress]
  /// Ascending by start; starts are distinct.
  private let entries: [Entry]
  private let names: SymbolNames
  private let longNames = LongNames()

  private struct Entry: Sendable {
    let start: UInt64
    let end: UInt64
    /// The key of the name in `names`.
    let name: UInt32
    /// The highest bit is set if `end` follows from a stated size. The other bits are the index of
    /// an enclosing entry: one that holds the start of this entry, or that did and has ended;
    /// `noEntry` if there is none. Following these indices finds every entry that holds an address.
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

  /// The number of symbols.
  package var count: Int { entries.count }

  /// The symbol at `index`, in ascending order of address.
  ///
  /// - Parameter index: 0 or more, and less than `count`.
  /// - Complexity: the name is copied; a long one once, whatever symbols have it.
  package subscript(index: Int) -> Symbol {
    let entry = entries[index]
    return Symbol(
      rawName: longNames.name(entry.name) { names.text(entry.name) },
      addresses: LinkAddress(entry.start)..<LinkAddress(entry.end))
  }

  /// What symbols with one name have in common, if the name is long: thousands of symbols may have
  /// one of a megabyte. Nil for short names, which are compared faster than looked up.
  package func longNameKey(_ index: Int) -> UInt32? {
    let key = entries[index].name
    return longNames.holds(key) ? key : nil
  }

  /// Whether the symbol at `index` has a stated size. If not, it reaches to where the next known
  /// code begins.
  package func hasSize(_ index: Int) -> Bool { entries[index].hasSize }

  /// Where the symbol at `index` begins.
  package func start(_ index: Int) -> LinkAddress { LinkAddress(entries[index].start) }

  /// The symbol that holds `address`, or nil. Cost: a binary search, and one step for each symbol
  /// that encloses the one found; the name is copied.
  package func symbol(at address: LinkAddress) -> Symbol? {
    index(of: address).map { self[$0] }
  }

  /// The index of the symbol that holds `address`, or nil. Cost: as `symbol(at:)`, without the
  /// name.
  package func index(of address: LinkAddress) -> Int? {
    var index = lastIndex(upTo: address).map { UInt32($0) } ?? Entry.noEntry
    while index != Entry.noEntry {
      let entry = entries[Int(index)]
      if address.value < entry.end { return Int(index) }
      index = entry.enclosing
    }
    return nil
  }

  /// The index of the last symbol that begins at or before `address`, whether or not it reaches
  /// that far; nil if there is none. Cost: a binary search.
  package func lastIndex(upTo address: LinkAddress) -> Int? {
    let index = entries.partitionPoint { $0.start > address.value }
    return index > 0 ? index - 1 : nil
  }

  /// The start of the last symbol with a hidden name that begins at or before `address`, or nil.
  /// Cost: a binary search.
  package func lastHiddenStart(upTo address: LinkAddress) -> LinkAddress? {
    hiddenStarts[..<hiddenStarts.partitionPoint { $0 > address }].last
  }

  /// Builds the table from the candidates of one object file, which may come in any order.
  ///
  /// - Parameters:
  ///   - boundaries: the starts of other code, ascending; a symbol without a size ends at the next
  ///     one.
  ///   - hiddenStarts: the starts of symbols with hidden names, in any order; they are boundaries
  ///     too.
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
    var sorted = consume candidates
    sorted.sort { $0.precedes($1) }

    var entries: [Entry] = []
    entries.reserveCapacity(sorted.count)
    // The entries whose ranges hold the start of the current one, innermost last.
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
      // Only an entry that reaches into the next one can enclose it.
      if end > next { open.append(UInt32(entries.count)) }
      entries.append(entry)
    }
    self.entries = entries
  }

  /// The symbols of several tables of one image, at most `SymbolNames.tableLimit`. At an address
  /// that several name, the first table counts. Each symbol ends where the next one of any table
  /// begins.
  init(joining tables: [SymbolTable]) {
    var candidates: [Candidate] = []
    candidates.reserveCapacity(tables.reduce(0) { $0 + $1.count })
    for (rank, table) in tables.prefix(SymbolNames.tableLimit).enumerated() {
      for (index, entry) in table.entries.enumerated() {
        guard let name = SymbolNames.joinedKey(entry.name, table: rank) else { continue }
        candidates.append(
          Candidate(
            start: entry.start, limit: entry.end, name: name,
            index: UInt32(truncatingIfNeeded: index), hasSize: false,
            rank: UInt8(truncatingIfNeeded: rank)))
      }
    }
    self.init(
      candidates, names: .joined(tables.map(\.names)),
      hiddenStarts: tables.flatMap { $0.hiddenStarts.map(\.value) },
      faults: tables.flatMap(\.faults))
  }

  package static let empty = SymbolTable()

  /// A table without symbols.
  init(faults: [ObjectFileError] = []) {
    self.init([], names: .strings(ByteRegion(copying: [])), faults: faults)
  }

  /// A symbol as the file's table states it. It starts within a code section.
  struct Candidate {
    let start: UInt64
    /// Greater than `start`: where the symbol ends by its own size, or where its section ends.
    let limit: UInt64
    /// The key of its name in the table's names.
    let name: UInt32
    /// Its index in the file's table.
    let index: UInt32
    let hasSize: Bool
    /// The candidate of the lowest rank at an address is kept.
    let rank: UInt8

    fileprivate func precedes(_ other: Candidate) -> Bool {
      if start != other.start { return start < other.start }
      if rank != other.rank { return rank < other.rank }
      return index < other.index
    }
  }
}

/// The long names that were asked for, each once in memory.
private final class LongNames: Sendable {
  /// In bytes.
  private static let size = 1024
  private let known = Mutex<[UInt32: String]>([:])
  private let isEmpty = Atomic(true)

  func name(_ key: UInt32, _ read: () -> String) -> String {
    if !isEmpty.load(ordering: .acquiring), let name = known.withLock({ $0[key] }) { return name }
    let name = read()
    guard name.utf8.count > Self.size else { return name }
    known.withLock { $0[key] = name }
    isEmpty.store(false, ordering: .releasing)
    return name
  }

  func holds(_ key: UInt32) -> Bool {
    !isEmpty.load(ordering: .acquiring) && known.withLock { $0[key] != nil }
  }
}

/// The names of a symbol table.
enum SymbolNames: Sendable {
  /// The keys are offsets in a string table.
  case strings(ByteRegion)
  /// The keys are the nodes of an export trie in which the names end.
  case exportTrie(ExportTrie)
  /// The names of several tables: the highest two bits of a key are the number of the table.
  indirect case joined([SymbolNames])

  static let tableLimit = 4
  private static let keyBits: UInt32 = 30

  /// The key in joined tables; nil for one that needs more than 30 bits, which no image has.
  static func joinedKey(_ key: UInt32, table: Int) -> UInt32? {
    key >> keyBits == 0 ? UInt32(truncatingIfNeeded: table) << keyBits | key : nil
  }

  /// The name with that key, or empty if there is none. Bytes that are not UTF-8 are replaced by
  /// U+FFFD. Cost: linear in the length of the name. `ByteRegion.name(at:)` and
  /// `ExportTrie.name(ofNode:)` say which names are cut.
  func text(_ name: UInt32) -> String {
    switch self {
    case .strings(let strings): strings.name(at: UInt64(name)) ?? ""
    case .exportTrie(let trie): trie.name(ofNode: Int(name))
    case .joined(let tables):
      tables[Int(name >> Self.keyBits)].text(name & (1 << Self.keyBits - 1))
    }
  }
}

/// A named range of code.
package struct Symbol: Hashable, Sendable {
  /// The name as the file spells it: mangled, and with Mach-O's leading underscore. Bytes that are
  /// not UTF-8 are replaced by U+FFFD.
  package let rawName: String
  /// Half-open. `SymbolTable` says how the end is found.
  package let addresses: Range<LinkAddress>

  package init(rawName: String, addresses: Range<LinkAddress>) {
    self.rawName = rawName
    self.addresses = addresses
  }
}

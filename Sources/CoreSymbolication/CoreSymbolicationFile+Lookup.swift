package import SymbolicationModel

extension CoreSymbolicationFile {
  /// A function, or data that has a name.
  package struct Symbol: Hashable, Sendable {
    /// Where the name is, which may be that of many symbols.
    package let name: TextPlace
    package let start: LinkAddress
  }

  /// Where a text is among the names.
  package struct TextPlace: Hashable, Sendable {
    let offset: UInt64
  }

  /// The place of an address in a source file.
  package struct Location: Hashable, Sendable {
    package let path: TextPlace
    package let line: UInt32
    package let column: UInt32
  }

  /// Whether there is nothing to look up.
  package var isEmpty: Bool { tables.symbols.count == 0 }

  /// The symbol that holds `address`; nil if there is none, or if it has no name.
  ///
  /// Cost: a binary search.
  package func symbol(at address: LinkAddress) -> Symbol? {
    guard let record = record(in: tables.symbols, holding: address),
      let distance = tables.distance(tables.symbols.number(record, 0)),
      let name = name(SymbolRecord.mangledName, of: record)
        ?? name(SymbolRecord.name, of: record)
    else { return nil }
    return Symbol(name: name, start: LinkAddress(linkBase.value &+ distance))
  }

  /// The source line of `address`; nil if the file does not state it.
  ///
  /// Cost: a binary search.
  package func location(of address: LinkAddress) -> Location? {
    let lines = tables.lines
    guard let record = record(in: lines, holding: address),
      let path = tables.place(lines.number(record, LineRecord.file), of: record),
      tables.hasText(at: path)
    else { return nil }
    return Location(
      path: TextPlace(offset: path), line: lines.number(record, LineRecord.line),
      column: lines.number(record, LineRecord.column))
  }

  /// A name as the symbol table spells it, with Mach-O's leading underscore.
  ///
  /// Cost: that of its bytes. One name may fill the file and be that of all symbols.
  package func name(at place: TextPlace) -> String { tables.name(at: place.offset) ?? "" }

  /// A path, with bytes that are not UTF-8 (`PathByte`). Cost: as for a name.
  package func path(at place: TextPlace) -> String { tables.path(at: place.offset) ?? "" }

  private func record(in table: AddressTable, holding address: LinkAddress) -> UInt64? {
    guard address >= linkBase else { return nil }
    return tables.stated(address.value - linkBase.value).flatMap { table.record(holding: $0) }
  }

  /// Nil if there is no name, or an empty one.
  private func name(_ field: UInt64, of record: UInt64) -> TextPlace? {
    tables.place(tables.symbols.number(record, field), of: record).flatMap { place in
      tables.hasText(at: place) ? TextPlace(offset: place) : nil
    }
  }

  /// What cannot be read of the tables. Cost: a pass over them.
  package var faults: [Fault] {
    var faults: [Fault] = []
    func check(_ table: AddressTable, _ field: UInt64, _ text: String) {
      var outside = table.records.lazy.filter { record in
        tables.place(table.number(record, field), of: record) == nil
      }.makeIterator()
      guard let first = outside.next() else { return }
      let count = IteratorSequence(outside).reduce(1) { count, _ in count + 1 }
      faults.append(Fault(offset: first, detail: "\(count) \(text) outside the names"))
    }
    check(tables.symbols, SymbolRecord.name, "names of symbols")
    check(tables.symbols, SymbolRecord.mangledName, "mangled names of symbols")
    check(tables.lines, LineRecord.file, "files of source lines")
    if tables.unreadSymbolCount > 0 {
      faults.append(
        Fault(
          offset: 20,
          detail: "\(tables.unreadSymbolCount) symbols of a kind that nobody has described"))
    }
    return faults
  }

  /// Damage, or something unknown, that leaves the rest of the file usable.
  package struct Fault: Hashable, Sendable {
    /// In bytes from the start of the symbols.
    package let offset: UInt64
    package let detail: String
  }
}

package import SymbolicationModel

extension CoreSymbolicationFile {
  /// A function, or data that has a name.
  package struct Symbol: Hashable, Sendable {
    /// As the symbol table spells it, with Mach-O's leading underscore.
    package let name: String
    package let start: LinkAddress
  }

  /// Whether there is nothing to look up.
  package var isEmpty: Bool { tables.symbols.count == 0 }

  /// The symbol that holds `address`; nil if there is none, or if its name cannot be read.
  ///
  /// Cost: a binary search.
  package func symbol(at address: LinkAddress) -> Symbol? {
    guard let record = record(in: tables.symbols, holding: address),
      let distance = tables.distance(tables.symbols.number(record, 0))
    else { return nil }
    let mangled = name(SymbolRecord.mangledName, of: record) ?? ""
    guard let name = mangled.isEmpty ? name(SymbolRecord.name, of: record) : mangled,
      !name.isEmpty
    else { return nil }
    return Symbol(name: name, start: LinkAddress(linkBase.value &+ distance))
  }

  /// The source line of `address`; nil if the file does not state it.
  ///
  /// Cost: a binary search.
  package func location(of address: LinkAddress) -> SourceLocation? {
    let lines = tables.lines
    guard let record = record(in: lines, holding: address),
      let path = tables.path(lines.number(record, LineRecord.file), of: record), !path.isEmpty
    else { return nil }
    return SourceLocation(
      path: path, line: lines.number(record, LineRecord.line),
      column: lines.number(record, LineRecord.column))
  }

  private func record(in table: AddressTable, holding address: LinkAddress) -> UInt64? {
    guard address >= linkBase else { return nil }
    return tables.stated(address.value - linkBase.value).flatMap { table.record(holding: $0) }
  }

  private func name(_ field: UInt64, of record: UInt64) -> String? {
    tables.name(tables.symbols.number(record, field), of: record)
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

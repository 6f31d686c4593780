import BinaryInput

extension ObjectFile {
  /// The symbols that stand for code, ready for look-ups. See `SymbolTable` for what is kept.
  ///
  /// Throws `truncated` where the table or its names lie beyond the end of the file; of ELF also
  /// `entrySize`, and `needsRelocation` for relocatable files. A file without a symbol table has an
  /// empty one. Cost: the whole table is read and sorted at each call.
  package func symbolTable() throws(ObjectFileError) -> SymbolTable {
    switch symbolTableSource {
    case .none:
      return SymbolTable([], strings: ByteRegion(copying: []), faults: [])
    case .machO(let offset, let count, let stringsOffset, let stringsSize):
      let size = Self.machOSymbolSize(wordSize: addressSize)
      let table = try bytes(
        of: .symbolTable, at: UInt64(offset)..<(UInt64(offset) + UInt64(count) * size))
      let strings = try bytes(
        of: .stringTable, at: UInt64(stringsOffset)..<(UInt64(stringsOffset) + UInt64(stringsSize)))
      return machOSymbols(in: table, strings: strings)
    case .elf(let section, let strings, let entrySize):
      return try elfSymbols(section: section, strings: strings, entrySize: entrySize)
    }
  }
}

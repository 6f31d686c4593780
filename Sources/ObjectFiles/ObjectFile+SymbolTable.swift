import BinaryInput

extension ObjectFile {
  /// The symbols that stand for code, ready for look-ups. See `SymbolTable` for what is kept. Of ELF
  /// `.symtab`, or where the file has none `.dynsym`.
  ///
  /// Throws `truncated` where the table or its names lie beyond the end of the file; of ELF also
  /// `entrySize`, and `needsRelocation` for relocatable files. A file without a symbol table has an
  /// empty one. What is wrong with function starts is among the table's faults. Cost: the whole table
  /// is read and sorted at each call, and the function starts are read.
  package func symbolTable() throws(ObjectFileError) -> SymbolTable {
    var starts: FunctionStarts?
    var faults: [ObjectFileError] = []
    do {
      starts = try readFunctionStarts()
      faults = starts?.faults ?? []
    } catch {
      faults = [error]
    }
    return try symbolTable(functionStarts: starts, faults: faults)
  }

  /// The same with function starts that were read before, whose faults are known.
  package func symbolTable(
    functionStarts: FunctionStarts?
  ) throws(ObjectFileError) -> SymbolTable {
    try symbolTable(functionStarts: functionStarts, faults: [])
  }

  private func symbolTable(
    functionStarts: FunctionStarts?, faults: [ObjectFileError]
  ) throws(ObjectFileError) -> SymbolTable {
    switch symbolTableSource {
    case .none:
      return SymbolTable(faults: faults)
    case .machO(let offset, let count, let stringsOffset, let stringsSize):
      let size = Self.machOSymbolSize(wordSize: addressSize)
      let table = try bytes(
        of: .symbolTable, at: UInt64(offset)..<(UInt64(offset) + UInt64(count) * size))
      let strings = try bytes(
        of: .stringTable, at: UInt64(stringsOffset)..<(UInt64(stringsOffset) + UInt64(stringsSize)))
      return machOSymbols(
        in: table, strings: strings, functionStarts: functionStarts, faults: faults)
    case .elf(let full, let dynamic):
      guard let place = full ?? dynamic else { return SymbolTable() }
      return try elfSymbols(place)
    }
  }

  /// Whether there are symbols besides those of `symbolTable()`: `.dynsym` beside `.symtab`, MiniDebugInfo.
  package var hasOtherElfSymbols: Bool {
    if case .elf(.some, .some) = symbolTableSource { return true }
    return hasMiniDebugInfo
  }

  /// The symbols of `.dynsym`, which an ELF image is linked by when it is loaded, where the file also
  /// has `.symtab`; nil where it has not. Throws as `symbolTable()`, and has its cost.
  package func dynamicSymbolTable() throws(ObjectFileError) -> SymbolTable? {
    guard case .elf(.some, .some(let place)) = symbolTableSource else { return nil }
    return try elfSymbols(place)
  }
}

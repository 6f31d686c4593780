import BinaryInput

extension ObjectFile {
  /// The symbols of code, ready for lookups; `SymbolTable` says which are kept. Of an ELF file
  /// these are the symbols of `.symtab`, or of `.dynsym` if there is no `.symtab`. Empty if the
  /// file has no symbol table.
  ///
  /// Throws `truncated` if the table or its names are beyond the end of the file, and for ELF files
  /// `entrySize` and, if they are relocatable, `needsRelocation`. Damage in the function starts is
  /// among the table's faults. Cost: the whole table is read and sorted at each call, and the
  /// function starts are read.
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

  /// `symbolTable()` with function starts that were read before; their faults are not reported
  /// again.
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
    case .machO:
      guard let (table, strings) = try machOSymbolBytes() else {
        return SymbolTable(faults: faults)
      }
      return machOSymbols(
        in: table, strings: strings, functionStarts: functionStarts, faults: faults)
    case .elf(let full, let dynamic):
      guard let header = full ?? dynamic else { return SymbolTable() }
      return try elfSymbols(header)
    }
  }

  /// The same with the data in code sections of an ELF file: Dart's name for all its code is such
  /// data. Throws and costs what `symbolTable()` does.
  package func symbolTableWithObjects() throws(ObjectFileError) -> SymbolTable {
    guard case .elf(let full, let dynamic) = symbolTableSource, let header = full ?? dynamic else {
      return try symbolTable()
    }
    return try elfSymbols(header, takesObjects: true)
  }

  /// Whether there are symbols besides those of `symbolTable()`: `.dynsym` beside `.symtab`, or
  /// MiniDebugInfo. Cost: a walk over the section names.
  package var hasOtherElfSymbols: Bool {
    if case .elf(.some, .some) = symbolTableSource { return true }
    return hasMiniDebugInfo
  }

  /// The symbols of `.dynsym`, by which the loader links an ELF image, if the file also has
  /// `.symtab`; else nil. Throws and costs what `symbolTable()` does.
  package func dynamicSymbolTable() throws(ObjectFileError) -> SymbolTable? {
    guard case .elf(.some, .some(let header)) = symbolTableSource else { return nil }
    return try elfSymbols(header)
  }
}

import SymbolicationModel

extension ObjectFile {
  /// What to call it: `path`, with the path of the library if it is one in a shared cache.
  package func shownPath(ofFile path: String) -> String {
    sharedCacheImage.map { "\(path)(\($0.installName))" } ?? path
  }

  /// All names of code of a library, from every table that has some: `SharedCacheImage.names()`,
  /// and of a Mach-O file its symbol table and its exports.
  ///
  /// Throws if the file is of another format, or nothing can be read. Cost: all tables are read.
  package func allNames() throws(ObjectFileError) -> SharedCacheImage.Names {
    if let sharedCacheImage { return try sharedCacheImage.names() }
    let starts = try readFunctionStarts()
    let tables = [
      try symbolTable(functionStarts: starts), try exportedSymbols(functionStarts: starts),
    ].compactMap(\.self)
    let joined = SymbolTable(joining: tables)
    return SharedCacheImage.Names(table: joined, faults: joined.faults)
  }
}

/// What the function and the line of a frame come from. The raw values are the names in JSON.
public enum AnswerOrigin: String, Hashable, Sendable, CaseIterable {
  /// Functions and lines from DWARF.
  case dwarf
  /// Functions and lines from a Breakpad symbol file. Its symbols are a `symbolTable`.
  case breakpad
  /// Functions and lines from Apple's `.symbols` file of the image.
  case coreSymbolication
  /// The names of system functions in other reports (`index --learn`).
  case learnt
  /// The symbol table alone; in ELF files also the dynamic one (`.dynsym`).
  case symbolTable
  /// The export trie of a Mach-O image, which stripping leaves.
  case exportTrie
  /// The symbol table that a stripped ELF file keeps compressed in `.gnu_debugdata`.
  case miniDebugInfo
  /// The import that a Mach-O symbol stub, or an entry of an ELF procedure linkage table, jumps to.
  /// The linker makes this code, and it has no name of its own.
  case symbolStub
  /// The name from the symbol table and the line from a DWARF line table: assembly code.
  case symbolTableAndLineTable
  /// Only the report: no symbol file was asked, or none has more.
  case report
  /// The name from the report, and the line from a symbol file.
  case reportAndLineTable

  @available(*, deprecated, renamed: "exportTrie")
  public static var exports: AnswerOrigin { .exportTrie }

  /// Whether it is debug information, which knows what code each byte belongs to. A symbol table
  /// may count padding as part of the function before it.
  package var isDebugInformation: Bool { self == .dwarf || self == .breakpad }

  /// What it is called in explanations.
  package var term: String {
    switch self {
    case .dwarf: "DWARF"
    case .breakpad: "Breakpad symbol file"
    case .coreSymbolication: ".symbols file"
    case .learnt: "names learnt from reports"
    case .symbolTable: "symbol table"
    case .exportTrie: "export trie"
    case .miniDebugInfo: "symbol table in .gnu_debugdata"
    case .symbolStub: "symbol stub of an import"
    case .symbolTableAndLineTable: "symbol table, and DWARF's line table"
    case .report: "the report itself"
    case .reportAndLineTable: "the report itself, and the line table"
    }
  }
}

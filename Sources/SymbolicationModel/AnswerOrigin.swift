/// Which part of a symbol file an answer comes from.
public enum AnswerOrigin: Hashable, Sendable {
  /// Functions and lines from DWARF.
  case dwarf
  /// Functions and lines from a Breakpad symbol file. Its symbols are a `symbolTable`.
  case breakpad
  /// The name from the symbol table and the line from a DWARF line table: assembly code.
  case symbolTableAndLineTable
  /// The symbol table alone; in ELF files also the dynamic one (`.dynsym`).
  case symbolTable
  /// The export trie of a Mach-O image, which stripping leaves.
  case exports
  /// The symbol table that a stripped ELF file keeps compressed in `.gnu_debugdata`.
  case miniDebugInfo
  /// The import that a Mach-O symbol stub, or an entry of an ELF procedure linkage table, jumps to.
  /// The linker makes this code, and it has no name of its own.
  case symbolStub
}

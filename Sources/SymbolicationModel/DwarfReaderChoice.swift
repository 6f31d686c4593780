/// Which of the two readers decodes DWARF.
public enum DwarfReaderChoice: String, CaseIterable, Hashable, Sendable {
  /// The program's own: every read is checked, so it is the one for files of strangers.
  case builtIn = "built-in"
  /// The reference, over the C library libdwarf, which damaged files can crash: for files one trusts.
  case libdwarf
}

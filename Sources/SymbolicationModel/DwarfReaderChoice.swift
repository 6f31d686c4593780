/// The reader that decodes DWARF.
public enum DwarfReaderChoice: String, CaseIterable, Hashable, Sendable {
  /// This program's own. It checks every read, so it is safe with files from strangers.
  case builtIn = "built-in"
  /// The reference, over the C library libdwarf. Damaged files can crash it, so it is only for
  /// files that one trusts.
  case libdwarf
}

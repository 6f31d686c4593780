/// A search that failed: for a file to which a symbol file refers for a part of its debug information.
public struct SupplementaryFileSearch: Hashable, Sendable {
  public let purpose: Purpose
  /// The file's name or path, as the symbol file states it.
  public let name: String
  /// Where it was looked for and what was found there, in this order.
  public let attempts: [Attempt]

  public init(purpose: Purpose, name: String, attempts: [Attempt]) {
    self.purpose = purpose
    self.name = name
    self.attempts = attempts
  }

  /// What the file is for.
  public enum Purpose: Hashable, Sendable {
    /// It has what several files share (`.gnu_debugaltlink`, `.debug_sup`), as `dwz` writes it.
    case sharedInformation
    /// It has units of split DWARF (`.dwo`).
    case splitUnits
  }

  public struct Attempt: Hashable, Sendable {
    public let path: String
    public let finding: Finding

    public init(path: String, finding: Finding) {
      self.path = path
      self.finding = finding
    }
  }

  public enum Finding: Hashable, Sendable {
    case absent
    /// A file that is not ELF. What it has instead is nobody's business: a symbol file may name any
    /// path.
    case notElf
    /// Another build's file. Nil where it has no identity.
    case otherIdentity(found: ImageIdentity?, expected: ImageIdentity?)
    /// An ELF file without this section, which was wanted of it.
    case missingSection(String)
    /// It cannot be read.
    case unreadable(SymbolFileProblem.Kind)
  }
}

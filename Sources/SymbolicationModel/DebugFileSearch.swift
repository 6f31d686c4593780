/// A search for a file that holds debug information of a symbol file: where it was looked for, and
/// why the candidates were refused.
public struct DebugFileSearch: Hashable, Sendable {
  /// What the file was wanted for.
  public let purpose: Purpose
  /// The name or path as the symbol file states it. No file states the name of its dSYM; it is then
  /// the name that the dSYM would have.
  public let name: String
  /// The candidates, in the order in which they were looked at.
  public let attempts: [Attempt]

  /// Records a search. `attempts` are in the order in which they were looked at.
  public init(purpose: Purpose, name: String, attempts: [Attempt]) {
    self.purpose = purpose
    self.name = name
    self.attempts = attempts
  }

  /// What the file holds.
  public enum Purpose: Hashable, Sendable {
    /// Debug information that several files share, as `dwz` writes it: the supplementary file of
    /// DWARF 5, section 7.3.6 (`.gnu_debugaltlink`, `.debug_sup`).
    case sharedInformation
    /// Units of split DWARF (`.dwo` and `.dwp`; DWARF 5, section 7.3.2).
    case splitUnits
    /// All debug information of the image: its dSYM, or the file that `.gnu_debuglink` or the
    /// build-id leads to.
    case debugInformation
    /// The functions of one object file (`.o`, or a member of an archive) that the debug map of a
    /// Mach-O image leads to.
    case debugMapObject
  }

  /// One candidate.
  public struct Attempt: Hashable, Sendable {
    /// The path that was looked at.
    public let path: String
    /// Why the file there is not used.
    public let finding: Finding

    /// Records why the file at `path` is not used.
    public init(path: String, finding: Finding) {
      self.path = path
      self.finding = finding
    }
  }

  /// Why a candidate was refused.
  public enum Finding: Hashable, Sendable {
    /// There is no such file.
    case absent
    /// It is not an ELF file. What it holds instead is not reported: a symbol file may name any
    /// path.
    case notElf
    /// It is neither a Mach-O file nor, where one could be meant, an archive.
    case notMachO
    /// It belongs to another build. Nil if a file has no identity.
    case otherIdentity(found: ImageIdentity?, expected: ImageIdentity?)
    /// It does not have the section that was wanted from it.
    case missingSection(String)
    /// Its CRC-32 differs from the one that the link to it states.
    case otherChecksum(found: UInt32, expected: UInt32)
    /// It was not written at the time of the object file that was linked. In seconds since 1970.
    case otherTime(found: Int64, expected: Int64)
    /// A function there is longer than the one that was linked, in bytes: the file was changed
    /// since.
    case otherLength(function: String, found: UInt64, expected: UInt64)
    /// It is Mach-O without a slice for the image's architecture.
    case otherArchitecture(found: [Architecture], expected: Architecture)
    /// It is an archive without a member of this name.
    case missingMember(String)
    /// It cannot be read.
    case unreadable(SymbolFileProblem.Kind)
  }
}

/// A search for a file that has debug information of a symbol file, in whole or in part: which places were
/// looked at, and why what was there is not used.
public struct SupplementaryFileSearch: Hashable, Sendable {
  public let purpose: Purpose
  /// The file's name or path, as the symbol file states it; of a dSYM, which no file states, the name
  /// that it would have.
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
    /// It has all debug information of the image: its dSYM, or the file of `.gnu_debuglink` and of its
    /// build-id.
    case debugInformation
    /// It is an object file (`.o`, or a member of an archive) to which the debug map of a Mach-O image
    /// leads.
    case debugMapObject
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
    /// The same where Mach-O is wanted: a file that is neither Mach-O nor, where it could be one, an
    /// archive.
    case notMachO
    /// Another build's file. Nil where it has no identity.
    case otherIdentity(found: ImageIdentity?, expected: ImageIdentity?)
    /// A file without this section, which was wanted of it.
    case missingSection(String)
    /// The file's CRC-32 is not the one that the link to it states.
    case otherChecksum(found: UInt32, expected: UInt32)
    /// It was written at another time than the object file that was linked. In seconds since 1970.
    case otherTime(found: Int64, expected: Int64)
    /// A function there has more bytes than the same function that was linked: the file was changed since.
    case otherLength(function: String, found: UInt64, expected: UInt64)
    /// Mach-O without a part for the image's architecture.
    case otherArchitecture(found: [Architecture], expected: Architecture)
    /// An archive without a member of this name.
    case missingMember(String)
    /// It cannot be read.
    case unreadable(SymbolFileProblem.Kind)
  }
}

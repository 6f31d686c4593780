/// What is wrong with a symbol file, or with the path where one was looked for.
///
/// It is what every part that opens symbol files reports to whoever talks to the user; the sentences
/// are made there.
public struct SymbolFileProblem: Error, Hashable, Sendable {
  /// The path as it was given, or as it was found in a directory that was given.
  public let path: String
  public let kind: Kind

  public init(path: String, kind: Kind) {
    self.path = path
    self.kind = kind
  }

  public enum Kind: Hashable, Sendable {
    /// The system refused to open or read it: the value of C's `errno`.
    case inaccessible(errno: CInt)
    /// It has no bytes.
    case empty
    /// It is neither Mach-O nor ELF; up to 16 bytes of its beginning.
    case notASymbolFile(firstBytes: [UInt8])
    /// It ends, or is wrong, inside `structure` (a term of its format, such as `LC_SYMTAB`). Offsets
    /// and counts in bytes from the start of the file or slice.
    case truncated(structure: String, offset: UInt64, wanted: UInt64, available: UInt64)
    /// `structure` says something that cannot be.
    case malformed(structure: String, value: UInt64)
    /// It is well formed and of a kind that this program does not read.
    case unsupported(structure: String, value: UInt64)
    /// It is a GSYM index of another version than 1.
    case unsupportedIndexVersion(UInt16)
    /// It does not tell where the image is linked to begin, and addresses in a process were taken
    /// relative to this address.
    case assumedLinkBase(LinkAddress)
    /// A compressed section does not inflate.
    case damagedCompression(section: String)
    /// It says that a slice is for `stated`, and the slice itself is for `found`, which is believed.
    case mislabelledSlice(stated: Architecture, found: Architecture)
    /// `structure` has addresses that are to be filled in by a linker, which was not done.
    case needsRelocation(structure: String)
    /// It has no segment of that name, or none at all, to which addresses could be relative.
    case missingSegment(name: String?)
    /// It has no slice for `wanted`.
    case missingArchitecture(wanted: Architecture, found: [Architecture])
    /// A directory named `….dSYM` without a DWARF file in `Contents/Resources/DWARF`.
    case emptyBundle
    /// A directory where a file was asked for.
    case directory
    /// A pipe, a device or a socket, where only a file is opened.
    case specialFile
    /// A directory, searched to its depth, in which no symbol file was found.
    case noSymbolFiles
    /// It has neither debug information nor a symbol with a name.
    case noSymbols
    /// A part of the debug information was passed over: where, by section and offset in it, and the
    /// reader's own words where it is a library that has them.
    case unreadableDebugInformation(section: String, offset: UInt64, detail: String)
    /// Another file that holds a part of its debug information cannot be used.
    case unusableSupplementaryFile(SupplementaryFileSearch)
    /// Its debug map leads to object files of which `count` that were asked about cannot be used: the
    /// searches for the first few of them.
    case unusableDebugMapObjects([SupplementaryFileSearch], count: Int)
    /// It is an index that was made before, and it is not used; the symbol file is.
    case unusableIndex(IndexFault)
  }
}

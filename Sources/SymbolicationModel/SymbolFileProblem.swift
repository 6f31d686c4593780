/// What is wrong with a symbol file, or with a path at which one was looked for.
///
/// The one type for everything that is reported about symbol files: each part that opens them turns
/// its own errors into this one and keeps every number and name, so that a message can say which
/// file, what was found and what was expected. The sentences are made in `ReportSymbolication`.
public struct SymbolFileProblem: Error, Hashable, Sendable {
  /// The path as it was given, or as it was found in a directory that was given.
  public let path: String
  /// The slice of the file that the problem is in. Nil if it is in the file as a whole, or if the
  /// architecture is not known.
  public let architecture: Architecture?
  /// What is wrong, with everything that was found.
  public let kind: Kind

  /// Describes a problem with the file at `path`, or with its slice for `architecture`.
  public init(path: String, architecture: Architecture? = nil, kind: Kind) {
    self.path = path
    self.architecture = architecture
    self.kind = kind
  }

  /// What is wrong. A `structure` is a part of a file format, by the name that the format's
  /// description gives it (`load commands`, `EI_CLASS`). Offsets and sizes are in bytes, and
  /// offsets count from the start of the file, or of the slice if one is concerned.
  public enum Kind: Hashable, Sendable {
    /// The system refused `operation` on it: the value of C's `errno`.
    case inaccessible(errno: CInt, operation: FileOperation = .open)
    /// It has no bytes.
    case empty
    /// It is neither Mach-O nor ELF nor GSYM, nor a Breakpad symbol file, nor a dyld shared cache;
    /// up to 16 bytes of its beginning.
    case notASymbolFile(firstBytes: [UInt8])
    /// `structure` needs `wanted` bytes at `offset`; `available` is the size of what holds them.
    case truncated(structure: String, offset: UInt64, wanted: UInt64, available: UInt64)
    /// `structure` states `value`, which is impossible; nil if what would be possible is not known.
    case malformed(structure: String, value: UInt64, expected: Bound? = nil)
    /// `structure` cannot be decoded from `offset` of its own bytes on.
    case damaged(structure: String, offset: UInt64)
    /// `count` entries of `structure` have names outside the string table; `first` is the index of
    /// the first of them.
    case namesOutsideStringTable(structure: String, count: Int, first: Int)
    /// The slice at this index, in file order from 0, shares bytes with an earlier one.
    case overlappingSlice(index: Int)
    /// No slice of a fat file can be used: the reason for each, in file order.
    case noUsableSlice([SymbolFileProblem])
    /// libelf refused the file, with this error number.
    case refusedByLibelf(code: CInt)
    /// It is well formed and of a kind that this program does not read. Nil if the mark that should
    /// state the kind is missing.
    case unsupported(structure: String, value: UInt64?)
    /// It is a GSYM index of another version than 1 and 2.
    case unsupportedIndexVersion(UInt16)
    /// It does not state where the image is linked to begin; this address was assumed.
    case assumedLinkBase(LinkAddress)
    /// A compressed section cannot be inflated.
    case damagedCompression(section: String, DecompressionError)
    /// The fat header states another architecture than the slice itself, which is believed.
    case mislabelledSlice(stated: Architecture, found: Architecture)
    /// `structure` means nothing before a linker has applied relocations, which was not done.
    case needsRelocation(structure: String)
    /// It has no segment of that name, or none at all, to which addresses could be relative.
    case missingSegment(name: String?)
    /// It has no slice for `wanted`.
    case missingArchitecture(wanted: Architecture, found: [Architecture])
    /// It is a directory named `….dSYM` without a DWARF file in `Contents/Resources/DWARF`.
    case emptyBundle
    /// It is a directory, and a file is needed.
    case directory
    /// It is a pipe, a device or a socket, and only a file is opened there.
    case specialFile
    /// It is a directory without a symbol file in it or below it.
    case noSymbolFiles
    /// It has neither debug information nor a symbol with a name.
    case noSymbols
    /// No index is made from it: it is an index itself, a Breakpad symbol file, or a dyld shared
    /// cache. Lookups use it as it is.
    case notIndexed
    /// It is one file of a dyld shared cache, and not the main one, which lists the libraries.
    case partOfSharedCache
    /// It is, or has in it, a dyld shared cache in an archive, and these are not read there: the
    /// files of a cache find each other by their names, and are mapped as they are.
    case archivedSystem
    /// It is a dyld shared cache, and one library is wanted.
    case severalLibraries(count: Int)
    /// A part of the debug information was skipped, at `offset` of `section`. `detail` is what the
    /// reader found there, in its own words, or empty.
    case unreadableDebugInformation(section: String, offset: UInt64, detail: String)
    /// Another file that holds a part of its debug information cannot be used.
    case unusableDebugFile(DebugFileSearch)
    /// Its debug map leads to object files, and `count` of those that were needed cannot be used:
    /// the searches for the first few.
    case unusableDebugMapObjects([DebugFileSearch], count: Int)
    /// It lies where the file of the image `expected` should be, and is another image's. Nil if it
    /// has no identity.
    case otherImage(found: ImageIdentity?, expected: ImageIdentity)
    /// Another file carries the same identity and other debug information; this one is used.
    case ambiguousIdentity(ImageIdentity, otherPath: String)
    /// It is an index that was made earlier and is not used; the symbol file is.
    case unusableIndex(IndexRefusal)
    /// Its names are hidden, as a build with bitcode does (`__hidden#1_`), and some of them cannot
    /// be replaced by the real ones.
    case hiddenNames(SymbolMapFinding)
    /// It is the property list of a dSYM, and cannot be read.
    case unusablePropertyList(PropertyListRefusal)
    /// It is an archive that cannot be read, or a member of one.
    case unusableArchive(ArchiveFault)
    /// It holds more than is read: what comes after `value` of them is left out.
    case exceedsLimit(ResourceLimit, value: UInt64)
  }

  /// What was asked of the system.
  public enum FileOperation: Hashable, Sendable {
    /// Opening it.
    case open
    /// Finding out its size and its kind.
    case inspect
    /// Mapping it into memory.
    case map
    /// Reading its bytes.
    case read
  }

  /// What a number in a file can be.
  public enum Bound: Hashable, Sendable {
    /// Only this number.
    case exactly(UInt64)
    /// This number or a greater one.
    case atLeast(UInt64)
    /// This number or a smaller one.
    case atMost(UInt64)
    /// Any number smaller than this one.
    case below(UInt64)
  }
}

extension SymbolFileProblem {
  /// How much of the file a problem leaves usable. Exit statuses follow from it.
  package enum Severity: Hashable, Sendable {
    /// The file is used; a part of it, or another file that belongs to it, is not.
    case partial
    /// The file or directory is sound, and has no symbols in it.
    case noSymbols
    /// It is not a symbol file.
    case notASymbolFile
    /// It cannot be read, or is damaged, or lacks what was asked of it.
    case unusable
  }

  /// The severity of `kind`. A fat file without a usable slice has that of its first slice.
  package var severity: Severity {
    switch kind {
    case .unreadableDebugInformation, .unusableDebugFile, .unusableDebugMapObjects,
      .mislabelledSlice, .missingSegment, .unusableIndex, .assumedLinkBase, .ambiguousIdentity,
      .hiddenNames, .unusablePropertyList, .exceedsLimit:
      .partial
    case .noSymbols, .noSymbolFiles, .notIndexed: .noSymbols
    case .notASymbolFile, .empty, .emptyBundle, .partOfSharedCache, .archivedSystem,
      .severalLibraries:
      .notASymbolFile
    case .noUsableSlice(let slices): slices.first?.severity ?? .unusable
    case .inaccessible, .truncated, .malformed, .damaged, .namesOutsideStringTable,
      .overlappingSlice, .refusedByLibelf, .unsupported, .unsupportedIndexVersion,
      .damagedCompression, .needsRelocation, .missingArchitecture, .directory, .specialFile,
      .otherImage, .unusableArchive:
      .unusable
    }
  }
}

/// What is wrong with an archive (zip or tar), or with one of its members. Sizes are in bytes.
///
/// It is declared here, and not where archives are read, because ``SymbolFileProblem`` hands it to
/// the user unchanged.
public enum ArchiveFault: Error, Hashable, Sendable {
  /// It begins like a zip archive and has no central directory at its end: it was not copied or
  /// downloaded to the end.
  case missingDirectory
  /// It is compressed, and what it holds is not a tar archive. `compression` is the name of the
  /// program that decompresses it.
  case notATarArchive(compression: String)
  /// It is compressed with gzip, and what it holds does not have the checksum that it states.
  case wrongChecksum
  /// It cannot be read from here on. `detail` is what libarchive found, in its own words.
  case damaged(detail: String)
  /// `count` members are encrypted; the name of the first of them.
  case encrypted(first: String, count: Int)
  /// It has more members than are read.
  case tooManyMembers(limit: Int)
  /// The places of members are not known, and `limit` of them were looked for from its start.
  case tooManyPasses(limit: Int)
  /// `count` members have names longer than `limit`; the first of them has `length`.
  case tooLongNames(length: Int, limit: Int, count: Int)
  /// The archive states one size for the member, and holds another.
  case wrongSize(stated: UInt64, found: UInt64)
  /// The archive, of `archiveSize`, states or holds more than `limit` bytes unpacked, over all
  /// times that it is read: so much comes from archives that are made to fill memory and disks.
  case implausibleSize(archiveSize: UInt64, limit: UInt64)
  /// All archives of the run, of `archiveSize` together, would be unpacked to more than `limit`.
  case unpackedTooMuch(archiveSize: UInt64, limit: UInt64)
  /// The file was changed or replaced while it was read.
  case changedMeanwhile
  /// It is an archive in an archive in an archive, and is not read.
  case nestedTooDeeply
  /// With the `size` bytes of the member, more than `limit` would be unpacked to memory, and
  /// neither the cache nor a temporary file takes them.
  case tooLargeForMemory(size: UInt64, limit: UInt64)
  /// There is no cache, no temporary file and no memory for the `size` bytes of the member.
  case outOfMemory(size: UInt64)
}

/// Why an index that was made earlier is not used. The symbol file answers in its place.
public enum IndexRefusal: Hashable, Sendable {
  /// It cannot be read, for the reason that would be reported if it was given as a symbol file.
  indirect case unreadable(SymbolFileProblem.Kind)
  /// It is not a GSYM file, or another program wrote it where only this program's indexes are used.
  case foreign
  /// It is the index of another image. Nil if it has no identity.
  case otherImage(found: ImageIdentity?)
  /// It is the index of another slice.
  case otherArchitecture(found: Architecture)
  /// The symbol file has changed since the index was made from it, or the index was made from
  /// another file: the one at this path.
  case stale(madeFrom: String)
  /// The index, or the folder it is in, belongs to the user of this number, who is neither this one
  /// nor the administrator.
  case otherOwner(path: String, user: UInt32)
  /// Users other than the owner may write to the index or to the folder it is in; with the bits of
  /// its permissions.
  case writableByOthers(path: String, permissions: UInt32)
}

/// How bytes are compressed.
public enum CompressionMethod: Hashable, Sendable {
  /// RFC 1950, one stream.
  case zlib
  /// RFC 8878, one frame or several in a row; skippable frames are skipped.
  case zstd
  /// The .xz file format, one stream.
  case xz
  /// One stream or several in a row.
  case bzip2
}

/// Why compressed bytes could not be inflated. Sizes are in bytes.
///
/// It is declared here, and not where bytes are inflated, because ``SymbolFileProblem`` hands it to
/// the user unchanged.
public enum DecompressionError: Error, Hashable, Sendable {
  /// The stated size is larger than the caller allows.
  case tooLarge(promised: UInt64, limit: UInt64)
  /// The stated size is larger than `atMost`, the most that `compressed` bytes can expand to.
  case implausible(promised: UInt64, compressed: UInt64, atMost: UInt64)
  /// The input ends properly after `actual` bytes of output, fewer than promised.
  case outputTooShort(promised: UInt64, actual: UInt64)
  /// The input goes on after the promised output.
  case outputTooLong(promised: UInt64)
  /// The input ends before the compressed data does.
  case truncated
  /// The output does not have the checksum or the size that is stated at the end of the input.
  case wrongChecksum
  /// `count` bytes follow the end of the compressed data.
  case trailingBytes(count: UInt64)
  /// The input was not written by `method`, or is damaged; `code` is the error number of zlib,
  /// zstd, liblzma or libbz2.
  case damaged(method: CompressionMethod, code: Int)
  /// There is no memory for `size` bytes or for the library's own tables, or those tables would be
  /// larger than is allowed.
  case outOfMemory(size: UInt64)
}

/// Why names that a build with bitcode hid (`__hidden#1_`) are not replaced by the real ones.
public enum SymbolMapFinding: Hashable, Sendable {
  /// There is no symbol map: the name that its file would have, `UUID.bcsymbolmap`.
  case absent(name: String)
  /// The file at `path` cannot be used.
  case unusable(path: String, SymbolMapRefusal)
  /// The map at `path` has `count` names, and name `number`, counted from 0, is not among them.
  case missingName(path: String, number: Int, count: Int)
}

/// Why a file is not used as a symbol map.
public enum SymbolMapRefusal: Error, Hashable, Sendable {
  /// The system refused to open or read it: the value of C's `errno`.
  case inaccessible(errno: CInt)
  /// It does not begin with `BCSymbolMap Version:`; up to 16 bytes of its beginning.
  case noHeader(firstBytes: [UInt8])
  /// It has another version than 1.0 and 2.0.
  case unsupportedVersion(String)
  /// It has more bytes than are read.
  case tooLarge(byteCount: UInt64, limit: UInt64)
}

/// Why the property list of a dSYM is not used.
public enum PropertyListRefusal: Hashable, Sendable {
  /// The system refused to open or read it: the value of C's `errno`.
  case inaccessible(errno: CInt)
  /// It cannot be read at this byte.
  case damaged(offset: Int)
}

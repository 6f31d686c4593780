package import BinaryInput
package import SymbolicationModel

/// Why an object file, or a part of it, cannot be used.
package struct ObjectFileError: Error, Hashable, Sendable {
  /// The path of the file, or what the caller calls the bytes.
  package let path: String
  /// The slice that is concerned, if one is and its architecture is known.
  package let architecture: Architecture?
  /// What is wrong, with everything that was found.
  package let reason: Reason

  package init(path: String, architecture: Architecture? = nil, reason: Reason) {
    self.path = path
    self.architecture = architecture
    self.reason = reason
  }

  /// A part of an object file.
  package enum Structure: Hashable, Sendable {
    case fatHeader
    /// Counted from 0, in file order.
    case slice(Int)
    case machHeader
    case loadCommands
    case elfHeader
    case programHeaders
    case sectionHeaders
    case segment(String)
    case section(String)
    case notes
    case symbolTable
    case stringTable
    case indirectSymbolTable
    case functionStarts
    case exportTrie
    case relocations
    case indexHeader
    /// The directory of a GSYM file of version 2.
    case indexDirectory
    case sharedCacheHeader
  }

  /// Offsets and sizes are in bytes. Offsets count from the start of the slice; those of the fat
  /// header and of slices count from the start of the file.
  package enum Reason: Error, Hashable, Sendable {
    /// The system refused to open or read the file.
    case inaccessible(FileAccessError)
    case empty
    /// It is not Mach-O, ELF, GSYM or Breakpad. Holds up to 8 bytes of its start.
    case unrecognized(firstBytes: [UInt8])
    /// It begins with the magic number of a fat file and states more slices than one can have. Java
    /// class files begin so.
    case unlikelySliceCount(UInt32)
    /// A fat file without slices.
    case noSlices
    /// No slice of a fat file can be used: the reason for each.
    case noUsableSlice([ObjectFileError])
    /// The slice shares bytes with an earlier one.
    case overlappingSlice(index: Int)
    /// The fat header states another architecture than the slice itself, which is believed.
    case architectureMismatch(fatHeader: Architecture)
    /// The structure needs `wanted` bytes at `offset`; `available` is the size of what should hold
    /// them.
    case truncated(Structure, offset: UInt64, wanted: UInt64, available: UInt64)
    /// The load command at `index`, of type `command`, states a size that is too small for it, or
    /// larger than the `available` bytes that are left for load commands.
    case loadCommandSize(index: UInt32, command: UInt32, size: UInt32, available: UInt64)
    /// The header states more load commands than fit: only `index` do.
    case loadCommandCount(stated: UInt32, index: UInt32)
    /// A segment states more sections than its load command has room for.
    case sectionCount(segment: String, stated: UInt32, room: UInt64)
    /// Start and size, as addresses or file offsets, add up to more than 64 bits.
    case overflow(Structure, start: UInt64, size: UInt64)
    /// ELF: the class (`EI_CLASS`) is neither 32 nor 64 bits.
    case unsupportedClass(UInt8)
    /// ELF: the byte order (`EI_DATA`) is neither little nor big.
    case unsupportedByteOrder(UInt8)
    /// ELF: the version (`EI_VERSION`) is not 1.
    case unsupportedVersion(UInt8)
    /// A file that answers alone: what its reader found.
    case standalone(SymbolFileProblem.Kind)
    /// GSYM: the version is neither 1 nor 2.
    case unsupportedIndexVersion(UInt16)
    /// ELF: entries of the table have another size than the class gives them.
    case entrySize(Structure, stated: UInt64, expected: UInt64)
    /// ELF: libelf could not read the file; its error number.
    case libelf(code: Int32)
    /// `count` names are outside their string table; the first of them is that of entry `first`.
    case namesOutsideStringTable(Structure, count: Int, first: Int)
    /// Mach-O: a stub section states that its stubs have no bytes.
    case emptyStubs(section: String)
    /// Mach-O: a stub refers to the entry at `index` of an indirect symbol table of `count`
    /// entries.
    case indirectSymbolIndex(section: String, index: UInt64, count: UInt32)
    /// Mach-O: an indirect symbol refers to this index in a symbol table of `count` entries.
    case symbolIndex(UInt32, count: UInt32)
    /// Mach-O: the function starts cannot be decoded from byte `offset` of their data on.
    case damagedFunctionStarts(offset: UInt64)
    /// Mach-O: the node at byte `offset` of the export trie cannot be read, or a second edge leads
    /// to it.
    case damagedExportTrie(offset: UInt64)
    /// The section's compression is of an unknown kind: its `ch_type`, or nil for a `.zdebug`
    /// section without the mark `ZLIB`.
    case unsupportedCompression(section: String, type: UInt32?)
    /// The compressed section cannot be inflated.
    case damagedCompression(section: String, DecompressionError)
    /// ELF: `.debug_sup` has a version other than 5.
    case unsupportedSupplementaryVersion(UInt16)
    /// ELF: the section or symbol table of a relocatable file means nothing before relocations are
    /// applied, which this program does not do.
    case needsRelocation(Structure)
    /// A file of a dyld shared cache is damaged, or belongs to another cache.
    case sharedCache(SymbolFileProblem.Kind)
    /// It is a file of a dyld shared cache, and not the main one, which names the images.
    case partOfSharedCache
  }
}

extension ObjectFileError.Reason {
  /// A read that failed within `structure`, as a truncation.
  ///
  /// - Parameter base: where the region that was read starts in the slice.
  static func truncation(
    _ structure: ObjectFileError.Structure, _ error: ByteReadError, base: UInt64 = 0
  ) -> Self {
    switch error {
    case .outOfBounds(let offset, let count, let available):
      .truncated(structure, offset: base &+ offset, wanted: count, available: available)
    case .oversizedLeb128(let offset), .unterminatedString(let offset),
      .unsupportedNumberSize(_, let offset):
      .truncated(structure, offset: base &+ offset, wanted: 1, available: offset)
    }
  }
}

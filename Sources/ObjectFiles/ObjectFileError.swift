package import BinaryInput
package import SymbolicationModel

/// Why an object file, or a part of it, cannot be used.
package struct ObjectFileError: Error, Hashable, Sendable {
  package let path: String
  /// The slice that it is about, where a slice is concerned and its architecture known.
  package let architecture: Architecture?
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
  }

  /// Offsets and sizes are in bytes; offsets count from the start of the slice, or of the file where
  /// the fat header or a slice's place is concerned.
  package enum Reason: Error, Hashable, Sendable {
    /// The system refused to open or read the file.
    case inaccessible(FileAccessError)
    case empty
    /// No object file: neither Mach-O nor ELF. Holds up to 8 bytes of its start.
    case unrecognized(firstBytes: [UInt8])
    /// A Mach-O magic number in front of something that cannot be one: Java class files share the
    /// fat header's.
    case unlikelySliceCount(UInt32)
    /// A fat file without slices.
    case noSlices
    /// No slice of a fat file can be used; why not, slice by slice.
    case noUsableSlice([ObjectFileError])
    /// The slice shares bytes with an earlier one.
    case overlappingSlice(index: Int)
    /// The fat header names another architecture than the slice itself, which is believed.
    case architectureMismatch(fatHeader: Architecture)
    /// `wanted` bytes should be at `offset`; `available` is the size of what should hold them.
    case truncated(Structure, offset: UInt64, wanted: UInt64, available: UInt64)
    /// The load command numbered `index`, of type `command`, states a size that is too small for it
    /// or larger than the `available` bytes that load commands have left.
    case loadCommandSize(index: UInt32, command: UInt32, size: UInt32, available: UInt64)
    /// Fewer load commands than `stated` fit: `index` of them.
    case loadCommandCount(stated: UInt32, index: UInt32)
    /// A segment states more sections than its load command has room for.
    case sectionCount(segment: String, stated: UInt32, room: UInt64)
    /// Address or file offset, and size, add up to more than 64 bits.
    case overflow(Structure, start: UInt64, size: UInt64)
    /// ELF: the class (`EI_CLASS`) is neither 32 nor 64 bits.
    case unsupportedClass(UInt8)
    /// ELF: the byte order (`EI_DATA`) is neither little nor big.
    case unsupportedByteOrder(UInt8)
    /// ELF: the version (`EI_VERSION`) is not 1.
    case unsupportedVersion(UInt8)
    /// GSYM: the version is not 1.
    case unsupportedIndexVersion(UInt16)
    /// ELF: entries of the table have another size than the class gives them.
    case entrySize(Structure, stated: UInt64, expected: UInt64)
    /// ELF: libelf refused the file; its error number.
    case libelf(code: Int32)
    /// `count` names lie outside their string table; the first is that of entry `first`.
    case namesOutsideStringTable(Structure, count: Int, first: Int)
    /// Mach-O: a stub section states that its stubs have no bytes.
    case emptyStubs(section: String)
    /// Mach-O: a stub's entry should be the one numbered `index` of an indirect symbol table of
    /// `count`.
    case indirectSymbolIndex(section: String, index: UInt64, count: UInt32)
    /// Mach-O: an indirect symbol is the one numbered `index` of a symbol table of `count`.
    case symbolIndex(UInt32, count: UInt32)
    /// Mach-O: the function starts from byte `offset` of their data on are no list of addresses.
    case damagedFunctionStarts(offset: UInt64)
    /// Mach-O: the node at byte `offset` of the export trie is none, or is reached a second time.
    case damagedExportTrie(offset: UInt64)
    /// The section's compression header is of an unknown kind (`ch_type`; nil where a `.zdebug`
    /// section has no `ZLIB` mark).
    case unsupportedCompression(section: String, type: UInt32?)
    /// The compressed section cannot be inflated.
    case damagedCompression(section: String, DecompressionError)
    /// ELF: `.debug_sup` has a version other than 5.
    case unsupportedSupplementaryVersion(UInt16)
    /// ELF: the section, or the symbol table, of a relocatable file means nothing before relocations
    /// are applied, which is not done here.
    case needsRelocation(Structure)
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

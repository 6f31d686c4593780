package import BinaryInput
package import SymbolicationModel

/// One architecture of one build of an image: a thin Mach-O file, a slice of a fat one, an ELF file,
/// or the index of any of these.
package struct ObjectFile: Sendable {
  /// The file that it is, or is a slice of.
  package let path: String
  package let format: ObjectFormat
  package let fileType: ObjectFileType
  /// `unknown` for an index, whose format has no place for it.
  package let architecture: Architecture
  /// `LC_UUID` or the GNU build-id; nil where there is none. Of an index that of its image.
  package let identity: ImageIdentity?
  package let byteOrder: ByteOrder
  /// Bytes in an address: 4 or 8.
  package let addressSize: Int
  /// In file order. ELF: the `PT_LOAD` entries.
  package let segments: [Segment]
  /// In file order, the order in which symbols number them from 1. ELF: without the null section at
  /// index 0, so that here too the section numbered n is at n − 1.
  package let sections: [Section]
  /// What is wrong with the file and leaves the rest of it usable.
  package let faults: [ObjectFileError]

  /// The slice's bytes.
  let region: ByteRegion
  let symbolTableSource: SymbolTableSource
  /// Mach-O `LC_DYSYMTAB`: where the indirect symbol table is stated to be. Unchecked.
  var indirectSymbols: IndirectSymbolTable?
  /// Mach-O `LC_FUNCTION_STARTS`: where its data is stated to be. Unchecked.
  var functionStarts: Range<UInt64>?
  /// Mach-O `LC_DYLD_EXPORTS_TRIE`, or the exports of `LC_DYLD_INFO`: where the trie is stated to be.
  /// Unchecked.
  var exportTrie: Range<UInt64>?
  /// The relocations that the loader of an ELF image applies, in file order.
  var relocationTables: [ElfRelocationTable] = []

  /// An offset in the slice, and a number of entries of 4 bytes.
  struct IndirectSymbolTable: Hashable, Sendable {
    let offset: UInt32
    let count: UInt32
  }

  /// Where the symbols are.
  enum SymbolTableSource: Hashable, Sendable {
    case none
    /// Offsets, and the number of entries, as `LC_SYMTAB` states them.
    case machO(offset: UInt32, count: UInt32, stringsOffset: UInt32, stringsSize: UInt32)
    /// `.symtab` and `.dynsym`; at least one of them.
    case elf(full: ElfSymbolTableHeader?, dynamic: ElfSymbolTableHeader?)
  }

  /// A symbol table of an ELF file: places in `sections`, unchecked, and the size that the section's
  /// header states for an entry.
  struct ElfSymbolTableHeader: Hashable, Sendable {
    let section: Int
    let strings: Int
    let entrySize: UInt64
  }

  /// A section of relocations: its place in `sections`, and that of the symbol table that they number
  /// symbols of, both unchecked.
  struct ElfRelocationTable: Hashable, Sendable {
    let section: Int
    let symbols: Int
    /// `SHT_RELA`, else `SHT_REL`.
    let hasAddends: Bool
  }

  func error(_ reason: ObjectFileError.Reason) -> ObjectFileError {
    ObjectFileError(path: path, architecture: architecture, reason: reason)
  }

  /// The bytes at `range`, which `structure` should have. Throws where the file ends before them.
  func bytes(
    of structure: ObjectFileError.Structure, at range: Range<UInt64>
  ) throws(ObjectFileError) -> ByteRegion {
    do {
      return try region.subregion(
        offset: range.lowerBound, count: range.upperBound - range.lowerBound)
    } catch {
      throw self.error(.truncation(structure, error))
    }
  }
}

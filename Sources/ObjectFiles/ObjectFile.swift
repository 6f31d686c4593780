package import BinaryInput
package import SymbolicationModel

/// One architecture of one build of an image: a thin Mach-O file, a slice of a fat one, an ELF
/// file, the GSYM index or Breakpad symbol file of any of these, or a library in a dyld shared
/// cache.
package struct ObjectFile: Sendable {
  /// The path of the whole file, also for a slice.
  package let path: String
  package let format: ObjectFormat
  package let fileType: ObjectFileType
  /// `unknown` for an index, because the format does not state it.
  package let architecture: Architecture
  /// `LC_UUID` or the GNU build-id; nil if there is none. An index has the identity of its image.
  package let identity: ImageIdentity?
  /// The byte order of the numbers in the file.
  package let byteOrder: ByteOrder
  /// The size of an address in bytes: 4 or 8.
  package let addressSize: Int
  /// In file order. ELF: the `PT_LOAD` entries.
  package let segments: [Segment]
  /// In file order. Symbols number sections from 1, so section n is at index n − 1. The null
  /// section at index 0 of an ELF file is left out, so that this holds there too.
  package let sections: [Section]
  /// Damage that leaves the rest of the file usable.
  package let faults: [ObjectFileError]

  /// The slice's bytes.
  var region: ByteRegion
  let symbolTableSource: SymbolTableSource
  /// Mach-O `LC_DYSYMTAB`: the stated position of the indirect symbol table. Unchecked.
  var indirectSymbols: IndirectSymbolTable?
  /// Mach-O `LC_FUNCTION_STARTS`: the stated offsets of its data. Unchecked.
  var functionStarts: Range<UInt64>?
  /// Mach-O `LC_DYLD_EXPORTS_TRIE`, or the exports of `LC_DYLD_INFO`: the stated offsets of the
  /// trie. Unchecked.
  var exportTrie: Range<UInt64>?
  /// The relocations that the loader of an ELF image applies, in file order.
  var relocationTables: [ElfRelocationTable] = []
  /// The link address of the start of the image, if the file answers alone and its head states it.
  var standaloneLinkBase: LinkAddress?
  /// The name of the image, if a file that answers alone states it.
  var moduleName: String?
  /// How many reports the names were learnt from; nil for any other file.
  package internal(set) var reportCount: Int?
  /// Breakpad: whether the image's build-id may be longer than `identity` and begin with it.
  var isIdentityPrefix = false
  /// The library of a dyld shared cache that it is.
  package var sharedCacheImage: SharedCacheImage?

  /// The offset of an indirect symbol table in the slice, and its number of entries of 4 bytes.
  struct IndirectSymbolTable: Hashable, Sendable {
    let offset: UInt32
    let count: UInt32
  }

  /// Where the file states its symbol tables to be.
  enum SymbolTableSource: Hashable, Sendable {
    case none
    /// The offsets and the number of entries that `LC_SYMTAB` states.
    case machO(offset: UInt32, count: UInt32, stringsOffset: UInt32, stringsSize: UInt32)
    /// `.symtab` and `.dynsym`; at least one of them is there.
    case elf(full: ElfSymbolTableHeader?, dynamic: ElfSymbolTableHeader?)
  }

  /// A symbol table of an ELF file: the indices in `sections` of the table and of its names,
  /// unchecked, and the entry size that the section's header states.
  struct ElfSymbolTableHeader: Hashable, Sendable {
    let section: Int
    let strings: Int
    let entrySize: UInt64
  }

  /// A section of relocations: its index in `sections`, and the index of the symbol table that it
  /// refers to, both unchecked.
  struct ElfRelocationTable: Hashable, Sendable {
    let section: Int
    let symbols: Int
    /// True for `SHT_RELA`, false for `SHT_REL`.
    let hasAddends: Bool
  }

  func error(_ reason: ObjectFileError.Reason) -> ObjectFileError {
    ObjectFileError(path: path, architecture: architecture, reason: reason)
  }

  /// The bytes of `structure`, at offsets `range` of the slice. Throws `truncated` if the file ends
  /// before.
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

/// The purpose of an object file, as its header states it.
package enum ObjectFileType: Hashable, Sendable {
  /// Mach-O `MH_EXECUTE`; ELF `ET_EXEC`.
  case executable
  /// Mach-O `MH_DYLIB`; ELF `ET_DYN`, which position-independent executables have too.
  case dynamicLibrary
  /// Mach-O `MH_BUNDLE`.
  case bundle
  /// Mach-O `MH_OBJECT`; ELF `ET_REL`.
  case relocatable
  /// Mach-O `MH_DSYM`, and Breakpad's symbol files. ELF debug files keep the type of the file they
  /// belong to.
  case debugSymbols
  /// Mach-O `MH_DYLINKER`.
  case dynamicLinker
  /// Mach-O `MH_KEXT_BUNDLE`.
  case kernelExtension
  /// GSYM.
  case index
  /// Mach-O `MH_CORE`; ELF `ET_CORE`.
  case core
  /// Any other type: the number in the header.
  case other(UInt32)
}

extension ObjectFile {
  /// The bytes of a file of that format; nil for any other file.
  package func content(as format: ObjectFormat) -> ByteRegion? {
    self.format == format ? region : nil
  }

  /// Whether the file has functions and lines of its image in another format than DWARF: nothing
  /// else has to be found for it.
  package var answersAlone: Bool { format.answersAlone }

  /// Whether the file belongs to the image with this identity.
  package func belongs(to identity: ImageIdentity?) -> Bool {
    SymbolFileHeader(self).belongs(to: identity)
  }

  /// The name of the image that the file belongs to, as far as its path states it: the file's own
  /// name. A file in a dSYM bundle is named after its binary. For an index it is the part before
  /// `.gsym`. A Breakpad symbol file states the name.
  package var imageName: String {
    moduleName ?? Self.imageName(ofFileAt: path, format: format)
  }

  package static func imageName(ofFileAt path: String, format: ObjectFormat) -> String {
    let name = path.lastPathComponent
    guard format == .gsym, name.hasSuffix(".gsym"), name.utf8.count > 5 else { return name }
    return String(name.dropLast(5))
  }
}

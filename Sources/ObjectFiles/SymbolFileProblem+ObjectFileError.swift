import BinaryInput
package import SymbolicationModel
import SystemPackage

extension SymbolFileProblem {
  /// The error as a `SymbolFileProblem`, with everything that it states.
  package init(_ error: ObjectFileError) {
    self.init(
      path: error.path, architecture: error.architecture,
      kind: Kind(error.reason, of: error.architecture))
  }
}

extension ObjectFileError {
  /// Whether the file begins as a Mach-O, ELF or GSYM file does, so that the error is about one.
  package var isAboutAnObjectFile: Bool {
    switch reason {
    case .inaccessible, .empty, .unrecognized, .unlikelySliceCount, .partOfSharedCache: false
    case .noSlices, .noUsableSlice, .overlappingSlice, .architectureMismatch, .truncated,
      .loadCommandSize, .loadCommandCount, .sectionCount, .overflow, .unsupportedClass,
      .unsupportedByteOrder, .unsupportedVersion, .standalone, .unsupportedIndexVersion, .entrySize,
      .libelf,
      .namesOutsideStringTable, .emptyStubs, .indirectSymbolIndex, .symbolIndex,
      .damagedFunctionStarts, .damagedExportTrie, .unsupportedCompression, .damagedCompression,
      .unsupportedSupplementaryVersion, .needsRelocation, .sharedCache:
      true
    }
  }
}

extension SymbolFileProblem.Kind {
  fileprivate init(_ reason: ObjectFileError.Reason, of architecture: Architecture?) {
    switch reason {
    case .inaccessible(let error): self.init(error)
    case .empty: self = .empty
    case .unrecognized(let bytes): self = .notASymbolFile(firstBytes: bytes)
    case .unlikelySliceCount(let count):
      self = .malformed(
        structure: "number of slices", value: UInt64(count),
        expected: .below(UInt64(FatHeader.sliceLimit)))
    case .noSlices:
      self = .malformed(structure: "number of slices", value: 0, expected: .atLeast(1))
    case .noUsableSlice(let errors):
      self = .noUsableSlice(errors.map { SymbolFileProblem($0) })
    case .overlappingSlice(let index): self = .overlappingSlice(index: index)
    case .architectureMismatch(let stated):
      self = .mislabelledSlice(stated: stated, found: architecture ?? stated)
    case .truncated(let structure, let offset, let wanted, let available):
      self = .truncated(
        structure: structure.term, offset: offset, wanted: wanted, available: available)
    case .loadCommandSize(let index, let command, let size, let available):
      // A size that fits is too small for the command.
      self = .malformed(
        structure: "size of load command \(index) (\(command.hexadecimal))", value: UInt64(size),
        expected: UInt64(size) > available ? .atMost(available) : nil)
    case .loadCommandCount(let stated, let index):
      self = .malformed(
        structure: "number of load commands", value: UInt64(stated),
        expected: .atMost(UInt64(index)))
    case .sectionCount(let segment, let stated, let room):
      self = .malformed(
        structure: "number of sections of segment \(segment)", value: UInt64(stated),
        expected: .atMost(room))
    case .overflow(let structure, let start, let size):
      self = .malformed(
        structure: "size of the \(structure.term) at \(start.hexadecimal)", value: size,
        expected: .atMost(.max - start))
    case .unsupportedClass(let value):
      self = .unsupported(structure: "EI_CLASS", value: UInt64(value))
    case .unsupportedByteOrder(let value):
      self = .unsupported(structure: "EI_DATA", value: UInt64(value))
    case .unsupportedVersion(let value):
      self = .unsupported(structure: "EI_VERSION", value: UInt64(value))
    case .standalone(let kind): self = kind
    case .unsupportedIndexVersion(let value): self = .unsupportedIndexVersion(value)
    case .entrySize(let structure, let stated, let expected):
      self = .malformed(
        structure: "entry size of the \(structure.term)", value: stated,
        expected: .exactly(expected))
    case .libelf(let code): self = .refusedByLibelf(code: code)
    case .namesOutsideStringTable(let structure, let count, let first):
      self = .namesOutsideStringTable(structure: structure.term, count: count, first: first)
    case .emptyStubs(let section):
      self = .malformed(
        structure: "size of a stub of section \(section)", value: 0, expected: .atLeast(1))
    case .indirectSymbolIndex(let section, let index, let count):
      self = .malformed(
        structure: "index of a stub of section \(section) in the indirect symbol table",
        value: index, expected: .below(UInt64(count)))
    case .symbolIndex(let index, let count):
      self = .malformed(
        structure: "index of an indirect symbol in the symbol table", value: UInt64(index),
        expected: .below(UInt64(count)))
    case .damagedFunctionStarts(let offset):
      self = .damaged(structure: ObjectFileError.Structure.functionStarts.term, offset: offset)
    case .damagedExportTrie(let offset):
      self = .damaged(structure: ObjectFileError.Structure.exportTrie.term, offset: offset)
    case .unsupportedCompression(let section, let type):
      self = .unsupported(structure: "compression of \(section)", value: type.map(UInt64.init))
    case .damagedCompression(let section, let error):
      self = .damagedCompression(section: section, error)
    case .unsupportedSupplementaryVersion(let version):
      self = .unsupported(structure: "version of .debug_sup", value: UInt64(version))
    case .needsRelocation(let structure): self = .needsRelocation(structure: structure.term)
    case .sharedCache(let kind): self = kind
    case .partOfSharedCache: self = .partOfSharedCache
    }
  }

  private init(_ error: FileAccessError) {
    let operation: SymbolFileProblem.FileOperation
    switch error.operation {
    case .refuseSpecialFile:
      self = .specialFile
      return
    case .open: operation = .open
    case .inspect: operation = .inspect
    case .map: operation = .map
    case .read: operation = .read
    }
    self =
      error.errno == .isDirectory
      ? .directory : .inaccessible(errno: error.errno.rawValue, operation: operation)
  }
}

extension ObjectFileError.Structure {
  /// The name that the format's description gives it.
  fileprivate var term: String {
    switch self {
    case .fatHeader: "fat header"
    case .slice(let index): "slice \(index)"
    case .machHeader: "Mach-O header"
    case .loadCommands: "load commands"
    case .elfHeader: "ELF header"
    case .programHeaders: "program headers"
    case .sectionHeaders: "section headers"
    case .segment(let name): "segment \(name)"
    case .section(let name): "section \(name)"
    case .notes: "notes"
    case .symbolTable: "symbol table"
    case .stringTable: "string table"
    case .indirectSymbolTable: "indirect symbol table"
    case .functionStarts: "function starts"
    case .exportTrie: "export trie"
    case .relocations: "relocations"
    case .indexHeader: "GSYM header"
    case .indexDirectory: "GSYM directory"
    case .sharedCacheHeader: "header of the shared cache"
    }
  }
}

import BinaryInput
package import SymbolicationModel
import SystemPackage

extension SymbolFileProblem {
  /// The same in the terms that all parts share.
  package init(_ error: ObjectFileError) {
    self.init(path: error.path, kind: Kind(error.reason, of: error.architecture))
  }
}

extension ObjectFileError {
  /// Whether the file begins as a Mach-O, ELF or GSYM file does, so that the error is about one.
  package var isAboutAnObjectFile: Bool {
    switch reason {
    case .inaccessible, .empty, .unrecognized, .unlikelySliceCount: false
    default: true
    }
  }
}

extension SymbolFileProblem.Kind {
  fileprivate init(_ reason: ObjectFileError.Reason, of architecture: Architecture?) {
    switch reason {
    case .inaccessible(let error):
      switch error.operation {
      case .refuseSpecialFile: self = .specialFile
      default:
        self =
          error.errno == .isDirectory ? .directory : .inaccessible(errno: error.errno.rawValue)
      }
    case .empty: self = .empty
    case .unrecognized(let bytes): self = .notASymbolFile(firstBytes: bytes)
    case .unlikelySliceCount(let count):
      self = .malformed(structure: "number of slices", value: UInt64(count))
    case .noSlices: self = .malformed(structure: "number of slices", value: 0)
    case .noUsableSlice(let errors):
      self =
        errors.first.map { Self($0.reason, of: $0.architecture) }
        ?? .malformed(structure: "number of usable slices", value: 0)
    case .overlappingSlice(let index):
      self = .malformed(structure: "place of slice", value: UInt64(clamping: index))
    case .architectureMismatch(let stated):
      self = .mislabelledSlice(stated: stated, found: architecture ?? stated)
    case .truncated(let structure, let offset, let wanted, let available):
      self = .truncated(
        structure: structure.term, offset: offset, wanted: wanted, available: available)
    case .loadCommandSize(_, let command, let size, _):
      self = .malformed(
        structure: "size of load command \(command.hexadecimal)", value: UInt64(size))
    case .loadCommandCount(let stated, _):
      self = .malformed(structure: "number of load commands", value: UInt64(stated))
    case .sectionCount(let segment, let stated, _):
      self = .malformed(structure: "number of sections of \(segment)", value: UInt64(stated))
    case .overflow(let structure, let start, _):
      self = .malformed(structure: "place of \(structure.term)", value: start)
    case .unsupportedClass(let value):
      self = .unsupported(structure: "EI_CLASS", value: UInt64(value))
    case .unsupportedByteOrder(let value):
      self = .unsupported(structure: "EI_DATA", value: UInt64(value))
    case .unsupportedVersion(let value):
      self = .unsupported(structure: "EI_VERSION", value: UInt64(value))
    case .unsupportedIndexVersion(let value): self = .unsupportedIndexVersion(value)
    case .entrySize(let structure, let stated, _):
      self = .malformed(structure: "entry size of \(structure.term)", value: stated)
    case .libelf(let code):
      self = .malformed(
        structure: "ELF structure (libelf's error number)", value: UInt64(clamping: code))
    case .namesOutsideStringTable(let structure, let count, _):
      self = .malformed(
        structure: "number of names of \(structure.term) outside their string table",
        value: UInt64(clamping: count))
    case .emptyStubs(let section):
      self = .malformed(structure: "size of the stubs of section \(section)", value: 0)
    case .indirectSymbolIndex(let section, _, let count):
      self = .malformed(
        structure: "number of indirect symbols, too few for section \(section)",
        value: UInt64(count))
    case .symbolIndex(_, let count):
      self = .malformed(
        structure: "number of symbols, too few for the indirect symbols", value: UInt64(count))
    case .damagedFunctionStarts(let offset):
      self = .malformed(structure: "function starts from offset", value: offset)
    case .damagedExportTrie(let offset):
      self = .malformed(structure: "export trie's node at offset", value: offset)
    case .damagedNotes(let offset, let available):
      self = .truncated(structure: "notes", offset: offset, wanted: 0, available: available)
    case .unsupportedCompression(let section, let type):
      self = .unsupported(structure: "compression of \(section)", value: UInt64(type ?? 0))
    case .damagedCompression(let section, _): self = .damagedCompression(section: section)
    case .unsupportedSupplementaryVersion(let version):
      self = .unsupported(structure: "version of .debug_sup", value: UInt64(version))
    case .needsRelocation(let structure): self = .needsRelocation(structure: structure.term)
    }
  }
}

extension ObjectFileError.Structure {
  /// What the format's description calls it.
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
    }
  }
}

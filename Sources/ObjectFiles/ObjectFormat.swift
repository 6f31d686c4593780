import BinaryInput
package import SymbolicationModel

/// The container format of one object file. The raw values are in the indexes of directories and
/// never change their meaning.
package enum ObjectFormat: UInt8, Hashable, Sendable, CaseIterable {
  case machO = 1
  case elf = 2
  /// The index of an image, which replaces its debug information and its symbols. See
  /// `GsymOutline`.
  case gsym = 3
  /// The functions, lines and symbols of an image as text. See `BreakpadOutline`.
  case breakpad = 4
  /// The functions and lines of an image as Apple's tools keep them. See `CoreSymbolicationFile`.
  case coreSymbolication = 5
  /// The names of a system library that reports had. See `LearntFile`.
  case learnt = 6
  /// A library in a dyld shared cache. See `SharedCache`.
  case sharedCache = 7

  /// The word for it in listings of archives, which never changes.
  package var name: String {
    switch self {
    case .machO: "macho"
    case .elf: "elf"
    case .gsym: "gsym"
    case .breakpad: "breakpad"
    case .sharedCache: "dyld-cache"
    case .coreSymbolication: "coresymbolication"
    case .learnt: "learnt"
    }
  }

  /// Nil for a file whose functions and lines are DWARF, here or in another file.
  package var standalone: StandaloneFormat? {
    switch self {
    case .machO, .elf: nil
    case .gsym: StandaloneFormat(name: "index", term: "an index")
    case .breakpad: StandaloneFormat(name: "breakpad", term: "a Breakpad symbol file")
    case .sharedCache:
      StandaloneFormat(name: "sharedCache", term: "a dyld shared cache", hasLines: false)
    case .coreSymbolication: StandaloneFormat(name: "coreSymbolication", term: "a .symbols file")
    case .learnt:
      StandaloneFormat(
        name: "learnt", term: "a file of names learnt from reports", hasLines: false)
    }
  }

  var answersAlone: Bool { self != .machO && self != .elf }

  /// Whether any other symbol file of the image is better: it knows a few functions of the image.
  package var isLastResort: Bool { self == .learnt }
}

extension SymbolFileMagic {
  /// The reader of the head of such a file; nil for Mach-O and ELF, and for shared caches, which
  /// have many images.
  var standaloneHead: (any StandaloneHead.Type)? {
    switch self {
    case .machO, .fat, .elf, .sharedCache: nil
    case .gsym: GsymOutline.self
    case .breakpad: BreakpadOutline.self
    case .coreSymbolication: CoreSymbolicationOutline.self
    case .learnt: LearntOutline.self
    }
  }
}

/// The head of a symbol file that answers alone, read for what it states about the image.
protocol StandaloneHead {
  /// How many bytes it has at most, unless it is not self-contained.
  static var size: Int { get }

  /// - Parameter region: the file, or its first `size` bytes.
  init(_ region: ByteRegion)

  /// Whether the head alone has everything that `objectFile` reads.
  var isSelfContained: Bool { get }

  /// The file with its identity and architecture, and `ObjectFile.standaloneLinkBase` if that is
  /// known. Throws `unrecognized` for a file that only begins like one of this format.
  func objectFile(path: String) throws(ObjectFileError) -> ObjectFile
}

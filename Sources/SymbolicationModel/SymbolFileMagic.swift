/// The kind of a symbol file as its first four bytes, the magic number, state it.
///
/// The one list of these numbers: the readers of the containers use it, and so do those parts that
/// only tell a symbol file from a report. Nothing after the four bytes is read, so a file of
/// a kind may still turn out not to be one: a Java class file begins like a fat Mach-O file.
package enum SymbolFileMagic: Hashable, Sendable {
  /// A thin Mach-O file: `MH_MAGIC` or `MH_MAGIC_64` of `<mach-o/loader.h>`, in either byte order.
  case machO(is64Bit: Bool, isBigEndian: Bool)
  /// A fat Mach-O file: `FAT_MAGIC` or `FAT_MAGIC_64` of `<mach-o/fat.h>`, in either byte order.
  case fat(is64Bit: Bool, isBigEndian: Bool)
  /// `ELFMAG` (System V gABI, chapter 4, "ELF Identification"). The byte order is stated further
  /// on.
  case elf
  /// A GSYM index (`GSYM_MAGIC` of LLVM's Header.h), in either byte order.
  case gsym(isBigEndian: Bool)
  /// `MODU`, the start of the first record of a Breakpad symbol file. Other texts begin so, too:
  /// `BreakpadModule` of `ObjectFiles` reads the whole record.
  case breakpad
  /// `dyld`, the start of a file of a dyld shared cache. Other texts begin so, too: the reader of
  /// these files looks at what follows.
  case sharedCache
  /// Apple's `.symbols`: the number of a signature of CoreSymbolication, little-endian.
  case coreSymbolication
  /// `Lear`, the start of a file of names that were learnt from reports.
  case learnt

  /// How many bytes the number has.
  package static let size = 4

  /// `GSYM_MAGIC`: the number as a reader in the file's own byte order reads it.
  package static let gsymNumber: UInt32 = 0x4753_594d

  /// - Parameter start: the first bytes of a file; what follows the first four does not matter.
  ///   Nil for fewer than four, and for any other number.
  package init?(_ start: [UInt8]) {
    guard start.count >= Self.size else { return nil }
    var number: UInt32 = 0
    for index in 0..<Self.size { number = number << 8 | UInt32(start[index]) }
    switch number {
    case 0xfeed_face: self = .machO(is64Bit: false, isBigEndian: true)
    case 0xcefa_edfe: self = .machO(is64Bit: false, isBigEndian: false)
    case 0xfeed_facf: self = .machO(is64Bit: true, isBigEndian: true)
    case 0xcffa_edfe: self = .machO(is64Bit: true, isBigEndian: false)
    case 0xcafe_babe: self = .fat(is64Bit: false, isBigEndian: true)
    case 0xbeba_feca: self = .fat(is64Bit: false, isBigEndian: false)
    case 0xcafe_babf: self = .fat(is64Bit: true, isBigEndian: true)
    case 0xbfba_feca: self = .fat(is64Bit: true, isBigEndian: false)
    case 0x7f45_4c46: self = .elf
    case 0x4d4f_4455: self = .breakpad
    case 0x6479_6c64: self = .sharedCache
    case 0x02ff_01ff: self = .coreSymbolication
    case 0x4c65_6172: self = .learnt
    case Self.gsymNumber: self = .gsym(isBigEndian: true)
    case Self.gsymNumber.byteSwapped: self = .gsym(isBigEndian: false)
    default: return nil
    }
  }
}

/// A format of symbol files that hold functions, but not as DWARF: nothing else has to be found for
/// such a file.
package struct StandaloneFormat: Hashable, Sendable {
  /// Its name in JSON.
  package let name: String
  /// What a file of it is called in messages: `a Breakpad symbol file`.
  package let term: String
  package let hasLines: Bool

  package init(name: String, term: String, hasLines: Bool = true) {
    self.name = name
    self.term = term
    self.hasLines = hasLines
  }
}

import SymbolicationModel
import TestSupport
import Testing

/// The numbers are those of `<mach-o/loader.h>`, `<mach-o/fat.h>`, the gABI and LLVM's Header.h, as
/// machines of either byte order write them.
struct SymbolFileMagicTests {
  @Test(
    arguments: [
      ([0xfe, 0xed, 0xfa, 0xce], .machO(is64Bit: false, isBigEndian: true)),
      ([0xce, 0xfa, 0xed, 0xfe], .machO(is64Bit: false, isBigEndian: false)),
      ([0xfe, 0xed, 0xfa, 0xcf], .machO(is64Bit: true, isBigEndian: true)),
      ([0xcf, 0xfa, 0xed, 0xfe], .machO(is64Bit: true, isBigEndian: false)),
      ([0xca, 0xfe, 0xba, 0xbe], .fat(is64Bit: false, isBigEndian: true)),
      ([0xbe, 0xba, 0xfe, 0xca], .fat(is64Bit: false, isBigEndian: false)),
      ([0xca, 0xfe, 0xba, 0xbf], .fat(is64Bit: true, isBigEndian: true)),
      ([0xbf, 0xba, 0xfe, 0xca], .fat(is64Bit: true, isBigEndian: false)),
      ([0x7f, 0x45, 0x4c, 0x46], .elf),
      ([0x47, 0x53, 0x59, 0x4d], .gsym(isBigEndian: true)),
      ([0x4d, 0x59, 0x53, 0x47], .gsym(isBigEndian: false)),
      (Array("MODU".utf8), .breakpad),
    ] as [([UInt8], SymbolFileMagic)])
  func isRecognized(bytes: [UInt8], magic: SymbolFileMagic) {
    expectEqual(SymbolFileMagic(bytes), magic)
    expectEqual(SymbolFileMagic(bytes + [1, 2, 3]), magic)
    expectNil(SymbolFileMagic(Array(bytes.dropLast())))
    expectNil(SymbolFileMagic([0] + bytes))
  }
}

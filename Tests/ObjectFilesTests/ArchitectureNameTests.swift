import ObjectFiles
import SymbolicationModel
import TestSupport
import Testing

/// Mach-O names are those of `lipo -info` for `<mach/machine.h>`'s numbers; ELF numbers are those
/// of the gABI's registry of machines.
@Suite struct ArchitectureNameTests {
  @Test(
    arguments: [
      (7, 3, "i386"), (0x0100_0007, 3, "x86_64"), (0x0100_0007, 8, "x86_64h"),
      (12, 5, "armv4t"), (12, 6, "armv6"), (12, 9, "armv7"), (12, 11, "armv7s"), (12, 12, "armv7k"),
      (12, 14, "armv6m"), (12, 15, "armv7m"), (12, 16, "armv7em"),
      (0x0100_000c, 0, "arm64"), (0x0100_000c, 1, "arm64"), (0x0100_000c, 2, "arm64e"),
      (0x0200_000c, 1, "arm64_32"), (18, 0, "ppc"), (0x0100_0012, 0, "ppc64"),
      // Capability bits: CPU_SUBTYPE_LIB64, and the version of pointer authentication.
      (0x0100_0007, 0x8000_0003, "x86_64"), (0x0100_000c, 0x8000_0002, "arm64e"),
      (0x0100_000c, 0xc100_0002, "arm64e"),
      // Unknown type or subtype.
      (99, 3, "unknown(99,3)"), (0x0100_000c, 77, "unknown(16777228,77)"),
      (12, 0x8000_00ff, "unknown(12,255)"), (.max, .max, "unknown(4294967295,16777215)"),
    ] as [(UInt32, UInt32, String)])
  func machO(type: UInt32, subtype: UInt32, name: String) throws {
    let image = MachOImage(cpuType: type, cpuSubtype: subtype)
    try expectEqual(parseThin(image.bytes).architecture.name, name)
  }

  @Test(
    arguments: [
      (62, true, false, "x86_64"), (62, false, false, "x32"), (183, true, false, "arm64"),
      (3, false, false, "i386"), (40, false, false, "armv7"), (243, true, false, "riscv64"),
      (243, false, false, "riscv32"), (21, true, true, "ppc64"), (21, true, false, "ppc64le"),
      (20, false, true, "ppc"), (22, true, true, "s390x"), (8, false, true, "mips"),
      (8, true, false, "mips64el"), (258, true, false, "loongarch64"), (43, true, true, "sparc64"),
      (0xfeed, true, false, "unknown(65261)"),
    ] as [(UInt16, Bool, Bool, String)])
  func elf(machine: UInt16, is64Bit: Bool, bigEndian: Bool, name: String) throws {
    let image = ElfImage(is64Bit: is64Bit, bigEndian: bigEndian, machine: machine)
    try expectEqual(parseThin(image.bytes).architecture.name, name)
  }
}

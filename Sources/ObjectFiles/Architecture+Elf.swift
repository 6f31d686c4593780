import BinaryInput
import SymbolicationModel

extension Architecture {
  /// The architecture of an ELF header's `e_machine`: Apple's name for it if there is one, else the
  /// usual one. Any other machine is named `unknown(machine)`, in decimal.
  init(elfMachine machine: UInt16, is64Bit: Bool, byteOrder: ByteOrder) {
    let isLittle = byteOrder == .little
    let name =
      switch machine {
      case 2: "sparc"  // EM_SPARC
      case 3: "i386"  // EM_386
      case 4: "m68k"  // EM_68K
      case 8:  // EM_MIPS
        (is64Bit ? "mips64" : "mips") + (isLittle ? "el" : "")
      case 20: "ppc"  // EM_PPC
      case 21: isLittle ? "ppc64le" : "ppc64"  // EM_PPC64
      case 22: is64Bit ? "s390x" : "s390"  // EM_S390
      case 40: "armv7"  // EM_ARM
      case 43: "sparc64"  // EM_SPARCV9
      case 50: "ia64"  // EM_IA_64
      case 62: is64Bit ? "x86_64" : "x32"  // EM_X86_64
      case 183: is64Bit ? "arm64" : "arm64_32"  // EM_AARCH64
      case 243: is64Bit ? "riscv64" : "riscv32"  // EM_RISCV
      case 258: is64Bit ? "loongarch64" : "loongarch32"  // EM_LOONGARCH
      default: "unknown(\(machine))"
      }
    self.init(name: name)
  }
}

extension Architecture {
  /// The architecture of a Mach-O header's or fat header's `cputype` and `cpusubtype`
  /// (`<mach/machine.h>`), by the name that Apple's tools print. The high byte of a subtype holds
  /// capabilities (`CPU_SUBTYPE_MASK`) and is ignored. Any other pair is named
  /// `unknown(type,subtype)`, in decimal.
  package init(machCpuType type: UInt32, subtype: UInt32) {
    let subtype = subtype & 0x00ff_ffff
    let name: String? =
      switch type {
      // CPU_TYPE_X86; its subtypes are the processors up to the Pentium 4.
      case 7: "i386"
      case 7 | abi64:
        switch subtype {
        case 3, 4: "x86_64"
        case 8: "x86_64h"
        default: nil
        }
      // CPU_TYPE_ARM
      case 12: armNames[subtype]
      case 12 | abi64:
        switch subtype {
        case 0, 1: "arm64"  // CPU_SUBTYPE_ARM64_ALL, CPU_SUBTYPE_ARM64_V8
        case 2: "arm64e"
        default: nil
        }
      case 12 | abi64With32BitPointers:
        switch subtype {
        case 0, 1: "arm64_32"
        default: nil
        }
      // CPU_TYPE_POWERPC
      case 18: powerPcNames[subtype]
      case 18 | abi64:
        switch subtype {
        case 0: "ppc64"
        case 100: "ppc970-64"
        default: nil
        }
      default: nil
      }
    self.init(name: name ?? "unknown(\(type),\(subtype))")
  }
}

/// `CPU_ARCH_ABI64`
private let abi64: UInt32 = 0x0100_0000
/// `CPU_ARCH_ABI64_32`
private let abi64With32BitPointers: UInt32 = 0x0200_0000

/// `CPU_SUBTYPE_ARM_…`
private let armNames: [UInt32: String] = [
  0: "arm", 5: "armv4t", 6: "armv6", 7: "armv5", 8: "xscale", 9: "armv7", 10: "armv7f",
  11: "armv7s", 12: "armv7k", 13: "armv8", 14: "armv6m", 15: "armv7m", 16: "armv7em",
]

/// `CPU_SUBTYPE_POWERPC_…`
private let powerPcNames: [UInt32: String] = [
  0: "ppc", 1: "ppc601", 3: "ppc603", 4: "ppc603e", 5: "ppc603ev", 6: "ppc604", 7: "ppc604e",
  9: "ppc750", 10: "ppc7400", 11: "ppc7450", 100: "ppc970",
]

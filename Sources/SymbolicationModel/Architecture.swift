/// A processor architecture, by the name that Apple's tools and reports use (`arm64e`, `x86_64`,
/// …).
///
/// Any name is possible: a report may come from a machine newer than this program.
public struct Architecture: Hashable, Sendable, CustomStringConvertible {
  /// The name, such as `arm64e`; never checked against a list.
  public let name: String

  /// Makes an architecture with any name, known or not.
  public init(name: String) { self.name = name }

  /// The name.
  public var description: String { name }

  /// The architecture of a file whose format does not state one, such as a GSYM index. Such a file
  /// serves images of any architecture.
  public static let unknown = Architecture(name: "unknown")

  /// Nil if it is not stated.
  package var knownName: String? { self == .unknown ? nil : name }

  // MARK: Apple's devices

  /// 64-bit ARM: iPhone 5s and later, Macs with Apple silicon.
  public static let arm64 = Architecture(name: "arm64")
  /// 64-bit ARM with pointer authentication: system software on iPhone XS and later, and on Macs
  /// with Apple silicon.
  public static let arm64e = Architecture(name: "arm64e")
  /// 64-bit ARM with 32-bit pointers: Apple Watch Series 4 and later.
  public static let arm64_32 = Architecture(name: "arm64_32")
  /// 32-bit ARM: the first iPhone and iPhone 3G.
  public static let armv6 = Architecture(name: "armv6")
  /// 32-bit ARM: iPhone 3GS to 4s. Stands for any 32-bit ARM if a report says only `ARM`.
  public static let armv7 = Architecture(name: "armv7")
  /// 32-bit ARM: iPhone 5 and 5c.
  public static let armv7s = Architecture(name: "armv7s")
  /// 32-bit ARM: Apple Watch up to Series 3.
  public static let armv7k = Architecture(name: "armv7k")
  /// 32-bit Intel.
  public static let i386 = Architecture(name: "i386")
  /// 64-bit Intel.
  public static let x86_64 = Architecture(name: "x86_64")
  /// 64-bit Intel with the instructions that the Haswell processors added.
  public static let x86_64h = Architecture(name: "x86_64h")

  /// The architecture whose slice is used if a file has none for this one. Apple's `atos` takes
  /// `arm64` for `arm64e` and `x86_64` for `x86_64h`, and never the other way round.
  public var fallback: Architecture? {
    switch self {
    case .arm64e: .arm64
    case .x86_64h: .x86_64
    default: nil
    }
  }

  /// Whether addresses of this architecture have 32 bits.
  public var is32Bit: Bool {
    switch self {
    case .arm64_32, .i386: true
    default: name.hasPrefix("armv") || name == "arm"
    }
  }
}

extension Architecture {
  /// Whether the lowest bit of a code address marks Thumb code and is no part of the address:
  /// 32-bit ARM.
  package var hasThumb: Bool { name == "arm" || name.hasPrefix("armv") }
}

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

/// A processor architecture, by the name that Apple's tools and reports use (`arm64e`, `x86_64`,
/// …).
///
/// Any name is possible: a report may come from a machine newer than this program.
public struct Architecture: Hashable, Sendable, CustomStringConvertible {
  /// The name, such as `arm64e`; never checked against a list.
  public let name: String

  public init(name: String) { self.name = name }

  /// The name.
  public var description: String { name }

  /// The architecture of a file whose format does not state one, such as a GSYM index. Such a file
  /// serves images of any architecture.
  public static let unknown = Architecture(name: "unknown")

  // The architectures of Apple's devices.
  public static let arm64 = Architecture(name: "arm64")
  public static let arm64e = Architecture(name: "arm64e")
  public static let arm64_32 = Architecture(name: "arm64_32")
  public static let armv6 = Architecture(name: "armv6")
  public static let armv7 = Architecture(name: "armv7")
  public static let armv7s = Architecture(name: "armv7s")
  public static let armv7k = Architecture(name: "armv7k")
  public static let i386 = Architecture(name: "i386")
  public static let x86_64 = Architecture(name: "x86_64")
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

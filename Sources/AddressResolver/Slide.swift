public import SymbolicationModel

/// The difference between an image's addresses in the process and in its file.
///
/// Load addresses become link addresses here and nowhere else. The arithmetic is modulo 2^64, like
/// the loader's: an image may be loaded below its link base, and an address outside the image
/// becomes one outside its segments.
public struct Slide: Hashable, Sendable {
  /// A load address minus this is the link address.
  private let difference: UInt64

  /// - Parameters:
  ///   - loadAddress: where the image's first segment is in the process: the start of its line in
  ///     `Binary Images`, or `-l` of `atos`.
  ///   - linkBase: where the file states that this segment is: the vmaddr of `__TEXT`, or the page
  ///     of the first `PT_LOAD`.
  public init(loadAddress: LoadAddress, linkBase: LinkAddress) {
    self.difference = loadAddress.value &- linkBase.value
  }

  /// A slide of `value`, as `-s` of `atos` gives it.
  public init(value: UInt64) {
    self.difference = value
  }

  /// The link address of the code at `address` in the process.
  public func linkAddress(of address: LoadAddress) -> LinkAddress {
    LinkAddress(address.value &- difference)
  }

  /// The load address of the code at `address` in the file.
  public func loadAddress(of address: LinkAddress) -> LoadAddress {
    LoadAddress(address.value &+ difference)
  }
}

/// The codes in the high bits of pointers, including return addresses, by which arm64e processors
/// recognise forged pointers.
///
/// Apple's reporters remove them. Others left them in addresses that they read from the stack or
/// the link register (KSCrash 297, PLCrashReporter 316).
package enum PointerAuthentication {
  /// The bits of an address: 47 on macOS, 36 on the other systems. Apple's SDKs and the reporters
  /// named above keep these bits of a pointer.
  private static let addressBits: [UInt64] = [0x7fff_ffff_ffff, 0xf_ffff_ffff]

  /// Whether code of the architecture may run on a processor that signs pointers. An arm64 program
  /// calls libraries that are arm64e.
  package static func isUsed(by architecture: Architecture) -> Bool {
    [.arm64, .arm64e, .unknown].contains(architecture)
  }

  /// The addresses that `address` may be without its code, the one with more bits first. Empty if
  /// the architecture has no such codes, and for an address of up to 47 bits, which a program may
  /// use as it is.
  ///
  /// - Parameter architecture: that of the process or the image; nil if it is not known.
  package static func addressesWithoutCode(
    _ address: LoadAddress, architecture: Architecture?
  ) -> [LoadAddress] {
    guard address.value > 0x7fff_ffff_ffff, architecture.map({ isUsed(by: $0) }) ?? true else {
      return []
    }
    return addressBits.map { LoadAddress(address.value & $0) }.withoutRepetitions
  }
}

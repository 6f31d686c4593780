package import SymbolicationModel

/// The codes that arm64e processors put into the high bits of pointers, return addresses among
/// them, to tell forged ones.
///
/// Apple's reporters take them out. Those of others left them in where they read an address from
/// the stack or from the link register (KSCrash 297, PLCrashReporter 316).
package enum PointerAuthentication {
  /// The bits that addresses have: 47 on macOS, 36 on the other systems. What Apple's SDKs and the
  /// reporters named above keep of a pointer.
  private static let addressBits: [UInt64] = [0x7fff_ffff_ffff, 0xf_ffff_ffff]

  /// Whether code of the architecture may run on a processor that signs pointers. An arm64 program
  /// calls libraries that are arm64e.
  package static func isUsed(by architecture: Architecture) -> Bool {
    [.arm64, .arm64e, .unknown].contains(architecture)
  }

  /// What an address may be without its code, the longer one first. Empty where the architecture
  /// has no such codes, and for an address of up to 47 bits: one that a program may use is not
  /// taken for a signed one, wherever it lies.
  ///
  /// - Parameter architecture: of the process or the image; nil where that is not known.
  package static func addressesWithoutCode(
    _ address: LoadAddress, architecture: Architecture?
  ) -> [LoadAddress] {
    guard address.value > 0x7fff_ffff_ffff, architecture.map({ isUsed(by: $0) }) ?? true else {
      return []
    }
    return addressBits.map { LoadAddress(address.value & $0) }.withoutRepetitions
  }
}

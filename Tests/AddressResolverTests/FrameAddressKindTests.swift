import AddressResolver
import SymbolicationModel
import TestSupport
import Testing

/// What is looked up: the address itself, or the byte before a return address; the lowest bit of a
/// 32-bit arm address is the thumb bit (Arm Architecture Reference Manual, BX).
struct FrameAddressKindTests {
  private func lookup(
    _ kind: FrameAddressKind, _ address: UInt64, _ architecture: Architecture? = nil
  ) -> UInt64 {
    kind.lookupAddress(for: LoadAddress(address), architecture: architecture).value
  }

  @Test func exactAndReturnAddresses() {
    expectEqual(lookup(.programCounter, 0x1000), 0x1000)
    expectEqual(lookup(.returnAddress, 0x1000), 0xfff)
    expectEqual(lookup(.returnAddress, .max), 0xffff_ffff_ffff_fffe)
    expectEqual(lookup(.returnAddress, 1), 0)
  }

  /// Swift's own runtime, `Backtrace.Frame.adjustedProgramCounter`: `asyncResumePoint(addr)` is
  /// looked up as it is.
  @Test func asynchronousFunctionsGoOnAtTheAddress() {
    expectEqual(lookup(.asyncResumePoint, 0x1000), 0x1000)
    expectEqual(lookup(.asyncResumePoint, 0x1001, .x86_64), 0x1001)
    expectEqual(lookup(.asyncResumePoint, 0), 0)
  }

  @Test func nothingLiesBeforeAddressZero() {
    expectEqual(lookup(.returnAddress, 0), 0)
    expectEqual(lookup(.programCounter, 0), 0)
    expectEqual(lookup(.returnAddress, 1, .armv7), 0)
  }

  @Test(arguments: [
    Architecture.armv6, .armv7, .armv7s, .armv7k, Architecture(name: "arm"),
  ])
  func thumbBit(architecture: Architecture) {
    expectEqual(lookup(.programCounter, 0x1001, architecture), 0x1000)
    expectEqual(lookup(.programCounter, 0x1000, architecture), 0x1000)
    expectEqual(lookup(.returnAddress, 0x1001, architecture), 0xfff)
    expectEqual(lookup(.returnAddress, 0x1000, architecture), 0xfff)
  }

  @Test(arguments: [Architecture.arm64, .arm64e, .arm64_32, .x86_64, .i386])
  func othersHaveNone(architecture: Architecture) {
    expectEqual(lookup(.programCounter, 0x1001, architecture), 0x1001)
    expectEqual(lookup(.returnAddress, 0x1001, architecture), 0x1000)
  }
}

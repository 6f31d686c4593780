import SymbolicationModel
import TestSupport
import Testing

/// The fall-backs were measured on Apple's `atos`: `-arch arm64e` takes a file's arm64 slice, and
/// `-arch arm64` does not take arm64e.
struct ArchitectureTests {
  @Test func fallsBackToThePlainArchitectureOnly() {
    expectEqual(Architecture.arm64e.fallback, .arm64)
    expectEqual(Architecture.x86_64h.fallback, .x86_64)
    expectNil(Architecture.arm64.fallback)
    expectNil(Architecture.x86_64.fallback)
    expectNil(Architecture.armv7s.fallback)
  }

  @Test func knowsWhichHave32BitAddresses() {
    for architecture in [Architecture.armv7, .armv7k, .armv7s, .armv6, .i386, .arm64_32] {
      expectTrue(architecture.is32Bit)
    }
    for architecture in [Architecture.arm64, .arm64e, .x86_64, .x86_64h] {
      expectFalse(architecture.is32Bit)
    }
    expectTrue(Architecture(name: "arm").is32Bit)
  }
}

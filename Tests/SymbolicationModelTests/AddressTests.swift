import SymbolicationModel
import TestSupport
import Testing

struct AddressTests {
  @Test func distanceIsKnownOnlyForward() {
    expectEqual(LinkAddress(0x1004).distance(from: LinkAddress(0x1000)), 4)
    expectEqual(LinkAddress(0x1000).distance(from: LinkAddress(0x1000)), 0)
    expectNil(LinkAddress(0xfff).distance(from: LinkAddress(0x1000)))
    expectEqual(LinkAddress(.max).distance(from: LinkAddress(0)), .max)
  }
}

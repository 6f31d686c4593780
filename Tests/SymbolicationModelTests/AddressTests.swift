import SymbolicationModel
import Testing

struct AddressTests {
  @Test func distanceIsKnownOnlyForward() {
    #expect(LinkAddress(0x1004).distance(from: LinkAddress(0x1000)) == 4)
    #expect(LinkAddress(0x1000).distance(from: LinkAddress(0x1000)) == 0)
    #expect(LinkAddress(0xfff).distance(from: LinkAddress(0x1000)) == nil)
    #expect(LinkAddress(.max).distance(from: LinkAddress(0)) == .max)
  }
}

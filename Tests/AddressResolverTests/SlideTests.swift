import AddressResolver
import SymbolicationModel
import TestSupport
import Testing

/// link address = load address − (load address of the image − link base), modulo 2^64. The sums
/// were worked out by hand.
struct SlideTests {
  @Test(
    arguments: [
      // Base 0, as in libraries: the offset in the image.
      (load: 0x1_0068_8000, base: 0, address: 0x1_0068_9234, link: 0x1234),
      // 32-bit programs.
      (load: 0x3_a000, base: 0x4000, address: 0x4_04d6, link: 0xa4d6),
      (load: 0x1_0022_8000, base: 0x1_0000_0000, address: 0x1_0024_f19c, link: 0x1_0002_719c),
      // Not moved.
      (load: 0x40_0000, base: 0x40_0000, address: 0x40_1220, link: 0x40_1220),
      // Moved down.
      (load: 0x1000, base: 0x1_0000_0000, address: 0x1234, link: 0x1_0000_0234),
      // An address below the image becomes one below its base, or far above if the base is 0.
      (load: 0x1_0022_8000, base: 0x1_0000_0000, address: 0x1_0022_7fff, link: 0xffff_ffff),
      (load: 0x2000, base: 0, address: 0x1000, link: 0xffff_ffff_ffff_f000),
      (load: 0xffff_ffff_ffff_f000, base: 0x1000, address: 0x10, link: 0x2010),
    ] as [(UInt64, UInt64, UInt64, UInt64)])
  func bothWays(load: UInt64, base: UInt64, address: UInt64, link: UInt64) {
    let slide = Slide(loadAddress: LoadAddress(load), linkBase: LinkAddress(base))
    expectEqual(slide.linkAddress(of: LoadAddress(address)), LinkAddress(link))
    expectEqual(slide.loadAddress(of: LinkAddress(link)), LoadAddress(address))
    expectEqual(slide.linkAddress(of: LoadAddress(load)), LinkAddress(base))
  }

  @Test func aSlideByItsValue() {
    expectEqual(
      Slide(value: 0x228000).linkAddress(of: LoadAddress(0x1_0024_f19c)).value, 0x1_0002_719c)
    expectEqual(Slide(value: 0).linkAddress(of: LoadAddress(7)).value, 7)
    // Moved down by 0x1000.
    expectEqual(Slide(value: 0 &- 0x1000).linkAddress(of: LoadAddress(0x2000)).value, 0x3000)
    expectEqual(
      Slide(value: 0x1000), Slide(loadAddress: LoadAddress(0x5000), linkBase: LinkAddress(0x4000)))
  }
}

import SymbolicationModel
import TestSupport
import Testing

/// The names are those that `swift-demangle`, `llvm-cxxfilt-19` and `c++filt -s rust` demangle.
struct ManglingSchemeTests {
  @Test(arguments: [
    // Swift 6.3.1's `swift-demangle` reads all of them.
    ("$s4main1AC3fooyyF", ManglingScheme.swift), ("$S4main1AC3fooyyF", .swift),
    ("$e4main1AC3fooyyF", .swift), ("_$s4main1AC3fooyyF", .swift), ("_T04main1AC3fooyyF", .swift),
    ("@__swiftmacro_4main3fooyyF", .swift),
    // A method, a static one, an `@objc` thunk, metadata, a witness, a getter, types, `main.main`,
    // a function of `Swift` alone.
    ("_TFC4main1A3foofT_T_", .oldSwift), ("_TZFC4main1A3foofT_T_", .oldSwift),
    ("_TToFC4main1A3foofT_T_", .oldSwift), ("_TMaC4main1A", .oldSwift),
    ("_TWPV4main1BS_1PS_", .oldSwift), ("_TFC4main1Ag1xSi", .oldSwift), ("_TtC4main1A", .oldSwift),
    ("_TFSS4initfT_SS", .oldSwift), ("_TIF4main3fooFT1xSi_T_A_", .oldSwift),
    ("_ZN3foo3barEv", .itanium), ("_ZN3foo3barEv.cold", .itanium), ("_Z", .itanium),
    ("___ZN3foo3barEv_block_invoke", .itanium),
    // The last part is not a hash, or parameters follow it.
    ("_ZN1a4main17h0123456789abcdeXE", .itanium), ("_ZN1a4main17h0123456789abcdefEv", .itanium),
    ("_ZN1a4main17h0123456789abcdefE", .rustLegacy),
    ("_ZN1a4main17h0123456789abcdefE.llvm.8423978345", .rustLegacy),
    ("_RNvC1a4main", .rustV0), ("_RINvCs1234_1f1gKj5_E", .rustV0),
    ("_RNCNvC1a1bs_0", .rustV0), ("_RMC0INtC8arrayvec8ArrayVechKj7b_E", .rustV0),
    ("_RNvYC1aC1b1c", .rustV0),
  ])
  func recognises(name: String, scheme: ManglingScheme) {
    expectEqual(ManglingScheme(of: name), scheme)
    expectEqual(ManglingScheme(of: "_" + name, isMachOSymbol: true), scheme)
  }

  @Test(arguments: [
    "", "_", "$", "@", "main", "_main", "__main", "-[Class(Category) sel:]", "$x", "$d.1", "_$x",
    "__36-[SRWebSocket _HTTPHeadersDidFinish]_block_invoke", "__main_block_invoke",
    "_RNG_init", "_Report", "_RInit", "_TIFFOpen", "_Tool", "_TMain", "_GLOBAL__sub_I_foo.cpp",
    "__ZN", "GCC_except_table12", "@objc", "_ÄÖ", "$ß",
  ])
  func leavesOtherNamesWithoutAScheme(name: String) {
    expectNil(ManglingScheme(of: name))
    expectNil(ManglingScheme(of: "_" + name, isMachOSymbol: true))
  }
}

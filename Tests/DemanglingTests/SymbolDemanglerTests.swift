import Demangling
import Testing

/// Expected names of Swift symbols are those of `swift-demangle --simplified` (Swift 6.3.1), of C++
/// symbols those of `c++filt` (binutils 2.40).
struct SymbolDemanglerTests {
  @Test(arguments: [
    (
      "$s14Letter_Shuffle9GameRoundC6number7letters6phrase7numRows0H4Cols8mixMovesACSi_SaySSGSSS3itcfc",
      "GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:)"
    ),
    ("$s4main1AC3fooyyFTo", "@objc A.foo()"),
    ("$S4main1AC3fooyyF", "A.foo()"),
    ("$e4main1AC3fooyyF", "A.foo()"),
    ("_T04main1AC3fooyyF", "A.foo()"),
    ("@__swiftmacro_4main3fooyyF", "foo()"),
    ("_ZN3foo3barEv", "foo::bar()"),
    ("_ZNK5dyld37closure5Image11neverUnloadEv", "dyld3::closure::Image::neverUnload() const"),
    // Rust's legacy names are C++ names, with the hash that tells instances apart.
    (
      "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE",
      "core::fmt::Write::write_fmt::h0123456789abcdef"
    ),
  ])
  func demangles(rawName: String, shownName: String) {
    var demangler = SymbolDemangler()
    #expect(demangler.shownName(of: rawName, isMachOSymbol: false) == shownName)
    #expect(demangler.shownName(of: "_" + rawName, isMachOSymbol: true) == shownName)
  }

  @Test(arguments: [
    "main", "-[KLViewController raiseCrashing]",
    "__36-[SRWebSocket _HTTPHeadersDidFinish]_block_invoke",
    // Not mangled after all, or cut off.
    "$s", "_Z", "_T", "_ZN3foo", "$s4mainXXXX",
    // Swift 3 and Rust v0: not read by the runtime.
    "_TFC4main1A3foofT_T_", "_RNvC6_123foo3bar",
    // A name that a bitcode symbol map would resolve.
    "__hidden#1679_",
  ])
  func leavesOtherNamesAsTheyAre(name: String) {
    var demangler = SymbolDemangler()
    #expect(demangler.shownName(of: name, isMachOSymbol: false) == name)
    #expect(demangler.shownName(of: "_" + name, isMachOSymbol: true) == name)
  }

  @Test func stripsOneUnderscoreOfMachOSymbolsOnly() {
    var demangler = SymbolDemangler()
    #expect(demangler.shownName(of: "_main", isMachOSymbol: true) == "main")
    #expect(demangler.shownName(of: "__main", isMachOSymbol: true) == "_main")
    #expect(demangler.shownName(of: "_main", isMachOSymbol: false) == "_main")
    #expect(demangler.shownName(of: "start", isMachOSymbol: true) == "start")
    #expect(demangler.shownName(of: "", isMachOSymbol: true) == "")
  }

  @Test func remembersNames() {
    var demangler = SymbolDemangler()
    for _ in 0..<2 {
      #expect(demangler.shownName(of: "_$s4main1AC3fooyyF", isMachOSymbol: true) == "A.foo()")
      #expect(demangler.shownName(of: "_ZN3foo3barEv", isMachOSymbol: false) == "foo::bar()")
    }
  }
}

import Demangling
import SymbolicationModel
import TestSupport
import Testing

/// Expected names of Swift symbols are those of `swift-demangle --simplified` (Swift 6.3.1), of C++
/// symbols those of `c++filt` (binutils 2.40) and `llvm-cxxfilt-19`.
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
    ("_$s4main1AC3fooyyF", "A.foo()"),
    ("$s4main1AC3fooyyFTm", "A.foo()"),
    ("$s4main1AC3fooyyF.resume.0", "A.foo()"),
    ("$s4main1AC3fooyyF.llvm.123", "A.foo()"),
    ("_$s4main3fooyyYaFTY0_", "foo()"),
    ("$s4main3fooyyFyycfU_", "closure #1 in foo()"),
    ("_ZThn8_N3foo3barEv", "non-virtual thunk to foo::bar()"),
    ("_ZTV3Foo", "vtable for Foo"),
    // As llvm-cxxfilt prints it; c++filt puts spaces between the brackets.
    (
      "_ZNSt6vectorIS_IiSaIiEESaIS1_EE9push_backEOS1_",
      "std::vector<std::vector<int, std::allocator<int>>, std::allocator<std::vector<int, std::allocator<int>>>>::push_back(std::vector<int, std::allocator<int>>&&)"
    ),
  ])
  func demangles(rawName: String, shownName: String) {
    var demangler = SymbolDemangler()
    expectEqual(demangler.shownName(of: rawName, isMachOSymbol: false), shownName)
    expectEqual(demangler.shownName(of: "_" + rawName, isMachOSymbol: true), shownName)
  }

  @Test(arguments: [
    "main", "-[KLViewController raiseCrashing]",
    "__36-[SRWebSocket _HTTPHeadersDidFinish]_block_invoke",
    // Names that are not mangled, or cut.
    "$s", "_Z", "_T", "_ZN3foo", "$s4mainXXXX", "$s4main3fooyyF_ZN3foo3barEv", "_RNG_init", "@",
    // Swift 3, which the runtime does not demangle.
    "_TFC4main1A3foofT_T_", "_TtC4main1A",
    // Names that compilers and linkers make; llvm-cxxfilt does not demangle them either.
    "_GLOBAL__sub_I_foo.cpp", "_GLOBAL__sub_I__ZN3foo3barEv", "GCC_except_table12",
    "OUTLINED_FUNCTION_0", "main.cold.1", "foo.constprop.0", "$x.1", "$d",
    "-[Class(Category) selector:with:]", "+[Class new]",
    // A name that a bitcode symbol map would resolve.
    "__hidden#1679_",
  ])
  func leavesOtherNamesAsTheyAre(name: String) {
    var demangler = SymbolDemangler()
    expectEqual(demangler.shownName(of: name, isMachOSymbol: false), name)
    expectEqual(demangler.shownName(of: "_" + name, isMachOSymbol: true), name)
  }

  /// As `llvm-cxxfilt-19` prints them; libstdc++ prints ` [clone .cold]`.
  @Test(arguments: [
    ("_ZN3foo3barEv.cold", "foo::bar() (.cold)"),
    ("_ZN3foo3barEv.cold.1", "foo::bar() (.cold.1)"),
    ("_ZN3foo3barEv.part.0.cold", "foo::bar() (.part.0.cold)"),
    ("_ZN3foo3barEv.constprop.0.isra.0", "foo::bar() (.constprop.0.isra.0)"),
    ("_ZN3foo3barEv.llvm.8423978345", "foo::bar() (.llvm.8423978345)"),
    ("___ZN3foo3barEv_block_invoke", "invocation function for block in foo::bar()"),
    ("___ZN3foo3barEv_block_invoke_2", "invocation function for block in foo::bar()"),
    ("___ZN3foo3barEv_block_invoke.123", "invocation function for block in foo::bar()"),
    (
      "___ZN3foo3barEi_block_invoke_23.cold.1", "invocation function for block in foo::bar(int)"
    ),
    ("___ZL3bariPKc_block_invoke_2", "invocation function for block in bar(int, char const*)"),
    ("___ZN3foo3barEv_block", "___ZN3foo3barEv_block"),
    ("___ZN3foo3barEv_block_invoke_", "___ZN3foo3barEv_block_invoke_"),
    ("___Z_block_invoke", "___Z_block_invoke"),
    ("__main_block_invoke", "__main_block_invoke"),
  ])
  func writesSuffixesAndBlocksAsLlvm(rawName: String, shownName: String) {
    for style: DemanglingStyle in [.simplified, .full, .atos] {
      var demangler = SymbolDemangler(style: style)
      expectEqual(demangler.shownName(of: rawName, isMachOSymbol: false), shownName)
      expectEqual(demangler.shownName(of: "_" + rawName, isMachOSymbol: true), shownName)
    }
  }

  /// Expected is `swift-demangle` without options.
  @Test(arguments: [
    ("$s4main1AC3fooyyFTo", "@objc main.A.foo() -> ()"),
    ("_$s4main1AC3fooyyFTm", "merged main.A.foo() -> ()"),
    ("_T04main1AC3fooyyF", "main.A.foo() -> ()"),
    ("$s4main1AC3fooyyF.resume.0", #"main.A.foo() -> () with unmangled suffix ".resume.0""#),
    (
      "$s4main3fooyyYaFTY0_",
      "(1) suspend resume partial function for main.foo() async -> ()"
    ),
    (
      "$s14Letter_Shuffle9GameRoundC6number7letters6phrase7numRows0H4Cols8mixMovesACSi_SaySSGSSS3itcfc",
      "Letter_Shuffle.GameRound.init(number: Swift.Int, letters: [Swift.String], phrase: Swift.String, numRows: Swift.Int, numCols: Swift.Int, mixMoves: Swift.Int) -> Letter_Shuffle.GameRound"
    ),
    // Types of types, conditions, functions that may be missing.
    ("$s4main3fooyyShySSGSgF", "main.foo(Swift.Set<Swift.String>?) -> ()"),
    ("$s4main3fooyySDySSSaySiSgGGSgF", "main.foo([Swift.String : [Swift.Int?]]?) -> ()"),
    ("$s4main3fooyyyycSgF", "main.foo((() -> ())?) -> ()"),
    (
      "$sSasSHRzlE9hashValueSivg",
      "(extension in Swift):Swift.Array<A where A: Swift.Hashable>.hashValue.getter : Swift.Int"
    ),
    ("$s7Testing4TestV9testCasesQrSgvg", "Testing.Test.testCases.getter : (some)?"),
    ("$s4mainXXXX", "$s4mainXXXX"),
    ("_TFC4main1A3foofT_T_", "_TFC4main1A3foofT_T_"),
    ("_ZN3foo3barEv", "foo::bar()"),
    ("main", "main"),
  ])
  func showsFullNames(rawName: String, shownName: String) {
    var demangler = SymbolDemangler(style: .full)
    expectEqual(demangler.shownName(of: rawName, isMachOSymbol: false), shownName)
    expectEqual(demangler.shownName(of: "_" + rawName, isMachOSymbol: true), shownName)
  }

  @Test(arguments: ["$s4main1AC3fooyyF", "_ZN3foo3barEv", "_RNvC1a4main", "main"])
  func leavesRawNamesAlone(name: String) {
    var demangler = SymbolDemangler(style: .raw)
    expectEqual(demangler.shownName(of: name, isMachOSymbol: false), name)
    expectEqual(demangler.shownName(of: "_" + name, isMachOSymbol: true), name)
  }

  @Test func stripsOneUnderscoreOfMachOSymbolsOnly() {
    var demangler = SymbolDemangler()
    expectEqual(demangler.shownName(of: "_main", isMachOSymbol: true), "main")
    expectEqual(demangler.shownName(of: "__main", isMachOSymbol: true), "_main")
    expectEqual(demangler.shownName(of: "_main", isMachOSymbol: false), "_main")
    expectEqual(demangler.shownName(of: "start", isMachOSymbol: true), "start")
    expectEqual(demangler.shownName(of: "", isMachOSymbol: true), "")
  }

  /// Swift's demangler recurses and would overflow the stack with this name.
  @Test(arguments: [DemanglingStyle.simplified, .full])
  func endlessNestingIsShownAsItIs(style: DemanglingStyle) {
    let name = "$s1a1fyySi" + String(repeating: "yXE", count: 50_000) + "F"
    var demangler = SymbolDemangler(style: style)
    expectEqual(demangler.shownName(of: name, isMachOSymbol: false), name)
    expectFalse(isSwiftThunk(name))
  }

  /// An underscore and a combining mark are one character, and only the underscore is removed.
  @Test func theUnderscoreIsAByte() {
    var demangler = SymbolDemangler()
    expectEqual(demangler.shownName(of: "_\u{36b}a", isMachOSymbol: true), "\u{36b}a")
  }

  @Test func remembersNames() {
    var demangler = SymbolDemangler()
    for _ in 0..<2 {
      expectEqual(demangler.shownName(of: "_$s4main1AC3fooyyF", isMachOSymbol: true), "A.foo()")
      expectEqual(demangler.shownName(of: "_ZN3foo3barEv", isMachOSymbol: false), "foo::bar()")
    }
  }

  /// Types as `std::type_info` names them, against `c++filt -t`; other texts are not types.
  @Test(arguments: [
    ("St13runtime_error", "std::runtime_error"), ("11MyException", "MyException"),
    ("NSt3__112out_of_rangeE", "std::__1::out_of_range"), ("N3app5ErrorIiEE", "app::Error<int>"),
    ("NSRangeException", nil), ("SIGABRT", nil), ("i", nil), ("", nil), ("N3app", nil),
    ("404 Not Found", nil), ("Sentry.Error", nil), ("3fooX", nil), ("SomeError", nil),
  ])
  func namesOfTypes(_ name: String, _ shown: String?) {
    var demangler = SymbolDemangler()
    expectEqual(demangler.shownTypeName(of: name), shown)
    var raw = SymbolDemangler(style: .raw)
    expectNil(raw.shownTypeName(of: name))
  }
}

import Demangling
import SymbolicationModel
import TestSupport
import Testing

/// The names come from rustc 1.95; a few were written by hand after RFC 2603.
struct RustNameTests {
  private func name(_ rawName: String, _ style: DemanglingStyle) -> String {
    var demangler = SymbolDemangler(style: style)
    let shown = demangler.shownName(of: rawName, isMachOSymbol: false)
    expectEqual(demangler.shownName(of: "_" + rawName, isMachOSymbol: true), shown)
    return shown
  }

  /// Expected are `llvm-cxxfilt-19` (simplified) and `c++filt -s rust` of binutils 2.40 (full).
  @Test(arguments: [
    ("_RNvC1a4main", "a::main", "a[0]::main"),
    (
      "_RNvCskwGfYPst2Cb_3foo16example_function", "foo::example_function",
      "foo[ef17931c9e9b4641]::example_function"
    ),
    ("_RINvC1f1gpE", "f::g::<_>", "f[0]::g::<_>"),
    ("_RINvC1f1gzvE", "f::g::<!, ...>", "f[0]::g::<!, ...>"),
    ("_RINvC1f1gTEThEE", "f::g::<(), (u8,)>", "f[0]::g::<(), (u8,)>"),
    ("_RINvC1f1gL_E", "f::g::<'_>", "f[0]::g::<'_>"),
    ("_RINvC1f1gRL_hE", "f::g::<&u8>", "f[0]::g::<&u8>"),
    ("_RINvC1f1gFUEuE", "f::g::<unsafe fn()>", "f[0]::g::<unsafe fn()>"),
    ("_RINvC1f1gKpE", "f::g::<_>", "f[0]::g::<_>"),
    ("_RINvC1f1gKxn1_E", "f::g::<-1>", "f[0]::g::<-1: i64>"),
    ("_RINvC1f1gKc41_E", "f::g::<'A'>", "f[0]::g::<'A': char>"),
    ("_RINvC1f1gKb1_E", "f::g::<true>", "f[0]::g::<true: bool>"),
    (
      "_RMC0INtC8arrayvec8ArrayVechKj7b_E", "<arrayvec::ArrayVec<u8, 123>>",
      "<arrayvec[0]::ArrayVec<u8, 123: usize>>"
    ),
    (
      "_RNCNCNvC1a1bs_0s0_0", "a::b::{closure#1}::{closure#2}", "a[0]::b::{closure#1}::{closure#2}"
    ),
    ("_RNCNvC1a1b4name", "a::b::{closure:name#0}", "a[0]::b::{closure:name#0}"),
    ("_RNSNvC1a1b4dropC1c", "a::b::{shim:drop#0}", "a[0]::b::{shim:drop#0}"),
    ("_RNvNvC1a1bu8gdel_5qa", "a::b::gödel", "a[0]::b::gödel"),
    ("_RNvYC1aC1b1c", "<a as b>::c", "<a[0] as b[0]>::c"),
    (
      "_RINvC1f1gFG1_RL2_hRL1_hRL0_hEuE", "f::g::<for<'a, 'b, 'c> fn(&'a u8, &'b u8, &'c u8)>",
      "f[0]::g::<for<'a, 'b, 'c> fn(&'a u8, &'b u8, &'c u8)>"
    ),
    ("_RNvINtC1a1bhE1c", "a::b::<u8>::c", "a[0]::b::<u8>::c"),
    (
      "_RINvNtC3std3mem8align_ofINtC3foo3BarjEE", "std::mem::align_of::<foo::Bar<usize>>",
      "std[0]::mem::align_of::<foo[0]::Bar<usize>>"
    ),
    (
      "_RNvXs4_NtCsfoXig8kEbyV_12simd_adler324hashAhj4_NtB7_11Adler32Hash4hash",
      "<[u8; 4] as simd_adler32::Adler32Hash>::hash",
      "<[u8; 4: usize] as simd_adler32[b367175b6f3946a3]::Adler32Hash>::hash"
    ),
  ])
  func demanglesV0(rawName: String, simplified: String, full: String) {
    expectEqual(name(rawName, .simplified), simplified)
    expectEqual(name(rawName, .full), full)
    expectEqual(name(rawName, .atos), simplified)
    expectEqual(name(rawName, .raw), rawName)
    expectEqual(ManglingScheme(of: rawName), .rustV0)
  }

  /// Types of all kinds, lifetimes, back references. Expected is `llvm-cxxfilt-19`.
  @Test(arguments: [
    ("_RINvCs6xxl1lAjzDf_1a4genrAAhj3_j2_EB2_", "a::genr::<[[u8; 3]; 2]>"),
    (
      "_RINvCs6xxl1lAjzDf_1a4genrDG_INtNtNtCsgEmfK2I1SDS_4core3ops8function2FnTRL0_hEEp6OutputINtNtCslNYArtu3iFV_5alloc5boxed3BoxDIBr_TRL0_tEEp6OutputRL0_tEL0_ENtNtBx_6marker4SyncNtB2s_4SendEL_EB2_",
      "a::genr::<dyn for<'a> core::ops::function::Fn<(&'a u8,), Output = alloc::boxed::Box<dyn core::ops::function::Fn<(&'a u16,), Output = &'a u16> + 'a>> + core::marker::Sync + core::marker::Send>"
    ),
    ("_RINvCs6xxl1lAjzDf_1a4genrDINtB2_2TrKj3_Ep3OuthEL_EB2_", "a::genr::<dyn a::Tr<3, Out = u8>>"),
    (
      "_RINvCs6xxl1lAjzDf_1a4genrDNtNtNtNtCsgEmfK2I1SDS_4core4iter6traits8iterator8Iteratorp4ItemThReEEL_EB2_",
      "a::genr::<dyn core::iter::traits::iterator::Iterator<Item = (u8, &str)>>"
    ),
    (
      "_RINvCs6xxl1lAjzDf_1a4genrFG0_RL1_hQL0_tERL1_hEB2_",
      "a::genr::<for<'a, 'b> fn(&'a u8, &'b mut u16) -> &'a u8>"
    ),
    ("_RINvCs6xxl1lAjzDf_1a4genrFK6systemEuEB2_", #"a::genr::<extern "system" fn()>"#),
    ("_RINvCs6xxl1lAjzDf_1a4genrFK8C_unwindEuEB2_", #"a::genr::<extern "C-unwind" fn()>"#),
    (
      "_RINvCs6xxl1lAjzDf_1a4genrFKCPhOStEhEB2_",
      #"a::genr::<extern "C" fn(*const u8, *mut [u16]) -> u8>"#
    ),
    (
      "_RINvCs6xxl1lAjzDf_1a4genrFUKClElEB2_", #"a::genr::<unsafe extern "C" fn(i32) -> i32>"#
    ),
    (
      "_RINvCs6xxl1lAjzDf_1a4genrTfdnoijastmxbEEB2_",
      "a::genr::<(f32, f64, i128, u128, isize, usize, i8, i16, u16, u32, i64, bool)>"
    ),
    (
      "_RNvYINtCs6xxl1lAjzDf_1au8Gdel_5qaThEENtB5_u9Gre_6ka8i8statischB5_",
      "<a::Gödel<(u8,)> as a::Größe>::statisch"
    ),
    (
      "_RNCNvMs_Cs6xxl1lAjzDf_1aINtB6_u8Gdel_5qaReEu7urso20a0B6_",
      "<a::Gödel<&str>>::変数::{closure#0}"
    ),
    (
      "_RNvMs1_Cs6xxl1lAjzDf_1aINtB5_1BKb0_Kc27_Kl7fffffff_Ko0_Ka7f_E2goB5_",
      #"<a::B<false, '\'', 2147483647, 0, 127>>::go"#
    ),
    (
      "_RNvMs1_Cs6xxl1lAjzDf_1aINtB5_1BKb0_Kca_Kl0_Koffffffffffffffff_Ka0_E2goB5_",
      #"<a::B<false, '\n', 0, 18446744073709551615, 0>>::go"#
    ),
    (
      "_RNvMs1_Cs6xxl1lAjzDf_1aINtB5_1BKb1_Kc78_Kln5_Koffffffffffffffffffffffffffffffff_Kan80_E2goB5_",
      "<a::B<true, 'x', -5, 0xffffffffffffffffffffffffffffffff, -128>>::go"
    ),
    (
      "_RNvNvMs_NtNtCsiH6QV7Xwgb9_16rustc_const_eval9interpret4callINtNtB8_12eval_context8InterpCxpE31return_from_current_stack_frame10___CALLSITE",
      "<rustc_const_eval::interpret::eval_context::InterpCx<_>>::return_from_current_stack_frame::__CALLSITE"
    ),
    (
      "_RNSNvYNCNvNtNtCsjrHSEGnQ3l9_3std3sys9backtrace10__print_fmts_0INtNtNtCsgEmfK2I1SDS_4core3ops8function6FnOnceTRNtNtNtBc_12backtrace_rs9backtrace5FrameEE9call_once6vtableBc_",
      "<std::sys::backtrace::_print_fmt::{closure#1} as core::ops::function::FnOnce<(&std::backtrace_rs::backtrace::Frame,)>>::call_once::{shim:vtable#0}"
    ),
    ("_RNvC1a1b.cold", "a::b (.cold)"),
  ])
  func demanglesV0Types(rawName: String, simplified: String) {
    expectEqual(name(rawName, .simplified), simplified)
  }

  /// Composite constants, which neither llvm-cxxfilt-19 nor c++filt 2.40 reads. Expected is what a
  /// backtrace of the program says (`std::backtrace`, rustc 1.95).
  @Test(arguments: [
    ("_RINvCs6GmmlP4bgsG_1r2feKVNtNtB2_1E1AUEB2_", "r::fe::<{r::E::A}>"),
    ("_RINvCs6GmmlP4bgsG_1r2feKVNtNtB2_1E1BTb1_EEB2_", "r::fe::<{r::E::B(true)}>"),
    (
      "_RINvCs6GmmlP4bgsG_1r2feKVNtNtB2_1E1CS1cAh1_h2_hff_EEEB2_",
      "r::fe::<{r::E::C { c: [1, 2, 255] }}>"
    ),
    (
      "_RINvCs6GmmlP4bgsG_1r2fpKVNtB2_1PS1xln3_1yVNtB2_1QTh4_c61_EEEB2_",
      "r::fp::<{r::P { x: -3, y: r::Q(4, 'a') }}>"
    ),
    ("_RINvCs6GmmlP4bgsG_1r2fqKVNtB2_1QTh1_c27_EEB2_", #"r::fq::<{r::Q(1, '\'')}>"#),
    (
      "_RINvCs6GmmlP4bgsG_1r2frKRAVNtNtB2_1E1AUVNtBr_1BTb0_EEEB2_",
      "r::fr::<{&[r::E::A, r::E::B(false)]}>"
    ),
    (
      "_RINvCs6GmmlP4bgsG_1r2fsKRe610a22275c20c3b6cc81e2808be28880_EB2_",
      #"r::fs::<"a\n\"'\\ ö\u{301}\u{200b}∀">"#
    ),
    ("_RINvCs6GmmlP4bgsG_1r2fsKRe616263_EB2_", #"r::fs::<"abc">"#),
    ("_RINvCs6GmmlP4bgsG_1r2fsKRe_EB2_", #"r::fs::<"">"#),
    ("_RINvCs6GmmlP4bgsG_1r2ftKTh1_Tb1_EEEB2_", "r::ft::<{(1, (true,))}>"),
    ("_RINvCs6GmmlP4bgsG_1r2fuKTEEB2_", "r::fu::<{()}>"),
  ])
  func demanglesCompositeConstants(rawName: String, simplified: String) {
    expectEqual(name(rawName, .simplified), simplified)
  }

  /// The number that ThinLTO adds is of no use to a reader. llvm-cxxfilt shows it, c++filt does
  /// not.
  @Test func leavesOutLlvmNumbers() {
    expectEqual(name("_RNvC1a1b.llvm.8423978345", .simplified), "a::b")
    expectEqual(name("_RNvC1a1b.llvm.8423978345.cold", .simplified), "a::b (.cold)")
    expectEqual(name("_RNvC1a1b.llvm.8423978345", .full), "a[0]::b (.llvm.8423978345)")
    let legacy = "_ZN1a4main17h0123456789abcdefE"
    expectEqual(name(legacy + ".llvm.8423978345", .simplified), "a::main")
    expectEqual(
      name(legacy + ".llvm.8423978345", .atos), "a::main::h0123456789abcdef (.llvm.8423978345)")
  }

  /// Expected (full) is `c++filt -s rust` of binutils 2.40, simplified without its hash; `atos`
  /// that of `llvm-cxxfilt-19`, which takes the name for C++. c++filt leaves `$udf$` as it is:
  /// there the source, `impl Größe for Gödel<T>`, tells.
  @Test(arguments: [
    (
      "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", "core::fmt::Write::write_fmt",
      "core::fmt::Write::write_fmt"
    ),
    (
      "_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar17h930b740aa94f1d3aE",
      "<Test + 'static as foo::Bar<Test>>::bar",
      "_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$::bar"
    ),
    (
      "_ZN3std2rt10lang_start28_$u7b$$u7b$closure$u7d$$u7d$17h00112233445566ffE",
      "std::rt::lang_start::{{closure}}",
      "std::rt::lang_start::_$u7b$$u7b$closure$u7d$$u7d$"
    ),
    (
      "_ZN58_$LT$a..G$uf6$del$LT$T$GT$$u20$as$u20$a..Gr$uf6$$udf$e$GT$13gr$uf6$$udf$e17h27a8114009fd1f5bE",
      "<a::Gödel<T> as a::Größe>::größe",
      "_$LT$a..G$uf6$del$LT$T$GT$$u20$as$u20$a..Gr$uf6$$udf$e$GT$::gr$uf6$$udf$e"
    ),
  ])
  func demanglesLegacyNames(rawName: String, simplified: String, atos: String) {
    let hash = rawName == simplified ? "" : "::" + rawName.suffix(18).dropLast()
    expectEqual(name(rawName, .simplified), simplified)
    expectEqual(name(rawName, .full), simplified + hash)
    expectEqual(name(rawName, .atos), atos + hash)
    expectEqual(name(rawName, .raw), rawName)
    expectEqual(ManglingScheme(of: rawName), .rustLegacy)
  }

  @Test(arguments: [
    // Cut names, another grammar, numbers that are too large, references to later positions.
    "_RNvC1a", "_RNvC1a1b5__foo", "_RNvC1a4mainX", "_RINvC1f1gDNtC1a1TL_E", "_RINvC1f1gKb2_E",
    "_RINvC1f1gKc110000_E", "_RINvC1f1gKcd800_E", "_RINvC1f1gKa_E", "_RNvC99999999999999999999a",
    "_RNvCszzzzzzzzzzzzzzzz_1a1b", "_RINvC1f1gB9_E", "_RNvB_1a", "_RINvC1f1gRL5_hE",
    "_RNGC1a1b1c1d",
    "_RINvC1f1gKe6_E", "_RINvC1f1gKeff_E", "_RINvC1f1gFGzzzz_EuE",
  ])
  func leavesMalformedNamesAsTheyAre(rawName: String) {
    for style: DemanglingStyle in [.simplified, .full, .raw] {
      expectEqual(name(rawName, style), rawName)
    }
  }

  /// Each name is given up soon and stays as it is.
  @Test func limitsHostileNames() {
    // A thousand nested types.
    let deep = "_RINvC1f1g" + String(repeating: "R", count: 60_000) + "hE"
    expectEqual(name(deep, .simplified), deep)
    // The deepest nesting that is demangled.
    let references = 250
    expectEqual(
      name("_RINvC1f1g" + String(repeating: "R", count: references) + "hE", .simplified),
      "f::g::<" + String(repeating: "&", count: references) + "u8>")
    // Each of 40 tuples holds the previous one twice: 2^40 of them.
    var doubling = "_RINvC1f1gTuuE"
    var position = 8
    for _ in 0..<40 {
      let reference = "B" + Self.base62(position) + "_"
      position = doubling.utf8.count - 2
      doubling += "T\(reference)\(reference)E"
    }
    doubling += "E"
    expectEqual(name(doubling, .simplified), doubling)
    // Far too many lifetimes.
    let binder = "_RINvC1f1gFGzzzzzzzzz_EuE"
    expectEqual(name(binder, .simplified), binder)
  }

  /// The digits of a back reference to `position`, which state one less.
  private static func base62(_ position: Int) -> String {
    let digits = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    var (text, number) = ("", position - 1)
    repeat {
      text = String(digits[number % 62]) + text
      number /= 62
    } while number > 0
    return text
  }
}

import Demangling
import SymbolicationModel
import TestSupport
import Testing

/// `Fixtures/Names/itanium.tsv` has names by construct and what `llvm-cxxfilt-19` prints for them.
struct ItaniumNameTests {
  @Test func showsNamesAsLlvm() throws {
    let names = try ItaniumSample.names()
    #expect(names.count > 600)
    for (rawName, shownName) in names {
      expectEqual(shown(rawName), shownName, "\(rawName)")
    }
  }

  @Test(arguments: [DemanglingStyle.simplified, .full, .atos])
  func stylesDoNotDiffer(style: DemanglingStyle) throws {
    var demangler = SymbolDemangler(style: style)
    for (rawName, shownName) in try ItaniumSample.names() {
      expectEqual(demangler.shownName(of: "_" + rawName, isMachOSymbol: true), shownName)
    }
  }

  /// What clang writes and only later versions of LLVM's demangler read. Expected is
  /// `llvm-cxxfilt-22`.
  @Test(arguments: [
    ("_Z1fDF16b", "f(std::bfloat16_t)"),
    // clang takes `_BitInt` for a candidate of substitutions.
    ("_Z1fDB8_S_", "f(_BitInt(8), _BitInt(8))"),
    ("_ZN1ApmEi", "A::operator->*(int)"),
    ("_Z1fIiEDTcpfp_Li1EEET_", "decltype((fp)(1)) f<int>(int)"),
    ("____Z1fv_block_invoke", "invocation function for block in f()"),
    ("_ZN1A1fITk1CIT0_EiEEvv", "void A::f<int>()"),
  ])
  func readsWhatIsNew(rawName: String, shownName: String) {
    expectEqual(shown(rawName), shownName)
  }

  /// Found by comparing mutants with llvm-cxxfilt-19, which printed what is expected.
  @Test(arguments: [
    ("_ZNR1ACI2N1b1BEEi", "A::A(int)"), ("_ZNK1ACI2N1b1BEEi", "A::A(int)"),
    ("_Z1fDF_", "f(_Float)"),
    ("_Z1fILe01000000000000000001EEvv", "void f<nanL>()"),
    ("_Z1fILe81000000000000000001EEvv", "void f<-nanL>()"),
    ("_Z1fILe7fff0000000000000000EEvv", "void f<nanL>()"),
    ("_Z1fILe7fff8000000000000000EEvv", "void f<infL>()"),
    ("_Z1fILe00008000000000000001EEvv", "void f<0x8.000000000000001p-16385L>()"),
  ])
  func readsMutantsAsLlvm(rawName: String, shownName: String) {
    expectEqual(shown(rawName), shownName)
  }

  /// LLVM's demangler does not read these names of libstdc++. Expected is `c++filt` of binutils
  /// 2.40.
  @Test(arguments: [
    (
      "_ZGTtNSt11logic_errorC1EPKc",
      "transaction clone for std::logic_error::logic_error(char const*)"
    ),
    ("_ZGTnN1A1fEv", "non-transaction clone for A::f()"),
  ])
  func readsTransactionClones(rawName: String, shownName: String) {
    expectEqual(shown(rawName), shownName)
  }

  /// A demangler keeps its memory for the next name, and nothing else.
  @Test func namesDoNotDependOnEarlierOnes() throws {
    var demangler = SymbolDemangler(style: .atos)
    for (rawName, shownName) in try ItaniumSample.names().reversed() {
      _ = demangler.shownName(of: String(rawName.dropLast()), isMachOSymbol: false)
      expectEqual(demangler.shownName(of: rawName, isMachOSymbol: false), shownName)
    }
  }

  private func shown(_ rawName: String) -> String {
    var demangler = SymbolDemangler(style: .atos)
    return demangler.shownName(of: rawName, isMachOSymbol: false)
  }
}

enum ItaniumSample {
  /// The names of the sample, with what LLVM shows for them.
  static func names() throws -> [(rawName: String, shownName: String)] {
    let text = String(
      decoding: try Fixtures.bytes(of: Fixtures.path("Names/itanium.tsv")), as: UTF8.self)
    return text.split(separator: "\n").compactMap { line in
      let columns = line.split(separator: "\t")
      guard columns.count == 2, !line.hasPrefix("#") else { return nil }
      return (String(columns[0]), String(columns[1]))
    }
  }
}

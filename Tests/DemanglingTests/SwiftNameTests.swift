import Demangling
import SymbolicationModel
import TestSupport
import Testing

/// `Fixtures/Names/swift.tsv` has Swift names and what `swift-demangle` prints for them.
struct SwiftNameTests {
  @Test func showsNamesAsSwift() throws {
    let names = try SwiftSample.names()
    #expect(names.count > 500)
    var full = SymbolDemangler(style: .full)
    var simplified = SymbolDemangler(style: .simplified)
    for name in names {
      expectEqual(full.shownName(of: name.raw, isMachOSymbol: false), name.full)
      expectEqual(simplified.shownName(of: "_" + name.raw, isMachOSymbol: true), name.simplified)
      expectNil(full.limitExceeded(by: name.raw))
    }
  }

  /// The bound is sound: the runtime writes no more than the reader says.
  @Test func sizesAreUpperBounds() throws {
    var meter = SwiftNameMeter()
    for name in try SwiftSample.names() {
      try meter.check(name.raw)
      #expect(name.full.utf8.count <= meter.size, "\(name.raw)")
      #expect(name.simplified.utf8.count <= meter.size, "\(name.raw)")
    }
  }

  /// What the runtime shows as nonsense or cannot read is left as it is.
  @Test(arguments: [
    "$s", "_$s", "$s4main3foo", "$s4main1aV_", "$s4main1aVSgA", "$s4mainA26_", "$s4main1aVRVz",
    "$s4main1aVTR", "$s4main1aVK", "$s4main1a0D0V", "$s4main1a99999999999V", "$s4main\u{1}abcd",
  ])
  func refusesOthers(name: String) {
    var demangler = SymbolDemangler(style: .full)
    let shownName = demangler.shownName(of: name, isMachOSymbol: false)
    expectTrue(shownName == name || name == "$s4main3foo")
    expectNil(demangler.limitExceeded(by: name))
  }

  /// Expected is what the Swift runtime's backtraces mark.
  @Test(arguments: [
    ("$s4main1AC3fooyyFTo", true), ("$s4main1AC3fooyyF", false), ("$sSiIegd_SiIegr_TR", true),
    ("$s4main1BCAA1AA2aDPxycfCTW", true), ("_TToFC4main1A3foofT_T_", true), ("fooTo", false),
    ("_TFC4main1A3foofT_T_", false),
  ])
  func marksThunks(name: String, isThunk: Bool) {
    expectEqual(isSwiftThunk(name), isThunk)
  }
}

enum SwiftSample {
  static func names() throws -> [(raw: String, full: String, simplified: String)] {
    let text = String(
      decoding: try Fixtures.bytes(of: Fixtures.path("Names/swift.tsv")), as: UTF8.self)
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return (columns[0], columns[1], columns[2])
    }
  }
}

import SymbolicationModel
import TestSupport
import Testing

@testable import ReportSymbolication
@testable import FunctionNames
@testable import ReportRuns
@testable import CrashReading
@testable import ReportRendering

/// What is kept about the names of functions.
struct FunctionTraitsTests {
  /// The list is searched name by name. `CodePattern`, which users' patterns are compared with, has
  /// another way: both must agree, for names that fit, nearly fit and do not fit.
  @Test(arguments: SignatureVersion.allCases)
  func machineryIsFoundAsTheRulesSay(version: SignatureVersion) {
    let groups = FrameMachinery.groups(version)
    let all = groups.flatMap { group in
      group.names.map { Rule(title: group.title, name: $0, pattern: CodePattern($0)) }
    }
    #expect(all.count > 200)
    for name in all.map(\.name) {
      let stars = ["", "x", "f(_:)", "a::b", "*"]
      for text in stars.map({
        name.split(separator: "*", omittingEmptySubsequences: false).joined(separator: $0)
      }) {
        for sample in [text, text + "x", "x" + text, String(text.dropLast())] {
          let match = FrameMachinery.match(sample, version)
          let expected = Self.expected(sample, all)
          expectEqual(match?.pattern, expected?.name, "\(sample)")
          expectEqual(match?.title, expected?.title, "\(sample)")
        }
      }
    }
  }

  private struct Rule {
    let title: String
    let name: String
    let pattern: CodePattern
  }

  /// A name without a star, else the first pattern that begins as the name does, else the first
  /// that begins with a star. A closure counts as its function, and C's `()` are no part of a name.
  private static func expected(_ sample: String, _ all: [Rule]) -> Rule? {
    var name = sample
    while name.hasPrefix("closure in ") { name.removeFirst("closure in ".count) }
    if name.hasSuffix("()"), !name.contains(".") { name.removeLast(2) }
    guard !name.isEmpty else { return nil }
    let fitting = all.filter { $0.pattern.fits(name) }
    return fitting.first { !$0.name.contains("*") } ?? fitting.first { $0.name.first != "*" }
      ?? fitting.first
  }

  @Test func namesAreKept() {
    let name = "Board.turnTile(at:) and no other test"
    #expect(FunctionTraits.of(name) === FunctionTraits.of(name))
    let long = String(repeating: "a", count: 2000)
    expectEqual(FunctionTraits.of(long).readable, long)
    // Thousands of frames may have one of megabytes: only its beginning is read, and once.
    let huge = String(repeating: "a", count: 1 << 21)
    #expect(FunctionTraits.of(huge) === FunctionTraits.of(huge))
    expectEqual(FunctionTraits.of(huge).readable.utf8.count, 65_533)
  }

  /// However many names there are, few are kept, and those that are asked for again stay.
  @Test func memoryIsBounded() {
    var memory = FunctionTraits.Memory()
    let often = FunctionTraits.of("often()")
    memory.remember(often, of: "often()")
    for number in 0..<100_000 {
      let name = "function\(number)(with:and:)"
      memory.remember(often, of: name)
      if number % 1000 == 0 { #expect(memory.traits(of: "often()") === often) }
    }
    #expect(memory.count < 8000)
    expectNil(memory.traits(of: "function0(with:and:)"))
  }

  /// Written by hand from docs/ABI.rst of Swift 3.
  @Test(arguments: [
    ("_TZFV4Game5Board4drawfT_T_", "static Board.draw"),
    ("_TFC4Game5Board4drawfT_T_", "Board.draw"),
    ("_TToFC4Game5Board4drawfT_T_", "@objc Board.draw"),
    // With the underscore of symbol tables.
    ("__TFC4Game5Board4drawfS0_FT_T_", "Board.draw"),
    ("__TToFC4Game5Board4drawfS0_FT_T_", "@objc Board.draw"), ("___TFC4Game5Board4drawfT_T_", nil),
    ("_TFC4Game5BoardcfT_S0_", "Board.init"), ("_TFC4Game5Boardg5countSi", "Board.count.getter"),
    ("_TFF4Game4drawFT_T_U_FT_T_", "part of draw"),
    ("_TFE4GameCSo6UIView4drawfT_T_", "UIView.draw"),
    ("_TFC4Game5BoardP33_0123456789ABCDEF0123456789ABCDEF4drawfT_T_", "Board.draw"),
    // Markdown took an underscore of a parameter's type.
    ("_TZFV4Game5Board4drawfTS2__T_", "static Board.draw"), ("_TFC4Game6Boar", nil),
    ("_TTSg5Si___TFC4Game5Board4drawfT_T_", nil), ("_TF", nil), ("_TIFFOpen", nil), ("_T", nil),
    ("_TF99999999999999999999x", nil),
  ])
  func oldNamesOfSwift(name: String, short: String?) {
    expectEqual(OldSwiftName.short(name), short)
  }
}

import ReportRuns
import ReportSymbolication
import TestSupport
import Testing

/// Answers in reports of sanitizers, compared with those of LLVM's symbolizer
/// (`Fixtures/Sanitizer/README.md`).
struct SanitizerReportTests {
  private static func fixture(_ name: String) throws -> [UInt8] {
    try Fixtures.bytes(of: Fixtures.path("Sanitizer/Reports/\(name).log"))
  }

  private func symbolicate(_ input: [UInt8], with symbols: [String]) -> String {
    var options = SymbolicationOptions()
    options.sourcePaths = SourcePathRules(showsFullPath: true)
    var job = ReportJob(symbolPaths: symbols, options: options)
    return String(decoding: job.symbolicate(input, shownPath: "report").output, as: UTF8.self)
  }

  /// The functions and places of all frames in our program, in order.
  private func answers(_ text: String, _ program: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      guard line.contains("#"), let place = line.firstRange(of: "\(program):") else { return nil }
      let words = line[..<place.lowerBound].split(separator: " ")
      let numbers = line[place.upperBound...].prefix { $0 != " " }
      guard let name = words.last(where: { !$0.contains("/") }) else { return nil }
      return "\(words[0]) \(name) \(numbers)"
    }
  }

  @Test(arguments: ["freed", "race"]) func answersAreThoseOfLlvm(name: String) throws {
    let symbols = [Fixtures.path("Sanitizer/\(name).elf")]
    let output = symbolicate(try Self.fixture("\(name)-off"), with: symbols)
    let expected = String(decoding: try Self.fixture("\(name)-on"), as: UTF8.self)
    let found = Set(answers(output, "\(name).c"))
    #expect(!found.isEmpty)
    #expect(found == Set(answers(expected, "\(name).c")))
    // Again, nothing changes.
    #expect(symbolicate(Array(output.utf8), with: symbols) == output)
  }

  /// Only numbers and what follows the address change; inlined calls are lines of their own.
  @Test func linesOfTheReport() throws {
    let output = symbolicate(
      try Self.fixture("freed-off"), with: [Fixtures.path("Sanitizer/freed.elf")])
    let module =
      "(/home/builder/Sanitizer/freed.elf+0x3f3d) (BuildId: 182cad1d1f8e3e1c10e97a1a55f7138f4cc6cd49)"
    #expect(
      output.contains(
        """
            #0 0x555555557f3d in value /home/builder/Sanitizer/freed.c:6:10 \(module)
            #1 0x555555557f3d in total /home/builder/Sanitizer/freed.c:12:12 \(module)
            #2 0x555555557f79 in descend /home/builder/Sanitizer/freed.c:20:10
        """))
    let input = String(decoding: try Self.fixture("freed-off"), as: UTF8.self)
    let tail = try #require(input.firstRange(of: "SUMMARY")).lowerBound
    #expect(output.hasSuffix(input[tail...]))
  }

  /// A Mach-O executable, which has no identity in the report, is joined by its name. The answers
  /// are those of `Fixtures/LetterShuffle/README.md`, with llvm-symbolizer's columns.
  @Test func machO() {
    let input = """
      ==7==ERROR: AddressSanitizer: SEGV on unknown address
          #0 0x1002453f3  (Letter Shuffle:arm64+0x10001d3f3)
          #1 0x104a11c04 in free+0x98 (libclang_rt.asan_osx_dynamic.dylib:arm64e+0x41c04)

      """
    let source = "/Users/builder/Letter Shuffle/GameViewController.swift"
    #expect(
      symbolicate(Array(input.utf8), with: [Fixtures.storyBundle]) == """
        ==7==ERROR: AddressSanitizer: SEGV on unknown address
            #0 0x1002453f3 in GameViewController.startRound() \(source):51:3 (Letter Shuffle:arm64+0x10001d3f3)
            #1 0x1002453f3 in GameViewController.viewDidLoad() \(source):37:3 (Letter Shuffle:arm64+0x10001d3f3)
            #2 0x104a11c04 in free+0x98 (libclang_rt.asan_osx_dynamic.dylib:arm64e+0x41c04)

        """)
  }
}

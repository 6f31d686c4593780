import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// Reports of sanitizers. Those in `Fixtures/Sanitizer` were printed by LLVM's runtime; the others
/// follow its sources (compiler-rt, sanitizer_stacktrace_printer.cpp).
struct SanitizerTests {
  static func fixture(_ name: String) throws -> String {
    String(
      decoding: try Fixtures.bytes(of: Fixtures.path("Sanitizer/Reports/\(name).log")),
      as: UTF8.self)
  }

  private func frames(_ lines: String...) throws -> [StackFrame] {
    let text = "==7==ERROR: AddressSanitizer: SEGV on unknown address\n"
    return try #require(
      ParsedText(text + lines.map { $0 + "\n" }.joined()).report.backtraces.first
    ).frames
  }

  @Test func addressSanitizer() throws {
    let parsed = try ParsedText(Self.fixture("freed-off"))
    let report = try parsed.report
    #expect(report.format == .sanitizer && report.faults.isEmpty)
    #expect(report.facts.event == .crash && report.facts.process.identifier == 8342)
    #expect(report.facts.exception.type == "AddressSanitizer")
    #expect(report.facts.exception.subtype == "heap-use-after-free on address 0x7c1ff5fe0010")
    #expect(report.backtraces.map(\.frames.count) == [9, 7, 3])
    #expect(report.backtraces.map(\.isCrashed) == [true, false, false])
    #expect(report.backtraces.map(\.number) == [0, 0, 0])
    #expect(
      report.backtraces.map(\.name)
        == [nil, "freed by thread T0 here", "previously allocated by thread T0 here"])
    #expect(report.images.map(\.name) == ["freed.elf", "libc.so.6", "libclang_rt.asan-x86_64.so"])
    #expect(report.images.first?.identity?.description.lowercased().hasPrefix("182cad1d") == true)
    #expect(report.images.first?.loadAddress == LoadAddress(0x5555_5555_4000))
    let first = try #require(report.backtraces.first?.frames.first)
    #expect(first.address == LoadAddress(0x5555_5555_7f3d) && first.imageOffset == 0x3f3d)
    #expect(first.addressKind == .programCounter && first.symbol == nil)
    // Three frames of a recursion have the same address, and none is inlined.
    #expect(report.allFrames.allSatisfy { !$0.isInlined })
    #expect(parsed[report.byteRange].hasPrefix("====="))
    #expect(parsed[report.byteRange].hasSuffix("4cc6cd49) "))
  }

  /// Stacks that were copied without their head, and UBSan's, also in a log.
  @Test(arguments: [
    (false, ""), (true, ""), (true, "2026-01-01T10:00:00Z app | "), (false, "> "),
  ])
  func stackWithoutHead(isUndefined: Bool, prefix: String) throws {
    let text = """
      a.cc:12:3: \(isUndefined ? "runtime error" : "note"): null pointer passed as argument 1
          #0 0x4c3a1b in load /src/a.cc:12:3
          #1 0x4c31c0 in main (/out/app+0x1234)
      """
    let lines = text.split(separator: "\n").map { prefix + $0 + "\n" }.joined()
    let report = try ParsedText(lines).report
    #expect(report.format == .sanitizer)
    #expect(report.allFrames.map(\.symbol?.name) == ["load", "main"])
    #expect(report.facts.exception.type == (isUndefined ? "UndefinedBehaviorSanitizer" : nil))
    #expect(
      report.facts.exception.subtype
        == (isUndefined ? "null pointer passed as argument 1" : nil))
  }

  /// The end of a report in a log: which of its stacks it is was cut off.
  @Test(arguments: ["", "2026-01-01 10:00:00.678527+0200 app[12:345] "])
  func endOfAReport(prefix: String) throws {
    let text = """
          #7 0x10ff702e4 in _dispatch_source_invoke (libdispatch.dylib:x86_64+0x192e4)
          #8 0x110349fd1 in start_wqthread (libsystem_pthread.dylib:x86_64+0x2fd1)

      SUMMARY: AddressSanitizer: heap-buffer-overflow (Game:x86_64+0xb5030) in $s4Game4drawyyF
      """
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let report = try ParsedText(lines.map { "\(prefix)\($0)\n" }.joined()).report
    #expect(report.format == .sanitizer)
    #expect(report.allFrames.map(\.index) == [7, 8])
    #expect(report.backtraces.map(\.isCrashed) == [false])
    #expect(report.facts.exception.type == "AddressSanitizer")
    #expect(
      report.facts.exception.subtype
        == "heap-buffer-overflow (Game:x86_64+0xb5030) in $s4Game4drawyyF")
  }

  /// Which variable it was, also if the head is cut off. The words are those of
  /// `asan_descriptions.cpp`.
  @Test(arguments: [
    (
      """
      Address 0x0001046b08d8 is located in stack of thread T0 at offset 216 in frame
          #0 0x108959d7f in -[Board draw] /src/Board.mm:70

        This frame has 2 object(s):
          [32, 40) 'error' (line 71)
          [192, 280) 'ref.tmp' (line 83) <== Memory access at offset 216 is inside this variable
      SUMMARY: AddressSanitizer: stack-use-after-scope (libclang_rt.asan_osx_dynamic.dylib:x86_64h+0x596de) in __asan_memcpy
      """,
      "stack-use-after-scope in __asan_memcpy",
      "variable ref.tmp (line 83) of -[Board draw] (Board.mm:70)"
    ),
    (
      """
      0x6020 is located 4 bytes after global variable 'table' defined in '/src/deck.c:3:5' (0x6000) of size 32
      SUMMARY: AddressSanitizer: global-buffer-overflow deck.c:12:3 in draw
      """,
      "global-buffer-overflow deck.c:12:3 in draw", "global variable table (deck.c:3:5)"
    ),
  ])
  func variables(text: String, problem: String, variable: String) throws {
    let report = try ParsedText(
      "    #5 0x100002103 in main (Game:arm64+0x100002103)\n\n\(text)\n"
    ).report
    expectEqual(report.facts.exception.subtype, problem)
    expectEqual(report.facts.exception.message, variable)
    expectFalse(report.allFrames.isEmpty)
  }

  @Test func symbolizedAddressSanitizer() throws {
    let report = try ParsedText(Self.fixture("freed-on")).report
    let frames = try #require(report.backtraces.first).frames
    #expect(frames.map(\.isInlined).prefix(6) == [true, false, false, false, false, false])
    let total = try #require(frames[1].symbol)
    #expect(total.name == "total" && total.file == "/home/builder/Sanitizer/freed.c")
    #expect(total.line == 12 && total.column == 12)
    #expect(frames[9].symbol?.name == "_start" && frames[9].imageName == "freed.elf")
  }

  @Test func threadSanitizer() throws {
    let report = try ParsedText(Self.fixture("race-off")).report
    #expect(report.facts.exception.type == "ThreadSanitizer")
    #expect(report.facts.exception.subtype == "data race")
    #expect(report.facts.process.identifier == 8889)
    #expect(report.backtraces.map(\.frames.count) == [2, 3, 3])
    #expect(report.backtraces.map(\.number) == [1, 0, 1])
    // Without an address, it is the one in the file.
    #expect(report.allFrames.first?.address == LoadAddress(0x19b8))
    #expect(report.allFrames.allSatisfy { $0.symbol == nil })
    let named = try ParsedText(Self.fixture("race-on")).report
    #expect(named.images.count(where: { $0.name == "race.elf" }) == 1)
    #expect(
      named.backtraces.map { $0.frames.map(\.isInlined) } == [
        [true, false, false], [true, false], [false, false],
      ])
  }

  /// The first versions wrote no colon, and executables were not moved: what is behind the module
  /// is the address.
  @Test func firstVersions() throws {
    let report = try ParsedText(
      """
      ==812== ERROR: AddressSanitizer crashed on unknown address 0x00000123455f (pc 0x00010000919c
      sp 0x7fff5fbff200 bp 0x7fff5fbffa30 T0)
          #0 0x10000919b (/src/./t+0x10000919b)
          #1 0x100001147 (/src/./t+0x100001147)

      """
    ).report
    #expect(report.facts.exception.type == "AddressSanitizer")
    #expect(report.facts.exception.subtype == "crashed on unknown address 0x00000123455f")
    #expect(report.allFrames.map(\.imageOffset) == [0x919b, 0x1147])
  }

  /// `addr2line` writes question marks for what it does not know, or a file of the linker's.
  @Test func unknownPlaces() throws {
    let report = try ParsedText(
      """
      WARNING: ThreadSanitizer: data race (pid=812)
        Read of size 8 at 0x564faeb56ad0 by thread T5:
          #0 turn crtstuff.c:? (game+0x347403)
          #1 play(int) ??:? (game+0x354b3b)
          #2 main ??:0 (game+0x354c3b)
          #3 start board.c:7 (game+0x354d3b)

      """
    ).report
    #expect(report.allFrames.map { $0.symbol?.name } == ["turn", "play(int)", "main", "start"])
    #expect(report.allFrames.map { $0.symbol?.file } == [nil, nil, nil, "board.c"])
  }

  /// The module says where it was, and what kind of file it is.
  @Test func modules() throws {
    let text = """
      ==9==ERROR: AddressSanitizer: heap-use-after-free
          #0 0x1042e3f5c in f(int) a.cc:12:3 (App:arm64+0x100003f5c)
          #1 0x1066a7438 in wrap_free+0x98 (/private/var/My App (1).app/libclang_rt.asan_ios_dynamic.dylib:arm64e+0x53438)
          #2 0x6aa8ae in xmlCharEncOutput libxml/src/encoding.c:2480:26
          #3 0x4d24eb  (/srv/prog+0x4d24eb)
          #4 0x7f01 in main /Users/a b/x c.m:7 (prog+0x1)
      """
    let report = try ParsedText(text).report
    #expect(
      report.images.map(\.loadAddress.value) == [0x1_042e_0000, 0x1_0665_4000, 0x40_0000, 0x7f00])
    #expect(report.images.map { $0.architecture?.name } == ["arm64", "arm64e", nil, nil])
    #expect(report.images[1].name == "libclang_rt.asan_ios_dynamic.dylib")
    #expect(report.architecture == .arm64)
    let frames = report.allFrames
    #expect(frames.map(\.imageOffset) == [0x3f5c, 0x53438, nil, 0xd24eb, 1])
    #expect(
      frames.map { $0.symbol?.name }
        == ["f(int)", "wrap_free", "xmlCharEncOutput", nil, "main"])
    #expect(frames[0].symbol?.line == 12 && frames[0].symbol?.column == 3)
    #expect(frames[1].symbol?.offset == 0x98 && frames[1].symbol?.file == nil)
    #expect(frames[4].symbol?.file == "/Users/a b/x c.m" && frames[4].symbol?.line == 7)
  }

  /// ThreadSanitizer writes a place behind every name.
  @Test(
    arguments: [
      ("f(int) <null> (App+0x1)", "f(int)", nil, nil),
      ("f <null>:3746336 (App:x86_64+0x100000001)", "f", nil, nil),
      ("-[A b:] A.m:525 (App+0x1)", "-[A b:]", "A.m", 525),
      ("$s1aF E.swift (App:x86_64+0x1)", "$s1aF", "E.swift", 0),
      ("<null> <null> (App:arm64+0x1)", nil, nil, nil),
    ] as [(String, String?, String?, Int?)])
  func places(text: String, name: String?, file: String?, line: Int?) throws {
    let report = try ParsedText(
      "WARNING: ThreadSanitizer: data race (pid=1)\n  Write of size 8 at 0x1 by thread T3:\n    #0 \(text)\n"
    ).report
    let symbol = report.allFrames.first?.symbol
    #expect(symbol?.name == name && symbol?.file == file && symbol?.line == line)
    #expect(report.backtraces.first?.number == 3)
  }

  /// Calls that are inlined into a function that calls itself: two rounds.
  @Test func recursionWithInlinedCalls() throws {
    let frames = try frames(
      "    #0 0x10 in g a.c:1:1 (p+0x10)", "    #1 0x10 in f a.c:2:1 (p+0x10)",
      "    #2 0x10 in g a.c:1:1 (p+0x10)", "    #3 0x10 in f a.c:2:1 (p+0x10)")
    #expect(frames.map(\.isInlined) == [true, false, true, false])
  }

  @Test func leaks() throws {
    let report = try ParsedText(
      """
      ==5==ERROR: LeakSanitizer: detected memory leaks

      Direct leak of 40 byte(s) in 1 object(s) allocated from:
          #0 0x4d2 in malloc (prog+0x4d2)
          #1 0x5e0 in main a.c:3:4 (prog+0x5e0)

      SUMMARY: AddressSanitizer: 40 byte(s) leaked in 1 allocation(s).
      """
    ).report
    #expect(report.facts.event == .leak && report.crashedThread == nil)
    #expect(report.backtraces.map(\.frames.count) == [2])
  }

  /// Stacks below the summary belong to the report, the log behind it does not.
  @Test func belowTheSummary() throws {
    let text = """
      ==5==ERROR: AddressSanitizer: SEGV
          #0 0x10 in f a.c:1:1 (p+0x10)
      SUMMARY: AddressSanitizer: SEGV a.c:1:1 in f
      Thread T13 created by T0 here:
          #0 0x20 in g a.c:2:1 (p+0x20)
      ==5==ABORTING
      #7 done
      """
    let parsed = try ParsedText(text)
    #expect(try parsed.report.backtraces.map(\.number) == [nil, 13])
    #expect(try parsed[parsed.report.byteRange].hasSuffix("(p+0x20)"))
  }

  @Test(arguments: [
    "==5==ERROR: Sanitizer", "==ERROR: AddressSanitizer: x", "WARNING: ThreadSanitizer: x",
    "WARNING: Hand Sanitizer: x (pid=1)", "==5== AddressSanitizer: x",
    "==5==ERROR: AddressSanitizer",
  ])
  func otherLines(line: String) {
    #expect(ReportFormat.detect(Array((line + "\n    #0 0x10 in f (p+0x10)\n").utf8)) == .unknown)
  }

  @Test func headWithoutStacks() {
    #expect(throws: CrashLogParseError.noReportFound(.sanitizer)) {
      try CrashLogParser.parse(Array("==5==ERROR: AddressSanitizer: SEGV\n".utf8))
    }
  }

  /// A report that is cut or damaged at any place is read without a trap, and its ranges nest.
  @Test func damage() throws {
    for name in ["freed-on", "race-off"] {
      let whole = Array(try Self.fixture(name).utf8)
      for cut in stride(from: 100, to: whole.count, by: 37) {
        for bytes in [Array(whole[..<cut]), Array(whole[cut...])] {
          for report in (try? CrashLogParser.parse(bytes)) ?? [] {
            expectNesting(report, "\(name) at \(cut)")
          }
        }
      }
    }
  }

  /// The end of a report whose frames have places, and no modules. What is above the summary only
  /// says where things came from.
  @Test(arguments: [
    (
      "SUMMARY: AddressSanitizer: heap-use-after-free (libclang_rt.asan_osx_dynamic.dylib:x86_64h+0x51057) in __asan_memcpy",
      "heap-use-after-free in __asan_memcpy"
    ),
    (
      "Shadow bytes around the buggy address:\n  0x0c0e7fff9d90: fa fa fa fa\n=>0x0c0e7fff9da0: fa fa fa fa[fd]fd fd fd fd fd",
      "heap-use-after-free"
    ),
    ("=>0x10007fff9da0: 00 00 00 00 00[04]f3 f3 f3 f3", "stack-buffer-overflow"),
    ("freed by thread T0 here:", "memory was used after it was freed, or freed twice"),
  ])
  func endWithoutModules(text: String, problem: String) throws {
    let report = try ParsedText(
      """
          #2 0x100a24bb9 in Deck::start(char const*, std::function<void ()> const&) Deck.cc:111
          #3 0x100a2da5e in main Main.cc:336

      Thread T3 created by T0 here:
          #0 0x55b9f6 in wrap_pthread_create (libclang_rt.asan_osx_dynamic.dylib:x86_64h+0x509f6)
          #1 0x100a24fc9 in make_thread(void*) thread.h:152

      \(text)

      """
    ).report
    expectEqual(report.format, .sanitizer)
    expectEqual(report.backtraces.map(\.isCrashed), [false, false])
    expectEqual(report.facts.exception.type, "AddressSanitizer")
    expectEqual(report.facts.exception.subtype, problem)
  }
}

import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

@testable import RuntimeReports

/// Stack traces of all families, in the shapes that their writers have: Foundation and libc++abi
/// (`callStack`), Firebase's pages, lldb's `frame-format`, gdb, glibc's `backtrace_symbols`,
/// systemd's `coredump-util`, Android's debuggerd, LLVM's `Signals.inc`, Kotlin/Native and Dart.
struct TraceTests {
  func parse(_ text: String) throws -> Report { try ParsedText(text).report }

  func frames(_ report: Report) -> [String] {
    report.allFrames.map { frame in
      let symbol = frame.symbol
      let place = symbol?.file.map { " \($0):\(symbol?.line ?? 0)" } ?? ""
      return "\(frame.imageName ?? "-") \(symbol?.name ?? "?")\(place)"
    }
  }

  @Test func kotlin() throws {
    let report = try parse(
      """
      Uncaught Kotlin exception: kotlin.IllegalStateException: no page
          at 0   App    0x1045a1b34        kfun:kotlin.Throwable#<init>(kotlin.String?){} + 99
          at 1   App    0x1045a1c10        kfun:app.Page#load(kotlin.Int){}kotlin.String + 120 (/src/Page.kt:12:5)
      Caused by: kotlin.NumberFormatException: x
          at 0   App    7ff6baa398c6       kfun:#main(){} + 20

      """)
    #expect(report.format == .kotlinNative)
    #expect(report.facts.exception.name == "kotlin.IllegalStateException")
    #expect(
      report.facts.exception.reason == "no page, caused by kotlin.NumberFormatException: x")
    #expect(report.backtraces.map(\.kind) == [.lastException, .thread])
    #expect(report.allFrames.map(\.symbol?.line) == [nil, 12, nil])
    #expect(report.allFrames.last?.address == LoadAddress(0x7ff6_baa3_98c6))
  }

  static let dart = """
    *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
    pid: 30930, tid: 30990, name 1.ui
    os: android arch: arm64 comp: yes sim: no
    build_id: '5346e01103ffeed44e97094ff7bfcc19'
    isolate_dso_base: 723d447000, vm_dso_base: 723d447000
    isolate_instructions: 723d452000, vm_instructions: 723d449000
        #00 abs 000000723d6346d7 virt 00000000001ed6d7 _kDartIsolateSnapshotInstructions+0x1e26d7
        #01 abs 000000723d637527 virt 00000000001f0527 _kDartIsolateSnapshotInstructions+0x1e5527

    """

  /// What Flutter's tool makes of a trace, and Dart itself writes in debug builds.
  @Test func dartWithNames() throws {
    let report = try parse(
      """
      #0      Page.load (package:app/src/page.dart:186:5)
      #1      main.<anonymous closure> (file:///src/main.dart:12)
      <asynchronous suspension>
      #2      <invalid Dart instruction address>
      #3      Book.open (/src/book.dart:7:3) <asynchronous suspension>

      """)
    expectEqual(report.format, .dartTrace)
    expectEqual(
      frames(report),
      [
        "- Page.load package:app/src/page.dart:186",
        "- main.<anonymous closure> file:///src/main.dart:12", "- Book.open /src/book.dart:7",
      ])
  }

  /// Crashlytics for Android writes frames like those of Java. A part that is loaded later has its
  /// own file.
  @Test func otherDartFrames() throws {
    let snapshot = "_kDartIsolateSnapshotInstructions+0x1e26d7"
    let report = try parse(
      """
         at .    #00 abs 0 virt 00000000001ed6d7 \(snapshot)(.java)
         at .    #01 abs 000000723d637527 unit 1 virt 00000000001f0527 \(snapshot)(.java)
         at .    #02 abs 000000723d637527 unit 2 virt 00000000001f0527 \(snapshot)(.java)

      """)
    expectEqual(report.allFrames.map(\.imageOffset), [0x1ed6d7, 0x1f0527, nil])
    expectEqual(report.allFrames.map(\.imageName), ["app.so", "app.so", nil])
  }

  /// LLVM without symbols.
  @Test func llvmOnAppleSystemsWithoutNames() throws {
    let report = try parse(
      """
      Stack dump without symbol names (ensure you have llvm-symbolizer in your PATH):
      0  swift-frontend 0x0000000104b3a3f8
      1  swift-frontend 0x0000000104b39000

      """)
    expectEqual(report.format, .callStack)
    expectEqual(frames(report), ["swift-frontend ?", "swift-frontend ?"])
  }

  @Test func dart() throws {
    let report = try parse(Self.dart)
    #expect(report.format == .dartTrace && report.facts.process.identifier == 30930)
    #expect(report.facts.architecture?.name == "arm64" && report.facts.system.name == "android")
    let image = try #require(report.images.first)
    #expect(image.loadAddress == LoadAddress(0x72_3d44_7000))
    #expect(image.identity == ImageIdentity(hexadecimal: "5346e01103ffeed44e97094ff7bfcc19".utf8))
    #expect(report.allFrames.map(\.imageOffset) == [0x1ed6d7, 0x1f0527])
    #expect(report.allFrames.allSatisfy { $0.symbol == nil })
  }

  @Test(arguments: ["llvm::raw_ostream&", "llvm::function_ref<bool (int)>"])
  func llvm(type: String) throws {
    let report = try parse(
      """
      PLEASE submit a bug report to https://example.org and include the crash backtrace.
      Stack dump:
      0.\tProgram arguments: /usr/bin/swift-frontend -c a.swift
       #0 0x0000562b5d3fdfe4 llvm::sys::Print(\(type), int) (/usr/bin/swift-frontend+0x72effe4)
       #1 0x0000562b5d3fbd4e (/usr/bin/swift-frontend+0x72edd4e)
       #2 0x0000562b5d3fbd4f handle(int) /src/Signals.inc:397:1

      """)
    #expect(report.format == .llvmStackDump)
    #expect(report.facts.process.name == "swift-frontend")
    #expect(
      frames(report) == [
        "swift-frontend llvm::sys::Print(\(type), int)", "swift-frontend ?",
        "- handle(int) /src/Signals.inc:397",
      ])
    #expect(report.images.map(\.loadAddress) == [LoadAddress(0x562b_5610_e000)])
  }

  /// Several in one input, of several families.
  @Test func mixed() throws {
    let parsed = try ParsedText(Self.exception + "\nlater:\n\n" + Self.tombstone + "\n" + Self.dart)
    #expect(parsed.reports.map(\.format) == [.callStack, .androidTombstone, .dartTrace])
    for (one, next) in zip(parsed.reports, parsed.reports.dropFirst()) {
      #expect(one.byteRange.upperBound <= next.byteRange.lowerBound)
    }
  }

  /// What looks similar: prose, source, logs, traces of languages that are not compiled.
  @Test(arguments: [
    "0   1   0x10 2\n", "0   App   0x0000000104a1c2f0 load + 84\n",
    "3 apples cost 0x12345678 units\n", "1 0x1000\n2 0x2000\n",
    "#0 first\n#1 second (2)\n", "#define A(b) (b + 0x1)\n", "# Platform: ios\n\nText.\n",
    "  at a.b.c(D.java:3)\n  at e.f(G.kt:4)\n", "Caused by: java.lang.Error: x\n",
    "frame #1: a picture\n",
    "*** First throw call stack:\nnothing\n", "* thread #1\n", "Crashed: the whole thing\nText\n",
    "pid: 1, tid: 2, name: a  >>> b <<<\nText\n", "/usr/bin/app [0x10]\n", "[12:34] (a+0x10)\n",
    "[ 0] /tmp/x\n", "Stack trace of thread 1:\n", "thread #3 waits for 0x1000\n",
    "main.go:12 +0x1d\n", "goroutine 1 [running]:\nmain (the main one)\n",
    "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n  File \"b.py\", line 4, in g\n",
    "  File \"a.py\", line 3 in f\n", "# Problematic frame:\n", "Native frames: (none)\nC  code\n",
    "C  [a+b]  c\nV  [d+0x1]  e+0x2\n", "libraries 12 are (in lib)\nand 3 more (in lib)\n",
    "12\nApp\n34 + 5\n6\n", "frame #1: a.c at b\nframe #2: picture at 12\n",
    "stop reason = none\n", "Thread 0x12 (most recent call first):\n",
  ])
  func noTrace(text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  /// Frames above a heading of Apple's text belong to the report that it opens.
  @Test func cutReport() throws {
    let report = try parse(
      """
      7   App   0x0000000104a1c2f0 load + 84
      8   App   0x0000000104a1c100 main + 20

      Thread 1 Crashed:
      0   App   0x0000000104a1c2f4 load + 88

      """)
    #expect(report.format == .crashText)
  }

  /// Damage never traps, wherever a line ends.
  @Test func cutAnywhere() {
    for text in [Self.exception, Self.dart, Self.tombstone] {
      let bytes = Array(text.utf8)
      for count in stride(from: 1, to: bytes.count, by: 7) {
        _ = try? CrashLogParser.parse(Array(bytes.prefix(count)))
      }
    }
  }

  /// What is written out for a quick start is what the grammars say.
  @Test func listsOfGrammars() {
    let grammars = TraceGrammar.all
    #expect(Set(TraceReader().formats) == Set(grammars.map(\.format)))
    #expect(TraceReader().formats.count == grammars.count)
    // Reports in Apple's text format have many lines that begin with `T` and `M`.
    let firstBytes = Set(grammars.flatMap { Array($0.firstBytes.utf8) })
      .subtracting("TM".utf8).union("\"".utf8)
    #expect(Set(TraceGrammar.allFirstBytes) == firstBytes)
    #expect(TraceGrammar.allFirstBytes.count == firstBytes.count)
    expectTrue(TraceGrammar.firstWords.allSatisfy { firstBytes.contains($0.utf8.first ?? 0) })
    for grammar in grammars {
      let patterns = grammar.frames + grammar.lines.filter(\.isSign).map(\.pattern)
      for byte in patterns.compactMap(\.firstByte) {
        #expect(grammar.firstBytes.utf8.contains(byte), "\(grammar.format)")
      }
    }
    // The search for texts needs 7 bytes.
    #expect(TraceReader.texts.allSatisfy { $0.utf8.count >= 7 })
  }
}

import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Reasons and places in what runtimes, sanitizers and tools other than the system write.
struct TraceReasonTests {
  private func swiftCrash(_ address: String, _ frame: String, signal: Bool) throws
    -> JsonReport.Crash
  {
    let text = """
      \(signal ? "*** Signal 11: Backtracing from 0x7f8606d48784... done ***" : "$ ./game")

      *** Program crashed: Bad pointer dereference at \(address) ***

      Platform: x86_64 Linux (Ubuntu 24.04.3 LTS)

      Thread 0 "game" crashed:

      0 0x00007f8606d48784 \(frame)

      """
    return try JsonFixture.report(text, with: []).crash
  }

  /// Users of a process have the lower half of the addresses; the last gigabytes are small negative
  /// numbers. The table of value witnesses is 8 bytes in front of the metadata of a type.
  ///
  /// Source: github.com/swiftlang/swift, docs/ABI/TypeMetadata.rst.
  @Test(
    arguments: [
      ("0xffff8044a1a74710", "overwrittenPointer"), ("0x00018044a1a74710", "overwrittenPointer"),
      ("0xfffffffffffffff8", "nullPointer"), ("0xfffffffffff00000", "exceptionType"),
      ("0x0000000000000000", "nullPointer"),
    ])
  func addressesOfSwiftBacktraces(address: String, kind: String) throws {
    for signal in [true, false] {
      let found = try swiftCrash(address, "draw() + 8 in game", signal: signal)
      expectEqual(found.kind, kind)
    }
  }

  /// What Android knows of a fault: what its allocator found comes first, and a signal that the
  /// kernel sent for another reason has no address. Apps are in `/data`.
  @Test(
    arguments: [
      (
        "code 2 (SEGV_ACCERR), fault addr 0x736ad4afe0\nCause: [GWP-ASan]: Use After Free on a 32-byte allocation at 0x736ad4afe0",
        "freedObject", "/data/app/~~a==/base.apk!libboard.so", "libboard.so"
      ),
      (
        "code 1 (SEGV_MAPERR), fault addr 00000004", "nullPointer", "/data/app/a/libboard.so",
        "libboard.so"
      ),
      ("code 128 (SI_KERNEL), fault addr 0x0", "exceptionType", "/system/lib/libc.so", nil),
      // What `abort()` wrote to (bionic, libc/unistd/abort.c of Android 4.4).
      (
        "code 1 (SEGV_MAPERR), fault addr deadbaad", "abort", "/data/app/a/libboard.so",
        "libboard.so"
      ),
      (
        "code 1 (SEGV_MAPERR), fault addr deadbaac", "invalidAddress", "/data/app/a/libboard.so",
        "libboard.so"
      ),
    ] as [(String, String, String, String?)])
  func faultsOfAndroid(words: String, kind: String, path: String, image: String?) throws {
    let text = """
      pid: 1234, tid: 1240, name: worker  >>> com.example.app <<<
      signal 11 (SIGSEGV), \(words)
      backtrace:
            #00 pc 000000000001d2f4  \(path)
            #01 pc b30b2c3f  <unkno
      """
    let report = try JsonFixture.report(text, with: [])
    expectEqual(report.crash.kind, kind)
    expectEqual(report.crash.frame?.imageName, image)
    expectEqual(report.backtraces.first?.frames.last?.imageName, nil)
  }

  /// Exceptions of Dart, in the words of Flutter's engine, of its framework and of Dart's own VM.
  /// The frames of the framework and of Dart's libraries are not the app's.
  ///
  /// Source: github.com/flutter/flutter, `packages/flutter/lib/src/foundation/assertions.dart`.
  @Test(
    arguments: [
      (
        "E/flutter ( 72): [ERROR:flutter/runtime/dart_vm_initializer.cc(41)] Unhandled Exception: MissingPluginException(no getAll)",
        "Unhandled exception: MissingPluginException(no getAll)"
      ),
      (
        "Unhandled exception:\nFormatException: Invalid number\n",
        "Unhandled exception: FormatException: Invalid number"
      ),
      (
        """
        ══╡ EXCEPTION CAUGHT BY WIDGETS LIBRARY ╞══════════
        The following _TypeError was thrown building Page(dirty):
        Null check operator used on a null value

        The relevant error-causing widget was:
          Page Page:file:///src/app/lib/main.dart:20:13

        When the exception was thrown, this was the stack:
        """, "_TypeError: Null check operator used on a null value"
      ),
    ])
  func exceptionsOfDart(words: String, reason: String) throws {
    let text = """
      \(words)
      #0      int.parse (dart:core-patch/integers_patch.dart:59:12)
      #1      State.setState (package:flutter/src/widgets/framework.dart:1202:6)
      #2      Board.load (package:game/board.dart:12:19)
      #3      _rootRun (dart:async/zone.dart:1399:13)

      """
    let crash = try JsonFixture.report(text, with: []).crash
    expectEqual(crash.reason, reason)
    expectEqual(crash.frame?.function, "Board.load")
  }

  /// Mail programs break long lines.
  @Test func brokenLinesOfSanitizers() throws {
    let text = """
      ==7970==ERROR: AddressSanitizer: heap-buffer-overflow on address\u{20}
      0x60300000f2c8 at pc 0x7f59277fd153 bp 0x7fff136e1e30
      READ of size 2 at 0x60300000f2c8 thread T0
          #0 0x7f59277fd152 in board_turn /tmp/build/dev-
      libs/board-0.13/board.c:248:20
          #1 0x7f59277fd252 in main /tmp/build/main.c:3

      """
    let found = try JsonFixture.report(text, with: []).crash
    expectEqual(
      found.reason, "AddressSanitizer: heap-buffer-overflow on address 0x60300000f2c8")
    expectEqual(found.frame?.function, "board_turn")
    expectEqual(found.frame?.line, 248)
  }

  /// Helpers of the runtime throw; what called them may be the last line, which is cut. A runtime
  /// that calls `abort()` says no more than that.
  @Test func helpersOfTheKotlinRuntime() throws {
    let thrown = try JsonFixture.report(
      """
      Uncaught Kotlin exception: kotlin.IllegalStateException: no page
          at 0   App    0x1045a1b34        kfun:kotlin.Throwable#<init>(kotlin.String?){} + 99
          at 1   App    0x1045a1c10        ThrowIllegalStateExceptionWithMessage + 163
          at 2   App    0x1045a1d10        kfun:app.Page#load(kotlin.Function0<0:0>;kotlin.Conti
      """, with: []
    ).crash
    expectEqual(thrown.frame?.function?.hasPrefix("app.Page"), true)
    let aborted = try JsonFixture.report(
      """
      Crashed: com.apple.main-thread
      0  libsystem_kernel.dylib  0x20a15b0dc __pthread_kill + 8
      1  libsystem_c.dylib       0x20a0b3ea8 abort + 140
      2  App                     0x100a89d20 garbageCollect(MemoryState*, bool) + 43
      3  App                     0x100a8c1b4 AllocInstance + 76

      """, with: []
    ).crash
    expectEqual(aborted.reason, "the Kotlin runtime ended the process with abort()")
  }

  /// The exception stands above its stack, below it, or nowhere; Markdown and logs put something in
  /// front. The stack begins with the constructors of its classes.
  ///
  /// Source: github.com/JetBrains/kotlin, kotlin-native/runtime, Throwable.kt.
  @Test(
    arguments: [
      ("**Uncaught Kotlin exception: app.PageException: no page**", ""),
      ("__Uncaught Kotlin exception: app.PageException: no page__", ""),
      ("`Uncaught Kotlin exception: app.PageException: no page`", ""),
      ("2026-01-02 10:00:00.1 Game[1:2] Uncaught Kotlin exception: app.PageException: no page", ""),
      ("app.PageException: no page", ""),
      ("", "Uncaught Kotlin exception: app.PageException: no page"), ("", ""),
    ])
  func exceptionsOfKotlin(above: String, below: String) throws {
    let found = try JsonFixture.report(
      """
      \(above)
          at 0   Game    0x1045a1b34        kfun:kotlin.Throwable#<init>(kotlin.String?){} + 99
          at 1   Game    0x1045a1b94        kfun:kotlin.Exception#<init>(kotlin.String?){} + 99
          at 2   Game    0x1045a1c94        kfun:app.PageException#<init>(kotlin.String?){} + 99
          at 3   Game    0x1045a1d10        kfun:app.Book#<init>(kotlin.Int){} + 120
          at 4   Game    0x1045a1e10        kfun:app.Page#load(kotlin.Int){} + 120
      \(below)

      """, with: []
    ).crash
    expectEqual(
      found.reason,
      above.isEmpty && below.isEmpty
        ? "Kotlin exception app.PageException, whose message is not on the stack"
        : "Kotlin exception app.PageException: no page")
    expectEqual(found.frame?.function?.contains("app.Book"), true)
  }

  /// A library of many apps is no process.
  @Test func librariesAreNoProcess() throws {
    let text = """
      Crashed: io.flutter.1.io
      EXC_BAD_ACCESS KERN_INVALID_ADDRESS 0x0000000000000001
      0  libGPUSupportMercury.dylib     0x2adc43e4 gpus_ReturnNotPermittedKillClient + 9
      1  Flutter                        0xc5f0f3 (Missing)
      2  CoreFoundation                 0x1ca1c637 CFRunLoopRunSpecific + 470

      """
    let summary = JsonFixture.output(text.utf8, as: .summary, with: [])
    expectPrefix(summary, "unknown process\nin Flutter's engine: ")
  }

  /// It accepts null; what it reads is the object's.
  @Test func countsOfReferences() throws {
    let found = try swiftCrash(
      "0x0000000000000000",
      "swift::RefCounts<swift::RefCountBitsT<1> >::incrementSlow(swift::RefCountBitsT<1>, unsigned int) + 84 in libswiftCore.so",
      signal: true)
    expectEqual(found.kind, "freedObject")
  }

  /// Frames with a source file are the program's, as long as it is not the sanitizer's.
  @Test(
    arguments: [
      "wrap_strlen (/usr/lib/clang/libclang_rt.asan_osx_dynamic.dylib+0x3d9cc)",
      "strlen /src/compiler-rt/lib/sanitizer_common/sanitizer_common_interceptors.inc:389",
    ])
  func framesOfSanitizers(innermost: String) throws {
    let text = """
      =================================================================
      ==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000011 at pc 0x00010013f9cd bp 0x7000001155b0 sp 0x700000114d68
      READ of size 7 at 0x602000000011 thread T0
          #0 0x10013f9cc in \(innermost)
          #1 0x7fff89ff1bae in +[NSString stringWithCString:encoding:] (/System/Library/Frameworks/Foundation.framework/Versions/C/Foundation+0x3cbae)
          #2 0x100eb02eb in -[Board decoded] Board.m:254
          #3 0x100eaf027 in main main.m:241

      """
    let found = try JsonFixture.report(text, with: []).crash
    expectEqual(found.frame?.function, "-[Board decoded]")
  }

  /// The name and the description of an exception as fields above its frames.
  @Test func fieldsOfAnException() throws {
    let text = """
      Exception Name: NSInvalidArgumentException
      Description: -[Board turn]: unrecognized selector sent to instance 0x7fb7
      User Info: (null)

      0   CoreFoundation                      0x00007fff8a4eff06 __exceptionPreprocess + 198
      1   libobjc.A.dylib                     0x00007fff887aa79a objc_exception_throw + 43
      2   Game                                0x000000010db17ec2 -[Game play] + 105

      """
    let found = try JsonFixture.report(text, with: []).crash
    expectEqual(
      found.reason,
      "NSInvalidArgumentException: -[Board turn]: unrecognized selector sent to instance 0x7fb7")
    expectEqual(found.frame?.function, "-[Game play]")
  }

  /// The function that makes room for a large frame fails only at the end of the stack.
  @Test func roomOnTheStack() throws {
    let text = """
      frame #0: libsystem_pthread.dylib`___chkstk_darwin + 60
      frame #1: app::Board::play(...) at board.cc:206
      frame #2: app::main() at main.cc:7

      """
    let found = try JsonFixture.report(text, with: []).crash
    expectEqual(found.kind, "stackOverflow")
    expectEqual(found.frame?.function, "app::Board::play(...)")
  }

  /// If no thread is marked, the one that is in the text need not be the one that crashed.
  @Test(arguments: [("Current thread", "turn"), ("Thread", nil)])
  func threadsOfPython(heading: String, function: String?) throws {
    let text = """
      Fatal Python error: Segmentation fault

      \(heading) 0x00007f12 (most recent call first):
        File "/usr/lib/python3.11/threading.py", line 982 in run
        File "/src/board.py", line 12 in turn

      """
    let found = try JsonFixture.report(text, with: []).crash
    let native = function.map { _ in ", in native code that run (threading.py:982) called" }
    expectEqual(found.reason, "Fatal Python error: Segmentation fault\(native ?? "")")
    expectEqual(found.frame?.function, function)
  }

  /// A signal in native code is no exception of Python: the innermost function called it.
  @Test func nativeCodeBelowPython() throws {
    func reason(_ words: String) throws -> String? {
      let text = """
        Fatal Python error: \(words)

        Current thread 0x00000001f3454c00 (most recent call first):
          File "/lib/python3.12/cards/__init__.py", line 12 in draw
          File "/src/app.py", line 5 in <module>

        """
      return try JsonFixture.report(text, with: []).crash.reason
    }
    expectEqual(
      try reason("Segmentation fault"),
      "Fatal Python error: Segmentation fault, in native code that draw (cards/__init__.py:12) called"
    )
    expectEqual(
      try reason("no current thread state"), "Fatal Python error: no current thread state")
  }

  /// KSCrash names the function that it found on the device.
  @Test func originOfKsCrash() throws {
    let text = """
      {"crash": {
        "diagnosis": "Attempted to dereference null pointer.\\nOriginated at or in a subcall of -[Deck load:]",
        "error": {"address": 0, "mach": {"exception_name": "EXC_BAD_ACCESS", "code": 1,
          "code_name": "KERN_INVALID_ADDRESS", "subcode": 0}, "signal": {"name": "SIGSEGV"}}},
       "report": {"process_name": "Game"}}
      """
    expectEqual(
      try JsonFixture.report(text, with: []).crash.reason,
      "access through a null pointer, in or below -[Deck load:]")
  }
}

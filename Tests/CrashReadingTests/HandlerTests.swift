import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

@testable import CodeOwnership

/// Whose frames are on the way down from a crash, or only started what crashed: they are not its
/// place.
struct HandlerTests {
  /// - Parameter frames: images and what their frames show.
  private func crash(_ frames: [(String, String)], head: String = "") throws -> JsonReport.Crash {
    let lines = frames.enumerated().map { index, frame in
      let isOwn = frame.0.hasPrefix("Game")
      let address = (isOwn ? 0x1_0000_0000 : 0x1_8000_0000) + UInt64(index) * 4096
      return ReportFixture.line(index, address, image: frame.0, frame.1)
    }
    let text = "\(head)Thread 0 Crashed:\n\(lines.joined(separator: "\n"))\n"
    return try JsonFixture.report(text, with: []).crash
  }

  /// A name with another first byte would never be looked up.
  @Test func firstBytesOfTheRuntimesNames() {
    for name in TerminateHandler.throwersAndReporters {
      let isListed = name.utf8.first.map { TerminateHandler.firstBytes.utf8.contains($0) }
      expectTrue(isListed == true, name)
    }
  }

  private static let abort = [
    ("libsystem_kernel.dylib", "__pthread_kill + 8"),
    ("libsystem_pthread.dylib", "pthread_kill + 1"),
    ("libsystem_c.dylib", "abort + 120"),
  ]

  /// A hook above the thrower, and one in the place of AppKit's reporter.
  @Test func hooksOfExceptions() throws {
    let thrown = try crash([
      ("CoreFoundation", "__exceptionPreprocess + 172"), ("Game", "hook + 12 (Hooks.m:3)"),
      ("libobjc.A.dylib", "objc_exception_throw + 43"),
      ("CoreFoundation", "+[NSException raise:format:] + 205"),
      ("AppKit", "-[NSNib initWithNibNamed:bundle:] + 347"),
      ("Game", "-[Board draw] + 12 (Board.m:7)"),
    ])
    expectEqual(thrown.frame?.function, "-[Board draw]")
    let reported = try crash([
      ("AppKit", "-[NSApplication _crashOnException:] + 109"),
      ("AppKit", "-[NSApplication reportException:] + 916"),
      ("Game", "-[Hooks my_reportException:] + 12 (Hooks.m:3)"),
      ("AppKit", "-[NSApplication run] + 916"), ("Game", "main + 12 (main.m:3)"),
    ])
    expectEqual(reported.kind, "uncaughtException")
    expectEqual(reported.frame?.function, nil)
  }

  /// The handler that ran for `abort()` failed in turn: what malloc found comes first, and the
  /// address is the handler's.
  @Test(
    arguments: [
      (Self.abort + [("libsystem_malloc.dylib", "free_list_checksum_botch + 36")], "heapDamage"),
      (Self.abort + [("libsystem_malloc.dylib", "<redacted> + 36")], "heapDamage"),
      (Self.abort + [("libfoo.dylib", "f + 36")], "abort"),
      // It ran for a fault.
      ([("libobjc.A.dylib", "objc_msgSend + 36")], "freedObject"),
    ])
  func faultsInHandlers(interrupted: [(String, String)], kind: String) throws {
    let found = try crash(
      [
        ("???", "0x0 + 6062888"), ("Game", "handleSignal + 111 (Crashes.m:111)"),
        ("libsystem_platform.dylib", "_sigtramp + 52"),
      ] + interrupted + [("Game", "-[Board draw] + 12 (Board.m:7)")],
      head: "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\n"
        + "Exception Subtype: KERN_INVALID_ADDRESS at 0x00000000005c8328\n\n")
    expectEqual(found.kind, kind)
    expectEqual(found.frame?.function, "-[Board draw]")
  }

  /// Mono prints the nearest exported name, without the distance to it.
  ///
  /// Source: github.com/dotnet/runtime, src/mono/mono/mini/mini-posix.c.
  @Test func namesOfNeighbours() throws {
    let name = "GameNative_ImportCards"
    func summary(_ last: String) -> String {
      let text = """
        Got a SIGABRT while executing native code. This usually indicates
        =====
        \tNative Crash Reporting
        =====

        \t0x102d99954 - /var/containers/Bundle/Application/A/Board.app/Game : \(name)
        \t0x\(last) - /var/containers/Bundle/Application/A/Board.app/Game : \(name)
        \t0x1de1d4d48 - /usr/lib/system/libsystem_platform.dylib : <redacted>
        \t0x1bdb55be0 - /usr/lib/system/libsystem_kernel.dylib : <redacted>
        \t0x1d591b708 - /System/Library/PrivateFrameworks/TCC.framework/TCC : <redacted>
        \t0x1d59163d0 - /System/Library/PrivateFrameworks/TCC.framework/TCC : <redacted>

        """
      return JsonFixture.output(text.utf8, as: .summary, with: [])
    }
    let far = summary("102dd8218")
    expectEqual(far.contains("private data used without its usage description"), true)
    expectEqual(far.contains(name), false)
    expectEqual(summary("102d99a00").contains(name), true)
  }

  /// What V8 calls when it gives up belongs to others, or has a neighbour's name.
  @Test func memoryOfV8() throws {
    let functions = [
      "node::FreeCards(node::Cards*) + 17412",
      "v8::internal::FatalProcessOutOfMemory(v8::internal::Isolate*) + 860",
      "v8::internal::V8::FatalProcessOutOfMemory(char const*) + 568",
      "v8::internal::Heap::CollectGarbage(int) + 1100",
    ]
    let lines = functions.enumerated().map { index, function in
      ReportFixture.line(index, 0x1_0b60_0000, image: "Electron Framework", function)
    }
    let text = "Thread 0 Crashed:\n\(lines.joined(separator: "\n"))\n"
    let summary = JsonFixture.output(text.utf8, as: .summary, with: [])
    let headline = "in Electron: v8::internal::Heap::CollectGarbage(int) — V8 ran out of memory"
    expectEqual(summary.contains(headline), true)
  }

  /// What starts a run loop is no place of what that calls.
  @Test(
    arguments: [
      ("CoreFoundation", "__CFRunLoopRun + 2448"), ("QtCore", "QEventLoop::exec(int) + 12"),
      ("AppKit", "-[NSApplication run] + 12"),
    ])
  func runLoops(image: String, runner: String) throws {
    let found = try crash(
      Self.abort + [
        ("libc++abi.dylib", "abort_message + 128"),
        ("libc++abi.dylib", "std::terminate() + 60"),
        ("libdispatch.dylib", "_dispatch_client_callout + 36"), (image, runner),
        ("Game", "-[Server start] + 324 (Server.m:80)"), ("Game", "main + 12 (main.m:3)"),
      ])
    expectEqual(found.frame?.function, nil)
  }

  /// A thread that waits in a loop of its own is where somebody put it.
  @Test func waitingLoops() throws {
    let found = try crash([
      ("libsystem_kernel.dylib", "mach_msg_trap + 8"),
      ("CoreFoundation", "__CFRunLoopServiceMachPort + 160"),
      ("CoreFoundation", "__CFRunLoopRun + 1188"), ("Game", "wait() + 12 (Wait.swift:3)"),
    ])
    expectEqual(found.frame?.function, "wait()")
  }

  @Test(
    arguments: [
      "ggml_abort", "av_assert0_fail", "MyFatalError(char const*)", "rb_bug",
      "terminate_due_to_signal", "signalHandler(int)",
    ])
  func functionsThatOnlyEndTheProcess(name: String) throws {
    let found = try crash(
      Self.abort + [("Game", "\(name) + 160"), ("Game", "Board::turn() + 152")])
    expectEqual(found.frame?.function, "Board::turn()")
    // Nobody called it.
    let alone = try crash(Self.abort + [("Game", "\(name) + 160")])
    expectEqual(alone.frame?.function, name)
  }

  /// The handler of an exception may run above the runtime that reports it.
  @Test func exceptionsBelowTheirHandlers() throws {
    let handlers = (1...12).map { ("Game", "handler\($0)() + 8") }
    let found = try crash(
      handlers + [
        ("libc++abi.dylib", "std::__terminate(void (*)()) + 78"),
        ("libobjc.A.dylib", "objc_exception_throw + 250"),
        ("CoreData", "-[NSManagedObjectContext setParentContext:] + 338"),
        ("Game", "-[Board load] + 134"),
      ])
    expectEqual(
      found.reason,
      "uncaught Objective-C exception thrown by -[NSManagedObjectContext setParentContext:]")
    expectEqual(found.frame?.function, "-[Board load]")
  }

  /// A library that has a name says more than the program's own function whose name was cut.
  @Test func framesCutInTheirNames() throws {
    let library = "facebook::jsi::Value::draw() + 160"
    let cut = try crash(Self.abort + [("Game", library), ("Game", "Board::tu")])
    expectEqual(cut.library, "React Native")
    let line = ReportFixture.line(0, 0x1_0000_1000, image: "Game", "Board::tu")
    let alone = try JsonFixture.report("Thread 0 Crashed:\n\(line)", with: []).crash
    expectEqual(alone.frame?.imageName, "Game")
  }

  /// What Mono calls with its last message may be in the program's own image.
  @Test func messagesOfMono() throws {
    let found = try crash(
      Self.abort + [
        ("Game", "log_callback(char const*, int, void*) (runtime.m:1197)"),
        ("Game", "mono_unhandled_exception_internal (object.c:4410)"),
        ("Game", "mono_jit_exec (driver.c:1373)"), ("Game", "main (main.m:83)"),
      ])
    expectEqual(found.kind, "managedException")
    expectEqual(found.frame?.function, nil)
  }

  /// Of a fatal message, who logged it matters, and not the program's function that is called with
  /// it.
  @Test(arguments: [
    (
      ["print_callback(char const*, int) (runtime.m:1173)"],
      ["monoeg_g_logv (goutput.c:173)", "monoeg_g_log (goutput.c:184)"],
      "fatal error of .NET's runtime (Mono), whose message is in the log only"
    ),
    (
      [
        "log_callback(char const*, char const*, char const*, int, void*) (runtime.m:1160)",
        "callback_adapter (mono-logger.c:430)",
      ],
      [
        "monoeg_g_logv_nofree (goutput.c:149)", "monoeg_assertion_message (goutput.c:213)",
        "mono_assertion_message (goutput.c:231)",
      ],
      "failed check in .NET's runtime (an assertion of Mono)"
    ),
  ])
  func fatalMessagesInTheLogOfMono(
    handlers: [String], log: [String], reason: String
  ) throws {
    let found = try crash(
      Self.abort
        + (handlers + log + ["load_pages (pages.c:23)", "main (main.m:83)"]).map { ("Game", $0) })
    expectEqual(found.kind, "failedCheck")
    expectEqual(found.reason, reason)
    expectEqual(found.frame?.function, "load_pages")
  }

  /// macOS 26 leaves rounds out, and the numbers of the frames go on.
  @Test func recursionOfTheSystem() throws {
    func line(_ index: Int, _ image: String, _ function: String) -> String {
      ReportFixture.line(
        index, image == "Game" ? 0x1_0000_1000 : 0x1_8000_1000, image: image, "\(function) + 56")
    }
    let resolve = "-[UIDynamicColor resolvedColorWithTraitCollection:]"
    let text = """
      Exception Type:    EXC_BAD_ACCESS (SIGSEGV)
      Exception Message: Thread stack size exceeded due to excessive recursion
      Triggered by Thread: 0

      Thread 0 Crashed:
      \(line(0, "Foundation", "probeGC"))
      \(line(1, "UIKitCore", resolve))
      -------- RECURSION LEVEL 173824
      \(line(2, "UIKitCore", resolve))
      -------- ELIDED 173818 LEVELS OF RECURSION THROUGH 0x185d96474
      \(line(173_827, "UIKitCore", resolve))
      \(line(173_828, "UIKitCore", "UIApplicationMain"))
      \(line(173_829, "Game", "static Game.$main()"))

      """
    let found = try JsonFixture.report(text, with: []).crash
    expectEqual(found.kind, "stackOverflow")
    expectEqual(found.frame?.function, nil)
    try expectContains(require(found.reason), "calls itself (× 173827)")
  }

  /// The marked thread waits, and another one ended the process.
  @Test func threadThatAborts() throws {
    let text = """
      Exception Type:    EXC_CRASH (SIGABRT)
      Triggered by Thread: 0

      Thread 0 Crashed:
      \(ReportFixture.line(0, 0x1_8000_1000, image: "libsystem_kernel.dylib", "mach_msg2_trap + 8"))
      \(ReportFixture.line(1, 0x1_0000_1000, image: "Game", "main + 8 (main.swift:3)"))

      Thread 9:
      \(ReportFixture.line(0, 0x1_8000_2000, image: "libsystem_kernel.dylib", "abort_with_payload + 16"))
      \(ReportFixture.line(1, 0x1_8000_3000, image: "TCC", "__TCC_CRASHING_DUE_TO_PRIVACY_VIOLATION__ + 172"))

      """
    expectEqual(try JsonFixture.report(text, with: []).crash.kind, "privacy")
  }

  /// Without a list of images, a library of the program has nothing but its name; the system's
  /// program is none of those whose code runs in it.
  @Test func tweaks() throws {
    let head = """
      Process: SpringBoard
      Bundle id: com.apple.springboard
      Exception type: EXC_BAD_ACCESS (SIGSEGV)
      Exception codes: 0x0000000000000001, 0x0000000000000010
      Triggered by thread: 0

      """
    let found = try crash(
      [
        ("CoreFoundation", "CFRetain + 8"), ("SpringBoard", "0x100000000 + 4096"),
        ("Game.dylib", "0x100000000 + 8192"),
      ], head: head)
    expectEqual(found.frame?.imageName, "Game.dylib")
  }

  @Test(
    arguments: [
      ("dispatch_group_leave.cold.1 + 36", "dispatchQueue"),
      ("_dispatch_semaphore_dispose.cold.1 + 36", "dispatchQueue"),
    ])
  func clientsOfLibdispatch(frame: String, kind: String) throws {
    let found = try crash([("libdispatch.dylib", frame), ("Game", "turn() + 12 (Board.swift:7)")])
    expectEqual(found.kind, kind)
    expectEqual(found.frame?.function, "turn()")
  }

  /// lldb stopped in what Mono's handler of signals calls: it failed itself. The program is Mono's.
  ///
  /// Source: github.com/mono/mono, mono/mini/mini-posix.c (`dump_native_stacktrace`).
  @Test(arguments: ["mono-sgen", "mono-sgen64", "mono"])
  func failedHandlersOfMono(image: String) throws {
    let text = """
      * thread #1, stop reason = EXC_BAD_ACCESS (code=2, address=0x10b3f40f8)
        * frame #0: 0x000000010a1510d9 \(image)`mono_summarize_stack(domain=0x10, out=0x20) at threads.c:612
          frame #1: 0x000000010a07c69f \(image)`dump_native_stacktrace(signal="SIGSEGV") at mini-posix.c:72
          frame #2: 0x000000010a1720a9 \(image)`mono_handle_native_crash(signal="SIGSEGV") at mini-exceptions.c:33

      """
    let found = try JsonFixture.report(text, with: []).crash
    expectEqual(found.library, "Mono")
    expectNil(found.frame)
    expectEqual(found.reason, "access to 0x10b3f40f8 that the memory's protection forbids")
  }

  /// Python flushes its files as it gives up, which may fail in turn: the first failure is the
  /// outermost.
  ///
  /// Source: github.com/python/cpython, Python/pylifecycle.c (`flush_std_files`).
  @Test(
    arguments: [
      (["Py_FatalError + 120", "PyObject_Call + 44"], ["Py_FatalError + 96"], "Deck_deal"),
      (["Py_FatalError + 120", "Turn_call + 44"], [], "Turn_call"),
    ])
  func endsWithinEnds(inner: [String], outer: [String], place: String) throws {
    let found = try crash(
      (Self.abort + (inner + outer + ["Deck_deal + 212"]).map { ("Game", $0) }),
      head: "Exception Type:  EXC_CRASH (SIGABRT)\n\n")
    expectEqual(found.frame?.function, place)
  }

  /// A handler ran for what the allocator found. Above the frame that it interrupted there may be
  /// one that is none, unless the code itself was called through a bad pointer.
  @Test(
    arguments: [
      ([("???", "0 + 180388626474"), ("libsystem_malloc.dylib", "free_tiny + 412")], "heapDamage"),
      ([("libsystem_malloc.dylib", "nanov2_malloc + 62")], "heapDamage"),
      ([("???", "0 + 180388626474")], "sentSignal"),
      ([("libsystem_m.dylib", "pow + 62")], "sentSignal"),
    ])
  func signalsInTheAllocator(interrupted: [(String, String)], kind: String) throws {
    let found = try crash(
      Self.abort + [
        ("GameKitchen", "panicHandler + 40"), ("libsystem_platform.dylib", "_sigtramp + 26"),
      ] + interrupted + [("Game", "-[Board draw] + 12 (Board.m:7)")])
    expectEqual(found.kind, kind)
    expectEqual(found.frame?.function, "-[Board draw]")
  }

  // MARK: Ends that others ask for

  /// An add-on of Node.js wanted the end: neither what the engine does then, nor the wrapper of
  /// node-addon-api, is the place.
  ///
  /// Source: github.com/nodejs/node, src/node_api.cc; nodejs/node-addon-api, napi-inl.h.
  @Test func fatalErrorsOfAddOns() throws {
    let found = try crash(
      Self.abort + [
        ("Electron Framework", "node::OnFatalError(char const*, char const*) + 377"),
        ("Electron Framework", "napi_fatal_error + 147"),
        ("Game.node", "Napi::Error::Fatal(char const*, char const*) + 26"),
        ("Game.node", "Board::turn(Napi::CallbackInfo const&) + 125"),
      ])
    expectEqual(found.frame?.function, "Board::turn(Napi::CallbackInfo const&)")
    expectEqual(found.kind, "failedCheck")
  }

  /// The handler of a signal ended the process with a function of its runtime, which says so.
  @Test(arguments: [
    ("Py_FatalError + 49", ", which Python handled: Py_FatalError() ended the process"),
    ("faulthandler_user + 49", ", which Python handled"),
  ])
  func endsInHandlersOfPython(function: String, words: String) throws {
    let found = try crash(
      Self.abort + [
        ("org.python.python", function), ("libsystem_platform.dylib", "_sigtramp + 26"),
        ("AppKit", "-[NSWindow center] + 278"),
      ])
    expectEqual(found.reason, "a signal arrived here\(words)")
  }
}

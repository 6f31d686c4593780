import ReportTestSupport
import TestSupport
import Testing

/// Crashes in code without names: what the queue, the libraries around it, or the system's words
/// say instead.
struct UnnamedCodeTests {
  private typealias Report = TrapReportFixture

  private static let abort = "Exception Type:  EXC_CRASH (SIGABRT)"

  /// - Parameter frames: images and functions, innermost first; nil for a function without a name.
  private func report(
    _ frames: [(String, String?)], head: String = Self.abort, before: String = "",
    queue: String = ""
  ) throws -> JsonReport {
    var names: [String] = []
    for (name, _) in frames where !names.contains(name) { names.append(name) }
    func base(_ name: String) -> UInt64 {
      0x1_a000_0000 + UInt64(names.firstIndex(of: name) ?? 0) << 20
    }
    let lines = frames.enumerated().map { index, frame in
      ReportFixture.line(
        index, base(frame.0) + 4096, image: frame.0,
        frame.1.map { "\($0) + 8" } ?? "0x\(String(base(frame.0), radix: 16)) + 4096")
    }
    let images = names.map { name in
      let isOfSystem = name.hasPrefix("lib") || ["dyld", "CoreFoundation"].contains(name)
      let folder = isOfSystem ? "/usr/lib" : Report.bundlePath.dropLast(8)
      let start = base(name)
      return
        "0x\(String(start, radix: 16)) - 0x\(String(start + 0xfffff, radix: 16)) \(name) arm64  <\(String(start << 16, radix: 16))00000000000000000000> \(folder)/\(name)"
    }
    let text = Report.report(lines, images: images, head: head, before: before)
      .replacing("Thread 0 Crashed:", with: "\(queue)Thread 0 Crashed:")
    return try JsonFixture.report(text, with: [])
  }

  /// Of libc++abi and libobjc, as the system's symbols name them.
  private static let rethrow: [(String, String?)] = [
    ("libsystem_kernel.dylib", "__pthread_kill"), ("libsystem_c.dylib", "abort"),
    ("libc++abi.dylib", "demangling_terminate_handler()"),
    ("libobjc.A.dylib", "_objc_terminate()"),
    ("libc++abi.dylib", "std::__terminate(void (*)())"), ("libc++abi.dylib", "__cxa_rethrow"),
    ("libobjc.A.dylib", "objc_exception_rethrow"),
  ]

  @Test(
    arguments: [
      ("expo.controller.errorRecoveryQueue", "javaScriptError", "likely"),
      ("com.meta.react.turbomodulemanager.queue", "nativeModuleException", "likely"),
      ("com.apple.main-thread", "cxxException", "certain"),
    ])
  func queuesNameCode(queue: String, kind: String, confidence: String) throws {
    let line = "Thread 0 name:  Dispatch queue: \(queue)\n"
    let found = try report(
      Self.rethrow + [("App", nil), ("libdispatch.dylib", "_dispatch_client_callout")],
      queue: line
    ).crash
    expectEqual(found.kind, kind)
    expectEqual(found.confidence, confidence)
    expectEqual(found.frame?.image.map { _ in true }, true)
    // Code with a name speaks for itself.
    let named = try report(Self.rethrow + [("App", "-[Board draw]")], queue: line).crash
    expectEqual(named.kind, "cxxException")
  }

  /// A crash SDK inside the app ends the process for an exception that nobody caught.
  @Test(arguments: [true, false])
  func handlersOfUncaughtExceptionsAreNotThePlace(hasNames: Bool) throws {
    func frame(_ image: String, _ name: String) -> (String, String?) {
      (image, hasNames ? name : nil)
    }
    let frames = [
      frame("libsystem_kernel.dylib", "__pthread_kill"), frame("libsystem_c.dylib", "abort"),
      frame("App", "handleException"), frame("CoreFoundation", "__handleUncaughtException"),
      frame("libobjc.A.dylib", "_objc_terminate()"),
      frame("libc++abi.dylib", "std::__terminate(void (*)())"),
      frame("libc++abi.dylib", "__cxa_throw"), frame("libobjc.A.dylib", "objc_exception_throw"),
      frame("AppKitchen", "-[Oven bake]"),
    ]
    let found = try report(frames)
    let index = try require(found.crash.frame?.image)
    expectEqual(found.images[index].name, "AppKitchen")
    expectEqual(
      found.signature?.text,
      hasNames ? "EXC_CRASH | -[Oven bake]" : "EXC_CRASH | AppKitchen+0x1000")
    // A handler that fails itself is the place.
    let failed = try report(
      Array(frames[2...]),
      head:
        "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\nException Codes: 0x0000000000000001, 0x0000000000000000"
    )
    expectEqual(failed.crash.frame?.image.map { failed.images[$0].name }, "App")
  }

  /// Qt passes a fatal message to the app's own handler, which may call `abort()` itself.
  @Test(arguments: ["QMessageLogger::fatal(char const*, ...) const", "qFatal(char const*, ...)"])
  func handlersOfFatalMessagesAreNotThePlace(fatal: String) throws {
    let found = try report([
      ("libsystem_kernel.dylib", "__pthread_kill"), ("libsystem_c.dylib", "abort"),
      ("App", "handleMessage"), ("QtCore", "qt_message_print"), ("QtCore", fatal),
      ("AppKitchen", "-[Oven bake]"),
    ])
    let index = try require(found.crash.frame?.image)
    expectEqual(found.images[index].name, "AppKitchen")
    expectEqual(found.crash.reason, "qFatal() was called (Qt)")
  }

  /// The oldest handler of Kotlin/Native.
  @Test func theKotlinRuntimeIsNotThePlace() throws {
    let found = try report([
      ("libsystem_kernel.dylib", "__pthread_kill"), ("libsystem_c.dylib", "abort"),
      ("App", "KonanTerminateHandler()"),
      ("App", "(anonymous namespace)::Kotlin_deinitRuntimeCallback(void*)"),
      ("App", "kfun:com.example.Board.draw()"),
    ])
    expectEqual(found.crash.frame?.function?.contains("com.example.Board.draw"), true)
  }

  private static let fault = """
    Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
    Exception Subtype: KERN_INVALID_ADDRESS at 0x0000000000000010
    Exception Codes: 0x0000000000000001, 0x0000000000000010
    """

  /// A class is read at a small offset, so its object was no object any more.
  @Test func nullInTheObjectiveCRuntimeIsAFreedObject() throws {
    let found = try report(
      [("libobjc.A.dylib", nil), ("App", "-[Board draw]")], head: Self.fault
    ).crash
    expectEqual(found.kind, "freedObject")
    expectEqual(found.confidence, "possible")
    let other = try report([("libz.dylib", nil), ("App", "-[Board draw]")], head: Self.fault).crash
    expectEqual(other.kind, "nullPointer")
  }

  @Test(
    arguments: [
      "objc_msgSend() selector name: didUnlockScreen:",
      "Selector name found in current argument registers: didUnlockScreen:",
    ])
  func selectorsOfMessages(line: String) throws {
    let words = "\nApplication Specific Information:\n\(line)\n"
    let reason =
      "an object was used that was freed or overwritten before (objc_msgSend, selector didUnlockScreen:)"
    let found = try report(
      [("libobjc.A.dylib", "objc_msgSend"), ("App", "-[Board draw]")], head: Self.fault,
      before: words
    ).crash
    expectEqual(found.reason, reason)
    expectEqual(found.confidence, "likely")
    let nameless = try report(
      [("libobjc.A.dylib", nil), ("App", nil)], head: Self.fault, before: words
    ).crash
    expectEqual(nameless.reason, reason)
    expectEqual(nameless.confidence, "possible")
    // It is about the function, not about what the function called.
    let retained = try report(
      [("libobjc.A.dylib", "objc_retain"), ("App", "-[Board draw]")], head: Self.fault,
      before: words
    ).crash
    expectEqual(
      retained.reason, "an object was used that was freed or overwritten before (objc_retain)")
  }

  /// 0x7ff8… is an address, and so is a small number; 0xe000… and 0x11d8… are none.
  @Test func registersOfAGeneralProtectionFault() throws {
    let text = Report.report(
      [Report.stated(0, 0x1_0000_1000, "-[Board draw] + 12 (Board.m:7)")],
      head: """
        Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
        Exception Codes: EXC_I386_GPFLT
        """
    ).replacing("ARM-64 (Native)", with: "X86-64 (Native)")
    let state = """
      Thread 0 crashed with X86 Thread State (64-bit):
        rax: 0xe00007f80bd22039  rbx: 0x00007f80bd2202e0  rcx: 0x0000000000000010  rdx: 0x011d800101d66da1

      Binary Images:
      """
    let found = try JsonFixture.report(
      text.replacing("Binary Images:", with: state), with: []
    ).crash
    expectEqual(
      found.reason,
      "general protection fault: most often a pointer that was overwritten or freed (a non-canonical address: rax 0xe00007f80bd22039, rdx 0x11d800101d66da1)"
    )
    expectEqual(found.confidence, "possible")
    let without = try JsonFixture.report(text, with: []).crash
    expectEqual(without.reason?.hasSuffix("(a non-canonical address)"), true)
  }

  /// The whole app runs in Electron: a frame of the app that only starts it is not the place.
  @Test func startOfAnElectronApp() throws {
    let found = try report(
      [
        ("dyld", "memcmp"), ("Electron Framework", "node::binding::DLOpen(int)"),
        ("Electron Framework", "ElectronMain"), ("App", nil), ("libdyld.dylib", "start"),
      ],
      head: "Exception Type:  EXC_BAD_ACCESS (Code Signature Invalid)\nException Codes: 0x32, 0x10")
    expectEqual(found.crash.library, "Electron")
    expectEqual(found.signature?.frames.contains { $0.hasPrefix("App") }, false)
  }

  /// A crash SDK that reports a process which goes on calls that SIGTRAP.
  @Test func reportsOnRequestAreNoFailedChecks() throws {
    let found = try report(
      [("MeasureSDK", nil), ("App", "-[Board draw]")], head: "Exception Type:  SIGTRAP"
    ).crash
    expectEqual(found.kind, "exceptionType")
    expectEqual(found.frame?.function, "-[Board draw]")
  }

  /// A pointer is aligned, and so are most fields behind one.
  @Test func smallNumbersAsPointers() throws {
    for (address, confidence) in [("0x1", "possible"), ("0x6", "possible"), ("0x4", "likely")] {
      let found = try report(
        [("App", "-[Board draw]")],
        head:
          "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\nException Codes: 0x0000000000000001, \(address)"
      ).crash
      expectEqual(found.kind, "nullPointer")
      expectEqual(found.confidence, confidence)
      expectEqual(
        found.reason?.hasSuffix("; or a small number was used as a pointer"),
        confidence == "possible")
    }
  }
}

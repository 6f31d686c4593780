import FunctionNames
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Whose code a frame is: runtimes and libraries inside an app, and what the user says.
///
/// The names of functions are from real reports of such apps.
struct LibraryCodeTests {
  private typealias Report = TrapReportFixture

  private func crash(
    _ functions: [String], _ options: SymbolicationOptions = SymbolicationOptions(),
    head: String = "Exception Type:  EXC_CRASH (SIGABRT)"
  ) throws -> JsonReport.Crash {
    let frames = functions.enumerated().map {
      Report.stated($0.offset, 0x1_0000_1000, "\($0.element) + 8")
    }
    return try JsonFixture.report(Report.report(frames, head: head), with: [], options).crash
  }

  @Test(
    arguments: [
      "hermes::vm::HadesGC::allocSlow(unsigned int)", "RCTFatal",
      "-[RCTExceptionsManager reportFatal:stack:exceptionId:extraDataAsJSON:]",
      "__26-[RCTJSThreadManager init]_block_invoke_2",
      "invocation function for block in facebook::react::RCTMessageThread::runAsync(std::__1::function<void ()>)",
      "flutter::Shell::Run()", "mono_handle_exception", "xamarin_printf",
      "UIKit_UIApplication_Main_string___string_string",
      // Of Mono, with code that LLVM compiled (mono/mini/exceptions-arm64.c).
      "llvm_resume_unwind_trampoline", "llvm_throw_corlib_exception_abs_trampoline",
      "Xamarin_iOS_UIKit_UIApplication_Main_string___intptr_intptr",
      "il2cpp::vm::Exception::Raise(Il2CppObject*)",
      "core::panicking::panic_fmt::hbccf1478dcdd0d51",
      "std::sys::pal::unix::abort_internal::he83a14397ef717ae",
      "_RNvCsiGVaDesi5rv_7___rustc17rust_begin_unwind",
      "_$LT$core..option..Option$LT$T$GT$$GT$::unwrap::h0123456789abcdef",
      "closure #1 in closure #12 in ErrorRecovery.tryRelaunchFromCache()",
      "RLMSetErrorOrThrow(NSError*, NSError* __autoreleasing*)",
      "+[RLMRealm realmWithConfiguration:error:]",
      "+[FIRApp configure]", "sentrycrashcm_handleException", "StartupProcedure.throwException(_:)",
      "closure #1 in Configuration.APIKeyValidationResult.checkForSimulatedStoreAPIKeyInRelease(systemInfo:apiKey:)",
      "ksobjc_objectType", "ThrowException", "TerminateWithUnhandledException",
      "__RCTExecuteOnMainQueue_block_invoke", "RCTUnsafeExecuteOnMainQueueSync",
      "g_assertion_message_expr", "folly::SharedMutexImpl<false>::lock()",
      "[J]java.util.ArrayList.get(I)Ljava/lang/Object;",
      "worklets::JSScheduler::triggerUI()",
      "realm::util::terminate(char const*, char const*, long)", "grpc_core::Combiner::Run()",
      "objc_exception::try_no_ret::try_objc_execute_closure", "RustObjCExceptionTryCatch",
      "objc2::exception::catch", "_rust_begin_unwind", "___rust_try", "pyqt5_err_print()",
      "PyQtSlotProxy::unislot(void**)", "tokio::runtime::scheduler::Handle::current",
      "_$LT$$LP$$RP$$u20$as$u20$objc..message..MessageArguments$GT$::invoke::hff7f11a2d5327741",
      "<objc2::rc::retained::Retained<T> as core::ops::drop::Drop>::drop",
      "core::ptr::drop_in_place<board::deck::Deck>",
    ])
  func librariesAreLookedPast(function: String) throws {
    let found = try crash([function, "Board.draw()"])
    expectTrue(found.frame?.function == "Board.draw()" && found.library == nil)
    // A report without any other frame names the library.
    let alone = try crash([function])
    expectTrue(alone.frame == nil && alone.library != nil)
  }

  /// Names that only look like a library's.
  @Test(
    arguments: [
      "core::Engine::run(int)", "alloc::Pool::grow()", "-[RCTCalendarModule createEvent:]",
      "hermesDelivery()", "monoPlayer.start()", "flutterFlag.getter", "-[BoardSentry raise]",
      "Configuration.load()", "ThrowExceptionOf(Board)",
      "closure #1 in closure #1 in Board.recover()",
      "closure #1 in closure #x in ErrorRecovery.run()",
      "_rust_board_turn", "tokio::runtime::Builder::build", "pyqtDeck::err_print()",
      "<board::deck::Deck as core::ops::drop::Drop>::drop",
    ])
  func othersAreTheUsersOwn(function: String) throws {
    try expectEqual(crash([function, "Board.draw()"]).frame?.function, function)
  }

  /// The frames below Mono's handler are not in the text.
  @Test func handlersAreNoPlace() throws {
    for name in ["sigabrt_signal_handler", "sigabrt_signal_handler.cold.1"] {
      try expectNil(crash(["abort", name]).frame.flatMap { $0.function == name ? name : nil })
    }
  }

  /// Parts of the standard library that the compiler put into the program.
  @Test(
    arguments: [
      "specialized _ArrayBuffer._getElementSlowPath(Int) -> AnyObject",
      "_ContiguousArrayBuffer.init()",
    ])
  func genericCodeOfTheStandardLibrary(function: String) throws {
    try expectEqual(crash([function, "Board.draw()"]).frame?.function, "Board.draw()")
  }

  /// Linkers fold equal code that the compiler generated, so its name says little.
  @Test(arguments: [("/<compiler-generated>:0", true), ("Board.swift:0", false)])
  func generatedCodeBehindALibrary(place: String, isLibrary: Bool) throws {
    let text = Report.report(
      [
        Report.stated(0, 0x1_0000_1000, "RCTFormatError + 8"),
        Report.stated(1, 0x1_0000_1000, "closure #3 in Board.definition() + 8 (\(place))"),
      ], head: "Exception Type:  EXC_CRASH (SIGABRT)")
    let found = try JsonFixture.report(text, with: []).crash
    expectTrue((found.library == "React Native") == isLibrary && (found.frame == nil) == isLibrary)
  }

  @Test func whatTheUserSays() throws {
    var options = SymbolicationOptions()
    options.codePatterns = CodePatterns(user: ["RCTFatal"], library: ["Board*"])
    try expectEqual(crash(["RCTFatal", "a()"], options).frame?.function, "RCTFatal")
    try expectEqual(crash(["Board.draw()", "a()"], options).frame?.function, "a()")
    try expectEqual(crash(["Board.draw()"], options).library, "Board*")
    // Without a star, the start of a name up to its end or a separator.
    options.codePatterns = CodePatterns(library: ["Board"])
    try expectEqual(crash(["Board.draw()", "a()"], options).frame?.function, "a()")
    try expectEqual(crash(["Boards.draw()", "a()"], options).frame?.function, "Boards.draw()")
    // The image's name counts too; --user-code wins.
    options.codePatterns = CodePatterns(user: ["a()"], library: ["Inlines"])
    try expectEqual(crash(["Board.draw()", "a()"], options).frame?.function, "a()")
  }

  @Test func runtimesSayWhatHappened() throws {
    let panic = try crash([
      "std::panicking::panic_with_hook::h93c775fc227522dd",
      "core::panicking::panic_cannot_unwind::hf78649432160e0db", "app_lib::run",
    ])
    expectEqual(panic.kind, "rustPanic")
    expectEqual(panic.frame?.function, "app_lib::run")
    expectEqual(panic.reason?.hasPrefix("Rust panic where none may leave the function"), true)
    let plain = try crash(["core::panicking::panic_fmt::hf78649432160e0db", "app_lib::run"])
    expectEqual(plain.reason, "Rust panic")
    let managed = try crash(["mono_invoke_unhandled_exception_hook", "Game_Board_Draw"])
    expectEqual(managed.reason, "unhandled .NET exception (Mono)")
    let script = try crash(["RCTFatal"])
    expectEqual(script.reason, "fatal JavaScript error (React Native)")
    let access = try crash(
      ["mono_invoke_unhandled_exception_hook"],
      head: "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\nException Codes: 0x1, 0x8")
    expectEqual(access.kind, "nullPointer")
  }

  /// The summary shows names that the report has mangled as people read them; JSON keeps them.
  @Test(arguments: ["", " (.llvm.16324810852684978592)"])
  func summariesShowReadableNames(module: String) throws {
    let name = "_$LT$tauri..App$u20$as$u20$core..fmt..Debug$GT$::fmt::h0123456789abcdef\(module)"
    let text = Report.report(
      [Report.stated(0, 0x1_0000_1000, "\(name) + 8")], head: "Exception Type:  EXC_CRASH (SIGABRT)"
    )
    let summary = JsonFixture.output(text.utf8, as: .summary, with: [])
    expectContains(summary, "<tauri::App as core::fmt::Debug>::fmt")
    expectFalse(summary.contains("$LT$") || summary.contains("llvm"))
    try expectEqual(JsonFixture.report(text, with: []).crash.frame?.function, name)
  }

  @Test(
    arguments: [
      (
        "function signature specialization <Arg[0] = Dead> of generic specialization <Swift.Int> of f()",
        "specialized f()"
      ),
      ("generic specialization <Swift.Int> of ", "generic specialization <Swift.Int> of "),
      ("generic specialization <", "generic specialization <"),
    ])
  func specializedNames(name: String, readable: String) {
    expectEqual(ReadableName.readable(name), readable)
  }

  @Test(
    arguments: [
      "/Users/me/Library/Developer/Xcode/DerivedData/A/Build/Products/Debug/BoardTests.xctest/Contents/MacOS/BoardTests",
      "/Library/Audio/Plug-Ins/Components/Board.component/Contents/MacOS/Board",
    ])
  func testsAndPlugInsAreTheUsersOwn(path: String) throws {
    let image =
      "0x110000000 - 0x11000ffff Board arm64  <11112233445566778899aabbccddeeff> \(path)"
    let text = Report.report(
      [
        ReportFixture.line(0, 0x1_1000_1000, image: "Board", "there() + 8"),
        Report.stated(1, 0x1_0000_1000, "here() + 8"),
      ], images: [Report.inlinesLine, image])
    try expectEqual(JsonFixture.report(text, with: []).crash.frame?.function, "there()")
  }
}

/// What programs, their runtimes and their tools print about a crash.
extension StatementMessage {
  private static let banner = "Thread {skip:d}: "

  /// Source: github.com/apple-oss-distributions, Libc, gen/assert.c; libmalloc,
  /// src/magazine_malloc.c; llvm/llvm-project, libcxxabi/src/cxa_default_handlers.cpp and
  /// cxa_virtual.cpp; compiler-rt/lib/ubsan/ubsan_diag.cpp; Metal's and Xcode's checkers, and
  /// Rosetta's errors, as people show them (github.com/shadps4-emu/shadPS4, issue 667;
  /// hashicorp/terraform, issue 27257).
  static let words = [
    Self(
      " malloc: *** error for object 0x", head + "{process}({pid},{skip}) malloc: {message}",
      head + "{process}[{pid},{skip}] malloc: {message}", means: .words),
    // The key is on the line below.
    Self(
      privateData, head + "{process:w}[{pid}:{skip}] {?[access] ?}" + privateSentence,
      privateSentence, means: .brokenPrivacy),
    Self(
      privateData, head + "{process:w}[{pid}:{skip}] {?[access] ?}{message}",
      means: .termination(namespace: "TCC")),
    Self(privateData, "\(privateData) {skip}", means: .words),
    // A terminal broke the line.
    Self(
      brokenData, head + "{process:w}[{pid}:{skip}] {?[access] ?}{message}", "{message}",
      means: .brokenPrivacy),
    // Of WatchKit. Source: as in github.com/RevenueCat/purchases-ios, issue 1891.
    Self(
      "ritical failure. Simulating crash",
      "{?{skip} ?}{symbol:w} {skip:w}: Critical failure. {skip}",
      "{?{skip} ?}{symbol:w}: Critical failure. {skip}", means: .words),
    Self(
      "Assertion failed: (",
      "Assertion failed: ({skip}), function {skip}, file {skip}, line {line}.", means: .words),
    Self(
      "ut of memory: Kill",
      head + "Out of memory: Kill{?ed?} process {pid} ({process}){?,?}{? {skip}?}",
      head + "Memory cgroup out of memory: Kill{?ed?} process {pid} ({process}){?,?}{? {skip}?}",
      means: .words),
    Self("rosetta error: ", writer + "rosetta error: {skip}", means: .wordsFromSign),
    Self(
      "libc++abi", writer + "libc++abi{?.dylib?}: terminating",
      writer + "libc++abi{?.dylib?}: terminating {skip} foreign exception",
      writer + "libc++abi{?.dylib?}: terminating {skip} exception of type {skip:w}",
      writer + "libc++abi{?.dylib?}: Pure virtual function called!",
      writer + "libc++abi{?.dylib?}: Deleted virtual function called!", means: .wordsFromSign),
    // As it is in `Application Specific Information`, without who says it.
    Self(
      "terminating with uncaught ", "terminating with uncaught exception of type {skip:w}",
      "terminating with uncaught exception of type {skip:w}: {skip}",
      "terminating with uncaught foreign exception", means: .wordsFromSign),
    Self(
      "terminating due to uncaught ", "terminating due to uncaught exception of type {skip:w}",
      "terminating due to uncaught exception of type {skip:w}: {skip}",
      "terminating due to uncaught foreign exception", means: .wordsFromSign),
    Self(
      ": runtime error: ", "{file}:{line}:{column}: runtime error: {reason}",
      means: .finding("UndefinedBehaviorSanitizer")),
    // Of SwiftUI, from behind `Fatal error: ` on.
    Self(
      "A View.environmentObject(_:) for ",
      "No {?o?}{?O?}bservable{? o?}{?O?}bject of type {skip} found. A View.environmentObject(_:) for {skip}",
      means: .words),
    Self(
      "SUMMARY: ", head + "SUMMARY: {exception:w}Sanitizer: {reason}",
      means: .finding("Sanitizer")),
  ]

  private static let brokenData = "This app has crashed because it attempted to access"
  private static let privateData =
    "This app has crashed because it attempted to access privacy-sensitive data"
  static let privateSentence = privateData + " without a usage description."

  /// What libraries print with macros of their own, and then call `abort()` or trap.
  ///
  /// Source: github.com/ggml-org/ggml, include/ggml.h (`GGML_ASSERT`) and src/ggml.c
  /// (`ggml_abort`); mozilla-firefox/firefox, mfbt/Assertions.h and Assertions.cpp; qt/qtbase,
  /// src/corelib/global/qassert.cpp; WebKit/WebKit, Source/WTF/wtf/Assertions.cpp; for
  /// `Assertion failure in FUNCTION (line 7): `, Quick Look's own words; juce-framework/JUCE,
  /// modules/juce_core/logging/juce_Logger.cpp (`logAssertion`).
  static let assertions = [
    Self("_ASSERT(", "{skip}", means: .assertion), Self("_CHECK(", "{skip}", means: .assertion),
    Self("_ASSERT: ", "{skip}", means: .assertion),
    Self(
      "Assertion failure: ", writer + "Assertion failure: {skip}, at {skip}:{line}",
      "{?{skip}] ?}Assertion failure: {skip} ({skip}), at {skip}:{line}", means: .wordsFromSign),
    Self(
      "Hit MOZ_CRASH(", writer + "Hit MOZ_CRASH({skip}) at {skip}:{line}", means: .wordsFromSign),
    Self(
      "ASSERT: \"", writer + "ASSERT: \"{skip}\" in file {skip}, line {line}", means: .wordsFromSign
    ),
    Self(
      "ASSERT failure in ",
      writer + "ASSERT failure in {skip}: \"{skip}\", file {skip}, line {line}",
      means: .wordsFromSign),
    Self(
      "Assertion failure in ", writer + "Assertion failure in {symbol:w} (line {line:d}): {skip}",
      means: .wordsFromSign),
    Self("ASSERTION FAILED: ", writer + "ASSERTION FAILED: {skip}", means: .wordsFromSign),
    Self(
      "JUCE Assertion failure in ", writer + "JUCE Assertion failure in {file:w}:{line}",
      means: .debugAssertion),
  ]

  /// What Metal says when the GPU did not run the commands of a program, and MoltenVK, for which
  /// the device is lost then. What follows from an earlier error (`Ignored`, `Discarded`) is no
  /// reason.
  ///
  /// Source: developer.apple.com/documentation/metal/mtlcommandbuffererror;
  /// github.com/KhronosGroup/MoltenVK, MoltenVK/MoltenVK/GPUObjects/MVKQueue.mm
  /// (`MVKQueueCommandBufferSubmission`); the words as in github.com/flutter/flutter, issues 97910
  /// and 127151.
  static let graphics = [
    Self(
      commandBufferError, writer + commandBufferError + "Caused GPU {skip}",
      head + commandBufferError + "Caused GPU {skip}",
      head + commandBufferError + "Insufficient Memory {skip}", means: .wordsFromSign),
    Self(
      "VK_ERROR_", head + "VK_ERROR_DEVICE_LOST: {skip}" + failed,
      head + "VK_ERROR_{skip:w}: Lost VkDevice after {skip}" + failed, means: .wordsFromSign),
    Self(GpuRestart.key, "{skip}", means: .gpuRestart),
  ]

  private static let failed = " execution failed (code {skip:d}): {skip}"

  private static let commandBufferError =
    "Execution of the command buffer was aborted due to an error during execution. "

  private static let badMessage = "invalid message send to {skip:w}[{skip}]: "

  /// What runtimes say when a stack has no room left, and Rust's of other failures. That of Rust
  /// about a thread is among ``LastWords``.
  ///
  /// Source: github.com/rust-lang/rust, library/std/src/rt.rs (`rtabort!`); golang/go,
  /// src/runtime/stack.go (`newstack`); dotnet/runtime, src/coreclr/vm/eepolicy.cpp; ocaml/ocaml,
  /// runtime/printexc.c; crystal-lang/crystal, src/crystal/system/unix/signal.cr; for stacks that a
  /// buffer damaged, glibc's debug/fortify_fail.c; for messages of Objective-C that Rust sends,
  /// madsmtm/objc2, crates/objc2/src/verify.rs and runtime/message_receiver.rs; for React Native,
  /// facebook/react-native, React/Base/RCTModuleMethod.mm.
  static let overflows = [
    Self(
      "invalid message send to ", writer + badMessage + "expected return to have {skip}",
      writer + badMessage + "expected argument at index {skip}",
      writer + badMessage + "expected {skip:d} arguments, but {skip:d} were given",
      writer + badMessage + "method not found", means: .wordsFromSign),
    Self("messsaging ", writer + "messsaging {skip:w} to nil", means: .wordsFromSign),
    Self("fatal runtime error: ", writer + "fatal runtime error: {skip}", means: .wordsFromSign),
    Self("fatal error: stack overflow", "fatal error: stack overflow", means: .words),
    Self(
      "goroutine stack exceeds ", "runtime: goroutine stack exceeds {skip:d}-byte limit",
      means: .words),
    Self("tack overflow", "Stack overflow.", means: .words),
    Self(
      "tack overflow (e.g., ", "Stack overflow (e.g., infinite or very deep recursion)",
      means: .words),
    Self(
      " due to StackOverflowException.",
      "Process is terminat{skip:w} due to StackOverflowException.", means: .words),
    Self(
      "Fatal error: exception ", writer + "Fatal error: exception {skip}", means: .wordsFromSign),
    Self(
      " detected ***: ", "*** stack smashing detected ***: {skip}",
      "*** buffer overflow detected ***: {skip}", means: .words),
    Self(
      "' was thrown while invoking ",
      "{?{exception:w}: ?}Exception '{reason}' was thrown while invoking {symbol:w} on target {image:w} with params {skip}",
      means: .nativeModule),
  ]

  /// Source: what ``TraceGrammar`` names for the heads of Dart, Go, Java and Python;
  /// github.com/dart-lang/sdk, runtime/vm/profiler.cc.
  static let traces = [
    // Below the name of the signal.
    Self(
      " sigcode=", "PC={skip:x} m={skip:d} sigcode={code:d}{? addr={fault}?}", means: .signalOfGo),
    Self(
      "[signal SIG", head + "[signal {signal:w}: {skip} code={code:x} addr={fault} pc={skip}]",
      means: .parts),
    // Older versions on Apple's systems know the number only.
    Self(
      "[signal 0x", head + "[signal {signal:x} code={code:x} addr={fault} pc={skip}]", means: .parts
    ),
    Self(
      " at pc=0x", head + "# {signal:w} ({skip:x}) at pc={skip:x}, pid={pid}, tid={skip:w}",
      "{signal:w} ({skip:x}) at pc={skip:x}{?, pid={pid}, tid={skip:w}?}", means: .parts),
    Self(
      "si_signo=", head + "si_signo={skip}({signal:d}), si_code={code:d}, si_addr={fault:h}",
      head + "si_signo={skip}({signal:d}), si_code={code:d}", means: .parts),
    Self(
      "version=", head + "version={version:w} {skip} on \"{system:w}_{architecture:w}\"",
      means: .virtualMachine),
    Self("isolate", head + "pid={pid}, thread={skip:d}, isolate{skip}", means: .virtualMachine),
    // Of Breakpad's `minidump_stackwalk` (src/processor/stackwalk_common.cc), and of a server that
    // puts the innermost frame behind it (`… :: 0 Board + 0x1c2 ::`).
    Self(
      "Crash reason: ", head + "Crash reason: EXC_{stop:w} / {code:w}",
      head + "Crash reason: EXC_{stop:w} / {code:w} :: {skip:d} {image:w} + {place} ::{? {skip}?}",
      head + "Crash reason: EXC_{stop:w} / {code:w} :: {skip:d} {image:w}!{symbol} ::{? {skip}?}",
      head + "Crash reason: SIG{signal:w}{? / {code:w}?}",
      head + "Crash reason: SIG{signal:w} /{code:w}", means: .crashReason),
    // Of Instabug (Luciq), and of titles that Bugsee gives issues.
    Self(
      "rash due to signal: SIG",
      "{?{skip} ?}Crash due to signal: SIG{signal:w}({code:w}) at {message}",
      means: .signalOfSdk),
    Self(
      "SIGABRT(#0) at ", "{?{skip} ?}SIG{signal:w}({code:w}) at {message}", means: .signalOfSdk),
    Self(
      "(SEGV_ACCERR) at ", "{?{skip} ?}SIG{signal:w}({code:w}) at {message}", means: .signalOfSdk),
    Self(
      "(SEGV_MAPERR) at ", "{?{skip} ?}SIG{signal:w}({code:w}) at {message}", means: .signalOfSdk),
    Self(
      "(TRAP_BRKPT) at ", "{?{skip} ?}SIG{signal:w}({code:w}) at {message}", means: .signalOfSdk),
    // A title of Xcode's Organizer, in the heading of an issue: the image, and its function.
    Self(
      "rash", "# {skip}rash{?{skip:w}?}{? {skip}?}: {image:w}: {symbol} + {offset}",
      "# {skip}rash{?{skip:w}?} {?{skip} ?}{image:w}: {symbol} + {offset}", means: .crashTitle),
    Self("(BUS_ADR", "{?{skip} ?}SIG{signal:w}({code:w}) at {message}", means: .signalOfSdk),
    Self("(ILL_ILL", "{?{skip} ?}SIG{signal:w}({code:w}) at {message}", means: .signalOfSdk),
    // Of Crashlytics, without the stack below.
    Self(
      "EXC_BAD_ACCESS KERN_", "EXC_{stop:w} {code:w} {fault}", means: .faultOnPage),
    // Of ExceptionHandling, about a signal that it caught.
    Self(
      "ncaught system exception: signal ",
      "{?{skip} ?}Uncaught system exception: signal {signal:d}", means: .parts),
    Self("Crash address: 0x", head + "Crash address: {fault}", means: .parts),
    // Of Apple's CrashWrangler, above the report. An instruction has parentheses in it.
    Self(
      ":access_address=0x",
      "exception=EXC_{stop:w}:signal={signal:w}:is_exploitable={? ?}{skip}:instruction_disassembly={? ?}{skip}"
        + ":instruction_address={address}:access_type={? ?}{message:w}:access_address={fault}{?:?}"
        + "{? {skip}?}", means: .crashWrangler),
    // Of Android's C library.
    Self(
      "Fatal signal ",
      head + "Fatal signal {skip:d} ({signal}), code {skip:w} ({code}), fault addr {fault}"
        + "{? {skip}?}",
      head + "Fatal signal {skip:d} ({signal}), code {skip:d}, fault addr {fault}{? {skip}?}",
      head + "Fatal signal {skip:d} ({signal}), code {skip:w}{? {skip}?}", means: .parts),
    Self("Fatal Python error: ", "Fatal Python error: {skip}", means: .words),
    // Behind the progress of pytest or unittest, which end the line only when a test has ended.
    Self(
      "Fatal Python error: ", "{skip:w}::{skip} Fatal Python error: {skip}",
      "{skip:w} {skip}%]Fatal Python error: {skip}",
      "{skip:w}.py {skip:w}Fatal Python error: {skip}",
      "{skip:w}.py Fatal Python error: {skip}", "{skip} ... Fatal Python error: {skip}",
      means: .wordsFromSign),
    // Of LLVM's programs, below what made them crash.
    Self("Program arguments: /", "{skip:w} Program arguments: {path:w}{? {skip}?}", means: .facts),
    // Of Xcode.
    Self(
      ": EXC_BAD_ACCESS (code=1, a", banner + "EXC_{stop:w} (code=1, address={fault})",
      means: .parts),
    // With codes, they are read below.
    Self(": EXC_", banner + "EXC_{stop:w}", means: .parts),
    // Who quotes it puts a label in front.
    Self(
      ": signal SIG", banner + "signal {signal:w}", "{skip}: `\(banner)signal {signal:w}`",
      "{skip}: \(banner)signal {signal:w}", "{skip}:** \(banner)signal {signal:w}", means: .parts),
    Self(
      ": Fatal error: ", banner + "{message}", "{skip}: `\(banner){message}`",
      "{skip}: \(banner){message}", "{skip}:** \(banner){message}", means: .parts),
    // What an exception says that nobody caught.
    Self("Thread ", banner + "\"{skip:w} {skip}\"{?`?}", means: .thrownReason),
  ]

  /// What the handlers of OpenJ9, Zig and Bun print about a signal.
  ///
  /// Source: github.com/eclipse-omr/omr, port (`infoForSignal`), and the messages in
  /// eclipse-openj9/openj9, doc; oven-sh/bun, src/crash_handler.zig; ziglang/zig, lib/std/debug.zig
  /// (`handleSegfaultPosix`).
  static let machines = [
    Self(" vmState=0x", head + "Type={message} vmState={skip:x}", means: .openJ9),
    Self(
      "J9Generic_Signal", head + "J9Generic_Signal{skip:w} Signal_Number={base} {skip}",
      means: .openJ9),
    Self(
      "InaccessibleAddress=", head + "InaccessibleAddress={fault:h}{? {skip}?}", means: .openJ9),
    Self("Module=/", head + "Module={path}", means: .openJ9),
    Self(
      "Bun v", "{process:w} v{version:w} ({skip}) {?on ?}{system:w} {model:w}{? {skip}?}",
      means: .program),
    Self(
      " at address 0x", "{?panic({threadName}): ?}{signal} at address {fault}",
      means: .signalAtAddress),
    // `panic(cpu 0 …)` is the kernel's.
    Self("panic(main thread): ", "panic(main thread): {message}", means: .wordsFromSign),
    Self("panic(thread ", "panic(thread {skip:w}): {message}", means: .wordsFromSign),
  ]

  /// Xcode's words about an app on a device, on its console or in its dialog's details.
  ///
  /// Source: the details of `IDEDebugSessionErrorDomain` as people show them
  /// (github.com/Baseflow/flutter_cached_network_image, issue 858).
  static let xcode = [
    Self(
      "quit unexpectedly.", "The app {process} on {skip} quit unexpectedly.",
      "The app {process} quit unexpectedly.", means: .facts),
    Self("device_", "\"device_model\" = \"{model}\";", means: .facts),
    Self("device_", "\"device_osBuild\" = \"{system}\";", means: .facts),
    Self(
      "Terminated due to ", debugger + "Terminated due to {signal}", means: .end),
    Self(
      "because it is using too much memory",
      debugger + "The app {process} has been {message}",
      debugger + "The process has been {message}",
      means: .termination(namespace: "JETSAM")),
  ]

  private static let debugger =
    "{?Failure Reason: ?}{?Message from debugger: ?}{?Debug session ended with code {skip:d}: ?}"

  /// Source: github.com/swiftlang/swift-package-manager, Sources/Commands/SwiftTestCommand.swift;
  /// swift-corelibs-xctest, Sources/XCTest/Private/PrintObserver.swift; Xcode's test logs, as
  /// people show them.
  static let tests = [
    Self("Test Case '", "Test Case '{test}' started{?{skip}?}", means: .test(isRunning: true)),
    Self("Test Case '", "Test Case '{test}' {skip}", means: .test(isRunning: false)),
    Self(
      ") encountered an error (", head + "{process:w} ({pid}) encountered an error ({message})",
      means: .testError),
    Self(
      "xited with ", "error: Exited with {?unexpected ?}signal code {signal:d}",
      // Each test runs in a process of its own, with its name among the arguments.
      head + "error: Process '{path} -XCTest {test} {skip}' exited with unexpected signal code"
        + " {signal:d}",
      head + "error: Process '{path} --filter {test}{? {skip}?}' exited with unexpected signal code"
        + " {signal:d}",
      "{?error: ?}{?Process '?}{path}' exited with unexpected signal code {signal:d}",
      "{?error: ?}{path:w} exited with unexpected signal code {signal:d}", means: .testEnd),
    Self(
      "Test crashed with signal ", "{?{skip}rror: ?}Test crashed with signal {signal:w}",
      "{?{skip}rror: ?}Test crashed with signal {signal:w} {skip}", means: .testEnd),
    Self(
      "Restarting after unexpected exit",
      "Restarting after unexpected exit{?,?} {skip} in {test}; {skip}",
      "Restarting after unexpected exit{?,?} {skip}; {skip}", means: .testEnd),
    Self("Crash: ", head + "Crash: {process:w} at {test}", means: .testEnd),
    Self("Crash: ", head + "Crash: {process:w} ({pid}){?:?} {test}", means: .testEnd),
    // Beside the line above, in quotations.
    Self("signal abrt", "signal abrt", means: .testSignal),
    Self("signal segv", "signal segv", means: .testSignal),
    Self("signal trap", "signal trap", means: .testSignal),
  ]

  /// How people say in their own sentences why a program stopped.
  ///
  /// Source: lldb, source/Plugins/Process/Utility/StopInfoMachException.cpp (`code=…, address=…`),
  /// which Xcode repeats behind the name of the queue or thread:
  /// `com.apple.main-thread (1): EXC_BAD_ACCESS (code=1, address=0x10)`.
  static let prose = [
    // Source: OpenJDK, java.base/share/classes/java/lang/ThreadGroup.java (`uncaughtException`).
    Self(
      "xception in thread \"", head + "Exception in thread \"{threadName}\" {message}",
      means: .javaException),
    Self(
      "Unhandled JS Exception: ", "{?{skip} ?}Unhandled JS Exception: {message}",
      means: .javaScriptError),
    Self(
      "*** Program crashed: ", "*** Program crashed: {message} ***",
      "*** Program crashed: {message}", means: .swiftCrash),
    // Of Crashlytics, without the frames.
    Self(
      "atal Exception: ", "{?**?}Fatal Exception: {exception:w}{?: {reason}?}",
      "{?**?}Fatal Exception: {exception:w} {reason}", means: .fatalException),
    Self("atal Exception NS", "{?**?}Fatal Exception {exception:w}", means: .fatalException),
    Self(" - Line ", "{file:w} - Line {skip}", means: .titleInSentence),
    Self(" - Zeile ", "{file:w} - Zeile {skip}", means: .titleInSentence),
    Self("**Type:** ", "**Type:** {exception:w}", means: .exceptionOfSentry),
    Self("(code=", "{skip}", means: .stop),
    // Of a debugger's disassembly.
    Self(
      "-> ", "-> {address} <+{offset:d}>: {message}", "-> {address}: {message}",
      means: .disassembly),
    Self("ermination: ", "Termination: {message}", means: .terminationField),
    Self("ermination reason: ", "Termination reason: {message}", means: .terminationField),
    Self("EXC_", "{skip}", means: .exceptionName),
    Self("KERN_", "{skip}", means: .detailOfFault),
    Self("ttempted to dereference ", "{skip}", means: .detailOfFault),
    // Of a report's exception message, in a field of another name.
    Self(
      "Could not determine thread index for stack guard region", "Message: {message}",
      "Exception message: {message}", means: .exceptionMessage),
    // The classes and methods differ, the words do not (``TextSource/thrownReason(_:)``).
    Self(" beyond bounds", "{skip}", means: .thrownReason),
    Self(" out of bounds", "{skip}", means: .thrownReason),
    Self("]: attempt to insert nil object from ", "{skip}", means: .thrownReason),
    Self(" cannot be nil", "{skip}", means: .thrownReason),
    Self("]: unrecognized selector sent to ", "{skip}", means: .thrownReason),
    Self("]: mutating method sent to immutable object", "{skip}", means: .thrownReason),
  ]
}

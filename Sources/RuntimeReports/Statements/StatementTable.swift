/// A line that says something about a crash: a text in it that few other lines have, its shape, and
/// what it means.
struct StatementMessage: Sendable {
  let sign: String
  let pairs: BytePairs
  let patterns: [LinePattern]
  let meaning: Meaning

  init(_ sign: String, _ patterns: String..., means meaning: Meaning) {
    self.sign = sign
    pairs = BytePairs(Array(sign.utf8).span)
    self.patterns = patterns.map { LinePattern($0) }
    self.meaning = meaning
  }

  enum Meaning: Sendable {
    /// The line is what the process said.
    case words
    /// What the process said begins at the sign.
    case wordsFromSign
    /// Xcode says why a test could not go on, in the part of the line that is called `message`.
    case testError
    /// Each part of the line is a fact.
    case parts
    /// Each part of the line is a fact; with the innermost frame behind it.
    case crashReason
    /// Each part of the line is a fact, but none of them says why.
    case facts
    /// The kernel, or who watches it, says that the process exceeded a limit of that kind.
    case exception(String, subtype: String? = nil)
    /// symptomsd says that the process exceeded a limit, whose kind is in the message.
    case resourceNotification
    /// Somebody ended the process.
    case termination(namespace: String, code: UInt64? = nil)
    /// The line says which signal ended the process, or for which reason it was ended.
    case end
    /// A test ended with its process.
    case testEnd
    /// A test began, or ended as it should.
    case test(isRunning: Bool)
    /// It crashed, and a report was written.
    case savedReport
    /// The line is the head of a crash of Dart's virtual machine.
    case virtualMachine
    /// The kernel panicked with these words, which go on in the next lines.
    case panic
    /// The line is a part of what the Java virtual machine OpenJ9 prints.
    case openJ9
    /// The line names the program, its version and the system.
    case program
    /// The program caught a signal, at an address.
    case signalAtAddress
    /// The process was suspended while it held locks on files, whose paths follow.
    case lockedFiles
    /// Of a sanitizer of that name, or with that end of its name.
    case finding(String)
    /// Why Xcode or lldb stopped, around the sign.
    case stop
    /// Which limit was exceeded when Xcode or lldb stopped: its kind is at the sign.
    case resourceStop
    /// Somebody's own words name the kind of the exception at the sign, and maybe the function.
    case exceptionName
    /// The line is what an exception says about a method that was called wrongly.
    case thrownReason
    /// Why the process was ended, in a field of another name than in reports.
    case terminationField
    /// malloc could not get the memory that a program asked for, which may go on without.
    case failedAllocation
  }
}

/// Which pairs of neighbouring bytes a text has; it may seem to have some more.
///
/// A text that lacks a pair of a sign does not have the sign. Logs have millions of lines, and to
/// look for every sign in each takes much longer.
struct BytePairs: Sendable {
  private var words = SIMD4<UInt64>()

  init(_ text: Span<UInt8>) {
    guard var last = text.isEmpty ? nil : text[0] else { return }
    for index in 1..<text.count {
      let byte = text[index]
      let pair = (last &* 31) &+ byte
      words[Int(pair >> 6)] |= 1 << UInt64(pair & 63)
      last = byte
    }
  }

  func contains(_ other: Self) -> Bool { (other.words & ~words) == SIMD4() }
}

extension StatementMessage {
  /// In the order in which they are tried.
  static let all =
    limits + panics + files + allocations + words + graphics + overflows + traces + machines
    + endings + signatures + xcode + tests + prose

  /// What is before a message in a log: the time, the host, who wrote it.
  private static let head = "{?{skip} ?}"
  /// What is before the last words of a process in them. Prose would match ``head``, too.
  private static let writer = "{?{skip}: ?}{?{skip} | ?}{?{skip}] ?}"
  private static let banner = "Thread {skip:d}: "

  /// Source: github.com/apple-oss-distributions/xnu, osfmk/kern/task.c, osfmk/kern/thread.c,
  /// bsd/kern/kern_memorystatus.c; for OSAnalytics, its words as people show them
  /// (`Process %@ [%d] killed by jetsam reason %@`); for symptomsd, the words of libsystem's
  /// `receive_cpu_wakes_violation` and SafeguardsClient, which are in the lists of strings of
  /// github.com/blacktop/ipsw-diffs, and of its `ArbitratorExpertSystemHandler` (format
  /// `%@RESOURCE_NOTIFY trigger for %s [%ld] (%@, violating limit of %lld %@ over %.2fs seconds)`).
  private static let limits = [
    Self("RESOURCE_TYPE_", "{skip}", means: .resourceStop),
    Self(
      "EXC_RESOURCE -> ", head + "EXC_RESOURCE -> {process}[{pid}] {message}",
      means: .exception("EXC_RESOURCE")),
    // People leave the process out, or its number.
    Self(
      "exceeded mem limit: ", head + "memorystatus: {process} [{pid}] {message} (fatal)",
      head + "memorystatus: {?{process:w} ?}exceeded mem limit: {message} (fatal)",
      head + "{process:w} [{pid}] exceeded mem limit: {message} (fatal)",
      means: .termination(namespace: "JETSAM")),
    Self(
      "caught causing excessive wakeups",
      head + "process {process}[{pid}] caught causing excessive wakeups{?{skip}?}",
      means: .exception("EXC_RESOURCE", subtype: "WAKEUPS")),
    Self(
      "the CPU ", head + "process {process}[{pid}] caught {message}",
      "{process}[{pid}] () {message}", head + "{process:w}[{pid}] () {message}",
      head + "{process:w}[{pid}] ({path}) {message}",
      means: .exception("EXC_RESOURCE", subtype: "WAKEUPS")),
    Self(
      "caught burning CPU",
      head + "process {process}[{pid}] {?{skip} ?}caught burning CPU{?!?} {message}",
      means: .exception("EXC_RESOURCE", subtype: "CPU")),
    Self(
      "violating a CPU usage limit of ", "{process}[{pid}] () {message}",
      head + "{process:w}[{pid}] () {message}",
      head + "{process:w}[{pid}] ({path}) {message}",
      means: .exception("EXC_RESOURCE", subtype: "CPU")),
    Self(
      "RESOURCE_NOTIFY trigger for ",
      head + "{?Fatal ?}RESOURCE_NOTIFY trigger for {process} [{pid}] ({message})",
      means: .resourceNotification),
    Self(
      "caught causing excessive I/O",
      head + "process [{pid}] {?{process} ?}caught causing excessive I/O {?(flavor: {skip:d}). ?}"
        + "{message}",
      head + "Coalition [{skip:d}] caught causing excessive I/O {?(flavor: {skip:d}). ?}{message}"
        + " Triggered by process [{pid}]",
      means: .exception("EXC_RESOURCE", subtype: "IO")),
    Self(
      "crossed memory high watermark",
      head + "process {process}{? ?}[{pid}] crossed memory high watermark {message};{?{skip}?}",
      means: .exception("EXC_RESOURCE", subtype: "MEMORY")),
    Self(
      " EXC_GUARD AST: ", head + "[{process}:{pid}] EXC_GUARD AST: {message}",
      means: .exception("EXC_GUARD")),
    Self(
      "killing", head + "memorystatus: killing{skip:w} pid {pid} [{process}]{? {message}?}",
      head + "memorystatus: killing{skip:w} [{process}]{? {message}?}",
      head + "memorystatus: killing process {pid} [{process}]{? {message}?}",
      head + "killing_{skip:w} pid {pid} [{process}]{? {message}?}",
      head + "memorystatus: killing largest compressed process {process} [{pid}]{? {message}?}",
      head
        + "low swap: killing largest compressed process with pid {pid} ({process}){? and size {message}?}",
      means: .termination(namespace: "JETSAM")),
    // Of OSAnalytics (`ReportSystemMemory`, `osanalyticshelper`).
    Self(
      " killed by jetsam reason ",
      head + "Process {process} [{pid}] killed by jetsam reason {message:w}",
      head + "{process:w} [{pid}] killed by jetsam reason {message:w}",
      means: .termination(namespace: "JETSAM")),
  ]

  /// People quote them without `panic(cpu …)`. Source: XNU, osfmk/kern/zalloc.c.
  private static let panics = [
    Self(
      "zone map exhausted while allocating from zone",
      head + "zalloc{?[{skip:d}]?}: zone map exhausted while allocating from zone{? {message}?}",
      means: .panic)
  ]

  /// Source: RunningBoard's `-[RBProcess _lock_suspend]`, whose words sqlcipher's and GRDB's users
  /// show.
  private static let files = [
    Self(
      "suspended with locked system files:",
      head + "<FBApplicationProcess: {skip:x}; {process}; pid: {pid}>" + suspended,
      head + "<FBApplicationProcess: {skip:x}; {process}:{pid}; {skip}>" + suspended,
      head + "[{process}:{pid}]" + suspended, head + "{process:w}[{pid}]" + suspended,
      means: .lockedFiles),
    Self(
      "suspended while holding a shared file lock:",
      head + "RunningBoard terminated [{process}:{pid}] because it was suspended while holding"
        + " a shared file lock:{? {path}?}", means: .lockedFiles),
  ]

  private static let suspended = " {?was ?}suspended with locked system files:{? {path}?}"

  /// What malloc says when it cannot get memory: who it is, the size, or both. Older versions wrote
  /// no thread behind the process.
  ///
  /// ```text
  /// Board(812,0x1006aebc0) malloc: can't allocate region
  /// *** mach_vm_map(size=1800945664) failed (error code=3)
  /// Board(812,0x1006aebc0) malloc: *** set a breakpoint in malloc_error_break to debug
  /// ```
  ///
  /// Source: github.com/apple-oss-distributions/libmalloc, src/malloc.c (`mvm_allocate_pages…`) and
  /// src/malloc_printf.c; Mac OS X 10.5, Libc, gen/scalable_malloc.c (`allocate_pages`).
  private static let allocations = [
    Self(
      ") failed (error code=",
      allocator + "*** {skip:w}(size={base:d}{?, {skip}?}) failed (error code={skip:d})",
      "{?:?}*** {skip:w}(size={base:d}{?, {skip}?}) failed (error code={skip:d})",
      means: .failedAllocation),
    Self(
      "can't allocate region", allocator + "{?*** error: ?}can't allocate region{?{skip}?}",
      means: .failedAllocation),
    Self(
      "malloc: *** set a breakpoint in ", allocator + "*** set a breakpoint in {skip} to debug",
      means: .failedAllocation),
  ]

  private static let allocator = head + "{process:w}({pid}{?,{skip:w}?}) malloc: "

  /// Source: github.com/apple-oss-distributions, Libc, gen/assert.c; libmalloc,
  /// src/magazine_malloc.c; llvm/llvm-project, libcxxabi/src/cxa_default_handlers.cpp and
  /// cxa_virtual.cpp; compiler-rt/lib/ubsan/ubsan_diag.cpp; Metal's and Xcode's checkers, and
  /// Rosetta's errors, as people show them (github.com/shadps4-emu/shadPS4, issue 667;
  /// hashicorp/terraform, issue 27257).
  private static let words = [
    Self(
      " malloc: *** error for object 0x", head + "{process}({pid},{skip}) malloc: {message}",
      head + "{process}[{pid},{skip}] malloc: {message}", means: .words),
    Self(
      privateData, head + "{process:w}[{pid}:{skip}] {?[access] ?}{message}",
      means: .termination(namespace: "TCC")),
    Self(privateData, "\(privateData) {skip}", means: .words),
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
    Self(
      ": runtime error: ", "{file}:{line}:{column}: runtime error: {reason}",
      means: .finding("UndefinedBehaviorSanitizer")),
    Self(
      "SUMMARY: ", head + "SUMMARY: {exception:w}Sanitizer: {reason}",
      means: .finding("Sanitizer")),
  ]

  /// What Metal says when the GPU did not run the commands of a program, and MoltenVK, for which
  /// the device is lost then. What follows from an earlier error (`Ignored`, `Discarded`) is no
  /// reason.
  ///
  /// Source: developer.apple.com/documentation/metal/mtlcommandbuffererror;
  /// github.com/KhronosGroup/MoltenVK, MoltenVK/MoltenVK/GPUObjects/MVKQueue.mm
  /// (`MVKQueueCommandBufferSubmission`); the words as in github.com/flutter/flutter, issues 97910
  /// and 127151.
  private static let graphics = [
    Self(
      commandBufferError, writer + commandBufferError + "Caused GPU {skip}",
      head + commandBufferError + "Caused GPU {skip}",
      head + commandBufferError + "Insufficient Memory {skip}", means: .wordsFromSign),
    Self(
      "VK_ERROR_", head + "VK_ERROR_DEVICE_LOST: {skip}" + failed,
      head + "VK_ERROR_{skip:w}: Lost VkDevice after {skip}" + failed, means: .wordsFromSign),
  ]

  private static let failed = " execution failed (code {skip:d}): {skip}"

  private static let commandBufferError =
    "Execution of the command buffer was aborted due to an error during execution. "

  /// What runtimes say when a stack has no room left, and Rust's of other failures. That of Rust
  /// about a thread is among ``LastWords``.
  ///
  /// Source: github.com/rust-lang/rust, library/std/src/rt.rs (`rtabort!`); golang/go,
  /// src/runtime/stack.go (`newstack`); dotnet/runtime, src/coreclr/vm/eepolicy.cpp; ocaml/ocaml,
  /// runtime/printexc.c; crystal-lang/crystal, src/crystal/system/unix/signal.cr; for stacks that a
  /// buffer damaged, glibc's debug/fortify_fail.c; for React Native, facebook/react-native,
  /// React/Base/RCTModuleMethod.mm.
  private static let overflows = [
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
      "Exception '{skip}' was thrown while invoking {skip} on target {skip} with params {skip}",
      means: .words),
  ]

  /// What symptomsd calls what it measures, and the kind of limit.
  static let resources: [(measure: String, subtype: String)] = [
    (" nanoseconds of CPU usage", "CPU"), (" CPU wakes", "WAKEUPS"),
    (" dirty bytes written", "IO"), (" Port Space Exhaustion", "PORTS"),
  ]

  private static let privateData =
    "This app has crashed because it attempted to access privacy-sensitive data"

  /// Source: what ``TraceGrammar`` names for the heads of Dart, Go, Java and Python;
  /// github.com/dart-lang/sdk, runtime/vm/profiler.cc.
  private static let traces = [
    Self(
      "[signal SIG", head + "[signal {signal:w}: {skip} code={code:x} addr={fault} pc={skip}]",
      means: .parts),
    Self(
      " at pc=0x", head + "# {signal:w} ({skip:x}) at pc={skip:x}, pid={pid}, tid={skip:w}",
      "{signal:w} ({skip:x}) at pc={skip:x}, pid={pid}, tid={skip:w}", means: .parts),
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
    Self("Crash address: 0x", head + "Crash address: {fault}", means: .parts),
    // Of Android's C library.
    Self(
      "Fatal signal ",
      head + "Fatal signal {skip:d} ({signal}), code {skip:w} ({code}), fault addr {fault}"
        + "{? {skip}?}",
      head + "Fatal signal {skip:d} ({signal}), code {skip:d}, fault addr {fault}{? {skip}?}",
      head + "Fatal signal {skip:d} ({signal}), code {skip:w}{? {skip}?}", means: .parts),
    Self("Fatal Python error: ", "Fatal Python error: {skip}", means: .words),
    // Of LLVM's programs, below what made them crash.
    Self("Program arguments: /", "{skip:w} Program arguments: {path:w}{? {skip}?}", means: .facts),
    // Of Xcode.
    Self(
      ": EXC_BAD_ACCESS (code=1, a", banner + "EXC_{stop:w} (code=1, address={fault})",
      means: .parts),
    Self(": EXC_", banner + "EXC_{stop:w}{? ({skip})?}", means: .parts),
    Self(": signal SIG", banner + "signal {signal:w}", means: .parts),
    Self(": Fatal error: ", banner + "{message}", means: .parts),
  ]

  /// What the handlers of OpenJ9, Zig and Bun print about a signal.
  ///
  /// Source: github.com/eclipse-omr/omr, port (`infoForSignal`), and the messages in
  /// eclipse-openj9/openj9, doc; oven-sh/bun, src/crash_handler.zig; ziglang/zig, lib/std/debug.zig
  /// (`handleSegfaultPosix`).
  private static let machines = [
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

  /// What launchd, RunningBoard, SpringBoard, ReportCrash, systemd and package managers say when a
  /// process ended. `ShellLine` knows the words of shells.
  ///
  /// Source: github.com/apple-oss-distributions/launchd, src/core.c (`job_reap`), and the words of
  /// later versions, which are in the lists of strings of github.com/blacktop/ipsw-diffs;
  /// systemd/systemd, src/core/service.c; fish-shell, src/proc.rs; rust-lang/cargo,
  /// crates/cargo-util/src/process_error.rs; npm/cli.
  private static let endings = [
    Self(
      "exited due to ",
      head + "({process:w}{? ?}[{pid}]){?:?} {?<{skip:w}>{?:?} ?}{?Service ?}exited due to"
        + " {?signal: ?}{signal}",
      head + "[{process:w}{? ?}[{pid}]:] exited due to {signal}", means: .end),
    Self(
      "exited with exit reason (namespace: ",
      head + "[{process:w}{? ?}[{pid}]:] exited with exit reason (namespace: {namespace:d} code:"
        + " {code:x}){? - {message}?}",
      head
        + "({process:w}{? ?}[{pid}]){?:?} {?<{skip:w}>{?:?} ?}exited with exit reason (namespace:"
        + " {namespace:d} code: {code:x}){? - {message}?}", means: .end),
    Self(
      "xited abnormally", head + launchdJob + "Exited abnormally: {signal}",
      head + "Application '{process}' exited abnormally with signal {signal}",
      head + "{process:w}{? ?}[{pid}]{?:?} exited abnormally with signal {signal}",
      means: .end),
    Self(
      "Job appears to have crashed: ", head + launchdJob + "Job appears to have crashed: {signal}",
      means: .end),
    Self("Exited: ", head + launchdJob + "Exited: {signal}", means: .end),
    Self(
      "Process exited: ",
      head
        + "[{process:w}:{pid}] Process exited: {skip} domain:{skip:w}({namespace:d}) code:{message}",
      means: .end),
    Self(
      "termination reported by launchd (",
      head
        + "[{process:w}:{pid}] termination reported by launchd ({namespace:d}, {message:w} {skip})",
      means: .end),
    Self(
      "Main process exited, code=",
      head + "{process:w}: Main process exited, code={skip:w} status={skip:d}/{signal:w}",
      means: .end),
    Self("' crashed.", head + "Application '{process}' crashed.", means: .savedReport),
    Self(
      "Saved crash", head + "Saved crash report for {process}[{pid}] version {version} to {path}",
      head + "Saved crashreport to {path} using uid: {skip}", means: .savedReport),
    Self(
      "process didn't exit successfully: ",
      head + "process didn't exit successfully: `{path}` (signal: {skip:d}, {signal:w}: {skip}",
      head + "process didn't exit successfully: `{path}` (signal: {skip:d}, {signal:w}:{skip}",
      means: .end),
    Self(
      "npm ", "npm ERR! signal {signal:w}", "npm error signal {signal:w}", means: .end),
    Self(
      "terminated by signal SIG",
      "fish: {?Job {skip}, ?}{process} terminated by signal {signal:w}{? {skip}?}", means: .end),
  ]

  private static let launchdJob = "({process:w}{? ?}[{pid}]){?:?} {?<{skip:w}>{?:?} ?}"

  /// Source: github.com/apple-oss-distributions/xnu, bsd/kern/kern_cs.c (`cs_invalid_page`),
  /// osfmk/vm/vm_fault.c, bsd/kern/mach_loader.c, bsd/vm/vm_unix.c; for AMFI, AppleSystemPolicy and
  /// taskgated, their words as people show them (github.com/NixOS/nixpkgs, issue 162795).
  private static let signatures = [
    Self(
      "CODE SIGNING: ",
      head + "CODE SIGNING: cs_invalid_page({fault}): p={pid}[{process}] {skip} denying page"
        + " sending SIGKILL",
      head + "CODE SIGNING: process {pid}[{process}]: rejecting invalid page at address {fault}"
        + " from offset {skip:w} in file {path}",
      means: .termination(namespace: "CODESIGNING", code: 2)),
    Self(
      "AMFI: ",
      head + "AMFI: hook..execve() killing {process} (pid {pid}): {message}",
      head + "AMFI: hook..execve() killing pid {pid}: {message}",
      head + "AMFI: hook..execve() killing {process:w}: {message}",
      means: .termination(namespace: "CODESIGNING")),
    Self(
      "Launch Constraint Violation (enforcing)",
      head + "AMFI: Launch Constraint Violation (enforcing), error info: {skip} launching proc[vc:"
        + " {skip:d} pid: {pid}]: {path}{?, {skip}?}",
      head + "AMFI: Launch Constraint Violation (enforcing), error info: {skip} launching proc:"
        + " {path}{?, {skip}?}",
      means: .termination(namespace: "CODESIGNING", code: 4)),
    Self(
      "Sandbox: hook..execve() killing ",
      head + "Sandbox: hook..execve() killing {process}[pid={pid}, {skip}]: {message}",
      head + "Sandbox: hook..execve() killing pid {pid}: {message}",
      means: .termination(namespace: "SANDBOX")),
    Self(
      "load code signature error ",
      head + "proc {pid}: {message} for file \"{process}\"",
      means: .termination(namespace: "CODESIGNING")),
    Self(
      "Security policy would not allow process: ",
      head + "{?ASP: ?}Security policy would not allow process: {pid}, {path}",
      means: .termination(namespace: "CODESIGNING")),
    Self(
      "because its ", head + "killed {process:w}[pid {pid}] because its {message}",
      head + "killed {process:w} because its {message}",
      means: .termination(namespace: "CODESIGNING")),
    Self(
      "code signature validation failed fatally: ",
      head + "mac_vnode_check_signature: {path}: {message}",
      means: .termination(namespace: "CODESIGNING")),
    Self(
      "ata/Stack execution not permitted: ",
      head + "Data/Stack execution not permitted: {process}[pid {pid}] at {message}",
      means: .exception("EXC_BAD_ACCESS", subtype: "data or stack execution not permitted")),
  ]

  /// Xcode's words about an app on a device, on its console or in its dialog's details.
  ///
  /// Source: the details of `IDEDebugSessionErrorDomain` as people show them
  /// (github.com/Baseflow/flutter_cached_network_image, issue 858).
  private static let xcode = [
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

  /// How people say in their own sentences why a program stopped.
  ///
  /// Source: lldb, source/Plugins/Process/Utility/StopInfoMachException.cpp (`code=…, address=…`),
  /// which Xcode repeats behind the name of the queue or thread:
  /// `com.apple.main-thread (1): EXC_BAD_ACCESS (code=1, address=0x10)`.
  private static let prose = [
    Self("(code=", "{skip}", means: .stop),
    Self("ermination: ", "Termination: {message}", means: .terminationField),
    Self("ermination reason: ", "Termination reason: {message}", means: .terminationField),
    Self("EXC_", "{skip}", means: .exceptionName),
    // The classes and methods differ, the words do not (``TextSource/thrownReason(_:)``).
    Self(" beyond bounds", "{skip}", means: .thrownReason),
    Self(" out of bounds", "{skip}", means: .thrownReason),
    Self("]: attempt to insert nil object from ", "{skip}", means: .thrownReason),
    Self(" cannot be nil", "{skip}", means: .thrownReason),
    Self("]: unrecognized selector sent to ", "{skip}", means: .thrownReason),
    Self("]: mutating method sent to immutable object", "{skip}", means: .thrownReason),
  ]

  private static let debugger =
    "{?Failure Reason: ?}{?Message from debugger: ?}{?Debug session ended with code {skip:d}: ?}"

  /// Source: github.com/swiftlang/swift-package-manager, Sources/Commands/SwiftTestCommand.swift;
  /// swift-corelibs-xctest, Sources/XCTest/Private/PrintObserver.swift; Xcode's test logs, as
  /// people show them.
  private static let tests = [
    Self("Test Case '", "Test Case '{test}' started{?{skip}?}", means: .test(isRunning: true)),
    Self("Test Case '", "Test Case '{test}' {skip}", means: .test(isRunning: false)),
    Self(
      ") encountered an error (", head + "{process:w} ({pid}) encountered an error ({message})",
      means: .testError),
    Self(
      "xited with ", "error: Exited with {?unexpected ?}signal code {signal:d}",
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
  ]
}

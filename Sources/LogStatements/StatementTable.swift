import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// The lines that are known: what the kernel, its daemons and libraries say stands here, what
/// programs and their runtimes say in `StatementTable+Programs.swift`.
extension StatementMessage {
  /// In the order in which they are tried.
  static let all =
    limits + panics + files + allocations + words + heapOfLinux + assertions + objectiveC + graphics
    + overflows
    + traces + pascal
    + machines + checks + languages + endings + signatures + xcode + tests + prose + signatureWords
    + LastWords.signsOfSentences.map { Self($0, "{skip}", means: .sentence) }

  /// What is before a message in a log: the time, the host, who wrote it.
  static let head = "{?{skip} ?}"

  /// What is before the last words of a process in a log. Prose would match ``head``, too.
  static let writer = "{?{skip}: ?}{?{skip} | ?}{?{skip}] ?}"

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
      "violating a CPU usage limit of ",
      "{?{skip} ?}CPU usage trigger: {process}[{pid}] () {message}",
      "{?{skip} ?}CPU usage trigger: {process}[{pid}] ({path}) {message}",
      "{process}[{pid}] () {message}",
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

  /// People quote the first line of a panic in a sentence, and leave out parts of it, or all in
  /// front of the words. Source: XNU, osfmk/kern/debug.c, osfmk/kern/zalloc.c.
  private static let panics = [
    Self("panic(cpu ", "{skip}", means: .quotedPanic),
    Self("panic(...): ", "panic(...): {message}", means: .quotedPanic),
    Self("panic(…): ", "panic(…): {message}", means: .quotedPanic),
    // The title of somebody's report.
    Self("ernel panic \"", "# {?{skip}?}ernel panic \"{message}\"{? {skip}?}", means: .panicTitle),
    Self(
      "zone map exhausted while allocating from zone",
      head + "zalloc{?[{skip:d}]?}: zone map exhausted while allocating from zone{? {message}?}",
      means: .panic),
  ]

  /// Source: RunningBoard's `-[RBProcess _lock_suspend]`, whose words sqlcipher's and GRDB's users
  /// show; before, BackBoard's `BKNewProcess`.
  private static let files = [
    Self(
      "suspended with locked system files:",
      head + "<FBApplicationProcess: {skip:x}; {process}; pid: {pid}>" + suspended,
      head + "<FBApplicationProcess: {skip:x}; {process}:{pid}; {skip}>" + suspended,
      head + "<BKNewProcess: {skip:x}; {process}{?;?} pid: {pid}{?; {skip}?}>" + suspended,
      head + "[{process}:{pid}]" + suspended, head + "{process:w}[{pid}]" + suspended,
      // Somebody else's words for the process.
      "{skip}" + suspended,
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

  /// What symptomsd calls what it measures, and the kind of limit.
  static let resources: [(measure: String, subtype: String)] = [
    (" nanoseconds of CPU usage", "CPU"), (" CPU wakes", "WAKEUPS"),
    (" dirty bytes written", "IO"), (" Port Space Exhaustion", "PORTS"),
  ]

  /// What launchd, RunningBoard, SpringBoard, ReportCrash, systemd and package managers say when a
  /// process ended. `ShellLine` knows the words of shells.
  ///
  /// Source: github.com/apple-oss-distributions/launchd, src/core.c (`job_reap`), and the words of
  /// later versions, which are in the lists of strings of github.com/blacktop/ipsw-diffs;
  /// systemd/systemd, src/core/service.c; swiftlang/swift-driver, Sources/SwiftDriver;
  /// llvm-project, clang/lib/Driver/Driver.cpp; fish-shell, src/proc.rs; rust-lang/cargo,
  /// crates/cargo-util/src/process_error.rs; npm/cli; qemu, linux-user/signal.c.
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
    Self("RBSTerminateContext| domain:", "{skip}", means: .terminateContext),
    Self(" watchdog transgression: ", "{skip}", means: .terminateContext),
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
    // Of Swift's drivers, Xcode and clang, about a compiler.
    Self(
      "ailed due to signal", "{?{skip} ?}failed due to signal{?:?} {signal}", means: .end),
    Self(
      "unable to execute command: ", "{?{skip} ?}unable to execute command: {signal}", means: .end),
    Self(
      "npm ", "npm ERR! signal {signal:w}", "npm error signal {signal:w}", means: .end),
    // Of its emulation of programs for Linux. The number is the signal's there.
    Self(
      "uncaught target signal ",
      head + "{process:w}: uncaught target signal {skip:d} ({signal}) - {skip}", means: .end),
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

  /// That a process was ended for its code signature, in somebody's own sentences. They count if it
  /// was killed, as another line says.
  ///
  /// Source: github.com/apple-oss-distributions/xnu, bsd/sys/reason.h
  /// (`CODESIGNING_EXIT_REASON_…`), in ReportCrash's words: `Namespace CODESIGNING, Code 1,
  /// Taskgated Invalid Signature`.
  static let signatureWords = [
    Self("askgated Invalid Signature", "{skip}", means: .signature(code: 1)),
    Self("aunch Constraint Violation", "{skip}", means: .signature(code: 4)),
    Self("CODESIGNING", "{skip}", means: .signature(code: nil)),
  ]
}

/// What the runtime of Objective-C prints before it ends a process.
extension StatementMessage {
  /// On any console: of a device, of a terminal, or of a tool that runs several programs and puts
  /// the name of each in front of its lines (`web    | objc[42]: …`). Most of what the runtime
  /// prints are warnings, such as that two images have a class of one name; these are its fatal
  /// errors.
  ///
  /// Source: github.com/apple-oss-distributions/objc4, runtime/objc-initialize.mm, objc-weak.mm,
  /// objc-cache.mm, objc-runtime-new.mm and NSObject.mm; of older versions objc-class.m. For the
  /// lines' heads: github.com/ddollar/foreman, lib/foreman/engine.rb; docker/compose.
  static let objectiveC = [
    Self(
      "objc[",
      ofObjectiveC + "{skip} may have been in progress in another thread when fork() was called"
        + "{?.?}{? {skip}?}",
      ofObjectiveC + "Cannot form weak reference to instance {skip}",
      ofObjectiveC + "Method cache corrupted. {skip}",
      ofObjectiveC + "Attempt to use unknown class {skip}",
      ofObjectiveC + "autorelease pool page {skip} corrupted{?{skip}?}",
      ofObjectiveC + "Invalid or prematurely-freed autorelease pool {skip}",
      ofObjectiveC + "Memory corruption in class list{?{skip}?}",
      ofObjectiveC + "realized class {skip} has corrupt data pointer{?{skip}?}",
      ofObjectiveC + "Swift class extensions and categories on Swift classes are not allowed to"
        + " have +load methods{?{skip}?}",
      ofObjectiveC + "{skip} message {skip} sent to freed object{?{skip}?}",
      means: .wordsFromSign)
  ]

  private static let ofObjectiveC = head + "objc[{pid}]: "
}

extension TextSource {
  /// The stack below `Faulting thread: 5`, with the signal of the retold report above it.
  func reportOfThread(from line: TextLine) -> Report? {
    guard let end = listedFrames(from: line, count)?.end,
      let named = NamedFrames(in: self, line.start..<end)
    else { return nil }
    var facts = ReportFacts()
    let above = max(textStart, line.start - 1024)
    if let sign = find("\"signal\": \"SIG", from: above, limit: line.start) {
      let word = bytes[(sign + 11)..<line.start].prefix(while: Ascii.isWord)
      facts.exception.signal = string(word.startIndex..<word.endIndex)
    }
    return named.report(of: facts, line.start..<line.end, self)
  }
}

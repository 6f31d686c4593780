import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

// Traces that the runtimes of languages print.
extension TraceGrammar {
  /// Of Kotlin/Native:
  ///
  /// ```text
  /// Uncaught Kotlin exception: kotlin.IllegalStateException: no page
  ///     at 0   App   0x1045a1b34   kfun:kotlin.Throwable#<init>(kotlin.String?){} + 99
  ///     at 1   App   0x1045a1c10   kfun:app.Page#load(kotlin.Int){} + 120 (/src/Page.kt:12:5)
  /// Caused by: kotlin.NumberFormatException: x
  /// ```
  static let kotlinNative = TraceGrammar(
    format: .kotlinNative, firstBytes: "aU",
    frames: [
      LinePattern(
        "at {index} {image} {address:h} {:}{symbol} + {offset}"
          + "{? ({file}:{line}{?:{column}?})?}{:}"),
      LinePattern("at {index} {image} {address:h}{:}{:}"),
      // Of a line that is cut.
      LinePattern("at {index} {image:w} {address:h} {:}kfun:{symbol}{:}"),
      // On Linux, without the image.
      LinePattern("at kfun:{symbol}{? + {offset}?} ({address})"),
      // Of pages of crash SDKs, which have no addresses.
      LinePattern("at {index} {:}{symbol:b}{:}"),
    ],
    lines: [
      TraceLine(
        .exception, "Uncaught Kotlin exception: {exception}{?: {reason}?}", isSign: true),
      // In a log, and what `printStackTrace()` writes.
      TraceLine(
        .factAbove, "{skip} Uncaught Kotlin exception: {exception}{?: {reason}?}"),
      TraceLine(.factAbove, "{exception:n}: {reason}"),
      // A word alone may be a heading.
      TraceLine(.factAbove, "{exception:k}: {reason}"), TraceLine(.factAbove, "{exception:k}"),
      TraceLine(.cause, "Caused by: {exception}{?: {reason}?}"),
      TraceLine(.fact, "... and {skip} more common stack frames skipped"),
    ],
    traits: Traits(
      addressKind: .returnAddress, looseLimit: 2,
      accepts: { frame, source in
        guard frame[.address] == nil, let symbol = frame[.symbol] else { return true }
        // A line that is cut has neither.
        if source.has("kfun:", at: symbol.lowerBound, limit: symbol.upperBound) {
          return source.bytes[symbol].contains { "#(".utf8.contains($0) }
        }
        return source.isQualifiedName(symbol)
          || source.bytes[symbol].contains(UInt8(ascii: "_"))
            && source.bytes[symbol].allSatisfy(TextSource.isOfName)
      },
      sign: { frame, source in
        guard let symbol = frame[.symbol] else { return .none }
        if frame[.address] != nil { return .trace }
        return source.has("kfun:", at: symbol.lowerBound, limit: symbol.upperBound)
          ? .traceIfMoreFollow : .none
      }))

  /// Of Dart compiled ahead of time, as Flutter prints it without symbols:
  ///
  /// ```text
  /// *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
  /// pid: 30930, tid: 30990, name 1.ui
  /// os: android arch: arm64 comp: yes sim: no
  /// build_id: '5346e01103ffeed44e97094ff7bfcc19'
  /// isolate_dso_base: 723d447000, vm_dso_base: 723d447000
  /// isolate_instructions: 723d452000, vm_instructions: 723d449000
  ///     #00 abs 000000723d6346d7 virt 00000000001ed6d7 _kDartIsolateSnapshotInstructions+0x1e26d7
  /// ```
  ///
  /// If the VM itself crashes:
  ///
  /// ```text
  /// ===== CRASH =====
  /// si_signo=Segmentation fault(11), si_code=1, si_addr=0x1c
  ///   pc 0x00000000d0416679 fp 0x00000000f95fd558 /data/app/app/lib/libflutter.so+0x1216679
  ///   pc 0x00000000ee415897 fp 0x00000000f95fd7d8 android::Looper::pollInner(int)+0x3e7
  /// ```
  ///
  /// Flutter's tool makes `#0      Page.load (package:app/page.dart:12:5)` of a line, as Dart
  /// itself writes it in debug builds; such names stay. Crashlytics for Android puts `at .` before
  /// a line, and `(.java)` behind it. A frame of a part that is loaded later (`unit 2`) is in
  /// another file.
  ///
  /// An exception that nobody caught is above its stack: in one line of Flutter's engine, in two of
  /// Dart's own VM. Flutter's framework says more about those that it caught:
  ///
  /// ```text
  /// ══╡ EXCEPTION CAUGHT BY WIDGETS LIBRARY ╞════════════════════
  /// The following _TypeError was thrown building Page(dirty):
  /// Null check operator used on a null value
  ///
  /// The relevant error-causing widget was:
  ///   Page Page:file:///src/app/lib/main.dart:20:13
  ///
  /// When the exception was thrown, this was the stack:
  /// #0      PageState.build (package:app/main.dart:42:30)
  /// ```
  ///
  /// Source: github.com/flutter/flutter, `packages/flutter/lib/src/foundation/assertions.dart`;
  /// github.com/dart-lang/sdk, `runtime/vm/unhandled_exception`.
  ///
  /// The addresses are looked up as they are, as Flutter's own tool does.
  static let dart = TraceGrammar(
    format: .dartTrace, firstBytes: "#p=",
    frames: [
      LinePattern("#{index} abs {address:h} unit {kind:d} {skip}"),
      LinePattern(
        "#{index} abs {address:h}{? unit 1?}{? virt {virtual}?} {:}{symbol}"
          + " ({file}:{line}{?:{column}?}){:}{?(.java)?}{? <asynchronous suspension>?}"),
      LinePattern(
        "#{index} abs {address:h}{? unit 1?}{? virt {virtual}?} {:}{symbol}+{offset:x}{:}"
          + "{?(.java)?}{? <asynchronous suspension>?}"),
      LinePattern("#{index} abs {address:h}{? virt {virtual}?}{:}{:}"),
      LinePattern("#{index} {symbol} ({file}:{line}{?:{column}?}){? <asynchronous suspension>?}"),
      LinePattern(dartPlace + "{:}{symbol}{:} {image}+{place}"),
      LinePattern(dartPlace + "{:}{:}{image}+{place}"),
      LinePattern(dartPlace + "{:}{symbol}+{offset:x}{:}"),
      LinePattern(dartPlace + "{:}{symbol}{:}"),
    ],
    lines: [
      TraceLine(
        .thread(isCrashed: true), "pid: {pid}, tid: {thread}, name{?:?} {threadName}", isSign: true),
      TraceLine(.thread(isCrashed: true), "===== CRASH =====", isSign: true),
      TraceLine(.fact, "si_signo={skip}({signal:d}), si_code={code:d}, si_addr={fault:h}"),
      TraceLine(.fact, "si_signo={skip}({signal:d}), si_code={code:d}"),
      TraceLine(.fact, "pid={pid}, thread={skip}"), TraceLine(.fact, "version={skip}"),
      TraceLine(.fact, "os={system:w}, arch={architecture:w}, {skip}"),
      TraceLine(.fact, "isolate_instructions={skip}"), TraceLine(.fact, "fp={skip}"),
      TraceLine(.fact, "-- End of DumpStackTrace"),
      TraceLine(.fact, "os: {system:w}{? arch: {architecture:w}?}{? {skip}?}"),
      TraceLine(.fact, "arch: {architecture:w}{? {skip}?}"),
      TraceLine(.fact, "comp: {skip}"), TraceLine(.fact, "sim: {skip}"),
      TraceLine(.build, "build_id: '{build}'"),
      TraceLine(.mapping, "isolate_dso_base: {base}, vm_dso_base: {skip}"),
      TraceLine(.mapping, "isolate_dso_base: {base}"),
      TraceLine(.fact, "isolate_instructions: {skip}"),
      TraceLine(.factAbove, "*** *** ***{? {skip}?}"),
      TraceLine(.factAbove, "{?Warning: This VM has been configured to produce {skip}?}"),
      TraceLine(
        .factAbove, "{?{skip} ?}Unhandled Exception: {message}", title: unhandledDart),
      TraceLine(.factAbove, "{?{skip} ?}Unhandled exception:", title: unhandledDart),
      TraceLine(.factAbove, "{?{skip} ?}The following {exception:w} was thrown{? {skip}?}:"),
      TraceLine(.factAbove, "When the exception was thrown, this was the stack:"),
      TraceLine(.factAbove, "The relevant error-causing widget was:"),
      TraceLine(.factAbove, "{skip:w} {skip:w}:file:///{skip}"),
      TraceLine(.fact, "<asynchronous suspension>"),
      TraceLine(.fact, "#{skip:d} <{skip}"), TraceLine(.fact, "#{skip:d} Unknown"),
    ],
    traits: Traits(
      addressKind: .programCounter, countsInFile: true, looseLimit: 3, onlyImageName: "app.so",
      accepts: { frame, source in
        if let unit = frame[.kind] { return source.string(unit) != "1" }
        if frame[.address] == nil, let file = frame[.file] {
          return source.has(".dart", at: file.upperBound - 5, limit: file.upperBound)
        }
        // A path, or the name of a function.
        return frame[.image].map { source[$0.lowerBound] == Ascii.slash } ?? true
      }))

  private static let dartPlace = "pc {address} fp {skip:w} "
  private static let unhandledDart = "Unhandled exception: "

  /// Of gfortran, and of others that use libbacktrace. A line below a frame says where it is:
  ///
  /// ```text
  /// Program received signal SIGSEGV: Segmentation fault - invalid memory reference.
  ///
  /// Backtrace for this error:
  /// #0  0x7f5a4e54451f in ???
  ///         at ./signal/libc_sigaction.c:0
  /// #1  0x401136 in MAIN__
  /// #2  0x7f5a4e529d8f
  /// ```
  ///
  /// The addresses are those of the calls.
  static let fortran = TraceGrammar(
    format: .fortranBacktrace, firstBytes: "#B",
    frames: [
      LinePattern("#{index} {address}{:} in {symbol}{? at {file}:{line}?}{:}"),
      LinePattern("#{index} {address}{:}{:}"),
    ],
    lines: [
      TraceLine(.fact, "Backtrace for this error:", isSign: true),
      TraceLine(.place, "at {file}:{line}"),
      TraceLine(.factAbove, "Program received signal {signal:w}: {message}"),
      TraceLine(.factAbove, "Fortran runtime error: {message}"),
      TraceLine(.factAbove, "Error termination.{? {skip}?}"),
    ],
    traits: Traits(
      addressKind: .programCounter, looseLimit: 2,
      sign: { frame, source in
        // Sanitizers and others begin alike, and gdb has brackets behind the name.
        guard let symbol = frame[.symbol] else { return .none }
        return source[symbol.upperBound - 1] == UInt8(ascii: ")") ? .none : .traceIfMoreFollow
      }))

  /// Of Rust, below what the panic says; `anyhow` prints the stack of an error in the same way:
  ///
  /// ```text
  /// thread 'main' panicked at src/main.rs:3:5:
  /// index out of bounds: the len is 3 but the index is 7
  /// stack backtrace:
  ///    0: rust_begin_unwind
  ///              at /rustc/9fc6b431/library/std/src/panicking.rs:697:5
  ///    1:     0x55d1f0a31139 - app::load::h0a1b2c3d4e5f6071
  /// ```
  ///
  /// If a program prints its own stack, as for a signal, no line is above the frames. They begin in
  /// the library that walks it.
  ///
  /// Source: github.com/rust-lang/rust, library/std/src/sys/backtrace.rs; rust-lang/backtrace-rs,
  /// src/backtrace/mod.rs.
  static let rust = TraceGrammar(
    format: .rustBacktrace, firstBytes: "sS0123456789",
    frames: [
      LinePattern("{index}: {address} - {:}{symbol}{:}"), LinePattern("{index}: {:}{symbol}{:}"),
    ],
    lines: [
      TraceLine(.thread(isCrashed: true), "stack backtrace:", isSign: true),
      TraceLine(.thread(isCrashed: true), "Stack backtrace:", isSign: true),
      TraceLine(.place, "at {file}:{line}{?:{column}?}"), TraceLine(.fact, "note: {skip}"),
      TraceLine(.fact, "... {skip:d} frames omitted ..."),
      TraceLine(.factAbove, "Received signal{?:?} SIG{signal:w}"),
      // Of the file that the crate `human-panic` writes.
      TraceLine(.factAbove, "name = \"{process}\""),
      TraceLine(.factAbove, "operating_system = \"{system}\""),
      TraceLine(.factAbove, "crate_version = \"{version}\""),
      TraceLine(.factAbove, "explanation = {skip}"), TraceLine(.factAbove, "cause = {skip}"),
      TraceLine(.factAbove, "method = {skip}"), TraceLine(.factAbove, "backtrace = {skip}"),
      TraceLine(.factAbove, "Panic occurred in file '{skip}"),
    ],
    traits: Traits(
      looseLimit: 2, hasLastWords: true,
      sign: { frame, source in
        let isOwnWalk = frame[.symbol].map { name in
          ownWalk.contains { source.has($0, at: name.lowerBound, limit: name.upperBound) }
        }
        if isOwnWalk == true { return .traceIfMoreFollow }
        // Who shortens a stack leaves the line above it out, too.
        return frame[.index].map { source.isBelowPanic($0.lowerBound) } == true ? .trace : .none
      }))

  /// What stacks begin with: the functions of the `backtrace` crate and those of the standard
  /// library that take its place, and what a panic calls. Names lacked the crate until version 1.9.
  ///
  /// Source: github.com/rust-lang/rust, library/std/src: panicking.rs, sys and sys_common.
  private static let ownWalk = [
    "backtrace::backtrace::", "std::backtrace_rs::", "sys::backtrace::", "std::sys::backtrace::",
    "std::sys::imp::backtrace::", "std::sys::unix::backtrace::", "std::sys_common::backtrace::",
    "<std::sys::backtrace::", "<std::sys_common::backtrace::", "rust_begin_unwind",
    "_rust_begin_unwind", "__rustc::rust_begin_unwind", "std::panicking::", "core::panicking::",
  ]

  /// Of Java's virtual machine, on the console and in its file `hs_err_pid812.log`, which has the
  /// frames below the registers:
  ///
  /// ```text
  /// # A fatal error has been detected by the Java Runtime Environment:
  /// #
  /// #  SIGSEGV (0xb) at pc=0x00007fff9c2dc4dd, pid=812, tid=1295
  /// #
  /// # Problematic frame:
  /// # C  [libpage.dylib+0x14dd]  Java_app_Page_load+0x1d
  /// #
  /// Native frames: (J=compiled Java code, j=interpreted, Vv=VM code, C=native code)
  /// C  [libpage.dylib+0x14dd]  Java_app_Page_load+0x1d
  /// j  app.Page.load(I)V+12
  /// V  [libjvm.dylib+0x2ea2b7]  JavaCalls::call_helper(JavaValue*, Thread*)+0x41
  /// ```
  ///
  /// Markdown makes headings of the number signs, and takes them away.
  ///
  /// Source: github.com/openjdk/jdk, src/hotspot/share/utilities/vmError.cpp and runtime/frame.cpp.
  static let java = TraceGrammar(
    format: .javaFatalError, firstBytes: "#NAP",
    frames: [
      LinePattern(
        javaMark + "[{image:w}+{place:x}]{:}{? {symbol}+{offset:x}{? ({file}:{line})?}?}{:}"),
      LinePattern(javaMark + "[{image:w}+{place:x}] {skip}"),
      LinePattern("{?# ?}J {skip:d}{?%?} {skip} {symbol:w} ({skip:d} bytes) @ {address} [{skip}]"),
      LinePattern("{?# ?}j {symbol:w}+{skip:d}{? {skip}?}"),
      LinePattern("{?# ?}v ~{symbol}"), LinePattern(javaMark + "{address}{:}{:}"),
    ],
    lines: [
      TraceLine(
        .thread(isCrashed: true),
        javaPrefix + "{?# ?}A fatal error has been detected by the Java Runtime Environment:",
        isSign: true),
      TraceLine(.thread(isCrashed: true), javaPrefix + "{?# ?}Problematic frame:", isSign: true),
      TraceLine(.thread(isCrashed: true), "Native frames: ({skip})", isSign: true),
      TraceLine(.thread(isCrashed: false), "Java frames: ({skip})"),
      TraceLine(
        .factAbove,
        javaPrefix
          + "{?# ?}{signal:w} ({skip:x}) at pc={skip:x}{?, pid={pid}, tid={skip:w}?}"),
      TraceLine(
        .factAbove, javaPrefix + "{?# ?}Internal Error ({message}), pid={pid}, tid={skip:w}",
        title: "internal error of the Java VM: "),
      TraceLine(.factAbove, "# fatal error: {message}", title: "fatal error of the Java VM: "),
      TraceLine(.factAbove, "# Error: {message}", title: "fatal error of the Java VM: "),
      // Who breaks the line of a frame.
      TraceLine(.place, "{symbol:w}+{offset:x}"),
      TraceLine(.fact, javaPrefix + "#{? {skip}?}"),
      TraceLine(.fact, "Current thread ({skip:x}): {skip} \"{threadName}\" {skip}"),
      TraceLine(
        .fact,
        "siginfo: si_signo: {skip:d} ({signal}), si_code: {skip:d} ({code}), si_addr: {fault}"),
      TraceLine(
        .fact,
        "siginfo:si_signo={signal}: si_errno={skip:d}, si_code={skip:d} ({code}), si_addr={fault}"),
    ],
    // Between the head and the frames are the registers, the memory near them and the instructions.
    traits: Traits(
      looseLimit: 160,
      accepts: { frame, source in
        guard let mark = frame[.kind] else { return true }
        return "CVAjJv".utf8.contains(source[mark.lowerBound]) && mark.count == 1
      },
      sign: { _, _ in .none }))

  private static let javaMark = javaPrefix + "{?# ?}{kind:w} "
  /// What Maven's Surefire puts before lines that it could not read.
  ///
  /// Source: issues.apache.org/jira/browse/SUREFIRE-859.
  private static let javaPrefix = "{?SUREFIRE-859: ?}"

  /// Of Python's `faulthandler`, which needs no traceback:
  ///
  /// ```text
  /// Fatal Python error: Segmentation fault
  ///
  /// Current thread 0x00007fff8b2c1340 (most recent call first):
  ///   File "/src/page.py", line 12 in load
  ///   File "/src/app.py", line 5 in <module>
  ///
  /// Current thread's C stack trace (most recent call first):
  ///   Binary file "/usr/lib/libpage.so", at page_load+0x31 [0x7f5a4e54451f]
  /// ```
  ///
  /// People write a frame as `page.py:12  load`, and the heading of the thread behind the error.
  ///
  /// Source: github.com/python/cpython, Python/traceback.c and Modules/faulthandler.c.
  static let python = TraceGrammar(
    format: .pythonFault, firstBytes: "FBCT",
    frames: [
      LinePattern("File \"{file}\", line {line} in {symbol}"),
      LinePattern("Binary file \"{image}\", at {:}{symbol}+{offset:x}{:} [{address}]"),
      LinePattern("Binary file \"{image}\", at{:}{:} +{place:x} [{address}]"),
      LinePattern("Binary file \"{image}\"{:}{:} [{address}]"),
      // How people shorten them.
      LinePattern("{file:w}:{line} {symbol:w}{? # {skip}?}"),
    ],
    lines: [
      TraceLine(
        .thread(isCrashed: true),
        "{?{skip} ?}Fatal Python error: {message} — Current thread{? {skip}?}:", isSign: true,
        title: "Fatal Python error: "),
      TraceLine(
        .thread(isCrashed: true),
        "{?{skip} ?}Fatal Python error: {message} - Current thread{? {skip}?}:", isSign: true,
        title: "Fatal Python error: "),
      TraceLine(
        .factAbove, "{?{skip} ?}Fatal Python error: {message}", isSign: true,
        title: "Fatal Python error: "),
      // Behind the progress of pytest, which ends no line while a test runs.
      TraceLine(
        .factAbove, "{skip:w} {skip}%]Fatal Python error: {message}", title: "Fatal Python error: "),
      TraceLine(
        .factAbove, "{skip:w}.py {skip:w}Fatal Python error: {message}",
        title: "Fatal Python error: "),
      TraceLine(
        .thread(isCrashed: true),
        "Current thread {skip:x}{? [{threadName}]?} (most recent call first):", isSign: true),
      TraceLine(
        .thread(isCrashed: false),
        "Thread {thread:x}{? [{threadName}]?} (most recent call first):", isSign: true),
      TraceLine(
        .thread(isCrashed: false), "Current thread's C stack trace (most recent call first):"),
      TraceLine(.fact, "<no Python frame>"), TraceLine(.fact, "..."),
    ],
    traits: Traits(
      addressKind: .returnAddress, looseLimit: 2,
      accepts: { frame, source in
        guard frame[.image] == nil, let file = frame[.file], let symbol = frame[.symbol],
          source[file.lowerBound - 1] != Ascii.quote
        else { return true }
        return source.has(".py", at: file.upperBound - 3, limit: file.upperBound)
          && source.bytes[symbol].allSatisfy {
            TextSource.isOfName($0) || "<>.".utf8.contains($0)
          }
      }, sign: { _, _ in .traceIfMoreFollow }))
}

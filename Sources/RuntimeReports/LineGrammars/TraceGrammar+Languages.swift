import JsonReading
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
      // On Linux, without the image.
      LinePattern("at kfun:{symbol}{? + {offset}?} ({address})"),
    ],
    lines: [
      TraceLine(
        .exception, "Uncaught Kotlin exception: {exception}{?: {reason}?}", isSign: true),
      TraceLine(.cause, "Caused by: {exception}{?: {reason}?}"),
      TraceLine(.fact, "... and {skip} more common stack frames skipped"),
    ],
    traits: Traits(
      addressKind: .returnAddress, looseLimit: 2,
      sign: { frame, _ in frame[.symbol] == nil ? .none : .trace }))

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
  /// The addresses are looked up as they are, as Flutter's own tool does.
  static let dart = TraceGrammar(
    format: .dartTrace, firstBytes: "#p=",
    frames: [
      LinePattern(
        "#{index} abs {address:h}{? virt {virtual}?} {:}{symbol} ({file}:{line}{?:{column}?}){:}"
          + "{? <asynchronous suspension>?}"),
      LinePattern(
        "#{index} abs {address:h}{? virt {virtual}?} {:}{symbol}+{offset:x}{:}"
          + "{? <asynchronous suspension>?}"),
      LinePattern("#{index} abs {address:h}{? virt {virtual}?}{:}{:}"),
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
      TraceLine(.fact, "<asynchronous suspension>"),
    ],
    traits: Traits(
      addressKind: .programCounter, countsInFile: true, looseLimit: 3, onlyImageName: "app.so",
      accepts: { frame, source in
        // A path, or the name of a function.
        frame[.image].map { source[$0.lowerBound] == Ascii.slash } ?? true
      }))

  private static let dartPlace = "pc {address} fp {skip:w} "

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
  /// Source: github.com/rust-lang/rust, library/std/src/sys/backtrace.rs.
  static let rust = TraceGrammar(
    format: .rustBacktrace, firstBytes: "sS",
    frames: [
      LinePattern("{index}: {address} - {:}{symbol}{:}"), LinePattern("{index}: {:}{symbol}{:}"),
    ],
    lines: [
      TraceLine(.thread(isCrashed: true), "stack backtrace:", isSign: true),
      TraceLine(.thread(isCrashed: true), "Stack backtrace:", isSign: true),
      TraceLine(.place, "at {file}:{line}{?:{column}?}"), TraceLine(.fact, "note: {skip}"),
      TraceLine(.fact, "... {skip:d} frames omitted ..."),
    ],
    traits: Traits(
      looseLimit: 2, hasLastWords: true, sign: { _, _ in .none }))

  /// Of Go. A line below a frame says where it is:
  ///
  /// ```text
  /// panic: runtime error: index out of range [7] with length 3
  ///
  /// goroutine 1 [running]:
  /// main.(*Page).load(0xc000012120, 0x7)
  /// \t/src/page.go:12 +0x1d
  /// created by main.main in goroutine 1
  /// \t/src/main.go:7 +0x85
  /// ```
  ///
  /// Source: github.com/golang/go, src/runtime/traceback.go, panic.go and signal_unix.go.
  static let go = TraceGrammar(
    format: .goTrace, firstBytes: "gr",
    frames: [LinePattern("{:}{symbol:w}({?{skip:b}?}){:}")],
    lines: [
      TraceLine(.thread(isCrashed: true), "goroutine {thread} [{skip}]:", isSign: true),
      TraceLine(.thread(isCrashed: true), "goroutine {thread} {skip} [{skip}]:", isSign: true),
      TraceLine(.thread(isCrashed: false), "runtime stack:", isSign: true),
      TraceLine(.place, "{file}:{line}{? +{skip:x}?}{? fp={skip}?}"),
      TraceLine(.factAbove, "panic: {message}", title: "Go panic: "),
      TraceLine(.factAbove, "fatal error: {message}", title: "fatal error of Go: "),
      TraceLine(.factAbove, "[signal {signal:w}: {skip} code={code:x} addr={fault} pc={skip}]"),
      TraceLine(.factAbove, "[signal {signal:x} code={code:x} addr={fault} pc={skip}]"),
      TraceLine(.factAbove, "SIG{signal:w}: {skip}"), TraceLine(.factAbove, "PC={skip:x} {skip}"),
      TraceLine(.fact, "created by {skip}"), TraceLine(.fact, "exit status {skip}"),
    ],
    traits: Traits(
      looseLimit: 2,
      accepts: { frame, source in
        // Text may end with parentheses too. The place follows.
        guard let symbol = frame[.symbol],
          source.find(".", from: symbol.lowerBound, limit: symbol.upperBound) != nil
            || source.has("panic", at: symbol.lowerBound, limit: symbol.upperBound)
        else { return false }
        let next = source.line(at: source.line(at: symbol.upperBound).next)
        return [".go:", ".s:", ".c:"].contains {
          source.find($0, from: next.start, limit: next.end) != nil
        }
      },
      sign: { _, _ in .none }))

  /// Of frames that somebody copied without the addresses:
  ///
  /// ```text
  /// 0  libsystem_kernel.dylib  __pthread_kill
  /// 1  libsystem_c.dylib       abort + 180
  /// 2  App                     Page.load() + 45 (Page.swift:45)
  /// ```
  ///
  /// The first is in a library of the system, so that it is no list of something else.
  static let bareNames = TraceGrammar(
    format: .bareNames, firstBytes: "0123456789",
    frames: [
      // Of a table.
      LinePattern("{index} | {image} | {:}{content}{:}"),
      LinePattern("{index} {image} | {:}{content}{:}"),
      LinePattern("{index} {image:w} {:}{content}{:}"),
    ],
    lines: [
      TraceLine(.thread(isCrashed: true), "Crashed: {threadName}"),
      TraceLine(.exception, "Fatal Exception: {exception}{?: {reason}?}"),
    ],
    traits: Traits(
      looseLimit: 2, hasLastWords: true,
      accepts: { frame, source in
        // With an address it is a frame of another family.
        frame[.content].map {
          source.find("0x", from: $0.lowerBound, limit: $0.upperBound) == nil
            && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(source[$0.lowerBound])
        } ?? false
      },
      sign: { frame, source in source.beginsBareNames(frame) ? .trace : .none }))
}

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
      texts: ["Uncaught Kotlin exception: ", "   kfun:"],
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
  /// The addresses are looked up as they are, as Flutter's own tool does.
  static let dart = TraceGrammar(
    format: .dartTrace, firstBytes: "#p",
    frames: [
      LinePattern(
        "#{index} abs {address:h}{? virt {virtual}?} {:}{symbol} ({file}:{line}{?:{column}?}){:}"
          + "{? <asynchronous suspension>?}"),
      LinePattern(
        "#{index} abs {address:h}{? virt {virtual}?} {:}{symbol}+{offset:x}{:}"
          + "{? <asynchronous suspension>?}"),
      LinePattern("#{index} abs {address:h}{? virt {virtual}?}{:}{:}"),
    ],
    lines: [
      TraceLine(
        .thread(isCrashed: true), "pid: {pid}, tid: {thread}, name{?:?} {threadName}", isSign: true),
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
      texts: ["#00 abs "]))

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
      addressKind: .programCounter, looseLimit: 2, texts: ["Backtrace for this error:"],
      sign: { frame, source in
        // Sanitizers and others begin alike, and gdb has brackets behind the name.
        guard let symbol = frame[.symbol] else { return .none }
        return source[symbol.upperBound - 1] == UInt8(ascii: ")") ? .none : .traceIfMoreFollow
      }))
}

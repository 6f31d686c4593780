import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

// Traces that libraries print, on all systems.
extension TraceGrammar {
  /// Of the signal handlers of glog, Abseil and folly, and of their fatal messages:
  ///
  /// ```text
  /// *** Aborted at 1636970042 (unix time) try "date -d @1636970042" if you are using GNU date ***
  /// PC: @          0x1b184e4 app::Page::load()
  /// *** SIGSEGV (@0x0) received by PID 812 (TID 0x7f173a5df700) from PID 0; stack trace: ***
  ///     @     0x7f174fb5e1d0 (unknown)
  ///     @     0x55d1f0a31139 (/usr/bin/app+0x1138)
  ///     @          0x1b184e4        144  app::Page::load()
  /// ```
  ///
  /// Abseil has the size of the frame before the name.
  static let glog = TraceGrammar(
    format: .glogBacktrace, firstBytes: "@P*",
    frames: [
      LinePattern(
        "{?PC: ?}@ {address} {?{skip:d} ?}{:}{symbol}{? {file}:{line}?}{:} ({image}+{place})"),
      LinePattern("{?PC: ?}@ {address}{? {skip:d}?}{:}{:} ({image}+{place})"),
      LinePattern("{?PC: ?}@ {address} {skip:d} {:}{symbol}{? {file}:{line}?}{:}"),
      LinePattern("{?PC: ?}@ {address} (unknown) {:}{symbol}{? {file}:{line}?}{:}"),
      LinePattern("{?PC: ?}@ {address} {:}{symbol}{? {file}:{line}?}{:}"),
      LinePattern("{?PC: ?}@ {address}{:}{:}"),
      // Of folly, and on Windows.
      LinePattern("@ {address:h} {:}{symbol}{? {file}:{line}?}{:}"),
    ],
    lines: [
      TraceLine(
        .thread(isCrashed: true),
        "*** {signal:w} (@{fault}) received by PID {pid} {skip} stack trace: ***", isSign: true),
      TraceLine(
        .thread(isCrashed: true),
        "*** Signal {skip:d} ({signal}) ({fault}) received by PID {pid} {skip} stack trace: ***",
        isSign: true),
      TraceLine(
        .thread(isCrashed: true), "*** {signal:w} received at time={skip} ***", isSign: true),
      TraceLine(.thread(isCrashed: true), "*** Check failure stack trace: ***", isSign: true),
      TraceLine(.factAbove, "*** Aborted at {skip} ***"),
      TraceLine(.fact, "@ ... and at least {skip} more frames"),
    ],
    traits: Traits(
      countsInFile: true, looseLimit: 3, hasIndentedDetails: true,
      accepts: { frame, source in
        // Without `0x`, an address has all its digits.
        guard let address = frame[.address] else { return false }
        return address.count >= 16
          || source.has("0x", at: address.lowerBound, limit: address.upperBound)
      },
      sign: { _, _ in .traceIfMoreFollow }))

  /// Of `minidump_stackwalk`, Breakpad's and that of Rust:
  ///
  /// ```text
  /// Operating system: Mac OS X
  /// Crash reason:  EXC_BAD_ACCESS / KERN_INVALID_ADDRESS
  /// Crash address: 0x208
  ///
  /// Thread 0 (crashed)
  ///  0  Electron Framework!load [page.cc : 150 + 0x5]
  ///     rip = 0x000000010a529444
  ///     Found by: given as instruction pointer in context
  ///  1  App + 0x1341
  ///  2  libdyld.dylib!start + 0x1
  ///
  /// Loaded modules:
  /// 0x104a10000 - 0x104a1ffff  App  ???  (main)  (WARNING: No symbols, App, 24CF8D26…0)
  /// ```
  static let minidump = TraceGrammar(
    format: .minidumpStackwalk, firstBytes: "0123456789[T",
    frames: [
      LinePattern(
        minidumpIndex + "{image}{:}!{symbol} [{file} : {line}{? + {skip:x}?}]{:}{? + {place}?}"),
      LinePattern(minidumpIndex + "{image}{:}!{symbol} + {offset:x}{:} + {place}"),
      LinePattern(minidumpIndex + "{image}{:}!{symbol} + {offset:x}{:}"),
      LinePattern(minidumpIndex + "{image}{:}{:} + {place}"),
      LinePattern(minidumpIndex + "{address}"),
    ],
    lines: [
      TraceLine(
        .thread(isCrashed: true), "Thread {thread} {?{threadName} ?}(crashed){? - {skip}?}",
        isSign: true),
      TraceLine(.thread(isCrashed: false), "Thread {thread}{?{? {threadName}?} - tid: {skip:d}?}"),
      TraceLine(.factAbove, "Operating system: {system}"),
      TraceLine(.factAbove, "CPU: {architecture}"),
      TraceLine(.factAbove, "Crash reason: EXC_{stop:w} / {code}"),
      TraceLine(.factAbove, "Crash reason: {signal:w} /{code:w}"),
      TraceLine(.factAbove, "Crash reason: {signal:w}{? / {code}?}"),
      TraceLine(.factAbove, "Crash address: {fault}"),
      TraceLine(.factAbove, "Process uptime: {skip}"), TraceLine(.factAbove, "GPU: {skip}"),
      // Of servers that collect crashes.
      TraceLine(.factAbove, "Package: {process}"), TraceLine(.factAbove, "Version: {version}"),
      TraceLine(.factAbove, "OS: {system}"), TraceLine(.factAbove, "Date: {date}"),
      TraceLine(.fact, "Loaded modules:"),
      TraceLine(
        .mapping,
        "{base:x} - {end:x} {path} {skip:w}{? (main)?}{? (WARNING: {skip}, {skip}, {build})?}"),
    ],
    traits: Traits(
      // The registers of a frame.
      looseLimit: 24, hasIndentedDetails: true, hasBreakpadIdentifiers: true,
      sign: { frame, source in
        guard let last = frame[.place] ?? frame[.symbol] else { return .none }
        // Registers are below a frame.
        let below = source.line(at: source.line(at: last.upperBound).next)
        let isAboveRegisters = [" = 0x", "Found by: "].contains {
          source.find($0, from: below.start, limit: below.end) != nil
        }
        if isAboveRegisters { return .trace }
        return frame[.symbol] == nil ? .none : .traceIfMoreFollow
      }))

  private static let minidumpIndex = "{?[?}{index}{?]?} "

  /// Of Chromium and Electron on Linux:
  ///
  /// ```text
  /// Received signal 11 SEGV_MAPERR 000000000000
  /// #0 0x55c05fef4c29 base::debug::CollectStackTrace()
  /// #1 0x7f1aa038c520 (/lib/x86_64-linux-gnu/libc.so.6+0x4651f)
  /// #2 0x7f363b9c72e0 <unknown>
  /// ```
  static let chromium = TraceGrammar(
    format: .chromiumBacktrace, firstBytes: "#R",
    frames: [
      LinePattern("#{index} {address} {:}{symbol} {file}:{line}:{column}{:}{? ({image}+{place})?}"),
      LinePattern("#{index} {address}{:}{:} ({image}+{place})"),
      LinePattern("#{index} {address} {:}{symbol}{:}{? ({image}+{place})?}"),
    ],
    lines: [
      TraceLine(
        .thread(isCrashed: true), "Received signal {skip:d}{? {code:w}{? {fault:h}?}?}",
        isSign: true),
      TraceLine(.fact, "[end of stack trace]"),
    ],
    traits: Traits(
      addressKind: .returnAddress, countsInFile: true, looseLimit: 2,
      accepts: { frame, source in
        // A sanitizer's and gdb's have `in` before the name.
        frame[.symbol].map { !source.has("in ", at: $0.lowerBound, limit: source.count) } ?? true
      },
      sign: { frame, source in
        guard let symbol = frame[.symbol] else { return .none }
        return ["base::debug::", "<unknown>"].contains {
          source.has($0, at: symbol.lowerBound, limit: symbol.upperBound)
        } ? .traceIfMoreFollow : .none
      }))

  /// Of Boost.Stacktrace:
  ///
  /// ```text
  ///  0# load(int) at /src/page.cpp:7
  ///  1# 0x000055D6F3C1A2B3 in ./app
  ///  2# __libc_start_main in /lib/x86_64-linux-gnu/libc.so.6
  /// ```
  static let boost = TraceGrammar(
    format: .boostStacktrace, firstBytes: "0123456789",
    frames: [
      LinePattern("{index}# {address}{:}{:}{? in {image}?}"),
      LinePattern("{index}# {address}{:} {symbol}{? at {file}:{line}?}{:} in {image}"),
      LinePattern("{index}# {symbol} at {file}:{line}"),
      LinePattern("{index}# {symbol} in {image}"),
    ],
    lines: [],
    traits: Traits(
      addressKind: .returnAddress, looseLimit: 1,
      sign: { frame, source in
        frame[.address] != nil || frame.integer(.index, source) == 0 ? .traceIfMoreFollow : .none
      }))

  /// Of Node.js, when it runs out of memory or finds that its own state is damaged:
  ///
  /// ```text
  /// FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory
  ///  1: 0x10130c5e5 node::Abort() [/usr/local/bin/node]
  ///  2: 0x1113aa5  [node]
  /// ```
  ///
  /// Source: github.com/nodejs/node, src/node_errors.cc (`OnFatalError`, `Assert`), src/env.cc
  /// (`FailWithCorruptedAsyncStack`).
  static let node = TraceGrammar(
    format: .nodeBacktrace, firstBytes: "0123456789",
    frames: [
      LinePattern("{index}: {address}{:} {symbol}{? at {file}:{line}?}{:} [{image}]"),
      LinePattern("{index}: {address}{:}{:} [{image}]"),
    ],
    lines: [
      TraceLine(.factAbove, "FATAL ERROR: {message}", title: "fatal error of V8: "),
      TraceLine(.factAbove, "Error: {message}", title: TraceGrammar.errorOfNode),
      TraceLine(
        .factAbove, "{?{skip} ?}Assertion `{message}' failed.", title: "failed assertion: "),
      TraceLine(.factAbove, "----- Native stack trace -----"),
    ],
    traits: Traits(
      addressKind: .returnAddress, looseLimit: 2,
      sign: { frame, source in
        // It begins with a function of Node.js, unless that has an answer.
        guard let symbol = frame[.symbol], let image = frame[.image] else { return .none }
        let isKnown =
          frame[.line] != nil
          || source.find("::", from: symbol.lowerBound, limit: image.lowerBound) != nil
        return isKnown ? .traceIfMoreFollow : .none
      }))

  static let errorOfNode = "Error: "

  /// Of Mono, in apps of Xamarin, .NET and Unity:
  ///
  /// ```text
  ///  Native stacktrace:
  /// =================================================================
  ///  0x10ba65dc5 - /private/var/App.app/App : mono_handle_native_crash
  ///  0x124d43b4e - Unknown
  /// ```
  static let mono = TraceGrammar(
    format: .monoBacktrace, firstBytes: "0",
    frames: [
      LinePattern("{address} - {image} : {:}{symbol}{? at {file}:{line}?}{:}"),
      LinePattern("{address} - Unknown"),
    ],
    lines: [
      TraceLine(.factAbove, "Native stacktrace:"),
      TraceLine(.factAbove, "====={skip}"),
      TraceLine(.factAbove, "Got a {signal:w} while executing native code.{? {skip}?}"),
    ],
    traits: Traits(
      addressKind: .returnAddress, looseLimit: 2,
      sign: { frame, source in
        // Texts list the values of constants like this.
        guard let image = frame[.image], source[image.lowerBound] == Ascii.slash,
          let address = frame.number(.address, source), address >= 0x1_0000
        else { return .none }
        return .traceIfMoreFollow
      }))

  /// Of Unreal Engine on Linux and on Apple's systems; Windows has the same without addresses:
  ///
  /// ```text
  /// [2025.09.14-23.38.42:248][  0]LogCore: === Critical error: ===
  /// Unhandled Exception: SIGSEGV: invalid attempt to read memory at address 0x0000000000000230
  ///
  /// 0x0000000003a2a312 Game!UnknownFunction(0x382a312)
  /// 0x00007f602fb285f0 libGame-Core.so!FPage::Load(int) [/src/Page.cpp:177]
  /// 0x00007f60271b571f libc.so.6!clone(+0x3e)
  /// FPage::Load(int) Address = 0x107f57d01 (filename not found) [in Game.dylib]
  /// ```
  ///
  /// The number behind a `+`, or of an unknown function, counts from the start of the image or the
  /// function to the address that was looked up: of a return address to the byte before it.
  static let unreal = TraceGrammar(
    format: .unrealTrace, firstBytes: "0[UCAF",
    frames: [
      LinePattern(unrealMark + "{address} {image}!{:}UnknownFunction({place}){? [{skip}]?}{:}"),
      LinePattern(unrealMark + "{address} {image}!{:}{symbol}(+{offset:x}){:}"),
      LinePattern(unrealMark + "{address} {image}!{:}{symbol} [{file}:{line}]{:}"),
      LinePattern(unrealMark + "{address} {image}!{:}{symbol}{? []?}{? [???]?}{:}"),
      LinePattern("{:}{symbol}{? [{file}:{line}]?}{:} Address = {address} ({skip}) [in {image}]"),
      LinePattern("{symbol} Address = {address} [{file}, line {line}] [in {image}]"),
      LinePattern("{symbol} Address = {address} [{file}:{line}] [in {image}]"),
      LinePattern("{image:w}!{symbol} [{file}:{line}]"),
    ],
    lines: [
      TraceLine(
        .thread(isCrashed: true), "Unhandled Exception: {signal:w}: {skip} at address {fault}",
        isSign: true),
      TraceLine(
        .thread(isCrashed: true), "Unhandled Exception: {signal:w}{?: {skip}?}", isSign: true),
      TraceLine(.thread(isCrashed: true), "Caught signal{? {skip}?}", isSign: true),
      TraceLine(
        .thread(isCrashed: true),
        "{?{skip} ?}Assertion failed: {message} [File:{skip}] [Line: {skip:d}]", isSign: true,
        title: "Assertion failed: "),
      TraceLine(
        .factAbove, "{?{skip} ?}Ensure condition failed: {message} [File:{skip}] [Line: {skip:d}]",
        title: "Ensure condition failed: "),
      TraceLine(.factAbove, "{?{skip} ?}=== Critical error: ==="),
      TraceLine(.factAbove, "{?{skip} ?}Fatal error!"),
    ],
    traits: Traits(
      countsInFile: true, looseLimit: 5,
      accepts: { frame, _ in frame[.image].map { $0.count < 128 } ?? true },
      sign: { frame, _ in frame[.address] == nil ? .none : .traceIfMoreFollow }))

  private static let unrealMark = "{?[Callstack] ?}"
}

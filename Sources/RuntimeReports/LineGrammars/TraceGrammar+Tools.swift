import SymbolicationModel

// Traces that tools and runtimes print of a process of theirs.
extension TraceGrammar {
  /// Of Breakpad's `minidump_stackwalk`, as Chromium, Electron and Firefox show it:
  ///
  /// ```text
  /// Crash reason:  EXC_BAD_ACCESS / KERN_INVALID_ADDRESS
  /// Crash address: 0x8
  /// Thread 0 (crashed)
  ///  0  app!Page::load() [page.cc : 12 + 0x5]
  ///     rip = 0x0000000101149cb3
  ///     Found by: given as instruction pointer in context
  ///  1  libdyld.dylib + 0x5014
  /// ```
  ///
  /// Source: chromium.googlesource.com/breakpad, src/processor/stackwalk_common.cc.
  static let minidump = TraceGrammar(
    format: .minidumpStack, firstBytes: "TC",
    frames: [
      LinePattern("{index} {image}!{:}{symbol} [{file} : {line} + {offset:x}]{:}"),
      LinePattern("{index} {image}!{:}{symbol} + {offset:x}{:}"),
      LinePattern("{index} {image}!{:}{symbol}{:}"),
      LinePattern("{index} {image}{:}{:} + {place}"),
      LinePattern("{index} {address}{:}{:}"),
    ],
    lines: [
      TraceLine(.thread(isCrashed: true), "Thread {thread} (crashed)", isSign: true),
      TraceLine(.thread(isCrashed: false), "Thread {thread}"),
      TraceLine(.factAbove, "Operating system: {system}"),
      TraceLine(
        .factAbove, "Crash reason: EXC_{stop:w} / {code:w}{? {skip}?}", isSign: true),
      TraceLine(.factAbove, "Crash reason: SIG{signal:w}{? / {code:w}?}", isSign: true),
      TraceLine(.factAbove, "Crash reason: EXC_{stop:w}", isSign: true),
      TraceLine(.factAbove, "Crash address: {fault}"),
      TraceLine(.factAbove, "Process uptime: {skip}"),
      TraceLine(.factAbove, "CPU: {architecture:w}"),
      TraceLine(.fact, "Found by: {skip}"),
      TraceLine(.fact, "{skip:w} = {skip:x}{? {skip}?}"),
    ],
    traits: Traits(
      looseLimit: 12, texts: ["Found by: "], sign: { _, _ in .none }))

  /// Of Node.js, which counts from 1:
  ///
  /// ```text
  /// FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory
  /// ----- Native stack trace -----
  ///  1: 0x100ae18ac node::OOMErrorHandler(char const*, v8::OOMDetails const&) [/usr/bin/node]
  /// ```
  ///
  /// Source: github.com/nodejs/node, src/debug_utils.cc and src/node_errors.cc.
  static let node = TraceGrammar(
    format: .nodeTrace, firstBytes: "123456789",
    frames: [
      LinePattern("{index}: {address} {:}{symbol}{:} [{image}]"),
      LinePattern("{index}: {address}{:}{:} [{image}]"),
    ],
    lines: [
      TraceLine(.factAbove, "FATAL ERROR: {message}", title: "fatal error of V8: "),
      TraceLine(.factAbove, "----- Native stack trace -----"),
    ],
    traits: Traits(looseLimit: 2, texts: ["----- Native stack trace"]))

  /// Of Mono:
  ///
  /// ```text
  ///     Native stacktrace:
  /// =================================================================
  ///     0x10e120a85 - /App.app/libmonosgen-2.0.dylib : mono_dump_native_crash_info
  ///     0x4e2e74666f736f72 - Unknown
  /// ```
  ///
  /// Source: github.com/mono/mono, mono/mini/mini-exceptions.c.
  static let mono = TraceGrammar(
    format: .monoTrace, firstBytes: "N",
    frames: [
      LinePattern("{address} - {image} : {:}{symbol}{:}"),
      LinePattern("{address} - Unknown{:}{:}"),
    ],
    lines: [
      TraceLine(.thread(isCrashed: true), "Native stacktrace:", isSign: true),
      TraceLine(.factAbove, "Got a SIG{signal:w} while {skip}"),
    ],
    traits: Traits(looseLimit: 3, texts: ["Native stacktrace:"], sign: { _, _ in .none }))
}

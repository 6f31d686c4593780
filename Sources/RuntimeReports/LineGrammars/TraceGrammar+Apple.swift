import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel
import SymbolicationModel

// Traces from Apple's systems.
extension TraceGrammar {
  /// Of `Thread.callStackSymbols`, `backtrace_symbols(3)` and the message about an exception that
  /// nobody caught:
  ///
  /// ```text
  /// *** Terminating app due to uncaught exception 'NSRangeException', reason: 'index 5 …'
  /// *** First throw call stack:
  /// (
  ///   0   CoreFoundation      0x00000001c0287f24 __exceptionPreprocess + 172
  ///   3   App                 0x0000000104a1c2f0 $s3App4PageV4loadyyF + 84
  /// )
  /// libc++abi: terminating due to uncaught exception of type NSException
  /// ```
  ///
  /// An app without symbols is `App + 49904`. All addresses are those that calls return to.
  static let callStack = TraceGrammar(
    format: .callStack, firstBytes: "0123456789*\"#",
    frames: [
      // Of a table that lost the other bars.
      LinePattern("{index} | {image} {address} {:}{content}{:}"),
      LinePattern("{index} | {image} {address}{:}{:}"),
      LinePattern("{index} {image} {address} {:}{content}{:}"),
      LinePattern("{index} {image} {address}{:}{:}"),
      LinePattern("{index} {image:w} +{place} {:}{content}{:}"),
      // Of `atos -printHeader` and ExceptionHandling.
      LinePattern("{index} {address} in {:}{symbol}{? ?}(in {image}){? + {offset}?}{:}"),
      // Of Swift's backtraces, without what is above the frames.
      LinePattern("{index} {address} {:}{symbol} + {offset}{:} in {image:w}"),
      LinePattern("{index} {address}{:}{:}"),
      // The address may be missing.
      LinePattern("{index} {image:w} {:}{content}{:}"),
    ],
    lines: [
      TraceLine(.exception, "*** First throw call stack:{?{skip}?}", isSign: true),
      // Of Bugly. Below it, the thread that crashed has why.
      TraceLine(.thread(isCrashed: false), "#{? ?}{thread} Thread", isSign: true),
      TraceLine(.factAbove, "{?{skip} ?}*** " + uncaught + "'"),
      TraceLine(.factAbove, "{?{skip} ?}*** " + uncaught),
      // Markdown takes the stars away, or two of them for bold text.
      TraceLine(.factAbove, "{?* ?}" + uncaught + "'"), TraceLine(.factAbove, "{?* ?}" + uncaught),
      TraceLine(
        .factAbove,
        "{?{skip} ?}libc++abi{?.dylib?}: terminating {skip} exception of type {exception}{?: {reason}?}"
      ),
      TraceLine(.factAbove, otherException),
      // Of the handlers that Unity and many apps set, behind which the frames are.
      TraceLine(.factAbove, "{?{skip} ?}Uncaught exception: {exception:n}: {reason}"),
      TraceLine(.factAbove, "{?{skip} ?}CRASH: {reason}"),
      // Of ExceptionHandling.
      TraceLine(.factAbove, "{?{skip} ?}Uncaught system exception: signal {signal:d}"),
      // Of handlers that apps set for signals.
      TraceLine(.factAbove, "{?{skip} ?}Received fatal signal {skip} ({signal:d}){? on {skip}?}"),
      // Of React Native: React/Base/RCTModuleMethod.mm.
      TraceLine(
        .factAbove, "{?{skip} ?}Exception '{reason}' was thrown while invoking {skip}"),
      TraceLine(.factAbove, "callstack: ("),
      // How people quote its name and reason: `NSGenericException: Your application …`.
      TraceLine(.factAbove, "{?> ?}{exception:n}: {reason}"),
      // Of AppKit, with the reason in the next line.
      TraceLine(
        .factAbove, "An uncaught exception was raised", title: "uncaught exception: "),
      TraceLine(
        .factAbove, "{?EXC_{stop:w}: ?}Attempted to dereference {skip} pointer {fault}{?.?}"),
      TraceLine(.factAbove, "Exception Name: {exception:w}"),
      // Of Bugly and Bugsee.
      TraceLine(.factAbove, "{?{skip:w} ?}SIG{signal:w}({code:w}){? {skip}?}"),
      // A member of JSON, without the quotes at its ends.
      TraceLine(.factAbove, "exception\"{? ?}:{? ?}\"{exception:w}"),
      // Of Swift, and of lldb.
      TraceLine(.factAbove, "Current stack trace:"),
      // Of Mono on macOS.
      TraceLine(.factAbove, "Got a {signal:w} while executing native code.{? {skip}?}"),
      TraceLine(.factAbove, "Native stacktrace:"), TraceLine(.factAbove, "====={skip}"),
      TraceLine(.factAbove, "Process {pid} launched: '{path}'{? {skip}?}"),
      TraceLine(.factAbove, "Exception Type: EXC_{stop:w} ({signal:w})"),
      TraceLine(.fact, "{?{skip} ?}libc++abi{?.dylib?}: {skip}"),
      TraceLine(.fact, "("), TraceLine(.fact, ")"),
    ],
    traits: Traits(
      addressKind: .returnAddress, looseLimit: 2, hasAddressLists: true,
      // Addresses of 64 bits, with zeros in front.
      hasLastWords: true,
      accepts: { match, source in
        // Alone, an address is a frame only if it is the first one.
        match.hasAddress(in: source)
          && (match[.image] != nil || match[.symbol] != nil || match.integer(.index, source) == 0)
      },
      sign: { frame, source in
        if let image = frame[.image], frame[.offset] != nil,
          source.has(" in ", at: image.lowerBound - 4, limit: image.lowerBound)
        {
          return source.isAboveAddress(image.upperBound) ? .traceIfMoreFollow : .none
        }
        return frame[.place] == nil && frame[.symbol] == nil ? .table : .traceIfMoreFollow
      }))

  private static let uncaught =
    "Terminating app due to uncaught exception '{exception}', reason: '{reason}"

  /// How people quote an exception from Crashlytics' pages.
  private static let otherException =
    "{?{skip} ?}{?`?}{?**?}Fatal Exception: {exception:w}{?: {reason}?}"

  /// Of Crashlytics' pages and text files. The number behind a name is mostly the line. Newer ones
  /// show the distance from the start of the image in place of the address:
  ///
  /// ```text
  /// # Platform: ios
  /// Crashed: com.apple.main-thread
  /// 0  App                     0x246e35c closure #1 in Page.load() + 45 (Page.swift:45)
  /// 1  libdispatch.dylib       0x637a8 <redacted> + 24
  ///
  /// com.apple.uikit.eventfetch-thread
  /// 0  libsystem_kernel.dylib  0x127c mach_msg_trap + 8
  /// ```
  static let crashlytics = TraceGrammar(
    format: .crashlytics, firstBytes: "0123456789CEFTf#",
    frames: [
      // `(Missing UUID 79d7…)`, in the language of whoever copied it.
      LinePattern("{index}{?.?} {image} {address} {:}({skip} UUID {build}){:}"),
      LinePattern("{index}{?.?} {image} {address} {:}{content}{:}"),
      LinePattern("{index}{?.?} {image} {address}{:}{:}"),
      // Its text files of 2013 to 2016 have decimal addresses.
      LinePattern("{index}{?.?} {image} {address:d} {:}{content}{:}"),
      LinePattern("{index}{?.?} {image} {address:d}{:}{:}"),
      LinePattern("{index} | {image} | {file} - Line {line} | {:}{symbol}{:} + {skip:d}"),
      // The place is a line of its own in the page.
      LinePattern("{index} | {image} | {file:w} line {line}{:}{symbol}{:} + {skip:d}"),
      LinePattern("{index} | {image} | {file:w}:{line} | {:}{symbol}{:} + {skip:d}"),
      LinePattern("{index} | {image} | {file:w} line {line} | {:}{symbol}{:}"),
      LinePattern("{index} | {image} | {file:w} line {line}{:}{symbol}{:}"),
      LinePattern("{index} | {image} | {:}{content}{:}"),
      LinePattern("{index} {image:w} {:}{content}{:}"),
      // Who explains a stack leaves images and addresses out.
      LinePattern("{index} {:}{symbol}{:}"),
    ],
    lines: [
      // With the exception, and a button of the page, behind it.
      TraceLine(
        .thread(isCrashed: true),
        "{?{?#?}{skip:d}. ?}Crashed: {threadName:w}EXC_{stop:w} {code:w} {fault}{? Raw Text?}",
        isSign: true),
      TraceLine(
        .thread(isCrashed: true),
        "{?{?#?}{skip:d}. ?}Crashed: {threadName}SIG{signal:w} {fault}{? Raw Text?}", isSign: true),
      // Above a table, in which Markdown takes the blank for that of a heading.
      TraceLine(
        .thread(isCrashed: true),
        "{?> ?}#{skip:d}{?.?}Crashed: {threadName:w}EXC_{stop:w} {fault}{? Raw Text?}"),
      TraceLine(
        .thread(isCrashed: true), "{?{?#?}{skip:d}. ?}Crashed: {threadName}", isSign: true),
      // Its pages of 2013 to 2015.
      TraceLine(
        .thread(isCrashed: true), "Thread : Crashed: {threadName}", isSign: true),
      TraceLine(
        .exception, "Thread : Fatal Exception: {exception}{?: {reason}?}", isSign: true),
      TraceLine(
        .exception, "{?{?#?}{skip:d}. ?}Fatal Exception: {exception}{?: {reason}?}", isSign: true),
      TraceLine(.exception, "fatal Exception: {exception}{?: {reason}?}", isSign: true),
      // Sentry's words.
      TraceLine(
        .thread(isCrashed: true),
        "{stop:w}: Attempted to dereference {skip} pointer {fault}{?.?}", isSign: true),
      TraceLine(.factAbove, "# Platform: apple"), TraceLine(.factAbove, "# Platform: {system}"),
      TraceLine(.factAbove, "# Application: {process}"),
      TraceLine(.factAbove, "# Bundle Identifier: {process}"),
      TraceLine(.factAbove, "# Version: {version}"),
      TraceLine(.factAbove, "# Device model: {model}"),
      TraceLine(.factAbove, "# Device: {model}"),
      TraceLine(.factAbove, "# OS version: {system}"),
      TraceLine(.factAbove, "# OS Version: {system}"),
      TraceLine(.factAbove, "# Crashed at: {date}"),
      TraceLine(.factAbove, "# Date: {date}"),
      // The title of an issue.
      TraceLine(.factAbove, "# EXC_{stop:w} {code:w} {fault}{? {skip}?}"),
      TraceLine(.factAbove, "# {skip} EXC_{stop:w} {fault}"),
      TraceLine(.factAbove, "# {skip}"),
      TraceLine(.factAbove, otherException),
      TraceLine(.factAbove, "{?#{skip:d}. ?}EXC_{stop:w} {code:w} {?at ?}{fault}"),
      // How people join them.
      TraceLine(.factAbove, "EXC_{stop:w} / {code:w} / {fault}"),
      TraceLine(.factAbove, "{?#{skip:d}. ?}EXC_{stop:w}{? {fault}?}"),
      TraceLine(.factAbove, "{?#{skip:d}. ?}EXC_{stop:w} at {skip}"),
    ],
    traits: Traits(
      hasOffsets: false, namesThreads: true, looseLimit: 4, hasOffsetsAsAddresses: true,
      hasLastWords: true,
      accepts: {
        $0.hasAddress(in: $1) && ($0[.build]?.count ?? 32) == 32 && $0.hasLongAddress(in: $1)
          && $1.hasFunction($0)
      },
      // Other tables have numbers there, too.
      sign: { frame, source in
        if frame[.address] == nil, frame.integer(.index, source) == 0, frame[.line] != nil,
          let symbol = frame[.symbol], source.isMethodOrBlock(symbol)
        {
          return .traceIfMoreFollow
        }
        guard frame.isDecimal(.address), let index = frame[.index] else { return .table }
        return source.isBelowHeadOfOldCrashlytics(index.lowerBound) ? .trace : .none
      }))

  /// Of `bt` and `bt all` in lldb and Xcode:
  ///
  /// ```text
  /// * thread #1, queue = 'main', stop reason = EXC_BAD_ACCESS (code=1, address=0x0)
  ///   * frame #0: 0x0000000100003f50 App`main(argc=1) at main.c:5:3 [opt]
  ///     frame #1: 0x000000018ac9b154 dyld`start + 2476
  /// ```
  ///
  /// Who shows one frame may leave the address and the image out, and break its line:
  ///
  /// ```text
  /// frame #0: deck::Dealer::next(deck::Buffer&)
  ///   [inlined] deck::Buffer::operator=
  ///   at buffer.h:62:3 [opt]
  /// ```
  static let lldb = TraceGrammar(
    format: .lldbBacktrace, firstBytes: "*+-ft",
    frames: [
      LinePattern(
        bullet + "frame #{index}: {address} {image}`{:}{symbol}{? + {offset}?}"
          + "{? at {file}:{line}{?:{column}?}?}{:}{? [opt]?}{? [inlined]?}{? [artificial]?}"),
      // Markdown takes the backtick away.
      LinePattern(
        bullet + "frame #{index}: {address} {image:w} {:}{symbol}{? + {offset}?}"
          + " at {file}:{line}{?:{column}?}{:}{? [opt]?}{? [inlined]?}"),
      LinePattern(bullet + "frame #{index}: {address} {image:w} {:}{symbol} + {offset}{:}"),
      LinePattern(bullet + "frame #{index}: {address}{? {image}?}"),
      // With a format of frames that leaves addresses out: they have names, which stay.
      LinePattern(
        bullet + "frame #{index}: {image:w}`{symbol}{? + {offset}?}"
          + "{? at {file}:{line}{?:{column}?}?}{? [{skip}]?}"),
      // Without images, too.
      LinePattern(bullet + "frame #{index}: {symbol} at {file}:{line}{?:{column}?}{? [{skip}]?}"),
      LinePattern(bullet + "frame #{index}: {symbol} + {offset}{? [{skip}]?}"),
      // With the place on a line of its own.
      LinePattern(bullet + "frame #{index}: {symbol}{? [{skip:w}]?}"),
    ],
    lines: [
      TraceLine(
        .thread(isCrashed: false),
        bullet + "thread #{thread}{?: tid = {skip:w}?}{?, name = '{threadName}'?}"
          + "{?, queue = '{queue}'?}{?, stop reason = {stop}?}", isSign: true),
      // Until 2016 the place is in front of the names (lldb, source/Core/Debugger.cpp,
      // `DEFAULT_THREAD_FORMAT`).
      TraceLine(
        .thread(isCrashed: false),
        bullet + "thread #{thread}: tid = {skip:w}, {skip}, name = '{threadName}'"
          + "{?, queue = '{queue}'?}{?, stop reason = {stop}?}", isSign: true),
      TraceLine(
        .thread(isCrashed: false),
        bullet + "thread #{thread}: tid = {skip:w}, {skip}, queue = '{queue}'"
          + "{?, stop reason = {stop}?}", isSign: true),
      TraceLine(
        .thread(isCrashed: false),
        bullet + "thread #{thread}{?: tid = {skip:w}?}, {skip}, stop reason = {stop}", isSign: true),
      TraceLine(
        .thread(isCrashed: false), bullet + "thread #{thread}{?:?}{?,?} {skip}", isSign: true),
      TraceLine(.factAbove, "Process {pid} launched: '{path}' ({architecture})"),
      TraceLine(.factAbove, "Process {pid} launched: '{path}'{? {skip}?}"),
      TraceLine(.factAbove, "Process {pid} {skip}"),
      TraceLine(.factAbove, "{?{skip} ?}stop reason = {stop}"),
      // Who breaks a long line.
      TraceLine(.place, "[inlined] {symbol}"),
      TraceLine(.place, "at {file}:{line}{?:{column}?}{? [{skip}]?}"),
      TraceLine(.fact, "Target {skip:d}: ({process}) stopped."),
      // Of the code at the place where it stopped.
      TraceLine(.fact, "-> {skip:x}{? <+{skip:d}>?}: {instruction}"),
      TraceLine(.fact, "{skip:x} <+{skip:d}>: {skip}"),
      TraceLine(.fact, "-> {skip:x}{?:?} {skip}"), TraceLine(.fact, "-> {skip:d}{?:?} {skip}"),
      TraceLine(.factAbove, "Current executable set to '{path}' ({architecture})."),
      TraceLine(.fact, "(lldb){? {skip}?}"),
      // Of `image list`.
      TraceLine(.mapping, "[{? ?}{skip:d}] {build:w} {base:x} {path}{? ({skip:x})?}"),
    ],
    // Between the line of the thread and what `bt` shows may be lines of source code.
    traits: Traits(
      looseLimit: 12, hasLastWords: true, hasWordsBelow: true,
      accepts: { frame, source in
        guard frame[.address] == nil, frame[.image] == nil, frame[.file] == nil,
          let symbol = frame[.symbol]
        else { return true }
        // A distance is behind any name of C.
        if frame[.offset] != nil, source.bytes[symbol].allSatisfy(TextSource.isOfName) {
          return true
        }
        return source.isMethodOrBlock(symbol) || source.isQualifiedName(symbol)
          || source.isBareFunction(symbol) || source.isFurtherFunction(symbol)
      },
      sign: { frame, _ in
        frame[.address] == nil && frame[.image] == nil ? .traceIfMoreFollow : .trace
      }))

  /// Before the selected thread and frame. Converters of Markdown write other signs, and the end of
  /// the line above may be left there.
  private static let bullet = "{?{?,?}{?*?}{?+?}{?-?} ?}"
}

extension LineMatch {
  /// Whether a decimal number in the place of an address may be one: no program of Apple's systems
  /// has code in its first 16 kB.
  fileprivate func hasLongAddress(in source: TextSource) -> Bool {
    guard isDecimal(.address), let range = self[.address] else { return true }
    // The cells of a table. The last one has the distance from the start of a function.
    guard self[.image].map({ !source.bytes[$0].contains(UInt8(ascii: "|")) }) ?? true else {
      return false
    }
    return source[range.lowerBound] != Ascii.zero && (number(.address, source) ?? 0) >= 0x4000
  }

  /// Whether the content of a frame without an address is not an address itself.
  fileprivate func hasAddress(in source: TextSource) -> Bool {
    guard self[.address] == nil, self[.place] == nil, let content = self[.content] else {
      return true
    }
    return source.find("0x", from: content.lowerBound, limit: content.upperBound) == nil
  }
}

extension TextSource {
  /// Whether a line is what Crashlytics wrote above a stack from 2013 to 2016: `Thread : Crashed:
  /// com.apple.main-thread`.
  func isHeadOfOldCrashlytics(_ line: TextLine) -> Bool {
    let start = skipSeparators(from: line.start, limit: line.end)
    return ["Thread : Crashed: ", "Thread : Fatal Exception: "].contains {
      has($0, at: start, limit: line.end)
    }
  }

  /// Whether a line is what Crashlytics has above the frames of a page, copied with the number of
  /// the thread: `> #0Crashed: com.apple.main-threadEXC_BREAKPOINT 0x0`; or the rule of the table
  /// below that.
  func isHeadOfCopiedPage(_ line: TextLine) -> Bool {
    let text = trimmed(line.start..<line.end, leading: "> \t", trailing: " \t\r")
    guard text.count > 1, text.count < 512 else { return false }
    if bytes[text].allSatisfy({ $0 == Ascii.minus || $0 == Ascii.space || $0 == UInt8(ascii: "|") })
    {
      return lineAbove(line).map { above in
        find("Crashed: ", from: above.start, limit: min(above.end, above.start + 16)) != nil
          && isHeadOfCopiedPage(above)
      } ?? false
    }
    guard self[text.lowerBound] == UInt8(ascii: "#") else { return false }
    let number = bytes[text].dropFirst().prefix(while: Ascii.isDigit)
    let end =
      has(".", at: number.endIndex, limit: text.upperBound) ? number.endIndex + 1 : number.endIndex
    return !number.isEmpty && has("Crashed: ", at: end, limit: text.upperBound)
  }

  /// Whether a frame without an image has a function. What looks like its image may be the start of
  /// a name of Swift.
  fileprivate func hasFunction(_ frame: LineMatch) -> Bool {
    guard frame[.address] == nil else { return true }
    guard frame[.image] == nil else {
      return frame[.index].map { index in
        let start = skipSeparators(from: index.upperBound, limit: count)
        return !Self.swiftStarts.contains { has($0, at: start, limit: count) }
      } ?? true
    }
    return frame[.symbol].map { isBareFunction($0) || isFurtherFunction($0) } ?? true
  }

  /// Whether the line with an offset is right below such a line.
  func isBelowHeadOfOldCrashlytics(_ offset: Int) -> Bool {
    lineAbove(line(at: lineStart(of: offset))).map { isHeadOfOldCrashlytics($0) } ?? false
  }
}

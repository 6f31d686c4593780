import JsonReading
import ReportFormats
public import ReportModel
import SymbolicationModel

// Stack traces that are no reports: what a console, a chat or the log of a server shows of them.
//
// Each family differs in how one frame is written and in what is around the frames. A
// `TraceGrammar` says that in `LinePattern`s, and the rest is the same for all:
//
//   `TraceReader`      finds the traces in an input;
//   `TraceBuilder`     collects the stacks and the facts of one;
//   `TraceFrameReader` makes a frame of the parts of a line;
//   `TraceImages`      gathers the images that frames name;
//   `TraceFrameWriter` writes an answer into a line.
//
// A new family is a grammar in the list `TraceGrammar.all`.

/// How the traces of one family are written.
struct TraceGrammar: Sendable {
  let format: ReportFormat
  /// The bytes that the lines begin with which show that there is a trace.
  let firstBytes: String
  /// The shapes of a frame, in the order in which they are tried.
  let frames: [LinePattern]
  /// What else belongs to a trace.
  let lines: [TraceLine]
  var traits = Traits()

  struct Traits: Sendable {
    /// What the addresses of frames are; nil if it follows from their positions.
    var addressKind: FrameAddressKind?
    /// Whether the distance that a frame states is an address in the image's file, and not one from
    /// the start of the image.
    var countsInFile = false
    /// Whether the number behind `+` in a frame is the distance from the start of the function.
    var hasOffsets = true
    /// Whether a line above the first frame of a stack is the name of its thread.
    var namesThreads = false
    /// How many lines in a row may be none of the trace.
    var looseLimit = 3
    /// Whether indented lines between frames, such as those with variables, are not counted.
    var hasIndentedDetails = false
    /// Whether a line may have the addresses of a stack in parentheses: `(0x185f2c 0x19b3f4 …)`.
    var hasAddressLists = false
    /// Whether the distance behind a `+` that no function precedes is that in the image.
    var hasBareOffsets = false
    /// Whether a distance below 256 MB in the place of an address is that in the image.
    var hasOffsetsAsAddresses = false
    /// Whether builds of images are Breakpad's identifiers: a UUID and a number.
    var hasBreakpadIdentifiers = false
    /// What frames mean that name no image; nil if they mean nothing.
    var onlyImageName: String?
    /// Whether a stack is that of the exception above it.
    var isOfException = false
    /// Whether a trace is no report if that of the same crash follows, which says what the program
    /// printed above it. In a stream it may not have come yet.
    var yieldsToReportBelow = false
    /// Whether the runtime's last words are looked for above the trace.
    var hasLastWords = false
    /// Whether they are looked for below it, too, if nothing above says why: a debugger's console
    /// is below the stack that it shows.
    var hasWordsBelow = false
    /// Whether the parts of a frame are those of this family, and not of one that looks like it.
    var accepts: @Sendable (LineMatch, TextSource) -> Bool = { _, _ in true }
    /// What a frame shows if nothing above it says what it is.
    var sign: @Sendable (LineMatch, TextSource) -> Sign = { _, _ in .trace }

    enum Sign {
      /// There is a trace.
      case trace
      /// There is one if another frame is among the next lines.
      case traceIfMoreFollow
      /// A frame in the shape that Apple's reports have, too.
      case table
      /// It may be anything.
      case none
    }
  }
}

/// A line of a trace that is no frame.
struct TraceLine: Sendable {
  enum Role: Sendable {
    /// Says something about the process or the crash.
    case fact
    /// Says something, and is looked for above the trace, too.
    case factAbove
    /// Opens the stack of a thread.
    case thread(isCrashed: Bool)
    /// Opens the stack of an exception.
    case exception
    /// Opens the stack of what caused the exception before it.
    case cause
    /// Says where an image is in memory.
    case mapping
    /// Says which build of an image it was.
    case build
    /// Says where the function of the frame above is.
    case place
  }

  let role: Role
  let pattern: LinePattern
  /// Whether a trace may begin with the line, if frames follow.
  let isSign: Bool
  /// What a message is called, such as `Go panic: `. Empty if it says that itself.
  let title: String

  init(_ role: Role, _ pattern: String, isSign: Bool = false, title: String = "") {
    self.role = role
    self.pattern = LinePattern(pattern)
    self.isSign = isSign
    self.title = title
  }
}

/// What a line is to a trace.
enum TraceReading {
  case frame(LineMatch)
  case line(TraceLine, LineMatch)
  /// `(0x185f2c 0x19b3f4 …)`
  case addresses
}

extension TraceGrammar {
  /// The part of a line that patterns describe: without separators, and without the quotes and the
  /// comma that an array of lines has around each.
  static func content(of line: TextLine, in source: TextSource) -> Range<Int> {
    var range = source.trimmed(line.start..<line.end)
    // Longer lines are none of a trace.
    guard range.count < 16_384, !range.isEmpty else { return range.lowerBound..<range.lowerBound }
    range = source.withoutOpenEmphasis(range)
    if source[range.lowerBound] == UInt8(ascii: "\"") {
      var end = range.upperBound
      if source[end - 1] == UInt8(ascii: ",") { end -= 1 }
      if end - range.lowerBound > 2, source[end - 1] == UInt8(ascii: "\"") {
        range = source.trimmed(range.lowerBound + 1..<end - 1)
      }
    } else if Ascii.isDigit(source[range.lowerBound]),
      source.has(",", at: range.upperBound - 1, limit: range.upperBound)
    {
      range = source.trimmed(range.lowerBound..<range.upperBound - 1)
    } else if let end = source.frameEnd(range) {
      range = range.lowerBound..<end
    } else if let text = source.emphasisedText(range) {
      range = text
    }
    return range
  }

  func frame(_ source: TextSource, _ range: Range<Int>) -> LineMatch? {
    for pattern in frames {
      if let match = pattern.match(source, range), traits.accepts(match, source) { return match }
    }
    return nil
  }

  /// Whether a line is a frame above the one that shows that there is a trace: behind the number of
  /// its thread (`Thread 1#0 0x… in f ()`), or with the name of a program (`app(f+0x12)[0x…]`).
  func isFrameAbove(_ line: TextLine, _ source: TextSource) -> Bool {
    if format == .crashlytics {
      return source.isHeadOfOldCrashlytics(line) || source.isHeadOfCopiedPage(line)
    }
    if format == .callStack { return source.isCallStackFrameWithoutName(line) }
    if format == .kotlinNative { return frame(source, Self.content(of: line, in: source)) != nil }
    if source.has("Thread ", at: line.start, limit: line.end) {
      return frame(source, Self.content(of: line, in: source))?[.thread] != nil
    }
    if format == .gdbBacktrace,
      source.find(")#0", from: line.start, limit: min(line.end, line.start + 128)) != nil
    {
      return frame(source, Self.content(of: line, in: source))?[.thread] != nil
    }
    if format == .swiftServerBacktrace {
      let content = Self.content(of: line, in: source)
      return source.has("0x", at: content.lowerBound, limit: content.upperBound)
        && frame(source, content) != nil
    }
    // Those of the system show that there is a trace.
    if format == .bareNames {
      let content = Self.content(of: line, in: source)
      let isNamedPlace = source.has("at ", at: content.lowerBound, limit: content.upperBound)
      guard let found = frame(source, content) else { return false }
      return isNamedPlace || source.isOfSentry(found) || isNumberedAbove(found, line, source)
    }
    guard format == .glibcBacktrace, source.has("]", at: line.end - 1, limit: line.end),
      let found = frame(source, Self.content(of: line, in: source)), let image = found[.image]
    else { return false }
    return (found[.offset] ?? found[.place]) != nil
      && source.bytes[image].allSatisfy { $0 > Ascii.space }
  }

  /// Whether a frame has the number before that of the frame in the next line, and both have
  /// images.
  private func isNumberedAbove(_ found: LineMatch, _ line: TextLine, _ source: TextSource) -> Bool {
    guard found[.image] != nil, let index = found.integer(.index, source),
      let below = frame(source, Self.content(of: source.line(at: line.next), in: source)),
      below[.image] != nil
    else { return false }
    return below.integer(.index, source) == index + 1
  }

  func reading(_ source: TextSource, _ range: Range<Int>) -> TraceReading? {
    guard !range.isEmpty else { return nil }
    if let match = frame(source, range) { return .frame(match) }
    for line in lines {
      if let match = line.pattern.match(source, range) { return .line(line, match) }
    }
    if traits.hasAddressLists, source.has("(0x", at: range.lowerBound, limit: range.upperBound) {
      return .addresses
    }
    return nil
  }

  // MARK: All grammars

  static let all: [TraceGrammar] = [
    .crashlytics, .callStack, .lldb, .gdb, .kotlinNative, .dart, .androidTombstone, .chromium,
    .llvmStackDump, .systemdCoredump, .glibcBacktrace, .fortran, .swiftServer, .glog, .rust, .go,
    .bareNames,
    .minidump, .boost, .node, .mono, .unreal, .java, .python, .dotNet,
  ]

  /// Distances in images are less than this, and load addresses are not.
  static let offsetLimit: UInt64 = 0x1000_0000

  /// The grammars that know lines beginning with a byte.
  static func beginning(with byte: UInt8) -> [TraceGrammar] { byFirstByte[Int(byte)] }

  private static let byFirstByte: [[TraceGrammar]] = (0..<256).map { byte in
    all.filter { $0.firstBytes.utf8.contains(UInt8(byte)) }
  }

  /// The bytes of ``firstBytes`` of all grammars, and the quote of an array. Not `T` and `M`:
  /// reports in Apple's text format have many lines that begin with them, and a trace begins at its
  /// frames.
  ///
  /// It is written out because making all grammars takes 3 million instructions, a third of what a
  /// small report takes.
  static let allFirstBytes = Array("\"0123456789#*+-ACFBE(ftaU/.[S=pP@RsgrNl_?".utf8)

  /// What a trace begins with whose first byte many words of any log begin with.
  static let firstWords = ["lib", "Native frames: (", "EXC_"]

  /// What a line has behind a prefix from which a trace may be seen in a stream: texts of 7 bytes
  /// or more, which are rare in logs. They are here for the same reason.
  static let texts = [
    // Frames, on Apple's systems, on Linux, and of single families.
    "0x00000001", "0x00007f", "0x00005", "0x00007", "frame #0: 0x", "   kfun:", "#00 abs ",
    " (package:", "#00 pc ", "#00  pc ", "libil2cpp.0x", "libunity.0x", " base::debug::",
    "libsystem_kernel.dylib", "libobjc.A.dylib", "PC: @  ",
    "[Callstack] 0x", "===== CRASH", ") [0x55", ") [0x56", ") [0x7f", ".so.6(+0x",
    // What is above or below them.
    "*** First throw call stack", "Attempted to dereference ", "Crashed: ", "Fatal Exception: ",
    "thread #1",
    "Uncaught Kotlin exception: ", "Backtrace for this error:", "tack backtrace:", "goroutine ",
    "signal arrived during ",
    "runtime stack:", "; stack trace: ***", ", stack trace: ***", " received at time=",
    "*** Check failure stack", "Found by: ", "Received signal ", "Native stack trace --",
    "Native stacktrace:", "Unhandled Exception: SIG", "*** Process received signal ***",
    "======= Backtrace: =", "Stack trace of thread ", " dumped core.",
    "*** *** *** ***",
    "A fatal error has been detected by", "Problematic frame:", "Fatal Python error: ",
  ]
}

extension ReportFormat {
  static func trace(
    _ name: String, _ words: String, _ template: TraceFrameWriter
  ) -> ReportFormat {
    ReportFormat(
      FormatTraits(
        schemaName: name,
        unreadable: { _ in "looks like \(words), but has no frame that can be read" },
        family: "callStack",
        [.isReport, .hasStacks, .mayBeWrapped, .showsColumns, .listsNoImages],
        frames: .lines(template)))
  }

  /// What `Thread.callStackSymbols`, `backtrace_symbols` on Darwin, and the message about an
  /// exception that nobody caught print.
  public static let callStack = trace(
    "callStack", "a call stack",
    TraceFrameWriter(
      named: "{function} + {offset}", placed: "{function} + {offset} ({file}:{line})"))
  /// A crash as Crashlytics shows it.
  public static let crashlytics = trace(
    "crashlytics", "a stack of Crashlytics",
    TraceFrameWriter(named: "{function} + {offset}", placed: "{function} + {line} ({file}:{line})"))
  /// What `bt` prints in lldb.
  public static let lldbBacktrace = trace(
    "lldbBacktrace", "a backtrace of lldb",
    TraceFrameWriter(named: "{function} + {offset}", placed: "{function} at {file}:{line}{:column}")
  )
  /// What `bt` prints in gdb.
  public static let gdbBacktrace = trace(
    "gdbBacktrace", "a backtrace of gdb",
    TraceFrameWriter(named: "{function} ()", placed: "{function} () at {file}:{line}"))
  /// The stack of an exception in Kotlin/Native.
  public static let kotlinNative = trace(
    "kotlinNative", "a stack of Kotlin/Native",
    TraceFrameWriter(
      named: "{function} + {offset}",
      placed: "{function} + {offset} ({file}:{line}{:column})"))
  /// A stack of Dart compiled ahead of time, as Flutter prints it.
  public static let dartTrace = trace(
    "dartTrace", "a stack of Dart",
    TraceFrameWriter(
      named: "{function}+{0xoffset}", placed: "{function} ({file}:{line}{:column})"))
  /// What LLVM, clang and swiftc print when they crash.
  public static let llvmStackDump = trace(
    "llvmStackDump", "a stack dump of LLVM",
    TraceFrameWriter(named: "{function}", placed: "{function} {file}:{line}{:column}"))
  /// What `backtrace_symbols` of glibc returns.
  public static let glibcBacktrace = trace(
    "glibcBacktrace", "a backtrace of glibc",
    TraceFrameWriter(
      named: "{function}+{0xoffset}", placed: "{function}+{0xoffset} at {file}:{line}"))
  /// The stacks that `systemd-coredump` writes into the journal.
  public static let systemdCoredump = trace(
    "systemdCoredump", "a stack of systemd-coredump",
    TraceFrameWriter(named: "{function}", placed: "{function} at {file}:{line}"))
  /// What gfortran's runtime prints, and others that use libbacktrace.
  public static let fortranBacktrace = trace(
    "fortranBacktrace", "a backtrace of gfortran",
    TraceFrameWriter(named: " in {function}", placed: " in {function} at {file}:{line}"))
  /// A tombstone of Android.
  public static let androidTombstone = trace(
    "androidTombstone", "a tombstone of Android",
    TraceFrameWriter(
      named: " ({function}+{offset})", placed: " ({function}+{offset}) {file}:{line}"))
  /// What Chromium and Electron print on Linux.
  public static let chromiumBacktrace = trace(
    "chromiumBacktrace", "a stack of Chromium",
    TraceFrameWriter(named: "{function}", placed: "{function} {file}:{line}{:column}"))
  /// What glog, Abseil and folly print.
  public static let glogBacktrace = trace(
    "glogBacktrace", "a stack of glog",
    TraceFrameWriter(named: "{function}", placed: "{function} {file}:{line}"))
  /// What Breakpad's `minidump_stackwalk` prints.
  public static let minidumpStackwalk = trace(
    "minidumpStackwalk", "a stack of minidump_stackwalk",
    TraceFrameWriter(
      named: "!{function} + {0xoffset}", placed: "!{function} [{file} : {line}]"))
  /// A stack of Boost.Stacktrace.
  public static let boostStacktrace = trace(
    "boostStacktrace", "a stack of Boost",
    TraceFrameWriter(named: " {function}", placed: " {function} at {file}:{line}"))
  /// The native stack that Node.js prints.
  public static let nodeBacktrace = trace(
    "nodeBacktrace", "a native stack of Node.js",
    TraceFrameWriter(named: " {function}", placed: " {function} at {file}:{line}"))
  /// The native stack that Mono prints, in apps of Xamarin and .NET.
  public static let monoBacktrace = trace(
    "monoBacktrace", "a native stack of Mono",
    TraceFrameWriter(named: "{function}", placed: "{function} at {file}:{line}"))
  /// The stack of an exception in .NET, Mono and Unity.
  public static let dotNetTrace = trace(
    "dotNetTrace", "a stack of .NET",
    TraceFrameWriter(named: "{function}", placed: "{function} in {file}:line {line}"))
  /// A stack of Unreal Engine.
  public static let unrealTrace = trace(
    "unrealTrace", "a stack of Unreal Engine",
    TraceFrameWriter(named: "{function}", placed: "{function} [{file}:{line}]"))
  /// What Java's virtual machine prints when it crashes.
  public static let javaFatalError = trace(
    "javaFatalError", "a crash of a Java virtual machine",
    TraceFrameWriter(
      named: "  {function}+{0xoffset}", placed: "  {function}+{0xoffset} ({file}:{line})"))
  /// What Python's `faulthandler` prints.
  public static let pythonFault = trace(
    "pythonFault", "a stack of Python's faulthandler",
    TraceFrameWriter(
      named: "{function}+{0xoffset}", placed: "{function}+{0xoffset} at {file}:{line}"))
  /// What Rust prints for `RUST_BACKTRACE=1`.
  public static let rustBacktrace = trace(
    "rustBacktrace", "a backtrace of Rust",
    TraceFrameWriter(named: "{function}", placed: "{function}"))
  /// What Go's runtime prints when it ends a program.
  public static let goTrace = trace(
    "goTrace", "a trace of Go", TraceFrameWriter(named: "{function}()", placed: "{function}()"))
  /// Frames with images and names, but without addresses.
  public static let bareNames = trace(
    "bareNames", "a stack of names",
    TraceFrameWriter(
      named: "{function} + {offset}", placed: "{function} + {offset} ({file}:{line})"))
}

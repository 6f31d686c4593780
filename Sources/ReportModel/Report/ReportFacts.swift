import JsonReading
public import SymbolicationModel

/// What a report says about the process, the system and the crash. Texts are as the report has
/// them; a property is nil if the report does not say it.
public struct ReportFacts: Sendable {
  /// How the line begins that the Objective-C runtime leaves for an exception that nobody caught.
  package static let uncaught = "*** Terminating app due to uncaught exception '"
  /// What Rust's runtime writes behind the name of a thread whose stack has no more room.
  package static let overflowedStack = " has overflowed its stack"
  /// What NSZombie writes behind the class and the selector.
  package static let deallocated = "]: message sent to deallocated instance 0x"
  /// The `Exception Message` of reports of macOS and iOS about a stack that has no more room.
  package static let endlessRecursion = "Thread stack size exceeded due to excessive recursion"
  /// What stands for the words of somebody who names an exception and says so of its stack.
  package static let toldOverflow = "a stack overflow, as the text says"

  /// What the report is about.
  public package(set) var event = ReportEvent.crash
  /// How long the event lasted or how much of something it used, in the words of the report:
  /// `10.00s`, `48 seconds cpu time over 50 seconds (96% cpu average)`.
  public package(set) var eventExtent: String?
  /// The identifier of the incident, which all copies of a report share: `Incident Identifier` in
  /// text, `incident` in `.ips`.
  public package(set) var incident: String?
  /// Apple's number for the kind of report: `109` for a crash as text, `309` for one as JSON.
  public package(set) var bugType: String?
  /// When it crashed, such as `2019-07-31 11:32:24.3585 -0700`: `Date/Time` in text, `captureTime`
  /// in `.ips`.
  public package(set) var date: String?
  /// When the process was started: `Launch Time` in text, `procLaunch` in `.ips`. Written like
  /// ``date``.
  public package(set) var launchDate: String?
  /// The model of the device, such as `iPhone14,2`: `Hardware Model` in text, `modelCode` in
  /// `.ips`.
  public package(set) var hardwareModel: String?
  /// The anonymous identifier of the device, the same in all its reports: `CrashReporter Key` in
  /// text, `crashReporterKey` in `.ips`.
  public package(set) var crashReporterKey: String?
  /// The process that crashed.
  public package(set) var process = Process()
  /// Whether the event is about another process, while this one was only watched.
  public package(set) var isBystander = false
  /// The process that started this one: `Parent Process` in text, `parentProc` and `parentPid` in
  /// `.ips`.
  public package(set) var parent = ProcessReference()
  /// The process on whose behalf this one ran, such as the terminal of a command: `Responsible` in
  /// text, `responsibleProc` and `responsiblePid` in `.ips`.
  public package(set) var responsible = ProcessReference()
  /// How long the system had been awake since it was started, in seconds: `Time Awake Since Boot`
  /// in text, `uptime` in `.ips`.
  public package(set) var timeAwake: UInt64?
  /// How the app came to the device, if the report says so.
  public package(set) var distribution: Distribution?
  /// The operating system: `OS Version` in text, `osVersion` in `.ips`, `Platform` in Swift's
  /// backtraces.
  public package(set) var system = System()
  /// The processor architecture as the report names it, such as `ARM-64` or `X86-64`: `Code Type`
  /// in text, `cpuType` in `.ips`.
  public package(set) var codeType: String?
  /// The architecture of the process.
  public package(set) var architecture: Architecture?
  /// Whether the process ran under Rosetta.
  public package(set) var isTranslated: Bool?
  /// What went wrong: the Mach exception, the signal, and the uncaught exception if there is one.
  public package(set) var exception = CrashException()
  /// Who ended the process, and why.
  public package(set) var termination = Termination()
  /// What the application or its libraries wrote into the report, line by line.
  public package(set) var applicationInformation: [String] = []
  /// What a text mentions about a crash in which no report was found, or around its report.
  public package(set) var mention: Mention?
  /// Where the faulting address lies among the memory regions, line by line: `VM Region Info` in
  /// text, `vmRegionInfo` in `.ips`. A line that begins with an arrow (`--->`) marks the place.
  public package(set) var memoryRegion: [String] = []
  /// What the kernel noted about the failure, line by line: `Kernel Triage` in text, `ktriageinfo`
  /// in `.ips`.
  public package(set) var kernelTriage: [String] = []
  /// What a crash SDK noted about the object that the crashed thread was using.
  package var usedObject: UsedObject?
  /// The argument of the innermost function that is a null pointer, as a debugger shows it.
  package var nullArgument: String?
  /// The instruction at which a debugger stopped: `stp x28, x27, [sp, #0x190]`.
  package var faultingInstruction: String?
  /// The use of memory, in a jetsam report.
  package var memory: MemoryEvent?
  /// The panic, in a report of one.
  package var panic: PanicDescription?
  /// The number of the thread that crashed.
  public package(set) var crashedThread: Int?
  /// The same, also if the report has no frames of that thread, because its text was cut.
  package var statedCrashedThread: Int?
  /// Whether the report only highlights that thread: it does not say that it crashed. iOS up to
  /// version 9 does so for processes that somebody ended.
  package var onlyHighlightsThread = false
  /// The number of the thread that the report says crashed, whether or not it has its frames.
  package var namedCrashedThread: Int? {
    onlyHighlightsThread ? nil : crashedThread ?? statedCrashedThread
  }
  /// The head of the report in its own words and order. Names may repeat.
  public package(set) var fields: [Field] = []

  /// What somebody's text mentions about a crash, in none of the shapes that programs print. That
  /// it is about the crash is a guess.
  public struct Mention: Hashable, Sendable {
    /// In one line: `EXC_CRASH (SIGABRT): an exception raised inside Core Data`. Empty if the text
    /// around a report has nothing but names.
    public let words: String
    /// Functions and places that the text names, the nearest to the words first; two at most. They
    /// may have nothing to do with the crash.
    public let names: [String]
    /// Whether the text has a report of the crash, too.
    public let isBesideReport: Bool

    package init(words: String, names: [String], isBesideReport: Bool) {
      self.words = words
      self.names = names
      self.isBesideReport = isBesideReport
    }
  }

  /// One `name: value` of the head.
  public struct Field: Hashable, Sendable {
    /// The key without its colon: `Exception Type`. In `.ips` the key of a member at the top level:
    /// `procName`.
    public let name: String
    /// The value without the padding before it; may be empty. Numbers and booleans of an `.ips` are
    /// text too: `4242`, `true`.
    public let value: String
    /// The line without its line end, or the member of a JSON object: a half-open range of offsets
    /// in the input. Nil if the report has no such line or member.
    public let byteRange: Range<Int>?

    package init(name: String, value: String, byteRange: Range<Int>? = nil) {
      self.name = name
      self.value = value
      self.byteRange = byteRange
    }
  }

  /// Another process that the report mentions: `launchd [1]`.
  public struct ProcessReference: Hashable, Sendable {
    /// The name of the process: `launchd`.
    public package(set) var name: String?
    /// The process identifier (pid): `1`.
    public package(set) var identifier: Int?

    package init(name: String? = nil, identifier: Int? = nil) {
      self.name = name
      self.identifier = identifier
    }
  }

  /// The process that crashed: its name, executable, bundle and versions.
  public struct Process: Hashable, Sendable {
    /// The name of the process: `Process` in text, `procName` in `.ips`.
    public package(set) var name: String?
    /// The process identifier (pid): the number in brackets in `Process`, `pid` in `.ips`.
    public package(set) var identifier: Int?
    /// The executable: complete, or cut (`/Users/USER/*/App`).
    public package(set) var path: String?
    /// The identifier of the bundle, such as `com.example.App`: `Identifier` in text,
    /// `bundleInfo.CFBundleIdentifier` in `.ips`. Text may have the name of the process if there is
    /// no bundle.
    public package(set) var bundleIdentifier: String?
    /// As printed: `1.3 (6)`, or `6 (1.3)` before iOS 15.
    public package(set) var version: String?
    /// `CFBundleShortVersionString`, if the report says which of the two versions it is.
    public package(set) var shortVersion: String?
    /// `CFBundleVersion`, if the report says which of the two versions it is.
    public package(set) var bundleVersion: String?
    /// What the process was doing for the user: `Foreground`, `Background`, ….
    public package(set) var role: String?

    package init() {}
  }

  /// How an app came to a device. The raw values are the names in JSON.
  public enum Distribution: String, Hashable, Sendable, CaseIterable {
    case appStore
    case testFlight
    /// A test version. The report does not say how it was given out.
    case beta
  }

  /// The operating system that the process ran on.
  public struct System: Hashable, Sendable {
    /// The name of the system: `iPhone OS`, `macOS`, ….
    public package(set) var name: String?
    /// The version of the system: `12.4`. In Swift's backtraces from Linux it is the distribution:
    /// `Ubuntu 24.04.3 LTS`.
    public package(set) var version: String?
    /// The build of the system: `16G77`.
    public package(set) var build: String?

    package init() {}

    /// - Parameter text: `iPhone OS 12.4 (16G77)`, `Mac OS X 10.14.5 (Build 18F132)`; the build may
    ///   be missing.
    package init(_ text: String) {
      // Bytes, because characters take ten times as long, and every report has this line.
      var rest = text.utf8[...]
      if rest.last == UInt8(ascii: ")"), let open = rest.lastIndex(of: UInt8(ascii: "(")) {
        let inside = rest[open...].dropFirst().dropLast()
        let isLong = inside.starts(with: "Build ".utf8)
        build = String(Substring(isLong ? inside.dropFirst(6) : inside)).known
        rest = rest[..<open]
      }
      while rest.last == Ascii.space { rest.removeLast() }
      if let space = rest.lastIndex(of: Ascii.space),
        rest[space...].dropFirst().first.map(Ascii.isDigit) == true
      {
        version = String(Substring(rest[space...].dropFirst()))
        rest = rest[..<space]
      }
      // Mac OS X 10.4 and earlier write the version alone: `10.4.11 (Build 8S2167)`.
      if version == nil, rest.starts(with: "10.".utf8),
        rest.allSatisfy({ $0 == UInt8(ascii: ".") || Ascii.isDigit($0) })
      {
        (name, version) = ("Mac OS X", String(Substring(rest)))
        return
      }
      name = String(Substring(rest)).known
    }
  }

  /// What went wrong: `EXC_CRASH`, `SIGABRT`, and the `NSException` that was not caught.
  public struct CrashException: Hashable, Sendable {
    /// The Mach exception, such as `EXC_BAD_ACCESS`: `Exception Type` in text, `exception.type` in
    /// `.ips`.
    public package(set) var type: String?
    /// The signal, such as `SIGSEGV`: in parentheses after `Exception Type` in text,
    /// `exception.signal` in `.ips`.
    public package(set) var signal: String?
    /// The codes of the exception in the order of the report: `Exception Codes` in text,
    /// `exception.rawCodes` or `exception.codes` in `.ips`. What they mean depends on ``type``: the
    /// second code of `EXC_BAD_ACCESS` is the address. Empty if the report states none.
    public package(set) var codes: [UInt64] = []
    /// More about the exception, such as `KERN_INVALID_ADDRESS at 0x0000000000000001`:
    /// `Exception Subtype` in text, `exception.subtype` in `.ips`.
    public package(set) var subtype: String?
    /// An explanation of the exception in words: `Exception Message` in text, `exception.message`
    /// in `.ips`.
    public package(set) var message: String?
    /// A remark about the exception, such as `EXC_CORPSE_NOTIFY`: `Exception Note` in text. Always
    /// nil for an `.ips`.
    public package(set) var note: String?
    /// The name of the uncaught exception: `NSInvalidArgumentException`.
    public package(set) var name: String?
    /// The reason that the uncaught exception gives.
    public package(set) var reason: String?

    package init() {}
  }

  /// Who ended the process, and why: `Termination Reason` and the lines with it in text,
  /// `termination` in `.ips`.
  public struct Termination: Hashable, Sendable {
    /// The part of the system that ``code`` belongs to: `SIGNAL`, `DYLD`, `FRONTBOARD`, ….
    public package(set) var namespace: String?
    /// The reason as a number of ``namespace``: for `SIGNAL` the number of the signal.
    public package(set) var code: UInt64?
    /// The reason in words: `Trace/BPT trap: 5`. The whole `Termination Reason` if it cannot be
    /// split.
    public package(set) var indicator: String?
    /// The process that ended this one.
    public package(set) var process = ProcessReference()
    /// Reasons and details, line by line.
    public package(set) var details: [String] = []

    package init() {}
  }

  package init() {}

  /// An object, as its address was in the register of the first argument.
  package struct UsedObject: Sendable {
    /// The class of the last object that was deallocated at the address.
    package let deallocatedClass: String?
    /// The text that the register of the second argument points at: the message, if one was sent.
    package let selector: String?
    package let byteRange: Range<Int>

    package init(deallocatedClass: String?, selector: String?, byteRange: Range<Int>) {
      self.deallocatedClass = deallocatedClass
      self.selector = selector
      self.byteRange = byteRange
    }
  }
}

/// What a report is about. Only a crash has a place and a reason to look for.
public enum ReportEvent: String, Hashable, Sendable, CaseIterable {
  /// The process ended without wanting to: a crash, or the system ended it.
  case crash
  /// The process did not respond for a while.
  case hang
  /// The process used more processor time than it may.
  case cpuUsage
  /// The process woke the processor more often than it may.
  case wakeups
  /// The process wrote more to the disk than it may.
  case diskWrites
  /// The process used more memory than it may.
  case memory
  /// How the process was launched.
  case launch
  /// Memory that was allocated and is in use no more.
  case leak
  /// What processes did while they were watched: `sample`, `spindump`, stackshots.
  case sample
  /// The kernel stopped, or the system was reset.
  case panic
}

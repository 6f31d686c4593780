public import SymbolicationModel

/// What a report says about the process, the system and the crash. Texts are as the report has
/// them; a property is nil if the report does not say it.
public struct ReportFacts: Sendable {
  /// The identifier of the incident, which all copies of a report share.
  public package(set) var incident: String?
  /// Apple's number for the kind of report: `109` for a crash as text, `309` for one as JSON.
  public package(set) var bugType: String?
  /// When it crashed: `2019-07-31 11:32:24.3585 -0700`.
  public package(set) var date: String?
  public package(set) var launchDate: String?
  public package(set) var hardwareModel: String?
  public package(set) var crashReporterKey: String?
  public package(set) var process = Process()
  public package(set) var parent = ProcessReference()
  public package(set) var system = System()
  /// `ARM-64`, `X86-64`, ….
  public package(set) var codeType: String?
  /// The architecture of the process.
  public package(set) var architecture: Architecture?
  /// Whether the process ran under Rosetta.
  public package(set) var isTranslated: Bool?
  public package(set) var exception = CrashException()
  public package(set) var termination = Termination()
  /// What the application or its libraries wrote into the report, line by line.
  public package(set) var applicationInformation: [String] = []
  /// The number of the thread that crashed.
  public package(set) var crashedThread: Int?
  /// The head of the report in its own words and order. Names may repeat.
  public package(set) var fields: [Field] = []

  /// One `name: value` of the head.
  public struct Field: Hashable, Sendable {
    public let name: String
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

  public struct ProcessReference: Hashable, Sendable {
    public package(set) var name: String?
    public package(set) var identifier: Int?

    package init(name: String? = nil, identifier: Int? = nil) {
      self.name = name
      self.identifier = identifier
    }
  }

  public struct Process: Hashable, Sendable {
    public package(set) var name: String?
    public package(set) var identifier: Int?
    /// The executable: complete, or cut (`/Users/USER/*/App`).
    public package(set) var path: String?
    public package(set) var bundleIdentifier: String?
    /// As printed: `1.3 (6)`, or `6 (1.3)` before iOS 15.
    public package(set) var version: String?
    /// `CFBundleShortVersionString`, if the report says which of the two versions it is.
    public package(set) var shortVersion: String?
    /// `CFBundleVersion`, if the report says which of the two versions it is.
    public package(set) var bundleVersion: String?
    /// `Foreground`, `Background`, ….
    public package(set) var role: String?

    package init() {}
  }

  public struct System: Hashable, Sendable {
    /// `iPhone OS`, `macOS`, ….
    public package(set) var name: String?
    public package(set) var version: String?
    public package(set) var build: String?

    package init() {}

    /// - Parameter text: `iPhone OS 12.4 (16G77)`, `Mac OS X 10.14.5 (Build 18F132)`; the build may
    ///   be missing.
    package init(_ text: String) {
      var rest = Substring(text)
      if rest.last == ")", let open = rest.lastIndex(of: "(") {
        let inside = rest[rest.index(after: open)...].dropLast()
        build = String(inside.hasPrefix("Build ") ? inside.dropFirst(6) : inside).known
        rest = rest[..<open]
      }
      while rest.last == " " { rest.removeLast() }
      if let space = rest.lastIndex(of: " "),
        rest[rest.index(after: space)...].first?.isNumber == true
      {
        version = String(rest[rest.index(after: space)...])
        rest = rest[..<space]
      }
      name = String(rest).known
    }
  }

  public struct CrashException: Hashable, Sendable {
    /// `EXC_BAD_ACCESS`.
    public package(set) var type: String?
    /// `SIGSEGV`.
    public package(set) var signal: String?
    public package(set) var codes: [UInt64] = []
    /// `KERN_INVALID_ADDRESS at 0x0000000000000001`.
    public package(set) var subtype: String?
    public package(set) var message: String?
    public package(set) var note: String?
    /// The name of the uncaught exception: `NSInvalidArgumentException`.
    public package(set) var name: String?
    /// The reason that the uncaught exception gives.
    public package(set) var reason: String?

    package init() {}

    /// Reads name and reason from the line that the Objective-C runtime leaves among the
    /// application's information, unless the report has them elsewhere: `*** Terminating app due to
    /// uncaught exception 'NAME', reason: 'REASON'`.
    mutating func takeThrown(from information: [String]) {
      let start = "*** Terminating app due to uncaught exception '"
      guard name == nil, reason == nil,
        let line = information.first(where: { $0.hasPrefix(start) })
      else { return }
      var rest = line.dropFirst(start.count)
      guard let end = rest.firstIndex(of: "'") else { return }
      name = String(rest[..<end])
      rest = rest[rest.index(after: end)...]
      let separator = ", reason: '"
      guard rest.hasPrefix(separator) else { return }
      rest = rest.dropFirst(separator.count)
      // A reason of several lines continues on the next one.
      if rest.last == "'" { rest.removeLast() }
      reason = String(rest)
    }
  }

  public struct Termination: Hashable, Sendable {
    public package(set) var namespace: String?
    public package(set) var code: UInt64?
    /// `Trace/BPT trap: 5`.
    public package(set) var indicator: String?
    /// The process that ended this one.
    public package(set) var process = ProcessReference()
    /// Reasons and details, line by line.
    public package(set) var details: [String] = []

    package init() {}
  }

  package init() {}
}

import CrashLogParser

/// What a report says of the process, the system and the crash, in one form for reports as text and as
/// JSON. Everything is nil where the report does not tell it; texts are as the report has them.
struct ReportFacts {
  var incident: String?
  /// Apple's number of the kind of report: `109` for a crash as text, `309` for one as JSON.
  var bugType: String?
  /// When it crashed, as printed: `2019-07-31 11:32:24.3585 -0700`.
  var date: String?
  var launchDate: String?
  var hardwareModel: String?
  var crashReporterKey: String?
  var process = Process()
  var parent = ProcessReference()
  var system = System()
  /// `ARM-64`, `X86-64`, ….
  var codeType: String?
  /// Whether the process ran under Rosetta.
  var isTranslated: Bool?
  var exception = CrashException()
  var termination = Termination()
  /// What the application or its libraries wrote into the report, line by line.
  var applicationInformation: [String] = []
  var crashedThread: Int?
  /// The head of the report in its own words and order.
  var fields: [(name: String, value: String)] = []

  struct ProcessReference {
    var name: String?
    var identifier: Int?
  }

  struct Process {
    var name: String?
    var identifier: Int?
    var path: String?
    var bundleIdentifier: String?
    /// As printed: `1.3 (6)`, or `6 (1.3)` before iOS 15.
    var version: String?
    /// `CFBundleShortVersionString`, where the report says which of the two is it.
    var shortVersion: String?
    /// `CFBundleVersion`, likewise.
    var bundleVersion: String?
    /// `Foreground`, `Background`, ….
    var role: String?
  }

  struct System {
    /// `iPhone OS`, `macOS`, ….
    var name: String?
    var version: String?
    var build: String?

    init() {}

    /// - Parameter text: `iPhone OS 12.4 (16G77)`, `Mac OS X 10.14.5 (Build 18F132)`; the build may be
    ///   missing.
    init(_ text: String) {
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

  struct CrashException {
    /// `EXC_BAD_ACCESS`.
    var type: String?
    /// `SIGSEGV`.
    var signal: String?
    var codes: [UInt64] = []
    /// `KERN_INVALID_ADDRESS at 0x0000000000000001`.
    var subtype: String?
    var message: String?
    var note: String?
    /// The name of the exception that nobody caught: `NSInvalidArgumentException`.
    var name: String?
    /// What that exception says.
    var reason: String?

    /// Takes name and reason from the line that the Objective-C runtime leaves among the application's
    /// information, where the report has no better place for them:
    /// `*** Terminating app due to uncaught exception 'NAME', reason: 'REASON'`.
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
      // A reason of several lines goes on on the next one.
      if rest.last == "'" { rest.removeLast() }
      reason = String(rest)
    }
  }

  struct Termination {
    var namespace: String?
    var code: UInt64?
    /// `Trace/BPT trap: 5`.
    var indicator: String?
    /// Who ended the process.
    var process = ProcessReference()
    /// Reasons and details, line by line.
    var details: [String] = []
  }

  /// - Parameter bytes: the input of which the report is a part.
  init(_ report: ParsedReport, in bytes: [UInt8]) {
    switch report {
    case .text(let report): self.init(text: report, in: bytes)
    case .ips(let report): self.init(ips: report)
    case .swiftBacktrace(let report): self.init(swiftBacktrace: report)
    }
  }

  init() {}
}

extension String {
  /// Nil for an empty text and for the question marks that writers put where they know nothing.
  var known: String? {
    contains { $0 != "?" && $0 != " " && $0 != "(" && $0 != ")" } ? self : nil
  }

  /// The lines that are not empty, without the white space at their ends.
  var filledLines: [String] {
    split(whereSeparator: \.isNewline).compactMap { line in
      var line = line
      while line.last?.isWhitespace == true { line.removeLast() }
      return line.isEmpty ? nil : String(line)
    }
  }
}

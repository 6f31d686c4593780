import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// How a process ended, in the words of others: launchd, a shell, who runs tests. They know the
/// signal and the process, and not why.
struct ProcessEnding {
  private var rank = Rank.none
  private var process = ReportFacts.Process()
  private var signal: String?
  private var termination = ReportFacts.Termination()
  /// The process whose crash report was saved, and the name of the file.
  private var saved: (process: ReportFacts.Process, file: String?)?
  /// The test that runs.
  private var test: String?
  /// Where it happened: in which test, in which virtual machine.
  private var circumstances: [String] = []
  private var system = ReportFacts.System()
  private var hardwareModel: String?
  /// What Xcode calls the app.
  private var appName: String?
  private var architecture: Architecture?

  /// How much a line says. A log has lines about several processes, of which the one that crashed
  /// counts; many helpers of the system are killed as they should.
  private enum Rank: Int, Comparable {
    case none, name, killed, reason, crashed

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  // MARK: Lines

  /// Takes a line of a log.
  ///
  /// - Returns: whether it says how a process ended that did not end as it should.
  mutating func takeEnd(_ match: LineMatch, _ source: TextSource) -> Bool {
    var end = match.text(.signal, source).flatMap { EndingWords($0) }
    if let number = match.number(.namespace, source) {
      end = EndingWords(number, match.number(.code, source), match.text(.message, source))
    }
    guard let end else { return false }
    return take(end, Self.process(match, source))
  }

  private mutating func take(_ end: EndingWords, _ process: ReportFacts.Process) -> Bool {
    let rank: Rank
    switch end.signal {
    case nil: rank = .reason
    case "SIGKILL"?: rank = .killed
    case let name? where EndingWords.crashes.contains(name): rank = .crashed
    case _?: return false
    }
    guard rank > self.rank else { return true }
    self.rank = rank
    self.process = process
    signal = end.signal
    termination = end.termination
    return true
  }

  /// Takes the line of a shell about a process that a signal ended.
  mutating func takeShell(_ line: TextLine, _ source: TextSource) -> Bool {
    guard let words = ShellLine(line, source) else { return false }
    var process = ReportFacts.Process()
    process.name = words.process
    process.identifier = words.identifier
    return take(EndingWords(signal: words.signal), process)
  }

  mutating func takeTest(_ match: LineMatch, _ source: TextSource, isRunning: Bool) {
    test = isRunning ? match.text(.test, source) : nil
  }

  mutating func takeTestEnd(_ match: LineMatch, _ source: TextSource) -> Bool {
    if let name = match.text(.test, source) ?? test, circumstances.isEmpty {
      circumstances = ["in \(name)"]
    }
    if let end = match.text(.signal, source).flatMap({ EndingWords($0) }) {
      return take(end, Self.process(match, source))
    }
    guard rank < .name, !circumstances.isEmpty else { return rank > .none }
    rank = .name
    process = Self.process(match, source)
    return true
  }

  /// What Xcode says of a test that could not be run: `Early unexpected exit, … (Underlying Error:
  /// Test crashed with signal abrt before starting test execution.)`.
  mutating func takeTestError(_ message: String) {
    let sign = "crashed with signal "
    guard let start = message.firstRange(of: sign)?.upperBound,
      let words = EndingWords(String(message[start...]))
    else { return }
    _ = take(words, ReportFacts.Process())
  }

  mutating func takeSavedReport(_ match: LineMatch, _ source: TextSource) -> Bool {
    // A process that launchd starts has its name until it runs a program of its own.
    let found = Self.process(match, source)
    if saved == nil || saved?.process.name == "launchd" {
      let path = match.text(.path, source)
      saved = (found, path?.lastPathComponent)
    }
    return true
  }

  mutating func takeMachine(_ match: LineMatch, _ source: TextSource) {
    if let version = match.text(.version, source) {
      circumstances.append("in the Dart VM \(version)")
    }
    if let name = match.text(.system, source) { system.name = Self.systems[name] ?? name }
    if architecture == nil, let name = match.text(.architecture, source) {
      architecture = Architecture(name: name == "x64" ? "x86_64" : name)
    }
    process.identifier = process.identifier ?? match.integer(.pid, source)
  }

  private static let systems = [
    "macos": "macOS", "ios": "iOS", "linux": "Linux", "android": "Android", "windows": "Windows",
  ]

  /// Takes what says nothing about the end.
  mutating func takeFacts(_ match: LineMatch, _ source: TextSource) {
    appName = appName ?? match.text(.process, source)?.withoutQuotes
    hardwareModel = hardwareModel ?? match.text(.model, source)
    if system.version == nil, let text = match.text(.system, source) {
      system = ReportFacts.System("iOS \(text)")
    }
  }

  /// Adds what was found to what the other lines say.
  func complete(_ facts: inout ReportFacts) {
    let says = facts.exception.type != nil || facts.exception.signal != nil
    let isOther =
      facts.process.identifier != nil && process.identifier != nil
      && facts.process.identifier != process.identifier
    if !isOther {
      if facts.process.name == nil {
        let identifier = facts.process.identifier
        facts.process = process
        facts.process.identifier = process.identifier ?? identifier
      }
      if facts.process.identifier == nil { facts.process.identifier = process.identifier }
      if facts.process.name == nil { facts.process.name = appName }
    }
    if !says, facts.termination.namespace == nil, !isOther {
      facts.exception.signal = signal
      facts.termination = termination
    }
    if let saved {
      let isSame =
        facts.process.name == nil
        || saved.process.identifier != nil && saved.process.identifier == facts.process.identifier
      if isSame, let name = saved.process.name, name != "launchd" || facts.process.name == nil {
        facts.process.name = name
        facts.process.version = facts.process.version ?? saved.process.version
        facts.process.identifier = facts.process.identifier ?? saved.process.identifier
      }
      if facts.exception.text == nil, facts.termination.namespace == nil,
        facts.applicationInformation.isEmpty
      {
        let file = saved.file.map { ", \($0)," } ?? ""
        facts.exception.message = "it crashed; its crash report\(file) says why"
      }
    }
    if !circumstances.isEmpty, facts.exception.message == nil {
      let place = circumstances.joined(separator: ", ")
      let isAlone = facts.exception.text == nil && facts.applicationInformation.isEmpty
      facts.exception.message = isAlone ? "the process ended \(place)" : place
    }
    if facts.hardwareModel == nil { facts.hardwareModel = hardwareModel }
    if facts.system.name == nil, facts.system.version == nil { facts.system = system }
    if facts.architecture == nil { facts.architecture = architecture }
  }

  // MARK: Processes

  private static func process(_ match: LineMatch, _ source: TextSource) -> ReportFacts.Process {
    var process = ReportFacts.Process()
    process.identifier = match.integer(.pid, source)
    process.version = match.text(.version, source).flatMap { $0.hasPrefix("?") ? nil : $0 }
    let path = match.text(.path, source)
    if let label = match.text(.process, source) {
      let name = label.withoutQuotes.jobName
      process.name = name
      if name.contains(".") { process.bundleIdentifier = name }
    } else if let path, !path.hasSuffix(".crash"), !path.hasSuffix(".ips") {
      process.name = path.withoutQuotes.lastPathComponent
    }
    return process
  }
}

extension ReportFacts.CrashException {
  fileprivate var text: String? { type ?? signal ?? subtype ?? message ?? name }
}

extension StatementMessage {
  /// What a line about the end of a process says beyond its namespace.
  static func detail(
    _ match: LineMatch, _ namespace: String, _ code: UInt64?, _ source: TextSource
  ) -> String? {
    let path = match.text(.path, source)?.withoutQuotes
    if namespace == "CODESIGNING", let address = match.text(.fault, source) {
      return "page at \(address)\(path.map { " of \($0.lastPathComponent)" } ?? "")"
    }
    guard let message = match.text(.message, source) else {
      return namespace == "CODESIGNING" && code == nil
        ? "the security policy would not allow it" : nil
    }
    // `(per-process-limit 10 0s) 51201KB - memorystatus_available_pages: 7`
    guard namespace == "JETSAM", message.hasPrefix("(") else { return message }
    let cause = message.dropFirst().prefix { $0 != " " && $0 != ")" }
    let size = message.split(separator: " ").first {
      $0.hasSuffix("KB") && $0.first?.isNumber == true
    }
    return [cause, size].compactMap(\.self).joined(separator: ", ")
  }
}

extension String {
  /// `Game` of `“Game”` and `'Game'`, and of `"Game" (signed:1)`.
  var withoutQuotes: String {
    guard let first, "\"'“‘".contains(first) else { return self }
    let rest = dropFirst()
    guard let end = rest.firstIndex(where: { "\"'”’".contains($0) }) else { return String(rest) }
    return String(rest[..<end])
  }

  /// `com.example.Game` of the label of a job: `[0x0-0x1b01b].com.example.Game`,
  /// `UIKitApplication:com.example.Game[0x3d5c]`, `gui/501/application.com.example.Game.7.8`.
  fileprivate var jobName: String {
    var name = self[...]
    // Of RunningBoard: `app<com.example.Game(4F1B)>`.
    if name.hasSuffix(">"), let open = name.firstIndex(of: "<") {
      let inside = name[name.index(after: open)...].prefix { $0 != ">" && $0 != "(" }
      return inside.isEmpty ? self : String(inside)
    }
    if name.hasPrefix("[0x"), let end = name.firstRange(of: "].")?.upperBound {
      name = name[end...]
    }
    if let slash = name.lastIndex(of: "/") { name = name[name.index(after: slash)...] }
    for prefix in ["UIKitApplication:", "application."] where name.hasPrefix(prefix) {
      name = name.dropFirst(prefix.utf8.count)
    }
    if let open = name.firstIndex(of: "["), open > name.startIndex { name = name[..<open] }
    // launchd makes labels unique by numbers.
    while let dot = name.lastIndex(of: "."), name[..<dot].contains("."),
      case let last = name[name.index(after: dot)...], !last.isEmpty,
      last.allSatisfy(\.isNumber)
    {
      name = name[..<dot]
    }
    return name.isEmpty ? self : String(name)
  }
}

/// The words for how a process ended: `SIGILL | sent by exc handler[7]`, `Trace/BPT trap: 5 sent by
/// exc handler[0]`, `signal 9`, `OS_REASON_CODESIGNING | Launch Constraint Violation`.
struct EndingWords {
  var signal: String?
  var termination = ReportFacts.Termination()

  /// Signals that a fault or the process itself causes.
  static let crashes: Set = [
    "SIGILL", "SIGTRAP", "SIGABRT", "SIGFPE", "SIGBUS", "SIGSEGV", "SIGSYS", "SIGXCPU",
  ]

  init(signal: String) { self.signal = signal }

  /// - Parameters:
  ///   - namespace: its number. 0 is an end as it should be, and 2 a signal.
  ///   - message: behind it, or the code in other words: `SIGSEGV(11)>>`, `11,`.
  init?(_ namespace: UInt64, _ code: UInt64?, _ message: String?) {
    let number =
      message?.split { !$0.isNumber }.first { $0.utf8.count < 11 }.flatMap { UInt64($0) }
    if namespace == 2 {
      guard let signal = (code ?? number).flatMap({ MachNames.signal($0) }) else { return nil }
      self.init(signal: signal)
    } else {
      guard namespace > 0 else { return nil }
      self.init(
        namespace: MachNames.terminationNamespace(namespace) ?? "<\(namespace.hexadecimal)>",
        code: code ?? number, message)
    }
  }

  init(namespace: String, code: UInt64?, _ message: String?) {
    termination.namespace = namespace
    termination.code = code
    if let explanation = message?.firstRange(of: "explanation:")?.upperBound, let message {
      let end =
        message[explanation...].firstRange(of: " reportType:")?.lowerBound ?? message.endIndex
      termination.details = [String(message[explanation..<end])]
    } else if let bar = message?.firstRange(of: " | ")?.upperBound, let message {
      let end = message[bar...].firstRange(of: ", ran for ")?.lowerBound ?? message.endIndex
      termination.details = [String(message[bar..<end])]
    }
  }

  /// Nil for an end as it should be (`exit(0)`) and for other words.
  init?(_ text: String) {
    if text.hasPrefix("OS_REASON_") {
      let name = text.dropFirst("OS_REASON_".utf8.count).prefix { $0.isLetter || $0 == "_" }
      self.init(namespace: String(name), code: nil, text)
    } else if text.hasPrefix("memory "),
      ["issue", "error", "pressure"].contains(
        text.dropFirst(7).lowercased().prefix { $0.isLetter })
    {
      self.init(namespace: "JETSAM", code: nil, nil)
      termination.details = [
        "terminated due to \(text.last == "." ? String(text.dropLast()) : text)"
      ]
    } else {
      let words = text.hasPrefix("signal ") ? text.dropFirst(7) : text[...]
      guard let signal = SignalWords(words)?.signal else { return nil }
      self.init(signal: signal)
      // Who sends them about itself adds nothing.
      guard signal == "SIGKILL", let sender = text.firstRange(of: "sent by ")?.upperBound else {
        return
      }
      let name = text[sender...].prefix { $0 != "[" && $0 != "," }
      if name != "exc handler" { termination.process.name = String(name) }
    }
  }
}

/// A signal in the words of strsignal(3), of zsh and of Xcode's tests, or by name or number.
struct SignalWords {
  let signal: String
  /// What is behind it.
  let rest: Substring

  init?(_ text: Substring) {
    if text.hasPrefix("SIG") {
      let name = text.prefix { $0.isUppercase || $0.isNumber }
      guard name.utf8.count > 4 else { return nil }
      (signal, rest) = (String(name), text[name.endIndex...])
      return
    }
    let digits = text.prefix(while: \.isNumber)
    if !digits.isEmpty {
      guard digits.utf8.count < 4, let number = UInt64(digits),
        let name = MachNames.signal(number)
      else { return nil }
      (signal, rest) = (name, text[digits.endIndex...])
      return
    }
    let lower = text.prefix(40).lowercased()
    guard
      let found = Self.words.first(where: { words, _ in
        lower.hasPrefix(words)
          && lower.dropFirst(words.count).first.map { !$0.isLetter } ?? true
      })
    else { return nil }
    var rest = text.dropFirst(found.words.count)
    if rest.hasPrefix(": ") {
      let number = rest.dropFirst(2).prefix(while: \.isNumber)
      if !number.isEmpty { rest = rest[number.endIndex...] }
    }
    let core = "(core dumped)"
    let note = rest.drop(while: \.isWhitespace)
    if note.hasPrefix(core) { rest = note.dropFirst(core.utf8.count) }
    signal = found.signal
    self.rest = rest
  }

  private static let words: [(words: String, signal: String)] = [
    ("segmentation fault", "SIGSEGV"), ("segv", "SIGSEGV"), ("bus error", "SIGBUS"),
    ("bus", "SIGBUS"), ("illegal hardware instruction", "SIGILL"),
    ("illegal instruction", "SIGILL"), ("ill", "SIGILL"), ("abort trap", "SIGABRT"),
    ("aborted", "SIGABRT"), ("abort", "SIGABRT"), ("abrt", "SIGABRT"),
    ("trace/bpt trap", "SIGTRAP"), ("trace/breakpoint trap", "SIGTRAP"), ("trace trap", "SIGTRAP"),
    ("trap", "SIGTRAP"), ("floating point exception", "SIGFPE"), ("fpe", "SIGFPE"),
    ("killed", "SIGKILL"), ("kill", "SIGKILL"), ("bad system call", "SIGSYS"),
    ("invalid system call", "SIGSYS"), ("sys", "SIGSYS"), ("terminated", "SIGTERM"),
    ("term", "SIGTERM"),
  ]
}

/// What a shell says of a command that a signal ended:
///
/// ```text
/// zsh: segmentation fault  ./game
/// [1]  + 812 abort      ./game
/// ./run.sh: line 3:   812 Abort trap: 6           ./game
/// make: *** [run] Segmentation fault: 11
/// Killed: 9
/// ```
///
/// Source: zsh, Src/jobs.c and Src/signals.c; GNU Bash, jobs.c; GNU Make, src/job.c; strsignal(3).
struct ShellLine {
  let signal: String
  private(set) var process: String?
  private(set) var identifier: Int?

  init?(_ line: TextLine, _ source: TextSource) {
    let range = source.trimmed(line.start..<line.end)
    guard range.count > 7, range.count < 1024, let form = Form(range, source) else { return nil }
    var text = source.string(range)[...]
    switch form {
    case .alone: break
    case .zsh: text = text.dropFirst("zsh: ".utf8.count)
    case .job:
      text = text.drop { $0 != "]" }.dropFirst().drop { " +-\t".contains($0) }
    case .script:
      guard let mark = text.firstRange(of: ": line ")?.upperBound else { return nil }
      text = text[mark...].drop(while: \.isNumber)
      guard text.first == ":" else { return nil }
      text = text.dropFirst().drop(while: \.isWhitespace)
    case .make:
      guard let end = text.firstRange(of: "] ")?.upperBound else { return nil }
      text = text[end...]
    }
    if form == .job || form == .script {
      let digits = text.prefix(while: \.isNumber)
      if digits.utf8.count > 0, digits.utf8.count < 10, let number = Int(digits) {
        identifier = number
        text = text[digits.endIndex...].drop(while: \.isWhitespace)
      }
    }
    guard text.first?.isNumber != true, let words = SignalWords(text),
      EndingWords.crashes.contains(words.signal) || words.signal == "SIGKILL"
    else { return nil }
    signal = words.signal
    let command = words.rest.drop(while: \.isWhitespace)
    let isNumbered = text[..<words.rest.startIndex].last.map { $0.isNumber || $0 == ")" } ?? false
    switch form {
    // With its number, or the note about the core: other words are prose.
    case .alone, .make: guard command.isEmpty, isNumbered else { return nil }
    case .zsh, .script, .job:
      let gap = words.rest.prefix(while: \.isWhitespace).count
      guard command.isEmpty || gap > 1 || isNumbered && gap > 0 else { return nil }
      process = Self.program(command)
    }
  }

  private enum Form {
    case alone, zsh, job, script, make

    /// A quick look: logs have millions of lines.
    init?(_ range: Range<Int>, _ source: TextSource) {
      let start = range.lowerBound
      func starts(_ text: String) -> Bool { source.has(text, at: start, limit: range.upperBound) }
      switch source[start] {
      case UInt8(ascii: "z") where starts("zsh: "): self = .zsh
      case Ascii.openBracket where Ascii.isDigit(source[start + 1]): self = .job
      case UInt8(ascii: "m") where starts("make"), UInt8(ascii: "g") where starts("gmake"):
        guard source.find(": *** [", from: start, limit: range.upperBound) != nil else {
          return nil
        }
        self = .make
      case UInt8(ascii: "A"), UInt8(ascii: "B"), UInt8(ascii: "F"), UInt8(ascii: "I"),
        UInt8(ascii: "K"), UInt8(ascii: "S"), UInt8(ascii: "T"):
        guard range.count < 48 else { return nil }
        self = .alone
      default:
        guard source.find(": line ", from: start, limit: range.upperBound) != nil else {
          return nil
        }
        self = .script
      }
    }
  }

  /// `game` of `LEVEL=3 ./build/game --new`.
  private static func program(_ command: Substring) -> String? {
    let words = command.prefix(400).split(whereSeparator: \.isWhitespace)
    let word = words.first { word in
      !(word.contains("=") && word.first?.isLetter == true)
        && !["sudo", "exec", "("].contains(word)
    }
    let name = word.map { String($0).withoutQuotes.lastPathComponent }
    return name?.isEmpty == false ? name : nil
  }
}

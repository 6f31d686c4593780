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
  /// What was wrong with the code signature, in somebody's own words.
  private var signature: Signature?
  /// The test that runs.
  private var test: String?
  private var testSignal: String?
  /// Where it happened: in which test, in which virtual machine.
  private var circumstances: [String] = []
  private var system = ReportFacts.System()
  private var hardwareModel: String?
  /// What Xcode calls the app.
  private var appName: String?
  private var appVersion: String?
  private var architecture: Architecture?

  private struct Signature {
    let code: UInt64?
  }

  /// How much a line says. A log has lines about several processes, and the one that crashed
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

  mutating func take(_ end: EndingWords, _ process: ReportFacts.Process) -> Bool {
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

  /// Takes the names of the tests that ended so, if nothing else says which.
  mutating func takeTests(named names: [String]) {
    guard circumstances.isEmpty, !names.isEmpty else { return }
    circumstances = ["in \(names.joined(separator: ", "))"]
  }

  /// Takes `signal abrt`, beside the name of a test.
  mutating func takeTestSignal(_ words: String) {
    if testSignal == nil, let end = EndingWords(words) { testSignal = end.signal }
  }

  /// Xcode's words about a test that it could not run: `Early unexpected exit, … (Underlying Error:
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

  /// Takes the head that Bun prints: `Bun v1.1.8 (89d25807) macOS Silicon`.
  mutating func takeProgram(_ match: LineMatch, _ source: TextSource) {
    guard appName == nil, let name = match.text(.process, source) else { return }
    appName = name
    appVersion = match.text(.version, source)
    if let text = match.text(.system, source) { system.name = Self.systems[text] ?? text }
    if architecture == nil, let word = match.text(.model, source) {
      architecture = Self.architectures[word.lowercased()].map { Architecture(name: $0) }
    }
  }

  private static let architectures = [
    "silicon": "arm64", "aarch64": "arm64", "arm64": "arm64", "x64": "x86_64", "x86_64": "x86_64",
  ]

  /// Takes that the code signature was the reason, if the process was killed.
  mutating func takeSignature(_ code: UInt64?) {
    signature = Signature(code: code ?? signature?.code)
  }

  /// Takes what says nothing about the end.
  mutating func takeFacts(_ match: LineMatch, _ source: TextSource) {
    appName =
      appName ?? match.text(.process, source)?.withoutQuotes
      ?? match.text(.path, source)?.lastPathComponent
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
      if facts.process.name == nil, let appName {
        facts.process.name = appName
        facts.process.version = facts.process.version ?? appVersion
      }
    }
    let isEnded = facts.termination.namespace != nil || facts.termination.code != nil
    if !says, !isEnded, !isOther {
      facts.exception.signal = signal ?? (rank == .name ? testSignal : nil)
      facts.termination = termination
      if let signature, rank == .killed {
        facts.termination.namespace = "CODESIGNING"
        facts.termination.code = signature.code
      }
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
    guard namespace == "JETSAM" else { return message }
    // Which band of priority the process was in, and what memory was left, is no reason.
    if message.hasPrefix("in high band ") { return nil }
    // `ActiveHard 50 MB`, whose verb the pattern has.
    if message.hasPrefix("ActiveHard ") || message.hasPrefix("InactiveHard ") {
      return "exceeded mem limit: \(message)"
    }
    // `(per-process-limit 10 0s) 51201KB - memorystatus_available_pages: 7`, or `... 51201KB`.
    let isCut = message.hasPrefix("...") || message.hasPrefix("…")
    guard message.hasPrefix("(") || isCut else { return message }
    let cause = isCut ? nil : message.dropFirst().prefix { $0 != " " && $0 != ")" }
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

extension TextSource {
  /// Whether a sentence says that a stack had no room left.
  func saysStackOverflow(_ line: Range<Int>) -> Bool {
    Self.overflows.contains { words in
      guard let found = find(words, from: line.lowerBound, limit: line.upperBound) else {
        return false
      }
      return !isDenied(line.lowerBound..<found)
    }
  }

  private static let overflows = [
    "stack overflow", "stack guard", "overflowed its stack", "overflowed the stack",
    "overflows its stack", "overflows the stack", "exhausts its stack", "exhausts the stack",
    "exhausted its stack", "exhausted the stack", "ran out of stack", "runs out of stack",
    "stack exhaustion", "栈溢出",
    "棧溢出", "栈保护页", "スタックオーバーフロー", "스택 오버플로", "переполнение стека",
    "переполнения стека", "tapelüberlauf", "tack-Überlauf", "débordement de pile",
    "dépassement de pile", "esbordamiento de pila", "stouro de pilha",
  ]
}

extension TextSource {
  /// `deck_turn` of a heading that says `crash in deck_turn (SIGABRT) when …`: the signal or the
  /// exception in brackets is what happened there. Nil if there is none.
  var placeInTitle: String? {
    var next = textStart
    for _ in 0..<16 where next < count {
      let line = self.line(at: next)
      next = line.next
      guard self[line.start] == UInt8(ascii: "#"), line.end - line.start < 512 else { continue }
      for sign in [" (SIG", " (EXC_", "` (SIG", "` (EXC_"] {
        guard let mark = find(sign, from: line.start, limit: line.end) else { continue }
        let start = bytes[line.start..<mark].lastIndex(where: { $0 <= Ascii.space }) ?? line.start
        let name = trimmed(start..<mark, leading: " `", trailing: "`")
        guard has(" in ", at: start - 3, limit: start + 1), functionInSentence(name) != nil,
          !isDenied(line.start..<start)
        else { continue }
        return string(name)
      }
    }
    return nil
  }

  /// Where the arguments of a template end, which are no functions; the offset if there are none.
  func templateEnd(from offset: Int, limit: Int) -> Int {
    guard self[offset] == UInt8(ascii: "<") else { return offset }
    return find(">", from: offset, limit: min(limit, offset + 256)) ?? offset
  }

  /// The first closing bracket that no other one in a part of a sentence opens.
  func closingBracket(in range: Range<Int>) -> Int? {
    var depth = 0
    return bytes[range].firstIndex { byte in
      if byte == UInt8(ascii: "(") { depth += 1 }
      if byte == UInt8(ascii: ")") { depth -= 1 }
      return depth < 0
    }
  }
}

extension String {
  /// Whether somebody only guesses, which says less than frames.
  var isGuess: Bool {
    ["suggest", "likely", "probabl", "perhaps", "possibl", "maybe", " might ", " may "].contains {
      firstRange(of: $0) != nil
    }
  }
}

extension Report {
  /// Whether it is a piece of a report that names the thread which crashed, and neither has that
  /// thread's frames nor says how the process ended.
  var lacksHead: Bool {
    let exception = facts.exception
    return facts.event == .crash && facts.statedCrashedThread != nil
      && !backtraces.contains { $0.isCrashed && !$0.frames.isEmpty }
      && exception.type == nil && exception.signal == nil && exception.name == nil
      && facts.termination.namespace == nil && facts.applicationInformation.isEmpty
  }
}

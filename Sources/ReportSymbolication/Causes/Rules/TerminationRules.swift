import CrashLogParser
import SymbolicationModel

/// Reasons that the system gives for ending the process.
enum TerminationRules {
  static func explained(_ scene: CrashScene) -> CauseFinding? {
    let termination = scene.facts.termination
    guard termination.tellsReason, termination.isExplained else { return nil }
    return finding(termination, scene)
  }

  static func unexplained(_ scene: CrashScene) -> CauseFinding? {
    let termination = scene.facts.termination
    return termination.tellsReason ? finding(termination, scene) : nil
  }

  /// The kernel ended the process because of its code signature. It says so in words; a bad access
  /// is only how it happened.
  static func codeSignature(_ scene: CrashScene) -> CauseFinding? {
    scene.facts.termination.namespace == "CODESIGNING"
      ? finding(scene.facts.termination, scene) : nil
  }

  private static func finding(
    _ termination: ReportFacts.Termination, _ scene: CrashScene
  ) -> CauseFinding? {
    termination.text.map {
      CauseFinding(termination.kind, $0, .certain, [scene.terminationField])
    }
  }
}

extension ReportFacts.Termination {
  /// `SIGNAL 0x5, Trace/BPT trap: 5`, `SPRINGBOARD 0xdead10cc (held a file or database lock while
  /// suspended)`, `DYLD 0x1, Library missing, Library not loaded: @rpath/Kit, referenced from
  /// Game`.
  var text: String? {
    if let watchdog = WatchdogReason(details: details) {
      return watchdog.text(namespace: namespace)
    }
    let reason = [
      namespace, code.map { $0.hexadecimal }, meaning.map { "(\($0))" },
    ].compactMap(\.self).joined(separator: " ")
    let parts = [reason, indicator ?? "", details.first ?? "", reference ?? "", refusal ?? ""]
    let text = parts.filter { !$0.isEmpty }.joined(separator: ", ")
    return text.isEmpty ? nil : text
  }

  /// Whether it says more than the signal, which the exception has too.
  var tellsReason: Bool { namespace.map { $0 != "SIGNAL" } ?? false }

  /// Whether there are words besides namespace and code.
  fileprivate var isExplained: Bool { indicator != nil || !details.isEmpty || meaning != nil }

  private var meaning: String? {
    guard tellsReason else { return nil }
    if let words = code.flatMap({ EndingCode.meaning(of: $0, namespace: namespace) }) {
      return words
    }
    // Reports of the kernel's memory limits often have code 0 and a word.
    guard namespace == "JETSAM" else { return nil }
    let told = [indicator].compactMap(\.self) + details
    return Self.memoryWords.first { word, _ in told.contains { $0.hasPrefix(word) } }?.meaning
  }

  /// The words of `JETSAM` reports, as in XNU, bsd/kern/kern_memorystatus.c.
  private static let memoryWords: [(word: String, meaning: String)] = [
    ("per-process-limit", "used more memory than its own limit"),
    ("highwater", "used more memory than its high-water mark"),
    ("vm-pageshortage", "the system ran out of memory"),
    ("fc-thrashing", "the system was thrashing: too little memory for what was in use"),
    ("vm-thrashing", "the system was thrashing: too little memory for what was in use"),
    ("disk-space-shortage", "the system ran out of disk space"),
    ("vnode-limit", "the system ran out of vnodes"),
  ]

  /// Which image dyld was loading for: `Referenced from: <UUID> /path/Game` as `referenced from
  /// Game`.
  private var reference: String? {
    guard namespace == "DYLD" else { return nil }
    let start = "Referenced from: "
    guard let line = details.first(where: { $0.hasPrefix(start) }) else { return nil }
    var path = line.dropFirst(start.count)
    if path.hasPrefix("<"), let end = path.firstIndex(of: ">") {
      path = path[path.index(after: end)...]
    }
    let name = path.split(separator: "/").last.map { $0.prefix { $0 != "(" } } ?? ""
    let trimmed = name.split(separator: " ").joined(separator: " ")
    return trimmed.isEmpty ? nil : "referenced from \(trimmed)"
  }

  /// Why dyld refused a library that it found.
  private var refusal: String? {
    guard namespace == "DYLD" else { return nil }
    return Self.refusals.first { words, _ in details.contains { $0.contains(words) } }?.meaning
  }

  /// Words of dyld's messages. Source: github.com/apple-oss-distributions/dyld, dyld/Loader.cpp.
  private static let refusals: [(words: String, meaning: String)] = [
    ("have different Team IDs", "a library is signed by another team (library validation)"),
    ("not valid for use in process", "a library's code signature is refused"),
    ("code signature invalid", "a library's code signature is invalid"),
    ("incompatible architecture", "a library is for another architecture"),
    ("incompatible platform", "a library is for another platform"),
  ]

  fileprivate var kind: CauseKind {
    switch namespace {
    case "CODESIGNING": .codeSignature
    case "DYLD": .launch
    case "JETSAM": .memoryLimit
    case "TCC": .privacy
    case "GUARD": .guardedResource
    case _ where code == 0x8bad_f00d: .watchdog
    default: .termination
    }
  }
}

/// What the watchdog says about an app that took too long, from words like `scene-update watchdog
/// transgression: app<…>:6025 exhausted real (wall clock) time allowance of 10.00 seconds`.
private struct WatchdogReason {
  let event: Substring
  let seconds: Substring
  let clock: Substring
  let visibility: Substring?
  /// The app's own share of the processor time.
  let share: Substring?

  init?(details: [String]) {
    let text = details.joined(separator: "\n")
    guard let title = Self.word(before: " watchdog transgression", in: text),
      let seconds = Self.word(after: "time allowance of ", in: text)
    else { return nil }
    event = title
    self.seconds = seconds
    clock = text.contains("exhausted CPU") ? "processor time" : "real time"
    visibility = Self.word(after: "ProcessVisibility: ", in: text)
    share = Self.word(before: "% CPU", in: Self.line(with: "Elapsed application CPU", text))
  }

  func text(namespace: String?) -> String {
    var notes: [String] = []
    if let visibility { notes.append("in the \(visibility.lowercased())") }
    if let share { notes.append("the app used \(share) % of the processor") }
    let note = notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"
    let start = [namespace, "0x8badf00d"].compactMap(\.self).joined(separator: " ")
    return "\(start), watchdog: \(event) took more than \(seconds) s of \(clock)\(note)"
  }

  private static func line(with words: String, _ text: String) -> String {
    text.split { $0 == "\n" || $0 == "|" }.first { $0.contains(words) }.map { String($0) } ?? ""
  }

  private static func word(before marker: String, in text: String) -> Substring? {
    guard let end = text.firstRange(of: marker)?.lowerBound else { return nil }
    let word = text[..<end].reversed().prefix { $0 != " " && $0 != ":" && $0 != "," }
    let start = text.index(end, offsetBy: -word.count)
    return start == end ? nil : text[start..<end]
  }

  private static func word(after marker: String, in text: String) -> Substring? {
    guard let start = text.firstRange(of: marker)?.upperBound else { return nil }
    let word = text[start...].prefix { !$0.isWhitespace && $0 != "|" }
    return word.isEmpty ? nil : word
  }
}

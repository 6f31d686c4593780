import CrashLogParser
import FunctionNames
import SymbolicationModel
import Wording

/// Reasons that the system gives for ending the process.
enum TerminationRules {
  static func explained(_ scene: CrashScene) -> CauseFinding? {
    let termination = scene.facts.termination
    guard termination.saysWhy, !scene.exception.isFault else { return nil }
    return finding(termination, scene)
  }

  static func unexplained(_ scene: CrashScene) -> CauseFinding? {
    let termination = scene.facts.termination
    return termination.tellsReason && !scene.exception.isFault
      ? finding(termination, scene) : nil
  }

  /// The kernel ended the process because of its code signature. It says so in words; a bad access
  /// is only how it happened.
  static func codeSignature(_ scene: CrashScene) -> CauseFinding? {
    guard scene.facts.termination.namespace == "CODESIGNING",
      let finding = finding(scene.facts.termination, scene)
    else { return nil }
    if let usual = finding.text.firstRange(of: EndingCode.invalidPage),
      let words = EndingCode.invalidPage(in: scene.facts.memoryRegion)
    {
      let (start, rest) = (finding.text[..<usual.lowerBound], finding.text[usual.upperBound...])
      return CauseFinding(finding.kind, "\(start)\(words)\(rest)", .certain, finding.evidence)
    }
    // The page is one of the library that was being loaded.
    return scene.loadedLibrary.map { library in
      CauseFinding(
        finding.kind, "\(finding.text), as dyld loaded \(library)", finding.confidence,
        finding.evidence)
    } ?? finding
  }

  /// Reports of iOS 7 and earlier have the code where others have the exception's: `Exception Type:
  /// 00000020`, `Exception Codes: 0xc00010ff`.
  static func earlyCode(_ scene: CrashScene) -> CauseFinding? {
    guard let code = scene.facts.earlyCode,
      let meaning = EndingCode.meaning(of: code, namespace: nil)
    else { return nil }
    let late = code == 0x8bad_f00d ? scene.facts.lateness : nil
    return CauseFinding(
      code == 0x8bad_f00d ? .watchdog : .termination,
      "\(code.hexadecimal) (\(scene.facts.overdueAssertion ?? late ?? meaning)"
        + "\(code == 0xbad2_2222 ? scene.facts.wakes ?? "" : ""))", .certain,
      [scene.exceptionDetails])
  }

  private static func finding(
    _ termination: ReportFacts.Termination, _ scene: CrashScene
  ) -> CauseFinding? {
    // Why a program could not start, the exception says too.
    let isForSignature = termination.namespace == "EXEC" && scene.exception.isKillForSignature
    return termination.text.map { text in
      CauseFinding(
        termination.kind, text + (isForSignature ? "; killed for its code signature" : ""),
        .certain, [scene.terminationField, isForSignature ? scene.exceptionField : nil])
    }
  }
}

extension ReportFacts {
  /// Why the process was ended, for a line beside the reason of the crash. A code is not explained
  /// whose usual meaning is not the reason.
  package func terminationText(beside reason: CrashCause.Reason?) -> String? {
    termination.text(withMeaning: !endedForFetch || reason?.source == .termination)
  }

  /// Whether the system ended the process for what it did before: then the frames are only where
  /// it was.
  package var endsWhereverItIs: Bool {
    termination.endsWhereverItIs
      || earlyCode.map { Termination.codesOfAnywhere.contains($0) } == true
      || earlyCode == 0x8bad_f00d && overdueAssertion != nil
  }

  /// How often the process was resumed, in SpringBoard's words: `SBUnsuspendLimit Board[346]
  /// exceeded 15 wakes in 300 sec`. Source: as in github.com/pjsip/pjproject, issue 1482.
  fileprivate var wakes: String? {
    applicationInformation.lazy.compactMap { line in
      guard line.hasPrefix("SBUnsuspendLimit "),
        let count = line.word(after: " exceeded ", of: \.isDecimalDigit),
        let seconds = line.word(after: " wakes in ", of: \.isDecimalDigit)
      else { return nil }
      return ": more than \(count) times in \(seconds) s"
    }.first
  }

  /// What the app did too slowly, as iOS up to version 9 says it: `com.example.Game failed to
  /// launch after 20.00s (launchIntent: …)`, `failed to scene-create after 19.70s`, `failed to
  /// resume in time`, as `watchdog: it failed to launch in time, after 20.00 s`.
  ///
  /// Source: developer.apple.com/documentation/xcode/addressing-watchdog-terminations; Technical
  /// Note TN2151.
  fileprivate var lateness: String? {
    for line in applicationInformation {
      guard let start = line.firstRange(of: " failed to ")?.upperBound else { continue }
      let words = line[start...].split(separator: " ", maxSplits: 3)
      guard words.count > 2, words[0].allSatisfy({ $0.isLetter || $0 == "-" }) else { continue }
      let event = "watchdog: it failed to \(words[0])"
      if words[1] == "in", words[2].hasPrefix("time") { return "\(event) in time" }
      let seconds = words[2].prefix { $0.isDecimalDigit || $0 == "." }
      if words[1] == "after", !seconds.isEmpty, words[2].dropFirst(seconds.count).hasPrefix("s") {
        return "\(event) in time, after \(seconds) s"
      }
    }
    return nil
  }

  /// The code for which iOS 7 or an earlier version ended the process.
  var earlyCode: UInt64? { exception.type == "00000020" ? exception.codes.first : nil }
}

extension ReportFacts.Termination {
  /// `SIGNAL 0x5, Trace/BPT trap: 5`, `SPRINGBOARD 0xdead10cc (held a file or database lock while
  /// suspended)`, `DYLD 0x1, Library missing, Library not loaded: @rpath/Kit, referenced from
  /// Game`.
  package var text: String? { text(withMeaning: true) }

  /// - Parameter withMeaning: whether the code is explained.
  fileprivate func text(withMeaning: Bool) -> String? {
    if let watchdog = WatchdogReason(details: details) {
      return watchdog.text(namespace: namespaceName)
    }
    let reason = [
      namespaceName, code.flatMap { $0 == 0 && namespace == "TCC" ? nil : $0.hexadecimal },
      withMeaning ? meaning.map { "(\($0))" } : nil,
    ].compactMap(\.self).joined(separator: " ")
    // The word of JETSAM stands before the size of the memory, too.
    let isRepeated = indicator.map { detail?.hasPrefix($0) == true } ?? false
    // watchOS 7 has two fields about one: a description from SpringBoard may be cut.
    let isDescribed =
      indicator?.hasBytes(of: Self.transgression) == true
      && detail?.hasBytes(of: Self.transgression) == true
    let parts = [
      reason, isRepeated ? "" : indicator ?? "", isDescribed ? "" : detail ?? "",
      image(after: "Referenced from: ", "referenced from"),
      detail?.hasPrefix(Self.missingSymbol) == true
        ? image(after: "Expected in: ", "expected in") : "",
      refusal ?? "",
    ]
    let text = parts.filter { !$0.isEmpty }.joined(separator: ", ")
    return text.isEmpty ? nil : text
  }

  private static let transgression = " watchdog transgression"

  /// What took too long, as the watchdog says it: `scene-update took more than 10.00 s`.
  var overdueEvent: String? {
    WatchdogReason(details: details).map { "\($0.event) took more than \($0.seconds) s" }
  }

  /// The namespace's name; writers that do not know it put its number.
  private var namespaceName: String? {
    guard let namespace, namespace.hasPrefix("<0x"), namespace.hasSuffix(">"),
      let number = UInt64(namespace.dropFirst(3).dropLast(), radix: 16)
    else { return namespace }
    return MachNames.terminationNamespace(number) ?? namespace
  }

  /// Whether it says more than the signal, which the exception has too.
  ///
  /// KSCrash has only the code.
  var tellsReason: Bool {
    if let namespace { return !Self.repeating.contains(namespace) }
    return code.flatMap { EndingCode.meaning(of: $0, namespace: nil) } != nil
  }

  /// Namespaces that repeat what the exception says.
  private static let repeating: Set = ["SIGNAL", "MTE_FAIL", "PAC_EXCEPTION"]

  /// Whether somebody else ended the process, and says why. In these namespaces a library of the
  /// process ends it, with `abort_with_reason()`.
  package var isByOthers: Bool {
    saysWhy && !["DYLD", "OBJC", "LIBXPC", "LIBSYSTEM", "TCC"].contains(namespace)
  }

  /// Whether it says more than the signal, in words.
  var saysWhy: Bool { tellsReason && isExplained }

  /// Whether there are words besides namespace and code.
  fileprivate var isExplained: Bool { indicator != nil || !details.isEmpty || meaning != nil }

  private var meaning: String? {
    guard tellsReason else { return nil }
    // dyld and the Objective-C runtime leave better words nearly always, the kernel the same.
    if let namespace, ["DYLD", "OBJC", "EXEC"].contains(namespace),
      indicator != nil || !details.isEmpty
    {
      return nil
    }
    if let words = code.flatMap({ EndingCode.meaning(of: $0, namespace: namespaceName) }) {
      return words
    }
    // Reports of the kernel's memory limits often have code 0 and a word.
    guard namespace == "JETSAM" else { return nil }
    let told = [indicator].compactMap(\.self) + details
    return told.lazy.compactMap { EndingCode.meaning(ofMemoryWord: $0) }.first
  }

  /// The first line of the details that tells something; dyld's with the name of a missing symbol
  /// for people to read, and without the places where it looked for a library.
  private var detail: String? {
    guard namespace == "DYLD" else { return details.first }
    // The images that the others name are no reason.
    let others = ["dyld: Using shared cache", "Referenced from: ", "Expected in: "]
    guard let line = details.first(where: { line in !others.contains { line.hasPrefix($0) } })
    else { return nil }
    guard line.hasPrefix(Self.missingSymbol) else {
      let tried = line.hasPrefix("dependent dylib ") ? line.firstRange(of: ", tried") : nil
      return tried.map { String(line[..<$0.lowerBound]) } ?? line
    }
    let symbol = String(line.dropFirst(Self.missingSymbol.count))
    let name = ReadableName.readable(symbol)
    // People look for the symbol.
    let isShort = name != symbol && symbol.utf8.count <= 40
    return Self.missingSymbol + (isShort ? "\(name) (\(symbol))" : name)
  }

  /// dyld's words. Source: github.com/apple-oss-distributions/dyld, dyld/Loader.cpp.
  private static let missingSymbol = "Symbol not found: "

  /// An image that dyld names: `Referenced from: <UUID> /path/Game` as `referenced from Game`.
  /// Empty if it names none.
  private func image(after start: String, _ words: String) -> String {
    guard namespace == "DYLD", let line = details.first(where: { $0.hasPrefix(start) }) else {
      return ""
    }
    var path = line.dropFirst(start.count)
    if path.hasPrefix("<"), let end = path.firstIndex(of: ">") {
      path = path[path.index(after: end)...]
    }
    // macOS 12 and earlier quote the path.
    let name = path.split(separator: "/").last.map { $0.prefix { $0 != "(" && $0 != "'" } } ?? ""
    let trimmed = name.split(separator: " ").joined(separator: " ")
    return trimmed.isEmpty ? "" : "\(words) \(trimmed)"
  }

  /// Why dyld refused a library that it found.
  private var refusal: String? {
    guard namespace == "DYLD" else { return nil }
    return Self.refusals.first { words, _ in details.contains { $0.hasBytes(of: words) } }?.meaning
      ?? otherReason
  }

  /// The words of `Reason: ` if they say more than that there is no such file, without where it
  /// happened in the linker: `no suitable image found: /lib/libkit.dylib: mmap() error 1`.
  ///
  /// Source: github.com/apple-oss-distributions/dyld, src/dyld.cpp of version 852 and earlier
  /// (`load`).
  private var otherReason: String? {
    guard let index = details.firstIndex(where: { $0.hasPrefix(Self.reasonTitle) }) else {
      return nil
    }
    var words = details[index].dropFirst(Self.reasonTitle.utf8.count)
    var found = ""
    if let mark = words.firstRange(of: "  Did find:") ?? words.firstRange(of: " Did find:") {
      let rest = words[mark.upperBound...].drop { $0 == " " }
      let below = index + 1 < details.count ? details[index + 1][...] : ""
      found = ": \((rest.isEmpty ? below : rest).drop { $0 == " " || $0 == "\t" })"
      words = words[..<mark.lowerBound]
      if words.last == "." { words.removeLast() }
      if let end = found.firstRange(of: " at address=") { found = String(found[..<end.lowerBound]) }
    }
    let text = String(words) + found
    guard text.utf8.count > 3, text.utf8.count < 512,
      !Self.absences.contains(where: { text.hasBytes(of: $0) })
    else { return nil }
    return text
  }

  private static let reasonTitle = "Reason: "
  private static let absences = ["image not found", "no such file", "not in dyld cache"]

  /// Words of dyld's messages. Source: github.com/apple-oss-distributions/dyld, dyld/Loader.cpp;
  /// of version 421 and earlier src/ImageLoaderMachO.cpp and src/dyld.cpp, of version 852
  /// dyld3/Loading.cpp.
  private static let refusals: [(words: String, meaning: String)] = [
    ("have different Team IDs", "a library is signed by another team (library validation)"),
    ("not valid for use in process", "a library's code signature is refused"),
    ("code signature invalid", "a library's code signature is invalid"),
    ("incompatible architecture", "a library is for another architecture"),
    ("but wrong architecture", "a library is for another architecture"),
    ("incompatible platform", "a library is for another platform"),
    ("mach-o, but built for", "a library is for another platform"),
    ("mach-o, but not built for", "a library is for another platform"),
    ("file too short", "a library was found, but its file is too short"),
    ("truncated mach-o", "a library was found, but its file is too short"),
    ("unknown file type, first eight bytes", "a library was found, but its file is no Mach-O"),
    ("not a mach-o file", "a library was found, but its file is no Mach-O"),
    ("mremap_encrypted", "a library was found, but its encrypted code could not be mapped"),
    ("no LC_RPATH", "the program has no path to look in (LC_RPATH)"),
    // `ImageLoaderMachO::validateFirstPages` maps the page again; the kernel refuses it.
    (
      "mmap() errno=1 validating first page",
      "the library was found, but its code signature was refused (mmap: operation not permitted)"
    ),
    ("code signing blocked mmap()", "the library was found, but its code signature was refused"),
    ("required code signature missing for", "the library was found, but is not signed"),
    ("file system sandbox blocked", "the sandbox of the process forbids to read the library"),
    ("code signature in", "a library's code signature is refused"),
    ("errno=13", "a library was found, but may not be read (permission denied)"),
    ("errno=1", "a library was found, but may not be read (operation not permitted)"),
  ]

  fileprivate var endsWhereverItIs: Bool {
    namespace == "JETSAM" || tellsReason && code.map { Self.codesOfAnywhere.contains($0) } == true
  }

  fileprivate static let codesOfAnywhere: Set<UInt64> = [
    0xdead_10cc, 0xc000_10ff, 0xbaad_ca11, 0xbad2_2222, 0xbaaa_aaad,
    // A task in the background took too long.
    0x2182_bad2, 0x2182_bad3, 0x2182_bad4,
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
  let event: String
  let seconds: String
  let clock: String
  let visibility: String?
  /// The app's own share of the processor time.
  let share: String?

  init?(details: [String]) {
    let text = details.joined(separator: "\n")
    guard
      let title = text.word(before: " watchdog transgression", of: Self.isOfWord)
        ?? text.word(after: Self.refusal, of: Self.isOfNumber).map({ _ in "ending" }),
      let seconds = text.word(after: "time allowance of ", of: Self.isOfWord)
        ?? text.word(after: Self.refusal, of: Self.isOfNumber)
    else { return nil }
    event = title
    self.seconds = seconds
    clock = text.hasBytes(of: "exhausted CPU") ? "processor time" : "real time"
    visibility = text.word(after: "ProcessVisibility: ", of: Self.isOfWord)
    share = Self.line(with: "Elapsed application CPU", text)
      .word(before: "% CPU", of: Self.isOfWord)
  }

  package func text(namespace: String?) -> String {
    var notes: [String] = []
    if let visibility, visibility != "Unknown" { notes.append("in the \(visibility.lowercased())") }
    if let share { notes.append("the app used \(share) % of the processor") }
    let note = notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"
    let start = [namespace, "0x8badf00d"].compactMap(\.self).joined(separator: " ")
    return "\(start), watchdog: \(event) took more than \(seconds) s of \(clock)\(note)"
  }

  /// The app was asked to end, and went on: `[application<…>:2853] failed to terminate gracefully
  /// after 5.0s`.
  private static let refusal = "ailed to terminate gracefully after "

  private static func isOfNumber(_ character: Character) -> Bool {
    character.isDecimalDigit || character == "."
  }

  private static func isOfWord(_ character: Character) -> Bool {
    !character.isWhitespace && !"|:,\"<>".contains(character)
  }

  private static func line(with words: String, _ text: String) -> String {
    text.split { $0 == "\n" || $0 == "|" }.first { $0.contains(words) }.map { String($0) } ?? ""
  }
}

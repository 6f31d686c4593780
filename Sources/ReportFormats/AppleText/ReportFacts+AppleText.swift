import JsonReading
package import ReportModel
import SymbolicationModel

extension ReportFacts {
  /// What the head of a text report says.
  package init(fields: [HeaderField], header: JsonHeader?, notes: HeadNotes, crashedThread: Int?) {
    self.init()
    let fields = fields.withoutRemarks
    incident = fields["Incident Identifier"]
    bugType = header?.bugType
    // Jetsam reports as text have only the day and the time.
    let hasShortDate = fields.areAboutMemory || fields["Exception Code"] != nil
    date = fields["Date/Time"] ?? (hasShortDate ? fields["Date"] : nil)
    launchDate = fields["Launch Time"]
    hardwareModel = fields["Hardware Model"]
    // macOS 26 spells it in three words.
    crashReporterKey = fields["CrashReporter Key"] ?? fields["Crash Reporter Key"]
    process = Process(fields, header)
    parent = ProcessReference(fields["Parent Process"] ?? fields["Parent"])
    responsible = ProcessReference(fields["Responsible"] ?? fields["Responsible Process"])
    timeAwake = fields["Time Awake Since Boot"].flatMap { text in
      // `14000 seconds`, or `14000s`.
      UInt64(text.prefix { $0.isASCII && $0.isNumber })
    }
    distribution = Distribution(fields)
    // Cr4shed has both in one: `iPhone X, iOS 13.3`.
    let device = fields["Device"].flatMap { text in
      text.firstRange(of: ", iOS ").map {
        (text[..<$0.lowerBound], text[$0.lowerBound...].dropFirst(2))
      }
    }
    hardwareModel = hardwareModel ?? device.map { String($0.0) }
    system = (fields["OS Version"] ?? device.map { String($0.1) }).map { System($0) } ?? System()
    let codeType = fields["Code Type"].map { nameAndNote(of: $0) }
    self.codeType = codeType?.name
    architecture = codeType.flatMap { codeType in
      Architecture(codeType: codeType.name, model: hardwareModel, system: system)
    }
    switch codeType?.note {
    case "Native": isTranslated = false
    case "Translated": isTranslated = true
    default: isTranslated = nil
    }
    exception = CrashException(fields)
    termination = Termination(fields, notes)
    applicationInformation = notes.applicationInformation.map(\.text)
    if system.name == nil,
      let simulated = applicationInformation.lazy.compactMap(\.simulatedSystem).first
    {
      system = simulated
    }
    if process.name == nil { process.takeName(from: applicationInformation) }
    // Words around the report may be about something else.
    if exception.canFollowWords, ["SIGNAL", "DYLD", "OBJC", nil].contains(termination.namespace) {
      // The kernel acts for the process, in older versions as number 0.
      let ender = termination.process
      let isItself = ender.name == "exc handler" && ender.identifier != 0
      let identifier = process.identifier ?? (isItself ? ender.identifier : nil)
      let ownWords = notes.lastWords.filter { words in
        identifier == nil || words.processIdentifier ?? identifier == identifier
      }
      // A log may show the end of an earlier run, with the same words about another object. Those
      // of the report come first.
      let isUncaught = { (text: String) in text.hasPrefix(ReportFacts.uncaught) }
      let saysException = applicationInformation.contains(where: isUncaught)
      let copies = ownWords.map(\.text).filter { saysException && isUncaught($0) }
      let others = ownWords.map(\.text).filter { !saysException || !isUncaught($0) }
      applicationInformation = others + applicationInformation + copies
    }
    exception.takeThrown(from: &applicationInformation)
    // Cr4shed, of a process that the system ended.
    if exception.type == nil, exception.name == nil, fields["Exception Code"] == nil,
      let words = fields["Reason"]
    {
      applicationInformation.append(words)
    }
    // It has what the process itself said there, without the namespace.
    if termination.namespace == nil, termination.code == nil, let words = termination.indicator,
      exception.type != "EXC_BAD_ACCESS", words.utf8.contains(Ascii.space),
      !words.hasPrefix("Abort trap"), fields["Culprit"] != nil
    {
      applicationInformation.append(words)
      termination.indicator = nil
    }
    // The part of a spindump about one process, which breaks off above its stacks.
    if fields["Num samples"] != nil, fields.values(of: "Note").contains("Unresponsive") {
      event = .hang
    }
    memoryRegion = notes.memoryRegion.map(\.text)
    kernelTriage = notes.kernelTriage.map(\.text)
    self.crashedThread = crashedThread
    self.fields = fields.map { Field(name: $0.key, value: $0.value, byteRange: $0.byteRange) }
    for signature in notes.signatures {
      let range = signature.start..<signature.start + signature.text.utf8.count
      self.fields.append(
        Field(name: "Application Specific Signatures", value: signature.text, byteRange: range))
    }
  }
}

extension ReportFacts.Process {
  /// Takes `Board` and 346 of `SBUnsuspendLimit Board[346] exceeded 15 wakes in 300 sec`, which
  /// SpringBoard of iOS 5 wrote about an app that was resumed too often.
  fileprivate mutating func takeName(from information: [String]) {
    let title = "SBUnsuspendLimit "
    guard let line = information.first(where: { $0.hasPrefix(title) }), line.utf8.count < 512,
      let end = line.firstRange(of: "] exceeded ")?.lowerBound,
      let open = line[..<end].lastIndex(of: "[")
    else { return }
    let text = line[..<open].dropFirst(title.utf8.count)
    guard !text.isEmpty else { return }
    name = String(text)
    identifier = identifier ?? Int(line[line.index(after: open)..<end])
  }

  fileprivate init(_ fields: [HeaderField], _ header: JsonHeader?) {
    self.init()
    let process = ReportFacts.ProcessReference(fields["Process"])
    // Mac OS X 10.4 and earlier have name and number apart.
    name = process.name ?? fields["Command"]
    identifier = process.identifier ?? fields["PID"].flatMap { Int($0) }
    path = fields["Path"]
    // Some who publish reports put a dash in the place of the name.
    if name == "-" {
      name = path.flatMap { $0.split(separator: "/").last.map(String.init) } ?? name
    }
    bundleIdentifier = fields["Identifier"] ?? fields["Bundle id"]
    // The reason of iOS 7 and 8 begins with it: `com.example.board failed to launch in time`.
    if name == nil, fields["Exception Code"] != nil,
      let owner = fields["Reason"]?.split(separator: " ").first,
      owner.count(where: { $0 == "." }) > 1
    {
      name = String(owner)
      bundleIdentifier = bundleIdentifier ?? name
    }
    // Until a new process runs its program, it has the name of the one that started it.
    if let file = path?.lastPathComponent, !file.isEmpty, let parentName = name, file != parentName,
      !file.hasPrefix(parentName),
      parentName == ReportFacts.ProcessReference(fields["Parent Process"]).name
    {
      if bundleIdentifier == parentName { bundleIdentifier = nil }
      name = file
    }
    version = fields["Version"] ?? fields["Bundle version"]
    role = fields["Role"].flatMap { $0.lowercased() == "unknown" ? nil : $0 }
    // iOS 15 exchanged the two versions. The JSON line above the text tells them apart, if it has
    // the same two.
    if let short = header?.text("app_version"), let bundle = header?.text("build_version"),
      version == "\(short) (\(bundle))" || version == "\(bundle) (\(short))"
    {
      shortVersion = short
      bundleVersion = bundle
    }
  }
}

extension ReportFacts.Distribution {
  fileprivate init?(_ fields: [HeaderField]) {
    let distributor = fields["Distributor ID"]
    // Programs of the system have the field in stackshots, too.
    if distributor == "com.apple.TestFlight"
      || fields["Beta Identifier"] != nil && fields["Is First Party"] != "Yes"
    {
      self = .testFlight
    } else if fields["Beta"] == "YES" {
      self = .beta
    } else if distributor == "com.apple.AppStore" {
      self = .appStore
    } else {
      return nil
    }
  }
}

extension ReportFacts.CrashException {
  fileprivate init(_ fields: [HeaderField]) {
    self.init()
    if let text = fields["Exception Type"].map(MachNames.withWholeNote) {
      let (name, note) = nameAndNote(of: text)
      let number = UInt64(name).flatMap { MachNames.exception($0) }
      if let number, let note, !name.hasPrefix("0") {
        // KSCrash has numbers for what it knows no names of: `8 (6)`.
        type = number
        signal = note.hasPrefix("SIG") ? note : UInt64(note).flatMap { MachNames.signal($0) }
      } else if name.hasPrefix("SIG") {
        // PLCrashReporter writes only the signal.
        signal = name
      } else if let note, note.hasPrefix("SIG") {
        (type, signal) = (name, note)
      } else if !name.hasPrefix("EXC_"), let words = fields["Reason"] {
        // Cr4shed, of an exception that nobody caught.
        (self.name, reason) = (name, words)
      } else {
        type = text
      }
    }
    takeEarly(fields)
    subtype = subtype ?? fields["Exception Subtype"]
    for text in fields.values(of: "Exception Codes") {
      if let numbers = hexadecimalNumbers(in: text) {
        if codes.isEmpty { codes = numbers }
      } else if subtype == nil {
        // macOS 11 and earlier, and PLCrashReporter: `KERN_INVALID_ADDRESS at 0x8` among the codes.
        subtype = text.known
      }
    }
    // People retell the field in the singular, which SpringBoard has for another one.
    if codes.isEmpty, let text = fields["Exception Code"], text.hasPrefix("KERN_") {
      subtype = subtype ?? text
    }
    // Of macOS 26.
    reason = reason ?? fields["Exception Reason"]
    message = fields["Exception Message"]
    note = fields["Exception Note"]
  }

  /// Reads what Mac OS X 10.4 and earlier write, with the numbers of all names:
  ///
  /// ```text
  /// Exception:  EXC_BAD_ACCESS (0x0001)
  /// Codes:      KERN_PROTECTION_FAILURE (0x0002) at 0x00000012
  /// ```
  ///
  /// Source: Technical Note TN2123, "CrashReporter".
  private mutating func takeEarly(_ fields: [HeaderField]) {
    guard type == nil, signal == nil, let text = fields["Exception"] else { return }
    let (name, note) = nameAndNote(of: text)
    guard name.hasPrefix("EXC_"), note?.hasPrefix("0x") == true else { return }
    type = name
    guard let text = fields["Codes"], let open = text.firstRange(of: " (0x")?.lowerBound,
      let close = text[open...].firstRange(of: ")")?.upperBound
    else { return }
    subtype = String(text[..<open] + text[close...])
  }

  /// Whether a runtime may have ended the process after it said why.
  fileprivate var canFollowWords: Bool {
    ["EXC_CRASH", "EXC_BREAKPOINT", "EXC_BAD_INSTRUCTION", "EXC_SOFTWARE", nil].contains(type)
      && !["SIGSEGV", "SIGBUS", "SIGKILL"].contains(signal)
  }
}

extension ReportFacts.Termination {
  fileprivate init(_ fields: [HeaderField], _ notes: HeadNotes) {
    self.init()
    if let reason = fields["Termination Reason"] { take(reason) }
    takeCode(fields)
    // iOS 14 and earlier explain the code on a line of its own.
    indicator = indicator ?? fields["Termination Signal"]
    process = ReportFacts.ProcessReference(fields["Terminating Process"])
    if let description = fields["Termination Description"] { take(description: description) }
    for note in notes.terminationDetails {
      if takeProcess(behind: note.text) { continue }
      // People break long lines.
      if details.isEmpty, let indicator, HeadNotes.goesOn(indicator, with: note.text) {
        self.indicator = "\(indicator) \(note.text)"
      } else if let last = details.indices.last, note.continues(details[last]) {
        details[last] += " \(note.text.drop { $0 == " " })"
      } else {
        details.append(note.text)
      }
    }
    guard !notes.linkerMessage.isEmpty else { return }
    // macOS 10.11 and earlier say nothing else about the reason.
    if namespace == nil, indicator == nil || code == nil { namespace = "DYLD" }
    let start = "Dyld Message: "
    details += notes.linkerMessage.map(\.text).filter { !$0.hasPrefix("Dyld Version: ") }
      .map { $0.hasPrefix(start) ? String($0.dropFirst(start.utf8.count)) : $0 }
  }

  /// Reads the rest of a reason that somebody broke, with the next field joined to it: `Abort trap:
  /// 6 Terminating Process: Board [812]`. False for other lines.
  private mutating func takeProcess(behind line: String) -> Bool {
    let field = "Terminating Process: "
    guard process.name == nil, line.utf8.count < 512, line.hasSuffix("]"),
      let mark = line.firstRange(of: field)
    else { return false }
    process = ReportFacts.ProcessReference(String(line[mark.upperBound...]))
    let rest = line[..<mark.lowerBound].split(separator: " ").joined(separator: " ")
    if namespace == "SIGNAL", indicator == nil {
      indicator = rest
    } else if !rest.isEmpty {
      details.append(rest)
    }
    return true
  }

  /// Reads what SpringBoard of iOS 7 and 8 writes above a sample of all threads (bug type 188):
  ///
  /// ```text
  /// Exception Code:      0x8badf00d
  /// Reason:              com.example.board failed to launch in time
  /// ```
  ///
  /// Source: reports of that form, such as github.com/AnemoneTeam/Anemone, issue 74; the codes:
  /// Technical Note TN2151.
  private mutating func takeCode(_ fields: [HeaderField]) {
    guard namespace == nil, code == nil, let text = fields["Exception Code"], text.hasPrefix("0x"),
      let value = UInt64(text.dropFirst(2), radix: 16)
    else { return }
    code = value
    if let reason = fields["Reason"], indicator == nil { details.append(reason) }
  }

  /// Reads `SPRINGBOARD, scene-create watchdog transgression: …`, or dyld's lines with ` | `
  /// between them, where the reason has no line of its own.
  private mutating func take(description: String) {
    guard namespace == nil, description.hasPrefix("DYLD, ") else {
      if namespace == nil, code == nil, let told = Self(runningBoard: description) {
        (namespace, code) = (told.namespace, told.code)
      }
      details.insert(description, at: 0)
      return
    }
    namespace = "DYLD"
    var rest = description.dropFirst("DYLD, ".count)
    while let bar = rest.firstRange(of: " | ") {
      details.append(String(rest[..<bar.lowerBound]))
      rest = rest[bar.upperBound...]
    }
    details.append(String(rest))
  }

  /// Reads `SIGNAL 5 Trace/BPT trap: 5`, or `Namespace SIGNAL, Code 0x5` of iOS 14, macOS 12 and
  /// earlier, with or without an explanation of the code at its end; `DYLD, [0x4] Symbol missing`
  /// of macOS 11 and earlier.
  package mutating func take(_ text: String) {
    // Bytes, because characters take ten times as long, and nearly every report has this line.
    var rest = text.utf8[...]
    let isLong = rest.starts(with: "Namespace ".utf8)
    if isLong { rest = rest.dropFirst(10) }
    // iOS 14 writes `DYLD; [1]`, with the words of dyld below.
    let nameBytes = rest.prefix { $0 != Ascii.space && $0 != Ascii.comma && $0 != Self.semicolon }
    let name = String(Substring(nameBytes))
    rest = rest[nameBytes.endIndex...]
      .drop { $0 == Ascii.comma || $0 == Self.semicolon || $0 == Ascii.space }
    if isLong, rest.starts(with: "Code ".utf8) { rest = rest.dropFirst(5) }
    let digits = rest.prefix { $0 != Ascii.space && $0 != Ascii.comma }
    guard !name.isEmpty, let number = Self.number(Substring(digits)) else {
      // iOS 14 and earlier write no code of some: `TCC, This app has crashed because …`.
      if !isLong, ["TCC", "CAROUSEL"].contains(name), let words = String(Substring(rest)).known {
        (namespace, indicator) = (name, words)
      } else if ["Library not loaded: ", "Symbol not found: "].contains(where: {
        text.hasPrefix($0)
      }) {
        (namespace, details) = ("DYLD", [text])
      } else if let (value, words) = Self.codeAlone(text) {
        (code, indicator) = (value, words)
      } else {
        indicator = text
      }
      return
    }
    namespace = name
    code = number
    rest = rest[digits.endIndex...].drop { $0 == Ascii.comma || $0 == Ascii.space }
    indicator = String(Substring(rest)).known
  }

  /// A code without its namespace, as people quote it, with their own words: `0x8BADF00D (Watchdog
  /// Violation)`, `Watchdog (0x8badf00d)`.
  private static func codeAlone(_ text: String) -> (code: UInt64, words: String?)? {
    var words: Substring
    let digits: Substring
    if text.hasPrefix("0x") {
      digits = text.dropFirst(2).prefix(while: \.isHexDigit)
      words = text[digits.endIndex...].drop { " ,:-(".contains($0) }
    } else if text.hasSuffix(")"), let open = text.firstRange(of: " (0x") {
      digits = text[open.upperBound...].dropLast()
      words = text[..<open.lowerBound]
    } else {
      return nil
    }
    guard digits.utf8.count == 8, let code = UInt64(digits, radix: 16) else { return nil }
    if words.last == ")", words.count(where: { $0 == "(" }) == 0 { words = words.dropLast() }
    return (code, String(words).known)
  }

  private static let semicolon = UInt8(ascii: ";")

  /// The number in `5`, `0x5`, `[5]` or `[0x5]`.
  private static func number(_ text: Substring) -> UInt64? {
    let isBracketed = text.first == "[" && text.last == "]"
    if text.hasPrefix("0x") { return UInt64(text.dropFirst(2), radix: 16) }
    guard isBracketed else { return UInt64(text) }
    return text.hasPrefix("[0x")
      ? UInt64(text.dropFirst(3).dropLast(), radix: 16) : UInt64(text.dropFirst().dropLast())
  }
}

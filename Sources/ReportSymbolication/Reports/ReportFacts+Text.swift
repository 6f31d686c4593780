import CrashLogParser

extension ReportFacts {
  init(text report: CrashReport, in bytes: [UInt8]) {
    self.init()
    incident = report.incidentIdentifier?.known
    bugType = report.header?.bugType
    date = report.dateTime?.known
    launchDate = report.value(ofField: "Launch Time")?.known
    hardwareModel = report.hardwareModel?.known
    crashReporterKey = report.crashReporterKey?.known
    process = Process(report)
    parent = ProcessReference(report.parentProcess)
    system = report.osVersion.map { System($0) } ?? System()
    let codeType = report.codeType?.known.map { nameAndNote(of: $0) }
    self.codeType = codeType?.name
    switch codeType?.note {
    case "Native": isTranslated = false
    case "Translated": isTranslated = true
    default: isTranslated = nil
    }
    exception = CrashException(report)
    let head = HeadText(report, in: bytes)
    termination = Termination(report, head)
    applicationInformation = head.applicationInformation
    exception.takeThrown(from: applicationInformation)
    crashedThread = report.crashedThread?.number
    fields = report.fields.map { ($0.key, $0.value) }
  }
}

extension ReportFacts.Process {
  fileprivate init(_ report: CrashReport) {
    name = report.processName?.known
    identifier = report.processIdentifier
    path = report.processPath?.known
    bundleIdentifier = report.bundleIdentifier?.known
    version = report.version?.known
    role = report.value(ofField: "Role")?.known
    // Which of the two stands in parentheses changed with iOS 15; the line above the text tells them
    // apart, if it tells of the same two.
    if let short = report.header?.text("app_version"),
      let bundle = report.header?.text("build_version"),
      version == "\(short) (\(bundle))" || version == "\(bundle) (\(short))"
    {
      shortVersion = short
      bundleVersion = bundle
    }
  }
}

extension ReportFacts.ProcessReference {
  /// - Parameter text: `launchd [1]`.
  fileprivate init(_ text: String?) {
    guard let text else { return }
    name = text.known
    if text.hasSuffix("]"), let open = text.lastIndex(of: "["),
      let number = Int(text[text.index(after: open)...].dropLast())
    {
      var before = text[..<open]
      while before.last == " " { before.removeLast() }
      name = String(before).known
      identifier = number
    }
  }
}

extension ReportFacts.CrashException {
  fileprivate init(_ report: CrashReport) {
    if let text = report.exceptionType?.known {
      let (name, note) = nameAndNote(of: text)
      if name.hasPrefix("SIG") {
        // PLCrashReporter writes the signal alone.
        signal = name
      } else if let note, note.hasPrefix("SIG") {
        (type, signal) = (name, note)
      } else {
        type = text
      }
    }
    subtype = report.exceptionSubtype?.known
    for text in report.exceptionCodes {
      if let numbers = hexadecimalNumbers(in: text) {
        if codes.isEmpty { codes = numbers }
      } else if subtype == nil {
        // macOS 11 and earlier, and PLCrashReporter: `KERN_INVALID_ADDRESS at 0x8` among the codes.
        subtype = text.known
      }
    }
    message = report.value(ofField: "Exception Message")?.known
    note = report.value(ofField: "Exception Note")?.known
  }
}

extension ReportFacts.Termination {
  fileprivate init(_ report: CrashReport, _ head: HeadText) {
    if let reason = report.terminationReason?.known { take(reason) }
    // iOS 14 and earlier tell what the code means on a line of its own.
    indicator = indicator ?? report.value(ofField: "Termination Signal")?.known
    process = ReportFacts.ProcessReference(report.value(ofField: "Terminating Process"))
    details = head.terminationDetails
    if let description = report.value(ofField: "Termination Description")?.known {
      details.insert(description, at: 0)
    }
  }

  /// `SIGNAL 5 Trace/BPT trap: 5`, or `Namespace SIGNAL, Code 0x5` of iOS 14, macOS 12 and earlier, with
  /// what the code means behind it or not.
  private mutating func take(_ text: String) {
    var rest = Substring(text)
    let isLong = rest.hasPrefix("Namespace ")
    if isLong { rest = rest.dropFirst(10) }
    let name = rest.prefix { $0 != " " && $0 != "," }
    rest = rest.dropFirst(name.count).drop { $0 == "," || $0 == " " }
    if isLong, rest.hasPrefix("Code ") { rest = rest.dropFirst(5) }
    let digits = rest.prefix { $0 != " " && $0 != "," }
    let number =
      digits.hasPrefix("0x") ? UInt64(digits.dropFirst(2), radix: 16) : UInt64(digits)
    guard !name.isEmpty, let number else {
      indicator = text
      return
    }
    namespace = String(name)
    code = number
    rest = rest.dropFirst(digits.count).drop { $0 == "," || $0 == " " }
    indicator = String(rest).known
  }
}

/// Text between the fields of a report's head, which belongs to no field.
private struct HeadText {
  private(set) var applicationInformation: [String] = []
  private(set) var terminationDetails: [String] = []

  private enum Section {
    case none, information, termination
  }

  /// Reads the lines before the first backtrace, once.
  init(_ report: CrashReport, in bytes: [UInt8]) {
    let ends =
      [
        report.lastExceptionBacktrace?.byteRange, report.threads.first?.byteRange,
        report.applicationSpecificBacktraces.first?.byteRange, report.images.first?.byteRange,
      ].compactMap { $0?.lowerBound } + [report.byteRange.upperBound]
    let end = ends.min() ?? report.byteRange.upperBound
    guard report.byteRange.lowerBound < end, end <= bytes.count else { return }
    var section = Section.none
    for line in bytes[report.byteRange.lowerBound..<end].split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    {
      var line = line
      while let last = line.last, last == 0x0d || last == 0x20 || last == 0x09 { line.removeLast() }
      if line.isEmpty {
        section = .none
      } else if let rest = Self.rest(of: line, after: "Application Specific Information:") {
        section = .information
        if !rest.isEmpty { applicationInformation.append(rest) }
      } else if Self.rest(of: line, after: "Termination Reason:") != nil {
        section = .termination
      } else {
        switch section {
        case .none: break
        case .information: applicationInformation.append(String(decoding: line, as: UTF8.self))
        case .termination:
          if Self.fieldsAfterTermination.contains(where: { Self.rest(of: line, after: $0) != nil })
          {
            section = .none
          } else {
            terminationDetails.append(String(decoding: line, as: UTF8.self))
          }
        }
      }
    }
  }

  private static let fieldsAfterTermination = [
    "Terminating Process:", "Termination Signal:", "Termination Description:",
    "Triggered by Thread:", "Crashed Thread:", "Highlighted by Thread:", "Highlighted Thread:",
    "Exception ", "VM Region Info:", "VM Regions Near",
  ]

  private static func rest(of line: ArraySlice<UInt8>, after start: String) -> String? {
    guard line.starts(with: start.utf8) else { return nil }
    let rest = line.dropFirst(start.utf8.count).drop { $0 == 0x20 || $0 == 0x09 }
    return String(decoding: rest, as: UTF8.self)
  }
}

/// Takes `NAME (NOTE)` apart.
private func nameAndNote(of text: String) -> (name: String, note: String?) {
  guard text.hasSuffix(")"), let open = text.lastIndex(of: "("), open > text.startIndex else {
    return (text, nil)
  }
  var name = text[..<open]
  while name.last == " " { name.removeLast() }
  return (String(name), String(text[text.index(after: open)...].dropLast()))
}

import CrashLogParser

extension ReportFacts {
  init(ips report: IpsReport) {
    self.init()
    incident = report.incidentIdentifier
    bugType = report.bugType
    date = report.captureTime
    launchDate = report.launchTime
    hardwareModel = report.hardwareModel
    crashReporterKey = report.crashReporterKey
    process = Process(report)
    parent = ProcessReference(
      name: report.parentProcessName, identifier: report.parentProcessIdentifier)
    if let train = report.osTrain {
      system = System(train)
      system.build = report.osBuild
    } else if let text = report.header?.text("os_version") {
      system = System(text)
    }
    codeType = report.cpuType
    isTranslated = report.isTranslated
    exception = CrashException(report)
    termination = Termination(report)
    applicationInformation =
      report.body["asi"].map { messages in
        messages.members.flatMap { Self.lines(of: $0.value) }
      } ?? []
    exception.takeThrown(from: applicationInformation)
    crashedThread = report.crashedThread?.index
    for member in report.body.members {
      let value = member.value
      if let text = value.string ?? value.numberText ?? value.boolean.map({ String($0) }) {
        fields.append((member.key, text))
      }
    }
  }

  /// The lines of a string, or of the strings in an array.
  fileprivate static func lines(of value: JsonValue?) -> [String] {
    guard let value else { return [] }
    if let text = value.string { return text.filledLines }
    return value.elements.flatMap { $0.string?.filledLines ?? [] }
  }
}

extension ReportFacts.Process {
  fileprivate init(_ report: IpsReport) {
    name = report.processName
    identifier = report.processIdentifier
    path = report.processPath
    bundleIdentifier = report.bundleIdentifier
    shortVersion = report.bundleShortVersion
    bundleVersion = report.bundleVersion
    switch (shortVersion, bundleVersion) {
    // As Apple's own translation into text prints it.
    case (let short?, let bundle?): version = "\(short) (\(bundle))"
    case (let one, let other): version = one ?? other
    }
    role = report.role
  }
}

extension ReportFacts.CrashException {
  fileprivate init(_ report: IpsReport) {
    type = report.exceptionType
    signal = report.exceptionSignal
    codes = report.exceptionRawCodes
    if codes.isEmpty, let text = report.exceptionCodes {
      codes = hexadecimalNumbers(in: text) ?? []
    }
    subtype = report.exceptionSubtype
    message = report.exceptionMessage
    let thrown = report.body["exceptionReason"]
    name = thrown?["name"]?.string
    reason = thrown?["composed_message"]?.string
  }
}

extension ReportFacts.Termination {
  fileprivate init(_ report: IpsReport) {
    namespace = report.terminationNamespace
    code = report.terminationCode
    indicator = report.terminationIndicator
    let termination = report.body["termination"]
    process.name = termination?["byProc"]?.string
    process.identifier = termination?["byPid"]?.integer.flatMap { Int(exactly: $0) }
    details =
      ReportFacts.lines(of: termination?["reasons"])
      + ReportFacts.lines(of: termination?["details"])
  }
}

/// The numbers of `0x0000000000000001, 0x000000010024f19c`; nil for any other text.
func hexadecimalNumbers(in text: String) -> [UInt64]? {
  var numbers: [UInt64] = []
  for part in text.split(separator: ",") {
    let part = part.drop { $0 == " " }
    guard part.hasPrefix("0x"), let number = UInt64(part.dropFirst(2), radix: 16) else {
      return nil
    }
    numbers.append(number)
  }
  return numbers.isEmpty ? nil : numbers
}

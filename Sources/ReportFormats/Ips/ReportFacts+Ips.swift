import JsonReading
package import ReportModel
import SymbolicationModel

extension ReportFacts {
  package init(_ body: IpsBody, header: JsonHeader?, crashedThread: Int?) {
    self.init()
    incident = body.string(.incident) ?? header?.text("incident_id")
    bugType = header?.bugType ?? body.string(.bugType)
    date = body.string(.captureTime)
    launchDate = body.string(.procLaunch)
    hardwareModel = body.string(.modelCode)
    crashReporterKey = body.string(.crashReporterKey)
    process = Process(body)
    parent = ProcessReference(
      name: body.string(.parentProc), identifier: body.number(.parentPid))
    responsible = ProcessReference(
      name: body.string(.responsibleProc), identifier: body.number(.responsiblePid))
    timeAwake = body.json[.uptime]?.unsignedInteger
    distribution = Distribution(body, header)
    if let train = body.osTrain {
      system = System(train)
      system.build = body.json[.osVersion]?[.build]?.string
    } else if let text = header?.text("os_version") {
      system = System(text)
    }
    codeType = body.string(.cpuType)
    architecture = codeType.flatMap {
      Architecture(codeType: $0, model: hardwareModel, system: system)
    }
    isTranslated = body.json[.translated]?.boolean
    exception = CrashException(body.json)
    termination = Termination(body.json[.termination])
    // Who shows a part of a report may leave out what dyld said as it ended the process.
    if body.json[.termination] == nil, body.number(.fatalDyldError) ?? 0 > 0 {
      termination.namespace = "DYLD"
      termination.details = ["the dynamic linker ended it, for a reason that is not in this text"]
    }
    applicationInformation =
      body.json[.applicationSpecificInformation].map { messages in
        messages.members.flatMap { $0.value.filledLines }
      } ?? []
    exception.takeThrown(from: &applicationInformation)
    memoryRegion = body.string(.vmRegionInfo)?.filledLines ?? []
    exception.takeType(from: memoryRegion)
    kernelTriage = body.string(.ktriageinfo)?.filledLines ?? []
    self.crashedThread = crashedThread
    for member in body.json.members {
      let value = member.value
      if let text = value.string ?? value.numberText ?? value.boolean.map({ String($0) }) {
        fields.append(Field(name: member.key, value: text, byteRange: member.byteRange))
      }
    }
  }
}

extension ReportFacts.Process {
  fileprivate init(_ body: IpsBody) {
    self.init()
    // A piece without its head may name the process here.
    name = body.string(.procName) ?? body.json["os_fault"]?["process"]?.string
    identifier = body.number(.pid)
    path = body.string(.procPath)
    bundleIdentifier = body.bundleIdentifier
    shortVersion = body.bundleShortVersion
    bundleVersion = body.bundleVersion
    switch (shortVersion, bundleVersion) {
    // As Apple's own translation into text prints it.
    case (let short?, let bundle?): version = "\(short) (\(bundle))"
    case (let one, let other): version = one ?? other
    }
    role = body.string(.procRole)
  }
}

extension ReportFacts.Distribution {
  fileprivate init?(_ body: IpsBody, _ header: JsonHeader?) {
    let store = body.json[.storeInfo]
    let distributor = store?[.distributorID]?.string
    if distributor == "com.apple.TestFlight" || store?[.entitledBeta]?.isAffirmative == true {
      self = .testFlight
    } else if body.json[.isBeta]?.isAffirmative == true || header?.text("is_beta") == "1" {
      self = .beta
    } else if distributor == "com.apple.AppStore" || store?[.itemID] != nil {
      self = .appStore
    } else {
      return nil
    }
  }
}

extension ReportFacts.CrashException {
  fileprivate init(_ body: JsonValue) {
    self.init()
    let exception = body[.exception]
    type = exception?[.type]?.string
    signal = exception?[.signal]?.string
    // Numbers that do not fit into 64 bits are left out.
    codes =
      exception?[.rawCodes]?.elements.compactMap {
        $0.unsignedInteger ?? $0.integer.map { UInt64(bitPattern: $0) }
      } ?? []
    if codes.isEmpty, let text = exception?[.codes]?.string {
      codes = hexadecimalNumbers(in: text) ?? []
    }
    // One that is cut says too little.
    subtype = exception?[.subtype].flatMap { $0.isComplete ? $0.string : nil }
    message = exception?[.message]?.string
    let thrown = body[.exceptionReason]
    name = thrown?[.name]?.string
    reason = thrown.flatMap { ThrownMessage.text(of: $0) }
  }
}

extension ReportFacts.CrashException {
  /// Takes the type that a cut object lacks: the memory regions are those around the address of a
  /// bad access, which is the second code.
  ///
  /// Source: developer.apple.com/documentation/xcode/examining-the-fields-in-a-crash-report ("VM
  /// Region Info").
  fileprivate mutating func takeType(from region: [String]) {
    guard type == nil, codes.count == 2, let line = region.first, line.hasPrefix("0x"),
      let address = UInt64(line.dropFirst(2).prefix(while: \.isHexDigit), radix: 16),
      address == codes[1]
    else { return }
    type = "EXC_BAD_ACCESS"
  }
}

extension ReportFacts.Termination {
  fileprivate init(_ termination: JsonValue?) {
    self.init()
    namespace = termination?[.namespace]?.string
    code = termination?[.code]?.unsignedInteger
    indicator = termination?[.indicator]?.string
    process = ReportFacts.ProcessReference(
      name: termination?[.byProc]?.string,
      identifier: termination?[.byPid]?.integer.flatMap { Int(exactly: $0) })
    details =
      (termination?[.reasons]?.filledLines ?? []) + (termination?[.details]?.filledLines ?? [])
  }
}

extension JsonValue {
  /// The lines of a string, or of the strings in an array.
  fileprivate var filledLines: [String] {
    if let text = string { return text.filledLines }
    return elements.flatMap { $0.string?.filledLines ?? [] }
  }
}

/// The reason of an exception that nobody caught, as an `.ips` has it:
///
/// ```text
/// "exceptionReason" : {"arguments":["-[__NSArray0 objectAtIndex:]","0"],
///   "format_string":"*** %s: index %lu beyond bounds for empty array","name":"NSRangeException",
///   "type":"objc-exception","composed_message":"*** -[__NSArray0 objectAtIndex:]: index 0 …"}
/// ```
///
/// The order of the members varies, and a text that breaks off may have only the first of them.
///
/// Source: Apple's "String Programming Guide", "String Format Specifiers".
enum ThrownMessage {
  /// Nil if no member has it.
  static func text(of reason: JsonValue) -> String? {
    if let message = text(.composedMessage, of: reason) { return message }
    let arguments = reason[.arguments]?.elements.map { $0.string ?? "" } ?? []
    if let format = text(.formatString, of: reason) { return composed(format, arguments) }
    guard !arguments.isEmpty else { return nil }
    let words = reason[.name] == nil ? "uncaught exception" : "its words are not in this text"
    return "\(words): … \(arguments.joined(separator: " … ")) …"
  }

  /// The string of a member. That of the last one in a text that breaks off has no end.
  private static func text(_ key: IpsKey, of reason: JsonValue) -> String? {
    if let text = reason[key]?.string { return text }
    guard !reason.isComplete else { return nil }
    let source = TextSource(bytes: reason.content.bytes)
    let range = reason.byteRange
    let name = "\"\(key.rawValue)\""
    guard let start = source.find(name, from: range.lowerBound, limit: range.upperBound) else {
      return nil
    }
    let colon = source.skipSeparators(from: start + name.utf8.count, limit: range.upperBound)
    let quote = source.skipSeparators(from: colon + 1, limit: range.upperBound)
    guard source[colon] == Ascii.colon, source[quote] == Ascii.quote else { return nil }
    // Fences of Markdown may be below.
    let line = source.line(at: quote)
    let words = source.string(quote + 1..<max(quote + 1, min(line.end, range.upperBound)))
    let text = words.replacing("\\/", with: "/").replacing("\\\"", with: "\"")
    return text.isEmpty ? nil : text + "…"
  }

  /// The format with its arguments, which stand in the place of `%s`, `%lu`, `%2$@` and the like.
  private static func composed(_ format: String, _ arguments: [String]) -> String {
    var text = ""
    var rest = format.utf8[...]
    var next = 0
    while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
      text += Substring(rest[..<percent])
      rest = rest[rest.index(after: percent)...]
      if rest.first == UInt8(ascii: "%") {
        text += "%"
        rest = rest.dropFirst()
        continue
      }
      var place = next
      var digits = rest.prefix { Ascii.isDigit($0) }
      if !digits.isEmpty, rest[digits.endIndex...].first == UInt8(ascii: "$") {
        place = Int(Substring(digits)).flatMap { $0 > 0 ? $0 - 1 : nil } ?? next
        rest = rest[digits.endIndex...].dropFirst()
      } else {
        next += 1
      }
      // Flags, width, precision and length.
      digits = rest.prefix { Ascii.isDigit($0) || "+- #.'hlqLztj".utf8.contains($0) }
      rest = rest[digits.endIndex...].dropFirst()
      text += arguments.indices.contains(place) ? arguments[place] : "…"
    }
    return text + Substring(rest)
  }
}

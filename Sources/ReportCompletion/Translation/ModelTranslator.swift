import CrashLogParser
import ReportSymbolication
import SymbolicationModel

/// Writes a report of any format as text in Apple's format, from what was read of it: for formats
/// that Apple's tools have no text for.
///
/// The text can be read again, by people and by this program. A line is left out if the report has
/// no value for it. What the report says beyond Apple's fields follows the head, in its own words.
/// Control characters become U+FFFD, as in ``IpsTranslator``.
struct ModelTranslator {
  let symbolicated: SymbolicatedReport
  package var text = TranslatedText()
  /// The values that lines of the head show, so that none is shown twice.
  private var shownValues: Set<String> = []

  private var report: Report { symbolicated.source }
  private var facts: ReportFacts { symbolicated.source.facts }

  /// The report as text, which ends with a line end. Backtraces that are not selected are left out.
  ///
  /// - Complexity: time and memory are proportional to the report, and to the depth of its call
  ///   trees, because lines are indented.
  static func translate(_ report: SymbolicatedReport) -> [UInt8] {
    var translator = ModelTranslator(symbolicated: report)
    translator.addHead()
    translator.addException()
    translator.addInformation()
    for backtrace in report.backtraces where backtrace.isSelected {
      translator.add(backtrace)
      translator.text.addBlankLine()
    }
    translator.addImages()
    return translator.text.bytes
  }

  private init(symbolicated: SymbolicatedReport) { self.symbolicated = symbolicated }

  // MARK: Head

  private static let column = 21

  private mutating func addHead() {
    let process = facts.process
    addField("Incident Identifier", facts.incident)
    addField("CrashReporter Key", facts.crashReporterKey)
    addField("Hardware Model", facts.hardwareModel)
    addField("Process", Self.name(process.name ?? unknownImageName, process.identifier))
    addField("Path", process.path)
    addField("Identifier", process.bundleIdentifier)
    addField("Version", version)
    addField("Code Type", facts.codeType ?? facts.architecture?.name)
    addField("Role", process.role)
    addField("Parent Process", facts.parent.name.map { Self.name($0, facts.parent.identifier) })
    text.addBlankLine()
    addField("Date/Time", facts.date)
    addField("Launch Time", facts.launchDate)
    addField("OS Version", system)
    addField("Report Version", "104")
    addOwnFields()
    text.addBlankLine()
  }

  private mutating func addField(_ key: StaticString, _ value: String?) {
    guard let value, !value.isEmpty else { return }
    shownValues.insert(value)
    text.addField(key, value, column: Self.column)
  }

  /// Adds the fields whose values no line of Apple's shows.
  private mutating func addOwnFields() {
    noteShown([
      facts.process.name, facts.process.identifier.map { String($0) }, facts.process.shortVersion,
      facts.process.bundleVersion, facts.system.name, facts.system.version, facts.system.build,
      facts.bugType, facts.exception.type, facts.exception.signal, facts.exception.subtype,
      facts.exception.message, facts.exception.name, facts.exception.reason,
      facts.termination.namespace, facts.termination.indicator, facts.parent.name,
    ])
    let known = facts.applicationInformation + facts.memoryRegion + facts.termination.details
    noteShown(known)
    let fields = facts.fields.filter {
      !$0.value.isEmpty && $0.value.utf8.count <= Self.longestOwnField
        && !shownValues.contains($0.value)
    }
    for field in fields {
      let start = text.end
      text.append(name: field.name)
      text.append(":")
      text.appendSpaces(max(1, Self.column - field.name.unicodeScalars.count - 1))
      text.append(name: field.value)
      text.endLine(from: start)
    }
  }

  /// Longer values are texts or lists, and no fields that a person looks for.
  private static let longestOwnField = 200

  private mutating func noteShown(_ values: [String?]) {
    for value in values.compactMap(\.self) { shownValues.insert(value) }
  }

  private var version: String? {
    let process = facts.process
    if let short = process.shortVersion, let bundle = process.bundleVersion {
      return "\(short) (\(bundle))"
    }
    return process.version ?? process.shortVersion ?? process.bundleVersion
  }

  private var system: String? {
    let system = facts.system
    let name = [system.name, system.version].compactMap(\.self).joined(separator: " ")
    guard let build = system.build else { return name }
    return name.isEmpty ? "(\(build))" : "\(name) (\(build))"
  }

  private static func name(_ name: String, _ number: Int?) -> String {
    number.map { "\(name) [\($0)]" } ?? name
  }

  // MARK: Exception

  private mutating func addException() {
    let start = text.bytes.count
    let exception = facts.exception
    if let type = exception.type ?? exception.signal {
      let signal = exception.type == nil ? nil : exception.signal
      addField("Exception Type", signal.map { "\(type) (\($0))" } ?? type)
    }
    addField("Exception Subtype", exception.subtype)
    addField("Exception Message", exception.message)
    if !exception.codes.isEmpty {
      let codes = exception.codes.map { "0x" + $0.hexadecimalDigits(count: 16) }
      addField("Exception Codes", codes.joined(separator: ", "))
    }
    addField("Exception Note", exception.note)
    let termination = facts.termination
    if let namespace = termination.namespace, let code = termination.code {
      // Apple writes the codes of signals in decimal, and those of frameworks in hexadecimal.
      let number = namespace == "SIGNAL" ? String(code) : code.hexadecimal
      addField(
        "Termination Reason",
        "\(namespace) \(number)" + (termination.indicator.map { " " + $0 } ?? ""))
    } else {
      addField("Termination Reason", termination.indicator)
    }
    for line in termination.details { text.addLines(of: line) }
    let process = termination.process
    addField("Terminating Process", process.name.map { Self.name($0, process.identifier) })
    if let thread = facts.crashedThread { addField("Triggered by Thread", String(thread)) }
    if text.bytes.count > start { text.addBlankLine() }
  }

  /// Adds what the application wrote, and the uncaught exception in the words of the Objective-C
  /// runtime, in which readers look for it.
  private mutating func addInformation() {
    if !facts.memoryRegion.isEmpty {
      text.addTextField(
        "VM Region Info", facts.memoryRegion.joined(separator: "\n"), column: 16)
      text.addBlankLine()
    }
    var lines = facts.applicationInformation
    if let name = facts.exception.name,
      !lines.contains(where: { $0.contains("uncaught exception '\(name)'") })
    {
      let reason = facts.exception.reason.map { ", reason: '\($0)'" } ?? ""
      lines.append("*** Terminating app due to uncaught exception '\(name)'\(reason)")
    }
    guard !lines.isEmpty else { return }
    text.addLine("Application Specific Information:")
    for line in lines { text.addLines(of: line) }
    text.addBlankLine()
  }

  // MARK: Backtraces

  private mutating func add(_ backtrace: SymbolicatedBacktrace) {
    let source = backtrace.source
    switch source.kind {
    case .lastException: text.addLine("Last Exception Backtrace:")
    case .applicationSpecific:
      text.addLine("Application Specific Backtrace \(source.number ?? 0):")
    case .digest:
      let start = text.end
      text.append(name: source.name ?? "Digest")
      text.append(":")
      text.endLine(from: start)
    case .thread: addHeading(of: source)
    }
    let frames = symbolicated.translatedFrames(of: backtrace)
    if source.isCallTree {
      text.add(tree: frames)
    } else {
      text.add(frames)
    }
  }

  private mutating func addHeading(of thread: Backtrace) {
    let number = thread.number ?? 0
    let queue = thread.dispatchQueue.map { "Dispatch queue: \($0)" }
    let label = [thread.name, queue].compactMap(\.self).joined(separator: "  ")
    if !label.isEmpty {
      text.append("Thread \(number) name:  ")
      text.append(name: label)
      text.endLine()
    }
    text.append("Thread \(number)\(thread.isCrashed ? " Crashed" : ""):")
    if let count = thread.sampleCount { text.append("  \(count) sample\(count == 1 ? "" : "s")") }
    text.endLine()
  }

  // MARK: Images

  private mutating func addImages() {
    text.addLine("Binary Images:")
    for image in report.images where image.kind == .image { add(image) }
    text.addBlankLine()
    text.addLine("EOF")
  }

  private mutating func add(_ image: BinaryImage) {
    let start = image.loadAddress.value
    text.append(address: start)
    text.append(" - ")
    // An image of unknown size ends before it starts, as in Apple's reports.
    text.append(address: start &+ image.byteCount &- 1)
    text.append(" ")
    text.append(name: IpsTranslator.nonempty(image.name) ?? unknownImageName)
    text.append(" ")
    text.append(name: (image.architecture ?? facts.architecture)?.name ?? "unknown-arch")
    text.append("  <")
    let unknown = "00000000-0000-0000-0000-000000000000"
    let identity = image.identity?.description ?? unknown
    text.append(name: identity.lowercased().filter { $0 != "-" })
    text.append("> ")
    text.append(name: IpsTranslator.nonempty(image.path) ?? unknownImageName)
    text.endLine()
  }
}

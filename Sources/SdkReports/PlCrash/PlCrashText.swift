import JsonReading
package import ReportFormats
public import ReportModel
import SymbolicationModel

extension ReportFormat {
  /// A report of PLCrashReporter in its binary format. It is read as the text that it stands for.
  public static let plCrashReporterBinary = ReportFormat(
    FormatTraits(
      schemaName: "plCrashReporterBinary", shortName: ".plcrash",
      unreadable: { _ in
        "is a PLCrashReporter report in its binary format, but has no thread and no image that can be read; it may be cut short"
      }, [.hasStacks, .isBinary, .hasPlaceForSourceLines], appleText: .original, frames: .appleText
    ))
}

/// Recognises binary reports of PLCrashReporter. `PlCrashText` turns one into text, and that is
/// read.
package struct PlCrashReader: ReportReader {
  package init() {}

  package var formats: [ReportFormat] { [.plCrashReporterBinary] }
  package var firstBytes: (bytes: [UInt8], format: ReportFormat)? {
    (PlCrashReport.magic, .plCrashReporterBinary)
  }

  package func reports(in input: ReportInput) -> [Report] { [] }
}

/// The text that a binary report of PLCrashReporter stands for, in Apple's layout. The text is then
/// read like any other, and is what comes out.
///
/// Control characters in texts of the report become spaces, so that no text can pass for a line of
/// its own.
package struct PlCrashText {
  private let report: PlCrashReport
  private var text: UnwrappedText
  /// The images by their addresses.
  private let images: [PlCrashReport.Image]
  /// The path of the executable among the images. Links on the way to it may differ from those in
  /// the path of the process.
  private let mainPath: Range<Int>?
  /// That of the executable, which may differ from the machine's.
  private let architecture: Architecture?

  init(_ report: PlCrashReport) {
    self.report = report
    text = UnwrappedText(of: report.bytes, isTranslation: true)
    images = report.images.sorted { $0.base < $1.base }
    let name = Self.fileName(report.process.path ?? report.process.name, in: report.bytes)
    let main = report.images.first { image in
      name.map { Self.fileName(image.path, in: report.bytes) == $0 } ?? false
    }
    mainPath = main?.path
    architecture =
      (main ?? report.images.first)?.processor?.architecture
      ?? report.machineProcessor?.architecture
  }

  /// - Returns: the text. Its line ends stand for the place of the damage, or for the report's end.
  package static func write(_ report: PlCrashReport) -> UnwrappedText {
    var writer = PlCrashText(report)
    writer.writeHead()
    writer.writeException()
    for thread in report.threads { writer.write(thread) }
    writer.writeRegisters()
    writer.writeImages()
    return writer.text
  }

  private static func fileName(_ path: Range<Int>?, in bytes: [UInt8]) -> ArraySlice<UInt8>? {
    guard let path, !path.isEmpty else { return nil }
    let start = bytes[path].lastIndex(of: Ascii.slash).map { $0 + 1 } ?? path.lowerBound
    return bytes[start..<path.upperBound]
  }

  // MARK: Pieces

  /// Adds a line, which stands for the report as a whole.
  private mutating func line(_ words: String = "") {
    text.put(words.utf8, for: 0..<report.bytes.count)
    let place = report.damage ?? report.bytes.count
    text.put(Ascii.lineFeed, for: place..<place)
  }

  /// Adds `Key:    value`, unless there is no value.
  private mutating func field(_ key: String, _ value: String?, column: Int = 17) {
    guard let value, !value.isEmpty else { return }
    line(Self.padded("\(key):", column) + value)
  }

  /// A text of the report without control characters.
  private func words(_ range: Range<Int>?) -> String? {
    guard let range else { return nil }
    let text = String(decoding: report.bytes[range], as: UTF8.self)
    guard text.unicodeScalars.contains(where: Self.isControl) else { return text }
    var clean = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { clean.append(Self.isControl(scalar) ? " " : scalar) }
    return String(clean)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || scalar.value == 0x2028
      || scalar.value == 0x2029
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    let missing = width - text.unicodeScalars.count
    return missing > 0 ? text + String(repeating: " ", count: missing) : text + " "
  }

  private static func aligned(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.utf8.count)) + text
  }

  // MARK: Head

  private mutating func writeHead() {
    field("Incident Identifier", report.identifier.flatMap(uuid), column: 21)
    field("Hardware Model", words(report.machineModel), column: 21)
    let process = report.process
    let name = words(process.name) ?? words(process.path)?.lastPathComponent
    field("Process", Self.reference(name, process.identifier))
    field("Path", words(process.path))
    field("Identifier", words(report.app.identifier))
    field("Version", version)
    field("Code Type", codeType)
    field("Parent Process", Self.reference(words(process.parentName), process.parentIdentifier))
    line()
    field("Date/Time", date(report.system.timestamp))
    field("Launch Time", date(process.startTime))
    field("OS Version", systemVersion)
    field("Report Version", "104")
    line()
  }

  private static func reference(_ name: String?, _ identifier: UInt64?) -> String? {
    guard name != nil || identifier != nil else { return nil }
    return [name?.known ?? "???", identifier.map { "[\($0)]" }].compactMap(\.self).joined(
      separator: " ")
  }

  private var version: String? {
    let version = words(report.app.version)
    guard let short = words(report.app.marketingVersion), !short.isEmpty else { return version }
    return version.map { "\(short) (\($0))" } ?? short
  }

  private var codeType: String? {
    guard let name = architecture.map({ Self.codeType($0) }) ?? legacyCodeType else { return nil }
    return report.process.isNative.map { "\(name) (\($0 ? "Native" : "Translated"))" } ?? name
  }

  private static func codeType(_ architecture: Architecture) -> String {
    switch architecture {
    case .i386: "X86"
    case .x86_64, .x86_64h: "X86-64"
    case .arm64, .arm64e: "ARM-64"
    default: architecture.hasThumb ? "ARM" : architecture.name
    }
  }

  /// Of the first version of the format, which has numbers of its own.
  private var legacyCodeType: String? {
    switch report.system.architecture {
    case 0: "X86"
    case 1: "X86-64"
    case 2, 5: "ARM"
    case 3: "PPC"
    case 4: "PPC-64"
    default: nil
    }
  }

  private var systemVersion: String? {
    let name =
      switch report.system.kind {
      case 0: "macOS"
      case 1: "iPhone OS"
      case 2: "iPhone Simulator"
      case 4: "Apple TVOS"
      default: "???"
      }
    let build = words(report.system.build).map { "(\($0))" }
    let parts = [words(report.system.version), build].compactMap(\.self)
    return parts.isEmpty ? nil : "\(name) \(parts.joined(separator: " "))"
  }

  private func date(_ seconds: UInt64?) -> String? {
    guard let seconds, seconds > 0, let time = Int64(exactly: seconds) else { return nil }
    return UtcDate(secondsSince1970: time).description
  }

  private func uuid(_ range: Range<Int>) -> String? {
    ImageIdentity(bytes: Array(report.bytes[range])).map { "\($0)" }
  }

  // MARK: Exception

  private mutating func writeException() {
    if let signal = report.signal {
      var exception = ReportFacts.CrashException()
      exception.take(
        mach: signal.machException.flatMap { MachNames.exception($0) }, codes: signal.machCodes,
        codeName: nil, address: signal.address)
      exception.signal = words(signal.name)
      let type = exception.type.map { type in
        exception.signal.map { "\(type) (\($0))" } ?? type
      }
      field("Exception Type", type ?? exception.signal)
      if exception.type != nil {
        field("Exception Subtype", exception.subtype)
        let codes = exception.codes.map { "0x" + $0.hexadecimalDigits(count: 16) }
        field("Exception Codes", codes.joined(separator: ", "))
      }
      if let code = words(signal.code), !code.isEmpty {
        let place = signal.address.map { " at \($0.hexadecimal)" } ?? ""
        field("Exception Codes", code + place)
      }
    }
    if report.isRequested { field("Exception Note", "written on request, without a crash") }
    let crashed = report.threads.first(where: \.isCrashed)?.number
    field("Crashed Thread", crashed.map { "\($0)" })
    field("Custom Data", words(report.customData))
    line()
    guard let exception = report.exception else { return }
    line("Application Specific Information:")
    let (name, reason) = (words(exception.name) ?? "", words(exception.reason) ?? "")
    line("*** Terminating app due to uncaught exception '\(name)', reason: '\(reason)'")
    line()
    guard !exception.frames.isEmpty else { return }
    line("Last Exception Backtrace:")
    write(exception.frames)
    line()
  }

  // MARK: Threads

  private mutating func write(_ thread: PlCrashReport.Thread) {
    let number = thread.number.map { "\($0)" } ?? "0"
    line("Thread \(number)\(thread.isCrashed ? " Crashed" : ""):")
    write(thread.frames)
    line()
  }

  private mutating func write(_ frames: [PlCrashReport.Frame]) {
    for (index, frame) in frames.enumerated() {
      let image = image(holding: frame.address)
      let name = image.flatMap { words($0.path)?.lastPathComponent }.flatMap(\.known) ?? "???"
      let address = "0x" + frame.address.hexadecimalDigits(count: 16)
      let start = Self.padded("\(index)", 4) + Self.padded(name, 35)
      line("\(start) \(address) \(content(of: frame, image))")
    }
  }

  private func content(of frame: PlCrashReport.Frame, _ image: PlCrashReport.Image?) -> String {
    if let name = words(frame.function), !name.isEmpty, let start = frame.functionStart,
      start <= frame.address, start != image?.base
    {
      return "\(name) + \(frame.address - start)"
    }
    let base = image?.base ?? 0
    return "\(base.hexadecimal) + \(frame.address - base)"
  }

  /// The image whose range holds an address: of several the one that starts last.
  private func image(holding address: UInt64) -> PlCrashReport.Image? {
    let count = images.partitionPoint { $0.base > address }
    guard count > 0 else { return nil }
    let image = images[count - 1]
    return address - image.base < max(image.byteCount, 1) ? image : nil
  }

  private mutating func writeRegisters() {
    guard let thread = report.threads.first(where: \.isCrashed), !thread.registers.isEmpty else {
      return
    }
    let number = thread.number.map { "\($0)" } ?? "0"
    let family = codeType?.split(separator: " ").first.map(String.init) ?? "ARM"
    line("Thread \(number) crashed with \(family) Thread State:")
    var row = ""
    for (index, register) in thread.registers.enumerated() {
      let name = Self.aligned(words(register.name) ?? "???", 6)
      row += "\(name): 0x\(register.value.hexadecimalDigits(count: 16))"
      if index % 4 == 3 || index == thread.registers.count - 1 {
        line(row)
        row = ""
      } else {
        row += " "
      }
    }
    line()
  }

  // MARK: Images

  private mutating func writeImages() {
    guard !report.images.isEmpty else { return }
    line("Binary Images:")
    for image in report.images {
      let path = words(image.path) ?? "???"
      let last = image.base.addingReportingOverflow(max(image.byteCount, 1) - 1)
      let isMain = image.path != nil && image.path == mainPath
      let end = (last.overflow ? .max : last.partialValue).hexadecimal
      let range = "\(Self.aligned(image.base.hexadecimal, 18)) - \(Self.aligned(end, 18))"
      let architecture = (image.processor?.architecture ?? architecture)?.name ?? "???"
      let identity = image.uuid.map { report.bytes[$0].hexadecimalDigits } ?? "???"
      line(
        "\(range) \(isMain ? "+" : " ")\(path.lastPathComponent.known ?? "???") \(architecture)  <\(identity)> \(path)"
      )
    }
  }
}

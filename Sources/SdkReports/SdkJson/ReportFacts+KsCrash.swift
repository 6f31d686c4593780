package import JsonReading
import ReportModel
import SymbolicationModel

extension ReportFacts {
  /// - Parameter system: describes the device and the app.
  package mutating func read(_ object: JsonValue, system info: JsonValue?) {
    let report = object["report"]
    incident = report?["id"]?.filledString
    date = report?["timestamp"]?.sdkTime
    launchDate = info?["app_start_time"]?.sdkTime
    hardwareModel = info?["machine"]?.filledString
    crashReporterKey = info?["device_app_hash"]?.filledString
    process.name =
      info?["process_name"]?.filledString ?? report?["process_name"]?.filledString
      ?? info?["CFBundleExecutable"]?.filledString
    process.identifier = info?["process_id"]?.sdkInteger
    process.path = info?["CFBundleExecutablePath"]?.filledString
    process.bundleIdentifier = info?["CFBundleIdentifier"]?.filledString
    process.setVersions(
      short: info?["CFBundleShortVersionString"]?.filledString,
      bundle: info?["CFBundleVersion"]?.filledString)
    parent = ProcessReference(
      name: info?["parent_process_name"]?.filledString,
      identifier: info?["parent_process_id"]?.sdkInteger)
    system.set(
      name: info?["system_name"]?.filledString, version: info?["system_version"]?.filledString,
      build: info?["os_version"]?.filledString)
    // `cpu_arch` is the processor, which may run programs for another.
    architecture =
      Architecture(machCpuType: info?["binary_cpu_type"], subtype: info?["binary_cpu_subtype"])
      ?? (info?["binary_arch"] ?? info?["cpu_arch"])?.ksArchitecture
    isTranslated = info?["proc_translated"]?.boolean
    guard let error = object["crash"]?["error"] else { return }
    event =
      switch error["type"]?.string {
      case "hang", "deadlock": .hang
      case "memory_termination": .memory
      case "profile": .sample
      default: .crash
      }
    eventExtent =
      switch event {
      case .hang: EventTime(hang: error["hang"])?.words
      case .sample: EventTime(profile: error["profile"])?.words
      default: nil
      }
    // The numbers of other events are made up.
    if event == .crash || event == .memory { exception.read(error) }
    termination.code = error["exit_reason"]?["code"]?.sdkNumber
    applicationInformation = Self.messages(of: object["binary_images"])
  }

  /// What images left for the crash reporter: the message of a failed check, for example.
  private static func messages(of images: JsonValue?) -> [String] {
    guard let images else { return [] }
    var lines: [String] = []
    for image in images.elements {
      for key in ["crash_info_message", "crash_info_message2", "crash_info_signature"] {
        for line in image[key]?.string?.filledLines ?? [] where !lines.contains(line) {
          lines.append(line)
        }
        // A report has a handful of them.
        if lines.count >= 64 { return lines }
      }
    }
    return lines
  }
}

extension ReportFacts.Process {
  mutating func setVersions(short: String?, bundle: String?) {
    (shortVersion, bundleVersion) = (short, bundle)
    version =
      if let short, let bundle { "\(short) (\(bundle))" } else { short ?? bundle }
  }
}

extension ReportFacts.System {
  mutating func set(name: String?, version: String?, build: String?) {
    (self.name, self.version, self.build) = (name, version, build)
  }
}

extension ReportFacts.CrashException {
  fileprivate mutating func read(_ error: JsonValue) {
    let mach = error["mach"]
    let number = mach?["exception"]?.sdkNumber
    let address = error["address"]?.sdkNumber
    var codes = [mach?["code"]?.sdkNumber, mach?["subcode"]?.sdkNumber].compactMap(\.self)
    // Version 3.2 has the two in the wrong order, and the address cut to 32 bits.
    if codes.count == 2, let address, address > 0, codes[0] == address & 0xffff_ffff,
      codes[1] < 0x1000, codes[0] > 0x1000
    {
      codes = [codes[1], address]
    }
    take(
      mach: mach?["exception_name"]?.filledString ?? number.flatMap { MachNames.exception($0) },
      codes: number == 0 ? [] : codes, codeName: mach?["code_name"]?.filledString,
      address: address)
    let signal = error["signal"]
    self.signal =
      signal?["name"]?.filledString
      ?? signal?["signal"]?.sdkNumber.flatMap { MachNames.signalOfSdk($0) }
    if type == nil, let address, let code = signal?["code_name"]?.filledString {
      subtype = "\(code) at 0x\(address.hexadecimalDigits(count: 16))"
    }
    let thrown = error["nsexception"] ?? error["cpp_exception"] ?? error["user_reported"]
    name = thrown?["name"]?.filledString
    reason = thrown?["reason"]?.filledString ?? error["reason"]?.filledString
    // Apps report what they like, and often repeat the name.
    if name == reason { reason = nil }
  }
}

/// How long an event took.
struct EventTime {
  private let nanoseconds: UInt64

  /// Nil if the report does not say it.
  init?(profile: JsonValue?) {
    guard profile?["time_units"]?.string == "nanoseconds",
      let duration = profile?["duration"]?.sdkNumber
    else { return nil }
    nanoseconds = duration
  }

  /// Nil if the report does not say it.
  init?(hang: JsonValue?) {
    guard let start = hang?["hang_start_nanos"]?.sdkNumber,
      let end = hang?["hang_end_nanos"]?.sdkNumber, end >= start
    else { return nil }
    nanoseconds = end - start
  }

  /// `8.0 s`
  var words: String {
    let tenths = nanoseconds / 100_000_000
    return "\(tenths / 10).\(tenths % 10) s"
  }
}

extension Architecture {
  /// From the numbers of a Mach-O header; nil if one is missing.
  init?(machCpuType type: JsonValue?, subtype: JsonValue?) {
    guard let type = type?.sdkNumber, let subtype = subtype?.sdkNumber else { return nil }
    self.init(
      machCpuType: UInt32(truncatingIfNeeded: type), subtype: UInt32(truncatingIfNeeded: subtype))
  }
}

extension JsonValue {
  /// KSCrash calls both Intel architectures `x86`.
  fileprivate var ksArchitecture: Architecture? {
    filledString.flatMap { $0 == "x86" ? nil : Architecture(name: $0) }
  }

  /// A time: a text as it is, or a number of seconds, milli- or microseconds since 1970.
  var sdkTime: String? {
    if let text = filledString { return text }
    guard let number = integer, number > 0 else { return nil }
    switch number {
    case ..<100_000_000_000: return UtcDate(secondsSince1970: number).description
    case ..<100_000_000_000_000: return UtcDate(secondsSince1970: number / 1000).description
    default: return UtcDate(secondsSince1970: number / 1_000_000).description
    }
  }
}

package import JsonReading
import ReportModel
import SymbolicationModel

extension ReportFacts {
  package mutating func read(sentry object: JsonValue) {
    incident = object["event_id"]?.filledString
    date = object["timestamp"]?.sdkTime ?? object["timestamp"]?.numberText
    let contexts = object["contexts"]
    let (app, os, device) = (contexts?["app"], contexts?["os"], contexts?["device"])
    launchDate = app?["app_start_time"]?.filledString
    hardwareModel = device?["model"]?.filledString
    process.name = app?["app_name"]?.filledString
    process.bundleIdentifier = app?["app_identifier"]?.filledString
    process.setVersions(
      short: app?["app_version"]?.filledString, bundle: app?["app_build"]?.filledString)
    if process.version == nil { process.version = object["release"]?.filledString }
    system.set(
      name: os?["name"]?.filledString, version: os?["version"]?.filledString,
      build: os?["build"]?.filledString)
    let images = object["debug_meta"]?["images"]
    architecture =
      images?.elements.lazy.compactMap { image in
        image["arch"]?.filledString.map { Architecture(name: $0) }
          ?? Architecture(machCpuType: image["cpu_type"], subtype: image["cpu_subtype"])
      }.first
    // Exceptions are in the order in which they were thrown.
    guard let last = object["exception"].flatMap({ Array($0.listed).last }) else { return }
    exception.read(sentry: last)
  }
}

extension ReportFacts.CrashException {
  fileprivate mutating func read(sentry value: JsonValue) {
    let mechanism = value["mechanism"]
    // Before 2018 what is in `meta` was in `data`, or in `mechanism` itself.
    let meta = mechanism?["meta"] ?? mechanism
    let mach = meta?["mach_exception"]
    let signal = meta?["signal"] ?? meta?["posix_signal"]
    let number = mach?["exception"]?.sdkNumber
    self.signal =
      signal?["name"]?.filledString
      ?? signal?["number"]?.sdkNumber.flatMap { MachNames.signalOfSdk($0) }
    take(
      mach: mach?["name"]?.filledString ?? mach?["exception_name"]?.filledString
        ?? number.flatMap { MachNames.exception($0) },
      codes: [mach?["code"]?.sdkNumber, mach?["subcode"]?.sdkNumber].compactMap(\.self),
      codeName: nil,
      address: (mechanism?["data"]?["relevant_address"] ?? meta?["relevant_address"])?.sdkNumber)
    let (type, text) = (value["type"]?.filledString, value["value"]?.filledString)
    if let type, type.hasPrefix("EXC_") || type.hasPrefix("SIG") {
      // Of a signal or a Mach exception the value is what the SDK made of its numbers.
      if self.type == nil, type.hasPrefix("EXC_") { self.type = type }
      if self.signal == nil, type.hasPrefix("SIG") { self.signal = type }
      message = text
    } else {
      (name, reason) = (type, text)
    }
  }
}

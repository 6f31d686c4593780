import JsonReading
import ReportModel
import SymbolicationModel

/// Exceptions of the Measure SDK: `exceptions[].frames[]`, `threads[].frames[]` and
/// `binary_images[]`, alone or as the `exception` of an event. Addresses are hexadecimal without
/// `0x`. `symbol_address` is the address of the instruction.
enum MeasureDialect: SdkJsonDialect {
  static let format = ReportFormat.measureException
  private static let keys = SdkFrameKeys.measure

  static func matches(_ object: JsonValue) -> Bool {
    let body = object["exception"] ?? object
    return body["exceptions"]?.elements.contains { exception in
      exception["frames"]?.elements.contains { $0["symbol_address"] != nil } ?? false
    } ?? false
  }

  static func read(_ object: JsonValue, into content: inout SdkJsonContent) {
    let body = object["exception"] ?? object
    content.addImages(body["binary_images"], image)
    let exceptions = body["exceptions"].map { Array($0.elements) } ?? []
    let threads = body["threads"].map { Array($0.elements) } ?? []
    content.facts.read(measure: object, exceptions.first)
    let numbers = Set(threads.compactMap { $0["sequence"]?.sdkInteger })
    let isThrown = content.facts.exception.name != nil
    for (index, exception) in exceptions.enumerated() {
      guard content.takeThread(exception) else { return }
      let frames = content.frames(exception["frames"], keys) { place, _ in
        place == 0 && !isThrown ? .programCounter : .returnAddress
      }
      let number = exception["thread_sequence"]?.sdkInteger
      // The stack of the thread is only here, unless it is listed again.
      let isThread = index == 0 && number.map { !numbers.contains($0) } ?? true
      content.add(
        Backtrace(
          kind: isThread ? .thread : index == 0 ? .lastException : .applicationSpecific,
          number: isThread ? number : index == 0 ? nil : index - 1,
          name: isThread ? exception["thread_name"]?.filledString : nil, isCrashed: isThread,
          frames: frames, byteRange: exception.byteRange))
    }
    let crashed = exceptions.first?["thread_sequence"]?.sdkInteger
    for thread in threads {
      guard content.takeThread(thread) else { return }
      let number = thread["sequence"]?.sdkInteger
      let isCrashed =
        number != nil && number == crashed && !content.hasCrashedThread
      let frames = content.frames(thread["frames"], keys) { place, _ in
        place == 0 && !(isCrashed && isThrown) ? .programCounter : .returnAddress
      }
      content.add(
        Backtrace(
          kind: .thread, number: number, name: thread["name"]?.filledString, isCrashed: isCrashed,
          frames: frames, byteRange: thread.byteRange))
    }
  }

  private static func image(_ value: JsonValue) -> BinaryImage? {
    guard let start = value["start_addr"]?.sdkDigits else { return nil }
    var values = BinaryImage.Values(byteRange: value.byteRange)
    values.path = value["path"]?.filledString
    values.name = value["name"]?.filledString ?? values.path?.lastPathComponent
    values.identity = value["uuid"]?.string.flatMap { ImageIdentity(hexadecimal: $0.utf8) }
    values.architecture = value["arch"]?.filledString.map { Architecture(name: $0) }
    // Some versions write the last address, others the first one behind the image.
    var end = value["end_addr"]?.sdkDigits ?? start
    if end & 1 == 1, end < .max { end += 1 }
    return BinaryImage(loadAddress: LoadAddress(start), endAddress: LoadAddress(end), values)
  }
}

extension ReportFacts {
  fileprivate mutating func read(measure object: JsonValue, _ exception: JsonValue?) {
    let attributes = object["attribute"] ?? object["attributes"]
    incident = object["id"]?.filledString
    date = object["timestamp"]?.filledString
    hardwareModel = attributes?["device_model"]?.filledString
    process.bundleIdentifier = attributes?["app_unique_id"]?.filledString
    process.setVersions(
      short: attributes?["app_version"]?.filledString,
      bundle: attributes?["app_build"]?.filledString)
    system.set(
      name: attributes?["os_name"]?.filledString, version: attributes?["os_version"]?.filledString,
      build: exception?["os_build_number"]?.filledString)
    let images = (object["exception"] ?? object)["binary_images"]
    architecture =
      (images?.elements.lazy.compactMap { $0["arch"]?.filledString }.first
      ?? attributes?["device_cpu_arch"]?.filledString).map { Architecture(name: $0) }
    self.exception.signal = exception?["signal"]?.filledString
    let (type, text) = (exception?["type"]?.filledString, exception?["message"]?.filledString)
    if let type, !type.hasPrefix("EXC_"), !type.hasPrefix("SIG") {
      (self.exception.name, self.exception.reason) = (type, text)
    } else {
      self.exception.type = type
      self.exception.message = text
    }
    for (name, value) in [
      ("type", exception?["type"]), ("signal", exception?["signal"]),
      ("message", exception?["message"]),
    ] {
      guard let text = value?.filledString else { continue }
      fields.append(Field(name: name, value: text))
    }
  }
}

import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// Bugsnag's events: `exceptions[].stacktrace[]` and `threads[].stacktrace[]`. There is no list of
/// images: each frame has the UUID, the path and the start of its own.
enum BugsnagDialect: SdkJsonDialect {
  static let format = ReportFormat.bugsnagEvent
  private static let keys = SdkFrameKeys.bugsnag

  static func matches(_ object: JsonValue) -> Bool {
    ["exceptions", "threads"].contains { key in
      object[key]?.elements.contains { $0["stacktrace"]?.kind == .array } ?? false
    }
  }

  static func read(_ object: JsonValue, into content: inout SdkJsonContent) {
    var images = BugsnagImages(at: object.byteRange.lowerBound)
    let exceptions = object["exceptions"].map { Array($0.elements) } ?? []
    let threads = object["threads"].map { Array($0.elements) } ?? []
    content.facts.read(bugsnag: object, exceptions.first)
    let isOfFault = content.facts.exception.name == nil
    // The first exception is the one that ended the app; the others caused it.
    defer { content.images = images.images }
    for (index, exception) in exceptions.enumerated() {
      guard let stack = exception["stacktrace"] else { continue }
      guard content.takeThread(exception) else { return }
      let frames = content.frames(stack, keys) { kind(of: $1, at: $0, isInterrupted: isOfFault) }
      images.add(stack, &content)
      content.add(
        Backtrace(
          kind: index == 0 ? .lastException : .applicationSpecific,
          number: index == 0 ? nil : index - 1, frames: frames, byteRange: exception.byteRange))
    }
    for thread in threads {
      guard let stack = thread["stacktrace"] else { continue }
      guard content.takeThread(thread) else { return }
      let isReporting = thread["errorReportingThread"]?.boolean == true
      let frames = content.frames(stack, keys) {
        kind(of: $1, at: $0, isInterrupted: isOfFault || !isReporting)
      }
      images.add(stack, &content)
      content.add(
        Backtrace(
          kind: .thread, number: thread["id"]?.sdkInteger, name: thread["name"]?.filledString,
          isCrashed: isReporting && !content.hasCrashedThread,
          frames: frames, byteRange: thread.byteRange))
    }
  }

  /// - Parameter isInterrupted: whether the stack was taken where the thread was, not by a call.
  private static func kind(
    of frame: JsonValue, at place: Int, isInterrupted: Bool
  ) -> FrameAddressKind {
    if let isProgramCounter = frame["isPC"]?.boolean, isProgramCounter { return .programCounter }
    return place == 0 && isInterrupted ? .programCounter : .returnAddress
  }
}

/// The images that the frames of an event name. Their sizes are not stated: an image is taken to
/// end behind the last address that a frame has in it.
private struct BugsnagImages {
  private var entries: [Entry] = []
  private var indices: [UInt64: Int] = [:]
  /// An image has no place in the report.
  private let place: Range<Int>

  private struct Entry {
    let start: UInt64
    var end: UInt64
    let values: BinaryImage.Values
  }

  init(at offset: Int) { place = offset..<offset }

  mutating func add(_ stack: JsonValue, _ content: inout SdkJsonContent) {
    for frame in stack.elements {
      guard let start = frame["machoLoadAddress"]?.sdkNumber, start > 0 else { continue }
      var end = start
      if let address = frame["frameAddress"]?.sdkNumber, address >= start, address < .max {
        end = address + 1
      }
      if let index = indices[start] {
        entries[index].end = max(entries[index].end, end)
        continue
      }
      guard content.allowance.takeImage(at: frame.byteRange, &content.faults) else { return }
      var values = BinaryImage.Values(byteRange: place)
      values.path = frame["machoFile"]?.filledString
      values.name = values.path?.lastPathComponent
      values.identity = frame["machoUUID"]?.string.flatMap { ImageIdentity(hexadecimal: $0.utf8) }
      values.architecture = content.facts.architecture
      indices[start] = entries.count
      entries.append(Entry(start: start, end: end, values: values))
    }
  }

  var images: [BinaryImage] {
    entries.map {
      BinaryImage(loadAddress: LoadAddress($0.start), endAddress: LoadAddress($0.end), $0.values)
    }
  }
}

extension ReportFacts {
  fileprivate mutating func read(bugsnag object: JsonValue, _ exception: JsonValue?) {
    let (app, device) = (object["app"], object["device"])
    let error = object["metaData"]?["error"]
    date = device?["time"]?.filledString
    hardwareModel = device?["model"]?.filledString
    process.bundleIdentifier = app?["id"]?.filledString
    process.name = object["metaData"]?["app"]?["name"]?.filledString
    process.setVersions(
      short: app?["version"]?.filledString, bundle: app?["bundleVersion"]?.filledString)
    system.set(
      name: device?["osName"]?.filledString, version: device?["osVersion"]?.filledString,
      build: device?["runtimeVersions"]?["osBuild"]?.filledString)
    architecture = app?["binaryArch"]?.filledString.map { Architecture(name: $0) }
    let (type, text) = (exception?["errorClass"]?.filledString, exception?["message"]?.filledString)
    if let type, type.hasPrefix("EXC_") || type.hasPrefix("SIG") {
      if type.hasPrefix("EXC_") { self.exception.type = type } else { self.exception.signal = type }
      self.exception.message = text
      if let signal = error?["signal"]?["name"]?.filledString { self.exception.signal = signal }
      if let mach = error?["mach"] {
        self.exception.take(
          mach: mach["exception_name"]?.filledString ?? type,
          codes: [mach["code"]?.sdkNumber, mach["subcode"]?.sdkNumber].compactMap(\.self),
          codeName: mach["code_name"]?.filledString, address: error?["address"]?.sdkNumber)
      }
    } else {
      (self.exception.name, self.exception.reason) = (type, text)
    }
    applicationInformation = error?["crashInfo"]?.string?.filledLines ?? []
    for (name, value) in [
      ("errorClass", exception?["errorClass"]), ("message", exception?["message"]),
      ("severity", object["severity"]), ("unhandled", object["unhandled"]),
    ] {
      guard let value, let text = value.string ?? value.boolean.map({ String($0) }) else {
        continue
      }
      fields.append(Field(name: name, value: text))
    }
  }
}

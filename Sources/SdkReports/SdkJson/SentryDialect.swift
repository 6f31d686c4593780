import JsonReading
import ReportModel
import SymbolicationModel

/// Sentry's events: `exception.values[].stacktrace.frames[]`, `threads.values[]` and
/// `debug_meta.images[]`. Frames are written with the outermost call first, and numbers as
/// hexadecimal texts.
///
/// Source: develop.sentry.dev/sdk/data-model/event-payloads.
enum SentryDialect: SdkJsonDialect {
  static let format = ReportFormat.sentryEvent
  private static let keys = SdkFrameKeys.sentry

  static func matches(_ object: JsonValue) -> Bool {
    ["exception", "threads", "stacktrace"].contains { key in
      guard let value = object[key] else { return false }
      if value["frames"]?.kind == .array { return true }
      return value.listed.contains { $0["stacktrace"]?["frames"]?.kind == .array }
    }
  }

  static func read(_ object: JsonValue, into content: inout SdkJsonContent) {
    content.addImages(object["debug_meta"]?["images"], image)
    content.facts.read(sentry: object)
    addFields(object, into: &content)
    let reader = SentryStackReader(images: content.images)
    let exceptions = (object["exception"].map { Array($0.listed) } ?? []).filter { value in
      value["stacktrace"]?["frames"]?.kind == .array
    }
    let threads = SentryThreads(object["threads"])
    for (index, exception) in exceptions.enumerated() {
      guard content.takeThread(exception) else { return }
      let isLast = index == exceptions.count - 1
      reader.add(exception, isLast: isLast, threads.threadWithoutFrames(of: exception), &content)
    }
    for thread in threads.withFrames {
      guard content.takeThread(thread) else { return }
      reader.add(thread, &content)
    }
    // What an event without exceptions and threads has.
    if let stack = object["stacktrace"], stack["frames"]?.kind == .array, content.takeThread(stack)
    {
      content.add(
        Backtrace(
          kind: .thread, frames: reader.frames(of: stack, &content), isOutermostFirst: true,
          byteRange: stack.byteRange))
    }
  }

  private static func image(_ value: JsonValue) -> BinaryImage? {
    let path =
      value["code_file"]?.filledString ?? value["name"]?.filledString
      ?? value["debug_file"]?.filledString
    return BinaryImage(
      sdk: value, path: path, identity(value),
      value["arch"]?.filledString.map { Architecture(name: $0) })
  }

  /// Of an ELF file the build-id (`code_id`): `debug_id` has only its first bytes, in the order of
  /// a GUID. Of any other the UUID; `debug_id` may have a number behind it.
  private static func identity(_ value: JsonValue) -> ImageIdentity? {
    if value["type"]?.string == "elf" {
      return value["code_id"]?.string.flatMap { ImageIdentity(hexadecimal: $0.utf8) }
    }
    let text =
      value["debug_id"]?.filledString ?? value["uuid"]?.filledString
      ?? value["code_id"]?.filledString
    guard let text else { return nil }
    return ImageIdentity(
      hexadecimal: text.utf8.prefix(text.utf8.contains(UInt8(ascii: "-")) ? 36 : 32))
  }

  private static func addFields(_ object: JsonValue, into content: inout SdkJsonContent) {
    for key in ["event_id", "timestamp", "platform", "level", "release", "dist", "environment"] {
      content.addField(key, object[key])
    }
    if let words = content.facts.exception.words {
      content.facts.fields.append(ReportFacts.Field(name: "exception", value: words))
    }
  }
}

/// The threads of an event.
private struct SentryThreads {
  private let all: [JsonValue]
  /// The first thread with each number.
  private var indices: [Int: Int] = [:]

  init(_ value: JsonValue?) {
    all = (value.map { Array($0.listed) } ?? []).filter { $0.kind == .object }
    for (index, thread) in all.enumerated() {
      guard let number = Self.number(of: thread), indices[number] == nil else { continue }
      indices[number] = index
    }
  }

  var withFrames: [JsonValue] { all.filter { $0["stacktrace"]?["frames"]?.kind == .array } }

  /// The thread that an exception was thrown in, if its stack is only with the exception.
  func threadWithoutFrames(of exception: JsonValue) -> JsonValue? {
    guard let number = exception["thread_id"]?.sdkInteger, let index = indices[number] else {
      return nil
    }
    let thread = all[index]
    return thread["stacktrace"]?["frames"]?.kind == .array ? nil : thread
  }

  static func number(of thread: JsonValue) -> Int? {
    // The first versions call it `uuid`.
    (thread["id"] ?? thread["uuid"])?.sdkInteger
  }
}

private struct SentryStackReader {
  /// For addresses that are relative to an image.
  let images: [BinaryImage]

  /// Adds the stack of an exception: that of its thread, or one of its own.
  func add(
    _ exception: JsonValue, isLast: Bool, _ thread: JsonValue?, _ content: inout SdkJsonContent
  ) {
    guard let stack = exception["stacktrace"] else { return }
    let frames = frames(of: stack, &content)
    if isLast { content.addRegisters(stack["registers"]) }
    content.add(
      Backtrace(
        kind: thread != nil ? .thread : isLast ? .lastException : .applicationSpecific,
        number: thread.flatMap { SentryThreads.number(of: $0) }
          ?? (isLast ? nil : content.backtraces.count),
        name: thread?["name"]?.filledString,
        isCrashed: thread != nil && !content.hasCrashedThread,
        frames: frames, isOutermostFirst: true, byteRange: exception.byteRange))
  }

  func add(_ thread: JsonValue, _ content: inout SdkJsonContent) {
    guard let stack = thread["stacktrace"] else { return }
    let frames = frames(of: stack, &content)
    let isCrashed =
      thread["crashed"]?.boolean == true && !content.hasCrashedThread
    if isCrashed, content.registers.isEmpty { content.addRegisters(stack["registers"]) }
    content.add(
      Backtrace(
        kind: .thread, number: SentryThreads.number(of: thread),
        name: thread["name"]?.filledString, isCrashed: isCrashed, frames: frames,
        isOutermostFirst: true, byteRange: thread.byteRange))
  }

  /// The frames of a stack, innermost first.
  func frames(of stack: JsonValue, _ content: inout SdkJsonContent) -> [StackFrame] {
    let adjustment = stack["instruction_addr_adjustment"]?.string
    let programCounter = stack["registers"]?.sdkProgramCounter
    let frames = content.frames(stack["frames"], .sentry, isOutermostFirst: true) { place, frame in
      switch adjustment {
      case "none": return .programCounter
      case "all": return .returnAddress
      case "all_but_first": return place == 0 ? .programCounter : .returnAddress
      default:
        guard place == 0 else { return .returnAddress }
        guard let programCounter else { return .programCounter }
        return address(of: frame) == programCounter ? .programCounter : .returnAddress
      }
    }
    return frames.map { frame in
      guard let values = frame.values, let object = values.json, isRelative(object) else {
        return frame
      }
      var absolute = values
      // What is stated is counted from the image as well.
      absolute.imageRelativeAddress = nil
      return StackFrame(
        address: address(of: object).map { LoadAddress($0) }, carrier: .values(absolute))
    }
  }

  private func isRelative(_ frame: JsonValue) -> Bool {
    frame["addr_mode"]?.string?.hasPrefix("rel:") ?? false
  }

  /// The address in the process; of one that is counted from an image (`rel:2`), the sum.
  private func address(of frame: JsonValue) -> UInt64? {
    guard let address = SdkFrameKeys.sentry.statedAddress(frame) else { return nil }
    guard let mode = frame["addr_mode"]?.string, mode.hasPrefix("rel:") else { return address }
    guard let index = Int(mode.dropFirst(4)), images.indices.contains(index) else { return nil }
    let (sum, overflow) = images[index].loadAddress.value.addingReportingOverflow(address)
    return overflow ? nil : sum
  }
}

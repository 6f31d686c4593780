import JsonReading
import ReportModel
import SymbolicationModel

/// KSCrash, in all its versions: `crash.threads[].backtrace.contents[]` and `binary_images[]`.
///
/// If KSCrash crashes while it writes a report, it writes a second, minimal one about that. One of
/// the two then lies in the other (`recrash_report`); older versions have the first inside the
/// second. Both are about the same process, so they are one report here: of the crash that came
/// first, with the stack of the second among its threads. The thread of the first is marked as the
/// one that crashed, wherever it stands.
enum KsCrashDialect: SdkJsonDialect {
  static let format = ReportFormat.ksCrashJson
  static let keys = SdkFrameKeys.ksCrash

  static func matches(_ object: JsonValue) -> Bool {
    guard let crash = object["crash"], crash.kind == .object else { return false }
    return object["report"]?.kind == .object || object["binary_images"]?.kind == .array
      // Of a part.
      || crash["error"]?["mach"]?.kind == .object && crash["error"]?["signal"]?.kind == .object
  }

  static func read(_ object: JsonValue, into content: inout SdkJsonContent) {
    let inner = object["recrash_report"].flatMap { matches($0) ? $0 : nil }
    let isOfSecond = object["report"]?["type"]?.string == "minimal"
    let (first, second) =
      if let inner, isOfSecond { (inner, object as JsonValue?) } else { (object, inner) }
    let images = [object, inner].lazy.compactMap { $0?["binary_images"] }.first
    content.addImages(images, image)
    content.facts.read(first, system: first["system"] ?? object["system"])
    addFields(first, into: &content)
    // Of a hang the main thread is marked.
    addThreads(of: first, isCrash: content.facts.event == .crash, into: &content)
    if let second { addThreads(of: second, isCrash: false, into: &content) }
    addProfile(first["crash"]?["error"]?["profile"], into: &content)
  }

  private static func image(_ value: JsonValue) -> BinaryImage? {
    BinaryImage(
      sdk: value, path: value["name"]?.filledString,
      value["uuid"]?.string.flatMap { ImageIdentity(hexadecimal: $0.utf8) })
  }

  private static func addFields(_ object: JsonValue, into content: inout SdkJsonContent) {
    content.addFields(object["report"])
    content.addFields(object["system"])
    content.addField("incomplete", object["incomplete"])
    content.addField("diagnosis", object["crash"]?["diagnosis"])
    guard let error = object["crash"]?["error"] else { return }
    content.addField("type", error["type"])
    content.addField("reason", error["reason"])
    let exception = content.facts.exception
    let thrown = [exception.name, exception.reason].compactMap(\.self).joined(separator: ": ")
    for (name, words) in [
      ("mach", exception.words), ("nsexception", thrown),
      ("cpp_exception", exception.name), ("hang", EventTime(hang: error["hang"])?.words),
    ] {
      guard let value = error[name], value.kind == .object, let words else { continue }
      content.facts.fields.append(
        ReportFacts.Field(name: name, value: words, byteRange: value.byteRange))
    }
  }

  // MARK: Threads

  /// - Parameter isCrash: whether the crashed thread is that of the crash, not of a second one.
  private static func addThreads(
    of object: JsonValue, isCrash: Bool, into content: inout SdkJsonContent
  ) {
    guard let crash = object["crash"] else { return }
    let type = crash["error"]?["type"]?.string
    if let threads = crash["threads"] {
      for thread in threads.elements where !add(thread, type, isCrash, into: &content) { return }
    }
    if let thread = crash["crashed_thread"] { _ = add(thread, type, isCrash, into: &content) }
  }

  /// - Returns: false if the limit is reached.
  private static func add(
    _ thread: JsonValue, _ errorType: String?, _ isCrash: Bool, into content: inout SdkJsonContent
  ) -> Bool {
    guard thread.kind == .object else {
      content.addUnexpected(thread)
      return true
    }
    guard content.takeThread(thread) else { return false }
    let isCrashed =
      isCrash && thread["crashed"]?.boolean == true
      && !content.hasCrashedThread
    let start = KsCrashStart(thread, errorType)
    let frames = content.frames(thread["backtrace"]?["contents"], keys) { place, frame in
      place == 0 ? start.kind(of: keys.statedAddress(frame)) : .returnAddress
    }
    if isCrashed {
      content.addRegisters(thread["registers"]?["basic"])
      content.addRegisters(thread["registers"]?["exception"])
      content.facts.usedObject = ReportFacts.UsedObject(thread["notable_addresses"])
    }
    let skipped = thread["backtrace"]?["skipped"].flatMap { $0.sdkNumber ?? 0 > 0 ? $0 : nil }
    content.add(
      Backtrace(
        kind: .thread, number: thread["index"]?.sdkInteger, name: thread["name"]?.filledString,
        dispatchQueue: thread["dispatch_queue"]?.filledString, isCrashed: isCrashed,
        frames: frames, byteRange: thread.byteRange,
        omissions: skipped.map { [$0.byteRange] } ?? []))
    return true
  }

  /// The frames of a profile: each is listed once, and samples refer to it by its place. They are
  /// shown as a tree without calls, in the order of the list, with the number of samples each is
  /// in.
  private static func addProfile(_ profile: JsonValue?, into content: inout SdkJsonContent) {
    guard let profile, let list = profile["frames"], list.kind == .array,
      content.takeThread(list)
    else { return }
    // KSCrash writes the address before the return address here, to look it up.
    let frames = content.frames(list, keys) { _, _ in .programCounter }
    var counts = [Int](repeating: 0, count: frames.count)
    var lastSample = [Int](repeating: -1, count: frames.count)
    var samples = 0
    if let list = profile["samples"] {
      for sample in list.elements {
        if let indices = sample["frames"] {
          for index in indices.elements {
            guard let index = index.sdkInteger, frames.indices.contains(index),
              lastSample[index] != samples
            else { continue }
            lastSample[index] = samples
            counts[index] += 1
          }
        }
        samples += 1
      }
    }
    let counted = zip(frames, counts).map { frame, count in
      guard var values = frame.values else { return frame }
      values.depth = 0
      values.sampleCount = count
      return StackFrame(address: frame.address, carrier: .values(values))
    }
    content.add(
      Backtrace(
        kind: .thread, name: profile["name"]?.filledString, frames: counted, isCallTree: true,
        sampleCount: samples, byteRange: list.byteRange))
  }
}

/// What the first address of a thread is.
private struct KsCrashStart {
  private let programCounter: UInt64?
  /// Whether the stack was taken by a call, as for exceptions: then all of its addresses are return
  /// addresses.
  private let isOfCall: Bool

  init(_ thread: JsonValue, _ errorType: String?) {
    programCounter = thread["registers"]?["basic"]?.sdkProgramCounter
    let isThrown = ["nsexception", "cpp_exception", "user"].contains(errorType)
    isOfCall =
      thread["current_thread"]?.boolean == true || thread["crashed"]?.boolean == true && isThrown
  }

  func kind(of address: UInt64?) -> FrameAddressKind {
    if let programCounter { return programCounter == address ? .programCounter : .returnAddress }
    return isOfCall ? .returnAddress : .programCounter
  }
}

extension ReportFacts.UsedObject {
  /// KSCrash looks at what registers and the stack point at, and keeps the class of the last object
  /// that was deallocated at an address.
  ///
  /// Source: github.com/kstenerud/KSCrash, KSCrashReportC.c (`writeNotableRegisters`),
  /// KSCrashMonitor_Zombie.c.
  fileprivate init?(_ notable: JsonValue?) {
    guard let notable else { return nil }
    for (object, message) in [("x0", "x1"), ("rdi", "rsi"), ("r0", "r1")] {
      let text = notable[message].flatMap { $0["type"]?.string == "string" ? $0 : nil }
      let value = notable[object]
      let deallocated =
        value?["last_deallocated_obj"]?.filledString
        ?? value?["last_deallocated_object"]?.filledString
      guard let found = deallocated == nil ? text : value else { continue }
      self.init(
        deallocatedClass: deallocated, selector: text?["value"]?.filledString,
        byteRange: found.byteRange)
      return
    }
    return nil
  }
}

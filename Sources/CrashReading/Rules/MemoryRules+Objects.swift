import CodeOwnership
import CrashLogParser
import FunctionNames
import ReportSymbolication
import SymbolicationModel
import Wording

/// Objects that were freed or overwritten before they were used.
extension MemoryRules {
  /// The runtime touched an object's memory, and it was no object any more. These functions accept
  /// nil, so a fault in them near address 0 is no null pointer either: the object's class pointer
  /// was overwritten, as in a block of memory that was freed.
  static func freedObject(_ scene: CrashScene) -> CauseFinding? {
    guard let fault = scene.memoryFault else { return objectWithoutException(scene) }
    let message = scene.facts.sentSelector
    // What the runtime calls of others, such as `dealloc`, is in another image.
    let runtime = scene.innermostFrames.prefix(6).prefix {
      $0.imageFileName == scene.innermostFrames.first?.imageFileName
    }
    guard
      let frame = runtime.first(where: { ObjectFunctions.use($0.function) })
        ?? runtime.prefix(1).first(where: { ObjectFunctions.destroy($0.function) }),
      isOfSystem(frame, scene),
      !runtime.prefix(while: { $0.index != frame.index }).contains(where: {
        ObjectFunctions.setUpClass($0.function)
      })
    else { return namelessMessage(scene, fault) }
    let function = frame.function ?? ""
    // These do not accept nil, or read the variable first that holds the object.
    let readsVariable = ObjectFunctions.readsVariable(function)
    if readsVariable, fault.isNull || fault.address == nil { return nil }
    let selector = function.hasPrefix("objc_msgSend") ? message?.selector : nil
    let deallocated = scene.facts.usedObject.flatMap(\.deallocatedClass)
    let isObserver = scene.innermostFrames.prefix(4).contains { frame in
      frame.function?.hasPrefixBytes("KVO_IS_RETAINING_ALL_OBSERVERS_") == true
    }
    let noted =
      deallocated.map { ", where an object of the class \($0) was freed" }
      ?? (isObserver ? ": an observer (KVO)" : "")
    return CauseFinding(
      .freedObject, freedObject(function, selector) + noted,
      fault.isNull || deallocated != nil ? .likely : .possible,
      [scene.evidence(frame), selector.flatMap { _ in message?.evidence }]
        + [deallocated.flatMap { _ in scene.facts.usedObject?.evidence }] + fault.evidence)
  }

  /// The text begins with the frames: what the innermost one does can fail only in one way.
  private static func objectWithoutException(_ scene: CrashScene) -> CauseFinding? {
    guard scene.exception.type == nil, scene.exception.signal == nil, scene.facts.event == .crash,
      scene.report.crashedThread != nil || scene.report.backtraces.count == 1,
      let first = scene.innermostFrames.first
    else { return nil }
    let called = isNowhere(first) ? first : nil
    guard let frame = called == nil ? first : scene.innermostFrames.dropFirst().first,
      ObjectFunctions.use(frame.function) || ObjectFunctions.destroy(frame.function),
      // It may have been given null.
      !ObjectFunctions.readsVariable(frame.function ?? ""), isOfSystem(frame, scene)
    else { return nil }
    return CauseFinding(
      .freedObject, freedObject(frame.function ?? "", nil), .possible,
      [scene.evidence(frame), called.map(scene.evidence)])
  }

  /// Whether an address is in no image. If the runtime called it, as what destroys an object, it
  /// took the address from that object: `0  ???  0x2a001c0de (Missing)` in Crashlytics' pages.
  private static func isNowhere(_ frame: ShownFrame) -> Bool {
    frame.function == nil && frame.imageName == unknownImageName
      && frame.address.map { $0.value >= MemoryFault.nullLimit } ?? false
  }

  /// Whether a frame is the system's, or has no image, as those that Xcode copies, or is of Swift's
  /// runtime, which may be linked into the program: the names of its functions are nobody else's.
  private static func isOfSystem(_ frame: ShownFrame, _ scene: CrashScene) -> Bool {
    frame.imageName == unknownImageName
      || ObjectFunctions.areOfSwift(frame.function) || scene.owners.owner(of: frame) == .system
  }

  private static func freedObject(_ function: String, _ selector: String?) -> String {
    let function =
      ObjectFunctions.countsReferences(function)
      ? "in Swift's reference counting" : ReadableName.readable(function)
    let selector = selector.map { ", selector \($0)" } ?? ""
    return "an object was used that was freed or overwritten before (\(function)\(selector))"
  }

  /// A fault near address 0 in a function of the runtime that has no name, or whose frame is not in
  /// the text: the system's words about `objc_msgSend()`, or the offset, which is that of something
  /// in the class of an object, stand for it.
  private static func namelessMessage(
    _ scene: CrashScene, _ fault: MemoryFault
  ) -> CauseFinding? {
    let frame = scene.innermostFrames.first
    guard frame == nil || frame?.function == nil && frame?.imageFileName == "libobjc.A.dylib"
    else { return nil }
    if let message = scene.facts.sentSelector {
      return CauseFinding(
        .freedObject, freedObject("objc_msgSend", message.selector), .possible,
        [message.evidence] + fault.evidence)
    }
    guard let frame, fault.isNull, fault.address != 0, frame.index == 0 else { return nil }
    return CauseFinding(
      .freedObject, freedObject("in libobjc.A.dylib", nil), .possible,
      [scene.evidence(frame)] + fault.evidence)
  }

}

extension ReportFacts {
  /// The message that `objc_msgSend()` was sending when it failed, as the system or a crash SDK
  /// says.
  ///
  /// Source: developer.apple.com/documentation/xcode/investigating-crashes-for-zombie-objects.
  /// The text may break off in front of the selector: `objc_msgSen`.
  fileprivate var sentSelector: (selector: String?, evidence: CauseEvidence)? {
    let starts = [
      "objc_msgSend() selector name: ", "Selector name found in current argument registers: ",
    ]
    if let line = applicationInformation.last, (8..<starts[0].utf8.count).contains(line.utf8.count),
      starts[0].hasPrefix(line)
    {
      return (nil, CauseEvidence(source: .information, text: line, byteRange: nil))
    }
    for line in applicationInformation {
      guard let start = starts.first(where: { line.hasPrefix($0) }) else { continue }
      return (
        String(line.dropFirst(start.count)),
        CauseEvidence(source: .information, text: line, byteRange: nil)
      )
    }
    return usedObject.flatMap { object in object.selector.map { ($0, object.evidence) } }
  }
}

extension ReportFacts.UsedObject {
  /// The record of KSCrash.
  fileprivate var evidence: CauseEvidence {
    let text = [deallocatedClass, selector].compactMap(\.self).joined(separator: ", ")
    return CauseEvidence(source: .field("notable_addresses"), text: text, byteRange: byteRange)
  }
}

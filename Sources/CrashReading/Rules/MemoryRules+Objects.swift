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
    guard let frame = runtime.first(where: usesObject) ?? runtime.prefix(1).first(where: destroys),
      isOfSystem(frame, scene),
      !runtime.prefix(while: { $0.index != frame.index }).contains(where: setsUpClass)
    else { return namelessMessage(scene, fault) }
    let function = frame.function ?? ""
    // These do not accept nil, or read the variable first that holds the object.
    let readsVariable = locationFunctions.contains { function.hasPrefix($0) }
    if fault.isNull, readsVariable { return nil }
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
      usesObject(frame) || destroys(frame), isOfSystem(frame, scene)
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
      || isOfSwiftRuntime(frame) || scene.owners.owner(of: frame) == .system
  }

  /// Whether it is one of the functions of Swift's runtime that count references or destroy
  /// objects.
  static func isOfSwiftRuntime(_ frame: ShownFrame) -> Bool {
    guard let name = frame.function else { return false }
    // Hardly any function begins with these characters.
    switch name.utf8.first {
    case UInt8(ascii: "s"), UInt8(ascii: "_"): break
    default: return false
    }
    return (name.hasPrefixBytes("swift_") || name.hasPrefixBytes("_swift_"))
      && (usesObject(frame) || destroys(frame) || name == "swift_arrayDestroy")
  }

  static func usesObject(_ frame: ShownFrame) -> Bool {
    frame.function.map { name in
      objectStarts.contains { name.hasPrefix($0) } || countsReferences(name)
        || objectFunctions.contains { name == $0 || name.hasPrefix($0 + "$") }
        || countingFunctions.contains(name.prefix { $0 != "(" })
    } ?? false
  }

  /// What Swift's and Core Foundation's functions call that count references, and what counts
  /// several at once. All accept null.
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/runtime/HeapObject.cpp, SwiftObject.mm;
  /// swiftlang/swift-corelibs-foundation, CFRuntime.c.
  private static let countingFunctions: Set<Substring> = [
    "_swift_retain_", "_swift_release_", "_swift_retain_n_", "_swift_release_n_",
    "swift_retain_n", "swift_release_n", "swift_bridgeObjectRetain_n",
    "swift_bridgeObjectRelease_n", "swift_unknownObjectRetain_n", "swift_unknownObjectRelease_n",
    "swift_nonatomic_retain", "swift_nonatomic_release", "_CFRetain", "_CFRelease",
  ]

  /// Whether it looks up in the object's class what destroys the object, or what a message calls.
  /// What it calls then may fail for other reasons.
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/runtime/HeapObject.cpp;
  /// apple-oss-distributions/objc4, runtime/objc-runtime-new.mm and objc-class.mm.
  private static func destroys(_ frame: ShownFrame) -> Bool {
    frame.function.map { destroyers.contains($0.prefix { $0 != "(" }) } ?? false
  }

  /// Whether it makes a class ready for its first message. What it reads and writes is the class,
  /// and the message may go to the class itself.
  ///
  /// Source: apple-oss-distributions/objc4, runtime/objc-runtime-new.mm, objc-initialize.mm.
  private static func setsUpClass(_ frame: ShownFrame) -> Bool {
    frame.function.map { name in
      classSetters.contains { name.hasPrefixBytes($0) }
    } ?? false
  }

  private static let classSetters = [
    "realizeClass", "realizeAndInitialize", "_class_getNonMetaClass", "getMaybeUnrealizedNonMeta",
    "_class_initialize", "class_initialize", "initializeNonMetaClass", "initializeAndLeaveLocked",
    "initializeAndMaybeRelock", "methodizeClass", "reconcileInstanceVariables",
  ]

  private static let destroyers: Set<Substring> = [
    "_swift_release_dealloc", "objc_destructInstance", "object_cxxDestructFromClass",
    "lookUpImpOrForward",
  ]

  /// Compilers call functions for each register: `objc_release_x0`.
  private static let objectStarts = [
    "objc_msgSend", "objc_retain", "objc_release", "objc_object::", "objc_autoreleasePoolPop",
    "AutoreleasePoolPage::", "(anonymous namespace)::AutoreleasePoolPage::", "_Block_release",
    "_Block_copy", "_Block_object_dispose", "weak_clear_no_lock",
  ]

  /// Where `swift_retain` and `swift_release` go if the count is not in the object.
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/runtime/RefCount.cpp.
  private static func countsReferences(_ function: String) -> Bool {
    // A template's name has the type of its result in front.
    function.hasBytes(of: "swift::RefCounts<") && function.hasBytes(of: "Slow")
  }

  private static func freedObject(_ function: String, _ selector: String?) -> String {
    let function =
      countsReferences(function)
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

  private static let objectFunctions =
    [
      // It looks for the method in the object's class.
      "_objc_msgSend_uncached", "objc_autorelease", "objc_autoreleaseReturnValue",
      "objc_opt_class", "objc_opt_respondsToSelector", "objc_opt_isKindOfClass", "objc_opt_self",
      "object_getClass", "object_getClassName", "object_isClass", "_objc_rootRelease",
      "_objc_rootRetain", "swift_retain", "swift_release", "swift_unknownObjectRetain",
      "swift_unknownObjectRelease", "swift_bridgeObjectRetain", "swift_bridgeObjectRelease",
      "CFRelease", "CFRetain",
    ] + locationFunctions

  private static let locationFunctions = [
    "objc_storeStrong", "objc_storeWeak", "objc_loadWeak", "objc_loadWeakRetained",
    "objc_destroyWeak", "objc_copyWeak", "objc_moveWeak", "swift_weakLoadStrong",
    "swift_unknownObjectWeakLoadStrong", "swift_getObjectType",
  ]
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

import CodeOwnership
import CrashLogParser
import FunctionNames
import ReportSymbolication
import Wording

/// Exceptions that nobody caught and that the report does not describe: the thrower says what they
/// are about.
enum ThrownExceptionRules {
  /// Code without names on a queue of a framework that throws other people's exceptions again.
  static func queue(_ scene: CrashScene) -> CauseFinding? {
    guard scene.exception.canEndInFunction,
      let thread = scene.report.crashedThread, let label = thread.dispatchQueue,
      let queue = queues.first(where: { $0.label == label }),
      let thrown = scene.frames.prefix(16).last(where: { frame in
        frame.function.map { throwing.contains($0) } ?? false
      }),
      let thrower = scene.frames.first(where: { scene.owners.owner(of: $0) == .user }),
      thrower.function == nil
    else { return nil }
    return CauseFinding(
      queue.kind, queue.text, .likely,
      [
        CauseEvidence(source: .field("Dispatch queue"), text: label, byteRange: nil),
        scene.evidence(thrown), scene.evidence(thrower),
      ])
  }

  private static let throwing: Set = [
    "objc_exception_throw", "objc_exception_rethrow", "__cxa_throw", "__cxa_rethrow",
  ]

  /// What else is on these queues runs in the same frames without names.
  ///
  /// Source: github.com/expo/expo, packages/expo-updates/ios/EXUpdates; facebook/react-native,
  /// RCTTurboModuleManager.mm, RCTTurboModule.mm and RCTExceptionsManager.mm.
  private static let queues: [(label: String, kind: CauseKind, text: String)] = [
    (
      "expo.controller.errorRecoveryQueue", .javaScriptError,
      "an error at start, thrown again by expo-updates, which could not recover from it"
    ),
    (
      "com.meta.react.turbomodulemanager.queue", .nativeModuleException,
      "a native module of React Native threw an exception, or reported a fatal JavaScript error"
    ),
  ]

  /// Some pages write names as symbol tables have them, with an underscore in front.
  private static func isThrow(_ frame: ShownFrame) -> Bool {
    frame.function == "objc_exception_throw" || frame.function == "_objc_exception_throw"
  }

  static func thrower(_ scene: CrashScene) -> CauseFinding? {
    guard scene.exception.canEndInFunction else { return nil }
    let frames = scene.frames
    // What handles the exception may stand above the runtime that reports it.
    let isReported = frames.prefix(40).contains(where: TerminateHandler.reportsException)
    let inner = frames.prefix(isReported ? 40 : 8)
    guard
      let thrown = inner.firstIndex(where: isThrow)
        ?? (startsBelowThrow(scene) ? 0 : nil)
    else { return nil }
    let evidence = scene.evidence(frames[thrown])
    // Who asked for an assertion threw: functions between may have the names of their neighbours.
    let start = frames[(thrown + 1)...].prefix(4).lastIndex(where: isAssertion) ?? thrown
    let index = (start..<frames.count).first { index in
      !isThrow(frames[index]) && !isRaising(frames[index]) && !standsForAssertion(index, scene)
        && !standsForRaise(index, after: thrown, scene)
    }
    // The text may end before who asserted.
    if index == nil, let assertion = frames[thrown...].first(where: isAssertion) {
      return CauseFinding(
        .assertion, "failed assertion (NSAssert), whose place is not in this text", .certain,
        [scene.evidence(assertion), evidence])
    }
    // Who gives up on a message is called by what forwards it, and may have a neighbour's name.
    if let index, index + 1 < frames.count,
      frames[index].imageFileName == "CoreFoundation" || frames[index].imageName.known == nil,
      !isNamed(frames[index], scene), isForwarding(frames[index + 1])
    {
      return unrecognizedSelector(scene, frames[index + 1], frames[(index + 1)...])
    }
    if let index, let assertion = frames[thrown..<index].first(where: isAssertion) {
      return CauseFinding(
        .assertion, "failed assertion (NSAssert) in \(place(of: frames[index]))", .certain,
        [scene.evidence(assertion), scene.evidence(frames[index])])
    }
    // `RCTFatal` ends with the throw, and its return address is in what follows it.
    if let index, frames[index].isNamedAfterNextFunction,
      frames[index].function.map({ fatalNeighbours.contains($0) }) == true
    {
      return CauseFinding(
        .javaScriptError, "fatal JavaScript error (React Native)", .likely,
        [scene.evidence(frames[index]), evidence])
    }
    // Code of a runtime that translates exceptions stands between the framework that threw and the
    // user's own; without a name for the code that threw, nobody is accused.
    guard let index, frames[index].function == nil || isNamed(frames[index], scene) else {
      if let caller = index.flatMap({ callerOfNameless($0, scene) }) {
        return CauseFinding(
          .uncaughtException,
          "uncaught Objective-C exception, which the report does not name, thrown in or below \(place(of: caller))",
          .certain, [evidence, scene.evidence(caller)])
      }
      return CauseFinding(
        .uncaughtException, "uncaught Objective-C exception, which the report does not name",
        .certain, [evidence])
    }
    if BlockHelpers.isHelper(frames[index]) {
      let caller = BlockHelpers.caller(of: index, frames)
      let words =
        caller.map { "thrown in a block of \(place(of: $0))" }
        ?? "thrown in a block of \(frames[index].imageFileName)"
      return CauseFinding(
        .uncaughtException, "uncaught Objective-C exception \(words)", .certain,
        [evidence, caller.map(scene.evidence)])
    }
    let (thrower, callers) = (frames[index], frames[index...])
    if let managed = frames[..<index].first(where: { frame in
      frame.function.map { $0.hasPrefix("xamarin_") || $0.hasPrefix("mono_") } ?? false
    }) {
      return CauseFinding(
        .managedException, "unhandled .NET exception, passed on as one of Objective-C", .likely,
        [scene.evidence(managed), evidence])
    }
    guard let function = thrower.readableFunction else {
      // If the text does not name the process, any of several images may be the app.
      let isApp =
        scene.facts.process.name != nil
        || frames.allSatisfy {
          $0.imageName == thrower.imageName || scene.owners.owner(of: $0) == .system
        }
      let words =
        scene.owners.owner(of: thrower) == .user && isApp
        ? "uncaught Objective-C exception, thrown by the app itself"
        : "uncaught Objective-C exception, thrown in \(thrower.imageFileName)"
      return CauseFinding(.uncaughtException, words, .certain, [evidence, scene.evidence(thrower)])
    }
    // Behind the thrower, whose name may be that of a function nearby.
    let isOwn = scene.owners.owner(of: thrower) == .user
    let isForwarded = callers.prefix(isOwn ? 1 : 3).contains { frame in
      frame.function?.hasBytes(of: "doesNotRecognizeSelector:") == true || isForwarding(frame)
    }
    if isForwarded {
      return unrecognizedSelector(scene, thrower, callers)
    }
    let verb = scene.exception.name == nil ? "exception thrown" : "thrown"
    if let text = CoreDataStores.reason(function) {
      return CauseFinding(
        .failedCheck, "\(text): \(verb) by \(function)", .certain,
        [scene.evidence(thrower), evidence])
    }
    if let family = families.first(where: { $0.fits(function) }) {
      return CauseFinding(
        family.kind, "\(family.text): \(verb) by \(function)", .likely,
        [scene.evidence(thrower), evidence])
    }
    return CauseFinding(
      .uncaughtException, "uncaught Objective-C exception thrown by \(function)", .certain,
      [scene.evidence(thrower), evidence])
  }

  /// Source: github.com/facebook/react-native, React/Base/RCTAssert.m.
  private static let fatalNeighbours: Set = ["RCTSetFatalHandler", "RCTGetFatalHandler"]

  /// The runtime asks the object to forward the message before it gives up, so the frame behind
  /// that sent the message.
  private static func unrecognizedSelector(
    _ scene: CrashScene, _ thrower: ShownFrame, _ callers: ArraySlice<ShownFrame>
  ) -> CauseFinding {
    let last = callers.prefix(12).lastIndex(where: isForwarding)
    let sender = last.flatMap { callers[($0 + 1)...].first }
    let words = "unrecognized selector sent to an object"
    return CauseFinding(
      .unrecognizedSelector, sender.map { "\(words) by \(place(of: $0))" } ?? words, .certain,
      [scene.evidence(thrower), sender.map(scene.evidence)])
  }

  private static func isForwarding(_ frame: ShownFrame) -> Bool {
    frame.function.map { forwarding.contains($0) } ?? false
  }

  private static let forwarding: Set = [
    "_CF_forwarding_prep_0", "__forwarding_prep_0___", "___forwarding___",
    "__forwarding_prep_1___",
  ]

  static func place(of frame: ShownFrame) -> String {
    (frame.isFarFromNamedFunction || frame.hasHiddenName ? nil : frame.readableFunction)
      ?? frame.imageFileName
  }

  /// Whether the frames of the throw were left out: the first frame only raises exceptions, or the
  /// stack is one that AppKit keeps of an exception that nobody caught.
  private static func startsBelowThrow(_ scene: CrashScene) -> Bool {
    guard scene.lacksInnermostFrames, let function = scene.frames.first?.function else {
      return false
    }
    let raising = ["+[NSException raise:", "-[NSException raise]", "+[NSException exceptionWith"]
    let stack = scene.report.crashedThread ?? scene.report.backtraces.first
    return raising.contains { function.hasPrefix($0) }
      // They have so much above them if they throw.
      || scene.exception.type == nil && scene.exception.signal == nil
        && 4...20 ~= stack?.frames.first?.index ?? 0
        && scene.frames.first.map { foundations.contains($0.imageFileName) } == true
        && families.contains { $0.fits(function) }
      || scene.report.backtraces.count == 1
        && scene.report.backtraces[0].kind == .applicationSpecific
        && scene.report.backtraces[0].frames.first?.index.map { $0 < 6 } == true
  }

  /// The function of a framework that threw an exception whose words are known, for a stack without
  /// frames of the program. If the words have its name, that of its caller. Nil if there is no room
  /// for both in a headline; names in Foundation are mostly those of neighbours.
  static func place(_ scene: CrashScene) -> ShownFrame? {
    let told = thrower(scene)?.evidence.compactMap { evidence in
      if case .frame(let index) = evidence.source { index } else { nil }
    }
    let (words, frames) = (scene.exception.reason ?? "", scene.frames)
    guard let last = told?.max(), let start = frames.firstIndex(where: { $0.index == last })
    else { return nil }
    let inner = frames[..<(RunLoop.start(frames[start...]) ?? frames.count)]
    return inner.dropFirst(start).prefix(3).first { frame in
      isNamed(frame, scene) && frame.traits?.machinery == nil && !isThrow(frame)
        && !isRaising(frame) && !isForwarding(frame)
        && !foundations.contains(frame.imageFileName)
        && frame.ownFunction.map { name in
          !words.hasBytes(of: name)
            && (words.utf8.count + name.utf8.count < 240
              // They are cut in any case.
              || words.utf8.count > 400 && name.utf8.count < 64)
        } == true
    }
  }

  /// Whether the function only raises what another one wants to throw. `_isUnarchived` and
  /// `_userInfoForFileAndLine` stand for unnamed functions after them, which do.
  static func isRaising(_ frame: ShownFrame) -> Bool {
    guard let function = frame.function else { return false }
    let names = [
      // Its plain `init` makes nothing that could be thrown: a neighbour has its name.
      "+[NSException raise:", "-[NSException raise]", "+[NSException exceptionWith",
      "-[NSException init", "-[NSException _isUnarchived]", "__exceptionPreprocess",
      "_userInfoForFileAndLine", "_CFThrowFormattedException", "_NSFileHandleRaiseOperation",
      "AVAE_RaiseException(",  // Of AVFAudio (github.com/AudioKit/AudioKit, issue 1423).
      // Neighbours of functions without names.
      "_CFArgv", "+[_CFXNotificationTokenRegistration keyCallbacks]", "-[NSCache init]",
      "-[__NSSingleObjectEnumerator ",
    ]
    return names.contains { function.hasPrefix($0) } || isAssertion(frame)
      || function.hasBytes(of: "].cold.")
  }

  /// Whether the name is the frame's own. Few functions of the system are as long as others are far
  /// from the nearest exported one.
  private static func isNamed(_ frame: ShownFrame, _ scene: CrashScene) -> Bool {
    frame.ownFunction != nil
      && (scene.owners.owner(of: frame) != .system
        || frame.offset.map { $0 < 0x4000 } ?? !contradictsName(frame, scene))
  }

  /// The framework's function that called one of Foundation without a name, which ends with the
  /// throw: its return address is the start of what follows it. The caller made the exception, or
  /// asked for what throws it.
  private static func callerOfNameless(_ index: Int, _ scene: CrashScene) -> ShownFrame? {
    let frames = scene.frames
    let isWithoutImage = frames[index].imageName == unknownImageName
    guard frames[index].isNamedAfterNextFunction,
      isWithoutImage || foundations.contains(frames[index].imageFileName), index + 1 < frames.count
    else { return nil }
    let caller = frames[index + 1]
    // The list of images may be cut off.
    if isWithoutImage, caller.imageName == unknownImageName, caller.traits?.machinery == nil,
      isNamed(caller, scene)
    {
      return caller
    }
    return scene.owners.owner(of: caller) == .system && caller.traits?.machinery == nil
      && isNamed(caller, scene) && !foundations.contains(caller.imageFileName) ? caller : nil
  }

  private static let foundations: Set = ["Foundation", "CoreFoundation"]

  /// Whether the method throws other exceptions: without offsets, names are those of the nearest
  /// symbols.
  private static func contradictsName(_ frame: ShownFrame, _ scene: CrashScene) -> Bool {
    scene.exception.name == "NSRangeException"
      && frame.readableFunction.map { function in
        !families.contains { $0.kind == .indexOutOfRange && $0.fits(function) }
      } ?? false
  }

  /// Whether a frame of Foundation is NSAssertionHandler's under the name of a neighbour: a writer
  /// that states no offsets gives the nearest symbol, and most of what throws this exception is an
  /// assertion of another framework.
  private static func standsForAssertion(_ index: Int, _ scene: CrashScene) -> Bool {
    let frame = scene.frames[index]
    guard scene.exception.name == "NSInternalInconsistencyException",
      frame.imageFileName == "Foundation", frame.offset == nil, index + 1 < scene.frames.count,
      let function = frame.readableFunction, !families.contains(where: { $0.fits(function) })
    else { return false }
    let caller = scene.frames[index + 1]
    return scene.owners.owner(of: caller) == .system
      && !foundations.contains(caller.imageFileName)
  }

  /// Whether a function of C in CoreFoundation, right below the throw, stands for `+[NSException
  /// raise:format:]`: names without offsets are those of neighbours, and hardly any such throws.
  private static func standsForRaise(_ index: Int, after thrown: Int, _ scene: CrashScene) -> Bool {
    let frame = scene.frames[index]
    guard index == thrown + 1, frame.imageFileName == "CoreFoundation", frame.offset == nil,
      index + 1 < scene.frames.count, let function = frame.readableFunction,
      ["CF", "_CF", "__CF"].contains(where: { function.hasPrefixBytes($0) }),
      !isForwarding(frame), !families.contains(where: { $0.fits(function) })
    else { return false }
    return !foundations.contains(scene.frames[index + 1].imageFileName)
  }

  private static func isAssertion(_ frame: ShownFrame) -> Bool {
    guard let function = frame.function else { return false }
    return function.hasPrefix("-[NSAssertionHandler handleFailureIn")
      || function == "_userInfoForFileAndLine"
  }

  /// What an exception is about if one of these functions throws it.
  ///
  /// Source: the "Discussion" of each method in Apple's Foundation, UIKit and AppKit references,
  /// and the messages that the classes write.
  private struct Family {
    package let kind: CauseKind
    package let text: String
    /// Parts of the names of functions.
    let parts: [String]

    init(_ kind: CauseKind, _ text: String, _ parts: String...) {
      self.kind = kind
      self.text = text
      self.parts = parts
    }

    func fits(_ function: String) -> Bool { parts.contains { function.hasBytes(of: $0) } }
  }

  private static let families = [
    Family(
      .indexOutOfRange, "index or range out of bounds", " objectAtIndex:]",
      " objectAtIndexedSubscript:]", " removeObjectAtIndex:]", " removeObjectsInRange:]",
      " replaceObjectAtIndex:withObject:]", " exchangeObjectAtIndex:withObjectAtIndex:]",
      " subarrayWithRange:]", " substringWithRange:]", " substringFromIndex:]",
      " substringToIndex:]", " characterAtIndex:]", " getObjects:range:]", " subdataWithRange:]",
      " getBytes:range:]", " replaceCharactersInRange:withString:]", " deleteCharactersInRange:]",
      " attribute:atIndex:effectiveRange:]", " attributesAtIndex:effectiveRange:]",
      "_NSArrayRaiseBound",
      "-[__NSCFString replaceCharacters"),
    Family(
      .nilArgument, "nil, or an index out of bounds, for a collection", " insertObject:atIndex:]",
      " setObject:atIndexedSubscript:]"),
    Family(
      .nilArgument, "nil as an object or a key of a collection", " setObject:forKey:]",
      " setObject:forKeyedSubscript:]", " initWithObjects:forKeys:count:]",
      " initWithObjects:count:]", " addObject:]", " removeObjectForKey:]",
      " dictionaryWithObjects:forKeys:count:]", " arrayWithObjects:count:]"),
    Family(
      .nilArgument, "nil as a string argument", " stringByAppendingString:]", " appendString:]",
      " initWithString:]", " stringWithString:]", " rangeOfString:options:range:locale:]",
      " stringByReplacingOccurrencesOfString:withString:options:range:]"),
    Family(
      .keyValueObserving, "an observer was removed that was not registered, or not handled",
      " _removeObserver:forProperty:]", " removeObserver:forKeyPath:]",
      " observeValueForKeyPath:ofObject:change:context:]", "NSKeyValueObserverNotRegistered"),
    Family(
      .keyValueCoding, "the class has no such key",
      " setValue:forUndefinedKey:]", " valueForUndefinedKey:]", " setNilValueForKey:]"),
    Family(
      .listUpdate, "an update of a list that does not fit its data",
      "-[UITableView _endCellAnimationsWithContext:]",
      "-[UITableView _throwExceptionForInvalid", "-[UICollectionView _endItemAnimations",
      "-[_UITableViewUpdateSupport", "-[UICollectionViewData", "-[UITableViewRowData",
      "-[NSTableView _", "-[NSOutlineView _"),
    Family(
      .memoryLimit, "memory could not be allocated, or too much was asked for",
      "_NSOutOfMemoryErrorHandler", "__CFReallocationFailed"),
    // Source: WebKit/WebKit, Source/WebKit/Shared/Cocoa/CompletionHandlerCallChecker.mm.
    Family(
      .failedCheck, "a delegate's method did not call the completion handler that WebKit gave it",
      "CompletionHandlerCallChecker::~CompletionHandlerCallChecker"),
    Family(
      .failedCheck, "a delegate's method called a completion handler of WebKit's more than once",
      "CompletionHandlerCallChecker::didCallCompletionHandler"),
    Family(
      .layout, "an invalid layout, such as a size that is not a number",
      "CA::Layer::set_bounds", "CA::Layer::set_position", "CALayerGetSuper", "-[CALayer set",
      "-[NSLayoutConstraint ", "+[NSLayoutConstraint ", "-[NSISEngine ",
      "-[UIView(UIConstraintBasedLayout)", "-[UIView _layoutEngine", "-[NSView _layoutSubtree"),
    Family(
      .wrongThread, "a user interface was changed outside the main thread",
      "_AssertAutoLayoutOnAllowedThreadsOnly", "-[NSWMWindowCoordinator ",
      "-[NSWindow(NSWindow_Theme) _postWindowNeedsToResetDragMargins"),
  ]
}

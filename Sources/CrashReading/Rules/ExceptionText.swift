import CodeOwnership
package import CrashLogParser
import FunctionNames
import ReportSymbolication
import SymbolicationModel
import Wording

extension ReportFacts.CrashException {
  /// `EXC_BAD_ACCESS (SIGSEGV): KERN_INVALID_ADDRESS at 0x1, codes 0x1 0x1`, and that the process
  /// went on, if it did; nil if the report says none of it.
  ///
  /// - Parameter withCodes: whether to include the codes, which differ from crash to crash.
  package func text(withCodes: Bool) -> String? {
    // KSCrash writes this if there was no exception.
    guard type != "0 (0)" else { return nil }
    let numbers = !withCodes || codes.allSatisfy { $0 == 0 } ? [] : codes
    let codes = numbers.map { $0.hexadecimal }.joined(separator: " ")
    let details = [
      subtype.map { text in
        let words = text.withoutGuess.withReadableFunction
        return isAddressCut ? words.withCutAddress : words
      }, message,
      codes.isEmpty ? nil : "codes \(codes)",
    ].compactMap(\.self)
    let kinds = if let type, let signal { "\(type) (\(signal))" } else { type ?? signal }
    let parts = [kinds, details.isEmpty ? nil : details.joined(separator: ", ")]
    let text = parts.compactMap(\.self).joined(separator: ": ")
    return text.isEmpty ? nil : text + (isWarning ? ResourceRules.wentOn : "")
  }

  /// `NSRangeException: *** -[__NSArrayM objectAtIndex:]: index 3 beyond bounds`.
  package var thrownText: String? {
    // Managed exceptions begin with their name.
    if let name, let reason, reason.hasPrefix(name + ":") { return reason }
    // React Native adds the stack of the script.
    let stack = name == "RCTFatalException" ? reason?.firstRange(of: ", stack:") : nil
    let words = reason.map { $0[..<(stack?.lowerBound ?? $0.endIndex)] }
    let shown = words.map { ReportFacts.missingLibrary(String($0)) ?? String($0) }
    let parts = [name, shown].compactMap(\.self)
    let place = stack.flatMap { reason?[$0.upperBound...].scriptPlace } ?? ""
    return parts.isEmpty ? nil : parts.joined(separator: ": ") + place
  }
}

extension Substring {
  /// `, in dealCards@109398:53`, the function and the place in the script with which the stack of
  /// an error of JavaScript begins; nil if it begins with another text.
  ///
  /// Source: github.com/facebook/react-native, React/Base/RCTAssert.m (`RCTFormatError`).
  fileprivate var scriptPlace: String? {
    let word = drop { $0.isWhitespace }.prefix { !$0.isWhitespace }
    guard word.utf8.count < 128, let at = word.lastIndex(of: "@"), at > word.startIndex else {
      return nil
    }
    let numbers = word[word.index(after: at)...].split(separator: ":")
    return numbers.count == 2 && numbers.allSatisfy { UInt64($0) != nil } ? ", in \(word)" : nil
  }
}

extension String {
  /// Without the system's guess about signed pointers, which the reason repeats if it can be true:
  /// `KERN_INVALID_ADDRESS at 0x2000… -> 0x…10 (possible pointer authentication failure)`.
  fileprivate var withoutGuess: String {
    guard hasBytes(of: MemoryRules.authenticationGuess), let arrow = firstRange(of: " -> 0x")
    else { return self }
    return String(self[..<arrow.lowerBound])
  }

  /// `KERN_INVALID_ADDRESS at 0x1…`. Digits that are all zero may be those of any address, and are
  /// left out.
  fileprivate var withCutAddress: String {
    guard let sign = firstRange(of: " at 0x"), self[sign.upperBound...].allSatisfy({ $0 == "0" })
    else { return self + "…" }
    return String(self[..<sign.lowerBound])
  }

  /// With the last word demangled if it is the function in which a sanitizer found something:
  /// `heap-buffer-overflow (Game:arm64+0x5030) in $s4Game4drawyyF`.
  fileprivate var withReadableFunction: String {
    guard let space = lastIndex(of: " "), self[..<space].hasSuffix(" in") else { return self }
    return self[...space] + ReadableName.readable(String(self[index(after: space)...]))
  }
}

/// The condition of an assertion of Xcode's, which is all that a report says about it if its writer
/// left the words out: `(_section) != nil`, below `Application Specific Signatures`.
///
/// Source: the handlers of DVTFoundation and IDEKit, and what they write, as people show them
/// (github.com/tonyarnold/swift-dependency-audit, issue 15).
enum AssertedCondition {
  static func find(_ scene: CrashScene) -> CauseFinding? {
    // Hardly any report has one, and the names of all have to be searched.
    guard let signature = signature(scene) else { return nil }
    let names = scene.innermostNames
    guard
      let last = names.prefix(16).lastIndex(where: { name in
        name.map { name in handlers.contains { name.readable.hasBytes(of: $0) } } ?? false
      })
    else { return nil }
    let asserting = names[(last + 1)...].first.flatMap { $0?.readable }
    let place = asserting.map { " in \($0)" } ?? ""
    return CauseFinding(
      .assertion, "failed assertion\(place): \(signature.text)", .certain, [signature])
  }

  private static let handlers = [
    "AssertionHandler handleFailureIn", "AssertionHandler _handleAssertion",
    "_DVTAssertionHandler", "_DVTAssertionFailureHandler",
  ]

  static func signature(_ scene: CrashScene) -> CauseEvidence? {
    if let field = scene.field("Application Specific Signatures") { return field }
    guard let value = scene.report.json?["asiSignatures"]?.elements.first(where: { _ in true }),
      let text = value.string, !text.isEmpty
    else { return nil }
    return CauseEvidence(
      source: .field("asiSignatures"), text: text, byteRange: value.byteRange)
  }
}

extension ThrownExceptionRules {
  /// An exception that was caught and thrown again, as `-[NSApplication run]` does with those of
  /// event handlers: the frames of who threw it first are gone by then.
  ///
  /// Source: Itanium C++ ABI, Exception Handling, 2.5.4 "Rethrowing Exceptions";
  /// github.com/apple-oss-distributions/objc4, runtime/objc-exception.mm.
  static func rethrown(_ scene: CrashScene) -> CauseFinding? {
    guard scene.exception.canEndInFunction else { return nil }
    let inner = scene.innermostFrames
    guard
      let thrown = scene.endingFrames.last(where: { frame in
        frame.traits.map { rethrowing.contains($0.words.lastWord) } ?? false
      }),
      let index = inner.firstIndex(where: { $0.index == thrown.index }),
      inner[..<index].allSatisfy({ frame in
        frame.traits?.machinery != nil || endingImages.contains(frame.imageFileName)
      }),
      let catcher = inner[(index + 1)...].first(where: { $0.traits?.machinery == nil })
    else { return nil }
    let words = "uncaught exception, which the report does not name"
    let again = "caught and thrown again: who threw it first is not in this text"
    let isPlace = catcher.index == scene.site?.frame.index
    // Who runs a loop of events on a thread of its own catches nothing, but names the thread.
    let below = inner.drop { $0.index != catcher.index }
    let runner = below.first { scene.owners.owner(of: $0) == .user }
    let isRunner = scene.site == nil && catcher.ownFunction?.hasBytes(of: "RunLoop") == true
    let called = runner.map { isRunner && $0.ownFunction != "main" ? place(of: $0) : "" } ?? ""
    let whose = called.isEmpty ? "" : ", which \(called) called,"
    return CauseFinding(
      .cxxException,
      isPlace
        ? "\(words), \(again)"
        : "\(words); in \(place(of: catcher))\(whose) it was \(again)", .certain,
      [scene.evidence(thrown), scene.evidence(catcher)])
  }

  private static let rethrowing: Set = [
    "objc_exception_rethrow", "__cxa_rethrow", "std::rethrow_exception",
  ]
  private static let endingImages = TerminateHandler.abortImages.union([
    "libc++abi.dylib", "libobjc.A.dylib",
  ])
}

/// Whose exception `__cxa_throw` threw.
enum ThrowCaller {
  /// ` C++ exception: std::bad_alloc`. Objective-C's exceptions are thrown by the same function, so
  /// without a caller nothing says whose it is.
  ///
  /// Source: github.com/apple-oss-distributions/objc4, runtime/objc-exception.mm
  /// (`objc_exception_throw`).
  ///
  /// - Parameter callers: of `__cxa_throw`.
  static func exception(_ callers: FrameSign.Callers) -> String? {
    guard let caller = callers.frames.first else {
      return " exception, which the report does not name"
    }
    if caller.imageFileName.hasPrefix("libobjc") {
      return " Objective-C exception, which the report does not name"
    }
    return " C++ exception\(LibraryException.detail(callers) ?? "")"
  }
}

extension ReportFacts.Mention {
  /// `; the text names Deck.deal() and -[Board turn]`, without those that are in another text.
  func named(notIn text: String) -> String {
    let names = names.filter { !text.contains($0) && !text.contains($0.prefix { $0 != "(" }) }
      .map { FittedText.function($0, columns: 100) }
    let start = words.isEmpty || !isBesideReport ? "; the text names " : ", and names "
    return names.isEmpty ? "" : start + names.joined(separator: " and ")
  }
}

extension CauseFinding {
  /// A reason that says little, with what the text around the report mentions.
  func completed(by facts: ReportFacts) -> CauseFinding {
    guard let mention = facts.mention, mention.isBesideReport, saysLittle else { return self }
    var text = kind == .exceptionType ? facts.exception.text(withCodes: true) ?? text : text
    if !mention.words.isEmpty {
      text = text.replacing(FrameSignTable.withoutMessage, with: "")
        .replacing(TrapRules.unexplained, with: "")
      if !text.contains(mention.words) { text += "; the text mentions: \(mention.words)" }
    }
    text += mention.named(notIn: text)
    guard text != self.text else { return self }
    var finding = CauseFinding(
      kind, text, confidence,
      evidence + [CauseEvidence(source: .information, text: mention.words, byteRange: nil)])
    finding.isCompleted = true
    return finding
  }

  /// Whether it is no more than a signal, a code or that some check failed.
  private var saysLittle: Bool {
    switch kind {
    case .failedCheck: text.hasSuffix(TrapRules.unexplained)
    case .exceptionType, .trapInstruction, .abort, .sentSignal: true
    case .applicationMessage: text == "abort() called"
    default: text.hasSuffix(FrameSignTable.withoutMessage)
    }
  }
}

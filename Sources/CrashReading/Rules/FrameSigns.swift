import CodeOwnership
import CrashLogParser
import FunctionNames
import ReportSymbolication
import SymbolicationModel
import Wording

/// A function whose frame says why the process ended. The table is in `FrameSignTable.swift`.
struct FrameSign: Sendable {
  let kind: CauseKind
  /// The reason in words.
  let text: String
  let confidence: CauseFinding.Confidence
  /// What else puts a frame of this function on a stack. Nil if nothing does; only then may the
  /// sign be certain.
  let elsewhere: String?
  /// Which functions.
  let patterns: [Pattern]
  /// A function that has to be among the innermost frames too; nil if none has to.
  let beside: Pattern?
  /// The caller has to be one of these functions; empty if it may be any.
  let callers: [Pattern]
  let reach: Reach
  let condition: Condition
  /// What the function's whole name, or its callers, say beside the text.
  let detail: Detail?

  typealias Detail = @Sendable (Callers) -> String?

  /// Innermost first, with the names that they have.
  struct Callers {
    let frames: ArraySlice<ShownFrame>
    let names: ArraySlice<FunctionWords?>
    /// The name that fits the sign.
    let called: FunctionWords?
  }

  /// Where the frame has to be.
  enum Reach: Sendable {
    /// Among the innermost frames, before the first of the user's own code.
    case ending
    /// Innermost: others call what waits, and its frame is further out then.
    case innermost
    /// Among the innermost frames, whoever's they are: the runtime calls the user's own code on its
    /// way down, such as a panic hook.
    case deep
  }

  /// What the exception has to be.
  enum Condition: Sendable {
    /// One that a process causes itself: `abort()`, a trap instruction, or nothing is known.
    case selfMade
    /// A trap instruction.
    case trap
    /// The signal of `abort()`.
    case abort
    case any
  }

  /// - Parameter elsewhere: what else puts the frame on a stack. The sign is certain without.
  init(
    _ kind: CauseKind, _ text: String, _ patterns: String..., beside: String? = nil,
    callers: [String] = [], reach: Reach = .ending,
    condition: Condition = .selfMade, elsewhere: String? = nil,
    confidence: CauseFinding.Confidence = .likely, detail: Detail? = nil
  ) {
    self.kind = kind
    self.text = text
    self.patterns = patterns.map { Pattern($0) }
    self.beside = beside.map { Pattern($0) }
    self.callers = callers.map { Pattern($0) }
    self.reach = reach
    self.condition = condition
    self.detail = detail
    self.elsewhere = elsewhere
    self.confidence = elsewhere == nil ? .certain : confidence
  }

  /// Which functions are meant.
  ///
  /// - A pattern without `*` is the last word of the name before its parameters, because compilers
  ///   and demanglers add to both ends (`closure #1 in _assertionFailure(_:_:file:line:flags:)`,
  ///   `abort$VARIANT$mp`) and some writers insert the offset
  ///   (`_assertionFailure+ 201624 (_:_:…)`).
  /// - Other patterns are of the whole readable name; `*` stands for any text.
  struct Pattern: Sendable {
    let text: String
    fileprivate let isWord: Bool
    /// Nearly all patterns are ruled out by these.
    fileprivate let first: UInt8
    fileprivate let letters: UInt64

    init(_ text: String) {
      self.text = text
      isWord = text.withBytes { !$0.holds(UInt8(ascii: "*")) }
      first = text.utf8.first ?? 0
      letters = isWord ? 0 : FunctionWords.letters(of: text) & ~FunctionWords.letters(of: "*")
    }

    func fits(_ name: FunctionWords) -> Bool {
      if isWord { return first == name.wordFirst && name.lastWord == text }
      guard first == name.first || first == UInt8(ascii: "*"), letters & ~name.letters == 0 else {
        return false
      }
      return text.withBytes { pattern in
        name.readable.withBytes { FrameMachinery.fits(pattern, $0) }
      }
    }
  }
}

/// Signs in the order of a table, found by the name of a function. The innermost frames of each
/// report are looked up, and hardly any is found.
struct FrameSignIndex: Sendable {
  let signs: [FrameSign]
  /// The patterns by their first byte, those of one byte in the order of the table, with what rules
  /// nearly all of them out: of one that is the last word of a name its length, of others the
  /// letters. A table by names would take a tenth of the time of a short run to make.
  private var patterns: [(key: UInt16, letters: UInt64, sign: Int, place: Int)] = []
  /// Where the patterns with each first byte begin in `patterns`; 257 numbers.
  private var starts = [Int](repeating: 0, count: 257)

  init(_ signs: [FrameSign]) {
    self.signs = signs
    for index in signs.indices {
      for place in signs[index].patterns.indices {
        starts[Int(signs[index].patterns[place].first) + 1] += 1
      }
    }
    for byte in 0..<256 { starts[byte + 1] += starts[byte] }
    patterns = Array(repeating: (0, 0, 0, 0), count: starts[256])
    var next = starts
    for index in signs.indices {
      for place in signs[index].patterns.indices {
        let pattern = signs[index].patterns[place]
        let key = pattern.isWord ? Self.key(pattern.text, pattern.first) : UInt16(pattern.first)
        patterns[next[Int(pattern.first)]] = (key, pattern.letters, index, place)
        next[Int(pattern.first)] += 1
      }
    }
  }

  /// The place of the first sign before `limit` that has a pattern for the name and that `isMet`;
  /// nil if none is.
  func first(for name: FunctionWords, before limit: Int, _ isMet: (Int) -> Bool) -> Int? {
    let word = Self.key(name.lastWord, name.wordFirst)
    let anyText = UInt8(ascii: "*")
    var found = limit
    func look(from first: UInt8) {
      for index in starts[Int(first)]..<starts[Int(first) + 1] {
        let (key, letters, sign, place) = patterns[index]
        guard sign < found else { return }
        if key == word || key == UInt16(first), letters & ~name.letters == 0,
          signs[sign].patterns[place].fits(name), isMet(sign)
        {
          found = sign
          return
        }
      }
    }
    look(from: name.first)
    if name.wordFirst != name.first { look(from: name.wordFirst) }
    look(from: anyText)
    return found < limit ? found : nil
  }

  /// Greater than any byte, as words have a length.
  private static func key(_ word: String, _ first: UInt8) -> UInt16 {
    UInt16(truncatingIfNeeded: min(word.utf8.count, 255)) << 8 | UInt16(first)
  }
}

enum FrameSigns {
  private static let runtimes = FrameSignIndex(FrameSignTable.runtimes)
  private static let platform = FrameSignIndex(FrameSignTable.platform)

  /// What the innermost frames say about a runtime that an app brings along. It knows better than
  /// the exception that it throws.
  static func runtime(_ scene: CrashScene) -> CauseFinding? {
    found(among: runtimes, scene)
  }

  /// What the innermost frames say about the system's own libraries.
  static func platform(_ scene: CrashScene) -> CauseFinding? {
    guard let finding = found(among: platform, scene) else {
      return SignalRules.abortingLibrary(scene)
    }
    guard finding.kind == .abort else { return finding }
    return SignalRules.abortingLibrary(scene) ?? AbortCaller.inOwnWords(finding, scene)
  }

  /// Of the signs that fit the one that the table has first; nil if none fits.
  private static func found(among index: FrameSignIndex, _ scene: CrashScene) -> CauseFinding? {
    let signs = index.signs
    let ending = scene.endingFrames.count
    let names = scene.innermostNames
    var best: (index: Int, position: Int)?
    for (position, name) in names.enumerated() {
      guard let name else { continue }
      let sign = index.first(for: name, before: best?.index ?? signs.count) { place in
        guard signs[place].reach.allows(position, ending), scene.meets(signs[place].condition)
        else { return false }
        if !signs[place].callers.isEmpty {
          let caller = names.dropFirst(position + 1).first.flatMap { $0 }
          guard let caller, signs[place].callers.contains(where: { $0.fits(caller) }) else {
            return false
          }
        }
        guard let beside = signs[place].beside else { return true }
        return names.contains { $0.map { beside.fits($0) } ?? false }
      }
      if let sign { best = (sign, position) }
    }
    guard let best else { return nil }
    let sign = signs[best.index]
    if sign.patterns.contains(where: { $0.text == "_assertionFailure" }),
      let line = scene.swiftFailureInSource
    {
      return line
    }
    let frame = scene.innermostFrames[scene.innermostFrames.startIndex + best.position]
    let callers = FrameSign.Callers(
      frames: scene.innermostFrames.dropFirst(best.position + 1),
      names: names.dropFirst(best.position + 1), called: names[names.startIndex + best.position])
    let called = callers.names.first.flatMap { $0 }.flatMap(calledByGo)
    let detail = called.map { ": \($0)" } ?? sign.detail?(callers)
    return CauseFinding(
      sign.kind, sign.text + (detail ?? ""), sign.confidence, [scene.evidence(frame)])
  }

  /// `getaddrinfo` of `net._C2func_getaddrinfo`, which cgo makes for a function of C.
  ///
  /// Source: github.com/golang/go, src/cmd/cgo/out.go.
  private static func calledByGo(_ name: FunctionWords) -> Substring? {
    ["._Cfunc_", "._C2func_"].lazy.compactMap { start in
      name.readable.firstRange(of: start).map { name.readable[$0.upperBound...] }
    }.first
  }
}

extension FrameSign.Reach {
  /// - Parameters:
  ///   - position: of a frame, from the innermost one.
  ///   - ending: how many frames may have ended the process.
  fileprivate func allows(_ position: Int, _ ending: Int) -> Bool {
    switch self {
    case .ending: position < ending
    case .innermost: position == 0 && ending > 0
    case .deep: true
    }
  }
}

extension CrashScene {
  fileprivate func meets(_ condition: FrameSign.Condition) -> Bool {
    switch condition {
    case .selfMade: canEndInFunction
    case .trap: facts.exception.isTrapOrUnknown
    case .abort: facts.exception.signal?.hasPrefix("SIGABRT") == true
    case .any: true
    }
  }
}

extension ReportFacts.CrashException {
  fileprivate var isTrapOrUnknown: Bool {
    let traps = ["EXC_BREAKPOINT", "EXC_BAD_INSTRUCTION"]
    return type.map { traps.contains($0) }
      ?? (signal.map { ["SIGTRAP", "SIGILL"].contains($0) } ?? true)
  }
}

/// The debug layer that Xcode puts between a program and Metal: it checks what each call is given,
/// and stops the program with an assertion.
///
/// Source: developer.apple.com/documentation/xcode/validating-your-apps-metal-api-usage; the
/// classes as in the assertions that people show (`-[MTLDebugRenderCommandEncoder
/// setVertexBuffer:offset:atIndex:]:1629: failed assertion …`).
enum MetalValidation {
  /// ` in -[MTLDebugRenderCommandEncoder setViewport:]`, the call of the program that was checked:
  /// the last one of Metal's own methods before other code, because some check through others of
  /// them. Nil if no name says it.
  ///
  /// - Parameter callers: of `MTLReportFailure`.
  static func call(_ callers: FrameSign.Callers) -> String? {
    var found: String?
    for case let name? in callers.names.prefix(8) {
      let function = name.readable
      if classes.contains(where: { function.hasPrefix($0) }) {
        found = String(function)
      } else if found != nil || !helpers.contains(where: { function.hasPrefix($0) }) {
        break
      }
    }
    return found.map { " in \($0)" }
  }

  private static let classes = [
    "-[MTL", "+[MTL", "-[_MTL", "+[_MTL", "-[CaptureMTL", "-[IOGPUMetal",
  ]
  private static let helpers = [
    "MTL", "_MTL", "validate", "_validate", "void MTL", "void validate",
  ]
}

/// The part of a GPU's driver that is in the process.
///
/// Source: the bundles in /System/Library/Extensions of macOS: `AMDRadeonX4000GLDriver.bundle`,
/// `AppleIntelKBLGraphicsMTLDriver.bundle`, `GeForceGLDriver.bundle`.
enum GraphicsDriver {
  /// ` (AMDRadeonX4000GLDriver)`; nil if no frame is of a driver.
  static func name(_ callers: FrameSign.Callers) -> String? {
    let names = callers.frames.prefix(8).lazy.map { frame in
      var name = frame.imageFileName[...]
      if name.hasPrefix("com.apple.") { name = name.dropFirst("com.apple.".count) }
      if name.hasSuffix(".bundle") { name = name.dropLast(".bundle".count) }
      return String(name)
    }
    return names.first { name in ["GLDriver", "MTLDriver"].contains { name.hasBytes(of: $0) } }
      .map { " (\($0))" }
  }
}

/// The type of Swift's that an object of Objective-C was to become.
enum BridgedObject {
  /// ` (URL)`, of `static URL._unconditionallyBridgeFromObjectiveC(_:)` and of what the compiler
  /// writes around it (`protocol witness for static _ObjectiveCBridgeable._uncondi… in conformance
  /// URL`). Nil if the name does not say it.
  static func type(_ callers: FrameSign.Callers) -> String? {
    guard let name = callers.called?.readable else { return nil }
    if let conformance = name.firstRange(of: " in conformance ") {
      return " (\(name[conformance.upperBound...]))"
    }
    guard let function = name.firstRange(of: "._unconditionallyBridgeFromObjectiveC") else {
      return nil
    }
    let type = name[..<function.lowerBound].split(separator: " ").last ?? ""
    return type.isEmpty || type == "_ObjectiveCBridgeable" ? nil : " (\(type))"
  }
}

/// The function of Python's C interface that gave up. Python's own words begin with its name, too.
///
/// Source: github.com/python/cpython, Include/cpython/pyerrors.h (`Py_FatalError` passes
/// `__func__`), Python/pylifecycle.c (`fatal_error`).
enum PythonFailure {
  /// ` in PyGILState_Release`; nil if the caller has no such name. Of several calls the outermost
  /// counts (``RepeatedPanic``).
  static func function(_ callers: FrameSign.Callers) -> String? {
    let names = callers.names.compactMap { $0?.readable }
    let ends = ["fatal_error", "Py_FatalError", "_Py_FatalError"]
    let last = names.lastIndex { name in ends.contains { name.hasPrefix($0) } }
    let caller = names.dropFirst(last.map { $0 + 1 } ?? 0).first
    guard let caller, caller.hasPrefix("Py") || caller.hasPrefix("_Py") else { return nil }
    return " in \(caller)"
  }
}

/// The function of Qt that called `qFatal()`, and for a class that does so for one reason, which.
///
/// Source: github.com/qt/qtbase, src/corelib/thread/qthread.cpp (`QThread::~QThread`).
enum FatalMessage {
  /// ` by QPlugin::load()`; nil if other code called it, or the name is not in the text. Without a
  /// frame of the program it is the place.
  static func caller(_ callers: FrameSign.Callers) -> String? {
    let own = zip(callers.frames, callers.names).prefix(8).prefix { frame, _ in isQt(frame) }
    let name = own.lazy.compactMap { $1?.readable }.first { name in
      !name.hasPrefix("QMessageLogger::") && !name.hasPrefix("qt_message")
    }
    guard let name, name.utf8.count < 100 else { return nil }
    let isPlace = !callers.frames.contains { frame in
      !isQt(frame) && SystemImage(frame.imageFileName).name != nil
        && !AppleImages.isOne(frame.imageFileName)
    }
    let reason = ": the object was destroyed while its thread was running"
    return (isPlace ? "" : " by \(name)")
      + (name.hasPrefix("QThread::~QThread(") ? reason : "")
  }

  private static func isQt(_ frame: ShownFrame) -> Bool {
    ["Qt", "libQt"].contains { frame.imageFileName.hasPrefix($0) }
  }
}

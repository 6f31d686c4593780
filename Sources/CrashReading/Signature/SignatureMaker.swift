import CodeOwnership
import CrashLogParser
import FunctionNames
package import ReportSymbolication
package import SymbolicationModel
import Wording

/// Chooses the frames of a report's signature. `docs/signature.md` has the rules, in this order.
struct SignatureMaker {
  /// The most frames of a signature.
  private static let frameLimit = 3

  private let report: SymbolicatedReport
  private let version: SignatureVersion
  private let reading: CrashReading
  private var options: SymbolicationOptions { _read { yield reading.options } }
  private let owners: CodeOwners
  private var names: SignatureNames
  /// Whether an exception ended the process that was thrown nobody knows where.
  private var hasUnknownThrower = false
  /// The numbers of frames that only end the process.
  private var helpers: Set<Int> = []
  /// Whether an exception may have been thrown whose name the report does not say.
  private var mayHideException = false
  /// Whether the frame before was on the way down from an exception.
  private var isBelowHandler = false
  private(set) var signature: CrashSignature?
  /// What became of each frame, if the options ask for explanations.
  private(set) var decisions: [(frame: ShownFrame, decision: SignatureDecision)] = []

  init(
    _ report: SymbolicatedReport, _ options: SymbolicationOptions, _ reading: CrashReading? = nil
  ) {
    self.report = report
    version = options.signatureVersion
    let reading = reading ?? CrashReading(report, options)
    self.reading = reading
    let rules = options.signatureRules.code
    owners =
      rules.isEmpty && version == reading.owners.version
      ? reading.owners : CodeOwners(of: report, options.codePatterns.adding(rules), version)
    names = SignatureNames(options)
    let facts = report.source.facts
    if version == .second, facts.event == .crash, facts.showsAnyThread, report.source.hasFrames {
      signature = CrashSignature(
        .second, event: facts.signatureEvent, thrown: facts.signatureThrown, frames: [])
      return
    }
    guard let frames = stack else { return }
    switch version {
    case .first: chooseOfFirstVersion(frames)
    case .second: choose(frames)
    }
  }

  /// The frames of the backtrace that says most, innermost first. Nil if the report does not say
  /// which it is, or if the options leave it out.
  private var stack: [ShownFrame]? {
    guard report.source.facts.event != .leak, options.showsInlinedFrames,
      let index = report.signatureBacktrace(version), report.backtraces[index].isSelected,
      version == .first || !report.backtraces[index].source.hasOnlyOuterFrames
    else { return nil }
    guard report.backtraces[index].source.isCallTree else {
      return reading.frames(ofBacktrace: index)
    }
    return report.backtraces[index].heaviestStack(options.ofAllCode).reversed()
  }

  /// Frames by whose they are. Each list grows up to the limit.
  private struct Candidates {
    var app: [String] = []
    var start: [String] = []
    var libraries: [String] = []
    var system: [String] = []
    /// Only in the first version.
    var machinery: [String] = []
    var nameless: [String] = []
    /// Places in the app whose names are those of other functions, or cut.
    var misnamed: [String] = []
    /// What was thrown, from the functions that were called before any of the app.
    var thrown: String?
  }

  private mutating func choose(_ frames: [ShownFrame]) {
    // The oldest panic itself says that there was one.
    let start = max(
      SignalHandler.end(frames), TerminateHandler.end(frames, owners),
      RepeatedPanic.end(frames) - 1, MonoHandler.end(frames), RustPanicHook.caller(frames),
      AllocatorCall.end(frames, owners))
    helpers = Set(frames[..<FatalHelper.end(frames, owners)].map(\.index))
    // A bad access while something is thrown is a crash of its own.
    let facts = report.source.facts
    let isMemoryFault = facts.exception.isMemoryFault
    let isThrown = facts.event == .crash && !isMemoryFault
    hasUnknownThrower = isThrown && TerminateHandler.isUnknown(frames)
    let thrownName = facts.signatureThrown
    mayHideException = thrownName == nil && !isMemoryFault
    let found = candidates(Array(frames[start...]))
    let thrown = thrownName ?? (isThrown ? found.thrown : nil)
    let chosen = [found.app, found.libraries, found.start, found.misnamed, found.system].first {
      !$0.isEmpty
    }
    guard thrown != nil || chosen != nil else { return }
    // One library of the system in a stack that was cut says nothing.
    if thrown == nil, let only = chosen?.first, chosen == found.system, found.system.count == 1,
      AppleImages.isOne(only), let last = frames.last,
      !SystemImage.beginsThreads(last.imageFileName)
    {
      return
    }
    // Else all exceptions without a known name and thrower would count as one crash.
    if thrown == nil, found.app.isEmpty, found.libraries.isEmpty, found.start.isEmpty,
      found.misnamed.isEmpty, hasUnknownThrower
    {
      return
    }
    signature = CrashSignature(
      .second, event: facts.signatureEvent, thrown: thrown, frames: chosen ?? [])
  }

  private mutating func chooseOfFirstVersion(_ frames: [ShownFrame]) {
    let found = candidates(frames)
    let chosen = [
      found.app, found.libraries, found.start, found.system, found.machinery, found.nameless,
    ].first { !$0.isEmpty }
    signature = chosen.map {
      CrashSignature(.first, event: report.source.facts.exceptionEvent, thrown: nil, frames: $0)
    }
  }

  private mutating func candidates(_ frames: [ShownFrame]) -> Candidates {
    var found = Candidates()
    let entry = CrashSite.entryPoint(frames, owners) ?? frames.count
    isBelowHandler = false
    for frame in frames.prefix(entry) where found.app.count < Self.frameLimit {
      defer { noteHandler(frame) }
      let decision = sort(frame, into: &found)
      if options.explains { decisions.append((frame, decision)) }
    }
    return found
  }

  /// Handlers of an exception whose name is not known are called by what reports it, or by each
  /// other.
  private mutating func noteHandler(_ frame: ShownFrame) {
    guard mayHideException else { return }
    switch owners.owner(of: frame) {
    case .system:
      isBelowHandler = ["AppKit", "libobjc.A.dylib", "libc++abi.dylib"]
        .contains(frame.imageFileName)
    case .library(let title) where isBelowHandler:
      isBelowHandler = LibraryCode.isCrashHandler(title)
    case .library, .user: isBelowHandler = false
    }
  }

  private mutating func sort(
    _ frame: ShownFrame, into found: inout Candidates
  ) -> SignatureDecision {
    let isNameless = version == .second && frame.isFarFromNamedFunction
    let name = isNameless ? nil : names.name(of: frame)
    let owner = owners.owner(of: frame)
    if version == .second, owner == .system {
      return sortOfSystem(frame, called: name, into: &found)
    }
    if let reason = reasonToDrop(frame, name, owner) {
      if let name { keep(name, of: frame, droppedFor: reason, owner, in: &found) }
      return .dropped(reason)
    }
    guard let text = name ?? Self.place(of: frame) else {
      // The image is something.
      if version != .first, let image = SystemImage(frame.imageFileName).name,
        !image.hasPrefix("<"),
        !found.system.contains(image)
      {
        Self.add(image, to: &found.system)
        return .passed(image, library: nil)
      }
      return .dropped(.unknown)
    }
    switch owner {
    case .user: return .taken(text, isRepeated: !Self.add(text, to: &found.app))
    case .library(let title):
      if !(isBelowHandler && LibraryCode.isCrashHandler(title)) {
        Self.add(text, to: &found.libraries)
      }
      return .passed(text, library: title)
    case .system:
      if name == nil {
        Self.add(text, to: &found.nameless)
      } else {
        Self.add(text, to: &found.system)
      }
      return .passed(text, library: nil)
    }
  }

  /// Keeps what a frame that does not count says if no other frame does.
  private func keep(
    _ name: String, of frame: ShownFrame, droppedFor reason: SignatureDecision.Reason,
    _ owner: CodeOwner, in found: inout Candidates
  ) {
    switch reason {
    case .rule: break
    case .machinery(FrameMachinery.startTitle, _, _) where owner == .user:
      Self.add(name, to: &found.start)
    case .nextFunction where owner == .user, .damagedName where owner == .user:
      if let place = Self.place(of: frame) { Self.add(place, to: &found.misnamed) }
    case .machinery(_, _, let thrown):
      if found.app.isEmpty { found.thrown = found.thrown ?? thrown }
      Self.add(name, to: &found.machinery)
    default: Self.add(name, to: &found.machinery)
    }
  }

  /// Only the image counts: whether a frame of the system has a name depends on who wrote the
  /// report, and which name it is on the version of the system.
  private func sortOfSystem(
    _ frame: ShownFrame, called function: String?, into found: inout Candidates
  ) -> SignatureDecision {
    let file = frame.imageFileName
    if let pattern = options.signatureRules.dropping(function: function, image: file) {
      return .dropped(.rule(pattern))
    }
    guard let name = SystemImage(file).name else { return .dropped(.imageOfEveryCrash) }
    if !found.system.contains(name) { Self.add(name, to: &found.system) }
    return .passed(name, library: nil)
  }

  /// Why a frame does not count; nil if it does.
  private mutating func reasonToDrop(
    _ frame: ShownFrame, _ name: String?, _ owner: CodeOwner
  ) -> SignatureDecision.Reason? {
    if let pattern = options.signatureRules.dropping(function: name, image: frame.imageFileName) {
      return .rule(pattern)
    }
    guard let name else { return nil }
    if helpers.contains(frame.index) { return .machinery("abort", name, thrown: nil) }
    if frame.authorship == .trap { return .trap }
    if let match = names.machinery(of: frame, called: name, version) {
      return .machinery(match.title, match.pattern, thrown: match.thrown)
    }
    if version == .second {
      if frame.isNamedAfterNextFunction { return .nextFunction }
      if frame.traits.map({ DamagedName.isDamaged($0.readable) }) == true { return .damagedName }
    }
    guard owner == .user else { return nil }
    // Whether the file is known depends on the symbols.
    let isOfStandardLibrary =
      version == .first
      ? frame.isOfStandardLibrary(name) : FunctionTraits.isNameOfStandardLibrary(name)
    if isOfStandardLibrary || names.isOfSwiftLibrary(frame) { return .standardLibrary }
    return nil
  }

  /// - Returns: false if the text is that of the frame before: a recursion, or a thunk and what it
  ///   calls.
  @discardableResult
  private static func add(_ text: String, to list: inout [String]) -> Bool {
    guard list.last != text else { return false }
    if list.count < frameLimit { list.append(text) }
    return true
  }

  /// `Board+0x1a2b`, image and bytes from its start; nil if the address lies in no image.
  private static func place(of frame: ShownFrame) -> String? {
    guard frame.imageFileName.known != nil else { return nil }
    return frame.imageOffset.map {
      "\(shortened(frame.imageFileName.withoutControlCharacters, to: 100))+\($0.hexadecimal)"
    }
  }
}

extension SymbolicatedReport {
  /// What identifies the crash; nil if no frame does.
  package func signature(_ options: SymbolicationOptions) -> CrashSignature? {
    SignatureMaker(self, options).signature
  }

  /// - Parameter reading: what was made for the reason of the crash, with the same options.
  package func signature(_ options: SymbolicationOptions, _ reading: CrashReading)
    -> CrashSignature?
  {
    SignatureMaker(self, options, reading).signature
  }
}

/// What identifies a crash across builds, devices and architectures, so that reports of one crash
/// can be counted together. `docs/signature.md` has the rules.
package struct CrashSignature: Hashable, Sendable {
  /// The rules that it was made by.
  package let version: SignatureVersion
  /// `EXC_CRASH | NSRangeException | Board.turnTile(at:)`: what happened, what was thrown, and then
  /// ``frames``.
  package let text: String
  /// The frames that were chosen, innermost first. Empty only if something was thrown.
  package let frames: [String]

  /// - Parameters:
  ///   - event: what happened: `EXC_BREAKPOINT`.
  ///   - thrown: what was thrown: `NSRangeException`.
  init(_ version: SignatureVersion, event: String, thrown: String?, frames: [String]) {
    self.version = version
    self.frames = frames
    text = ([event] + [thrown].compactMap(\.self) + frames).joined(separator: " | ")
  }

  /// The first 16 hexadecimal digits of the SHA-256 of the text in UTF-8, which every language can
  /// compute.
  package var hash: String { Self.hash(of: text) }

  package static func hash(of text: String) -> String {
    var digest = Sha256.digest(of: Array(text.utf8))
    // Of a slice the runtime would first have to find out that it is a sequence.
    digest.removeLast(24)
    return digest.hexadecimalDigits
  }
}

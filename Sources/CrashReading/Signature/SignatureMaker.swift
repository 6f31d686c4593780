import CrashLogParser
import FunctionNames
package import ReportSymbolication
import SymbolicationModel
import Wording

/// Chooses the frames of a report's signature. `docs/signature.md` has the rules, in this order.
struct SignatureMaker {
  /// The most frames of a signature.
  private static let frameLimit = 3

  private let report: SymbolicatedReport
  private let options: SymbolicationOptions
  private let reading: CrashReading
  private let owners: CodeOwners
  private var names: SignatureNames
  private(set) var signature: CrashSignature?
  /// What became of each frame, if the options ask for explanations.
  private(set) var decisions: [(frame: ShownFrame, decision: SignatureDecision)] = []

  init(
    _ report: SymbolicatedReport, _ options: SymbolicationOptions, _ reading: CrashReading? = nil
  ) {
    self.report = report
    self.options = options
    let reading = reading ?? CrashReading(report, options)
    self.reading = reading
    let rules = options.signatureRules.code
    owners =
      rules.isEmpty ? reading.owners : CodeOwners(of: report, options.codePatterns.adding(rules))
    names = SignatureNames(options)
    if let frames = stack, let chosen = choose(frames) {
      signature = CrashSignature(event: report.signatureEvent, frames: chosen)
    }
  }

  /// The frames of the backtrace that says most, innermost first. Nil if the report does not say
  /// which it is, or if the options leave it out.
  private var stack: [ShownFrame]? {
    guard report.source.facts.event != .leak, options.showsInlinedFrames,
      let index = report.signatureBacktrace(), report.backtraces[index].isSelected
    else { return nil }
    guard report.backtraces[index].source.isCallTree else {
      return reading.frames(ofBacktrace: index)
    }
    var options = options
    options.onlyUserCode = false
    return report.backtraces[index].heaviestStack(options).reversed()
  }

  /// Frames by whose they are. Each list grows up to the limit.
  private struct Candidates {
    var app: [String] = []
    package var start: [String] = []
    var libraries: [String] = []
    var system: [String] = []
    var machinery: [String] = []
    var nameless: [String] = []
  }

  private mutating func choose(_ frames: [ShownFrame]) -> [String]? {
    var found = Candidates()
    let entry = CrashSite.entryPoint(frames, owners) ?? frames.count
    for frame in frames.prefix(entry) where found.app.count < Self.frameLimit {
      let decision = sort(frame, into: &found)
      if options.explains { decisions.append((frame, decision)) }
    }
    return [
      found.app, found.libraries, found.start, found.system, found.machinery, found.nameless,
    ].first { !$0.isEmpty }
  }

  private mutating func sort(
    _ frame: ShownFrame, into found: inout Candidates
  ) -> SignatureDecision {
    let name = names.name(of: frame)
    let owner = owners.owner(of: frame)
    if let reason = reasonToDrop(frame, name, owner) {
      if case .machinery(FrameMachinery.startTitle, _) = reason, owner == .user, let name {
        Self.add(name, to: &found.start)
      } else if let name, !reason.isOfUser {
        Self.add(name, to: &found.machinery)
      }
      return .dropped(reason)
    }
    guard let text = name ?? Self.place(of: frame) else { return .dropped(.unknown) }
    switch owner {
    case .user: return .taken(text, isRepeated: !Self.add(text, to: &found.app))
    case .library(let title):
      Self.add(text, to: &found.libraries)
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

  /// Why a frame does not count; nil if it does.
  private mutating func reasonToDrop(
    _ frame: ShownFrame, _ name: String?, _ owner: CodeOwner
  ) -> SignatureDecision.Reason? {
    if let pattern = options.signatureRules.dropping(function: name, image: frame.imageFileName) {
      return .rule(pattern)
    }
    guard let name else { return nil }
    if frame.authorship == .trap { return .trap }
    if let match = names.machinery(of: frame, called: name) {
      return .machinery(match.title, match.pattern)
    }
    guard owner == .user else { return nil }
    if frame.isOfStandardLibrary(name) || names.isOfSwiftLibrary(frame) { return .standardLibrary }
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

  /// What a signature begins with: the type of the exception, else the signal; for what is not a
  /// crash its kind.
  ///
  /// Compilers make a trap of an instruction that is a breakpoint on ARM and an illegal one on
  /// Intel processors, so the latter counts as the former.
  fileprivate var signatureEvent: String {
    let facts = source.facts
    guard facts.event == .crash else { return facts.event.rawValue }
    let stated = facts.exception.type ?? facts.exception.signal ?? "crash"
    let type = String(stated.prefix { $0 != "(" && !$0.isNewline }).withoutControlCharacters
    let word = shortened(type.hasSuffix(" ") ? String(type.dropLast()) : type, to: 60)
    let isIntel = [.x86_64, .x86_64h, .i386].contains(facts.architecture)
    switch word {
    case "EXC_BAD_INSTRUCTION" where isIntel: return "EXC_BREAKPOINT"
    case "SIGILL" where isIntel: return "SIGTRAP"
    case "": return "crash"
    default: return word
    }
  }
}

/// What identifies a crash across builds, devices and architectures, so that reports of one crash
/// can be counted together. `docs/signature.md` has the rules.
package struct CrashSignature: Hashable, Sendable {
  /// Changes if the same report would get another signature.
  package static let version = 1

  /// `EXC_BREAKPOINT | Board.turnTile(at:) | GameView.tapped()`: what happened, then ``frames``.
  package let text: String
  /// The frames that were chosen, innermost first. At least one.
  package let frames: [String]

  /// - Parameter event: what happened: `EXC_BREAKPOINT`.
  init(event: String, frames: [String]) {
    self.frames = frames
    text = ([event] + frames).joined(separator: " | ")
  }

  /// The first 16 hexadecimal digits of the SHA-256 of the text in UTF-8, which every language can
  /// compute.
  package var hash: String { Self.hash(of: text) }

  package static func hash(of text: String) -> String {
    Sha256.digest(of: Array(text.utf8)).prefix(8).hexadecimalDigits
  }
}

/// What became of a frame when a signature was made.
enum SignatureDecision {
  /// It is the app's own and part of the signature, unless that has it already.
  case taken(String, isRepeated: Bool)
  /// It is not the app's own, and counts only if no frame is. The library's title; nil for the
  /// system.
  case passed(String, library: String?)
  case dropped(Reason)

  package enum Reason {
    /// A pattern of `--rules`.
    case rule(String)
    /// The title of the group of ``FrameMachinery``, and the pattern.
    case machinery(String, String)
    /// A function that compilers invent to say why code traps.
    case trap
    /// A function of a standard library that was compiled into the program.
    case standardLibrary
    /// Neither a name nor an image.
    case unknown

    var isOfUser: Bool { if case .rule = self { true } else { false } }
  }
}

extension SignatureMaker {
  /// The lines of `--explain`: the signature, and what became of the frames that were looked at.
  var explanation: [String] {
    guard let signature else { return [] }
    return ["signature \(signature.hash): \(signature.text)"]
      + decisions.map { "  frame \($0.frame.index): \($0.decision.text(of: $0.frame))" }
  }
}

extension SignatureDecision {
  fileprivate func text(of frame: ShownFrame) -> String {
    switch self {
    case .taken(let text, isRepeated: false): "taken: \(text)"
    case .taken(let text, isRepeated: true): "the same as the one before: \(text)"
    case .passed(let text, let library?): "not the app's own (\(library)): \(text)"
    case .passed(let text, nil): "not the app's own (the system): \(text)"
    case .dropped(let reason): "dropped, \(reason.text): \(frame.function ?? frame.imageName)"
    }
  }
}

extension SignatureDecision.Reason {
  fileprivate var text: String {
    switch self {
    case .rule(let pattern): "rule 'drop \(pattern)'"
    case .machinery(let title, let pattern): "\(title) ('\(pattern)')"
    case .trap: "it only says why the code traps"
    case .standardLibrary: "standard library compiled into the program"
    case .unknown: "neither a function nor an image is known"
    }
  }
}

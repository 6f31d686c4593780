import Demangling
import FunctionNames
package import ReportSymbolication
import SymbolicationModel
import Wording

/// Names the frames of a report for its signature: the same whatever the options show.
struct SignatureNames {
  private let options: SymbolicationOptions
  private lazy var simplified = SymbolDemangler()
  private lazy var complete = SymbolDemangler(style: .full)

  init(_ options: SymbolicationOptions) { self.options = options }

  /// The name of a frame's function; nil if nothing names it.
  package mutating func name(of frame: ShownFrame) -> String? {
    if let simple = simplifiedName(of: frame) { return SignatureName.normalized(simple) }
    return frame.traits?.normalized
  }

  /// What signatures leave out for a name that ``name(of:)`` gave.
  func machinery(
    of frame: ShownFrame, called name: String, _ version: SignatureVersion
  ) -> FrameMachinery.Match? {
    if version == .current, let traits = frame.traits, traits.normalized == name {
      return traits.machinery
    }
    return FrameMachinery.match(name, version)
  }

  /// The simplified name, if the options show another one.
  private mutating func simplifiedName(of frame: ShownFrame) -> String? {
    guard options.demangling != .simplified, frame.function != nil, let raw = frame.rawName else {
      return nil
    }
    for isMachOSymbol in [false, true] {
      let scheme = ManglingScheme(of: raw, isMachOSymbol: isMachOSymbol)
      // Those of Kotlin are in signatures as they are.
      guard let scheme, scheme != .kotlin else { continue }
      return simplified.shownName(of: raw, isMachOSymbol: isMachOSymbol)
    }
    return nil
  }

  /// Whether a function belongs to one of Apple's modules of Swift, wherever its code is. Only its
  /// mangled name says so.
  mutating func isOfSwiftLibrary(_ frame: ShownFrame) -> Bool {
    guard let raw = frame.rawName ?? frame.function,
      let start = ["$s", "_$s", "$S", "_$S"].first(where: { raw.hasPrefixBytes($0) })
    else { return false }
    let bytes = raw.utf8.dropFirst(start.utf8.count)
    guard let first = bytes.first,
      Self.moduleStarts.contains(where: { $0.first == first && bytes.starts(with: $0) })
    else { return false }
    // `(extension in Kit):Swift.Array.f()` is of Kit.
    let name = complete.shownName(of: raw, isMachOSymbol: raw.utf8.first == UInt8(ascii: "_"))
    let mark = "(extension in "
    guard let start = name.firstRange(of: mark)?.upperBound else { return true }
    return FrameMachinery.swiftModules.contains(String(name[start...].prefix { $0 != ")" }))
  }

  /// How mangled names of the modules' functions begin: `s` and `S` stand for Swift's own.
  private static let moduleStarts: [[UInt8]] =
    [Array("s".utf8), Array("S".utf8)]
    + FrameMachinery.swiftModules.map { Array("\($0.utf8.count)\($0)".utf8) }
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
    /// The title of the group of ``FrameMachinery``, the pattern, and what was thrown.
    case machinery(String, String, thrown: String?)
    /// A function that compilers invent to say why code traps.
    case trap
    /// A function of a standard library that was compiled into the program.
    case standardLibrary
    /// Neither a name nor an image.
    case unknown
    /// The name is that of the function after the one that made the call.
    case nextFunction
    /// The name is cut, or joined with the text after it.
    case damagedName
    /// A library of the system in which threads begin and processes end.
    case imageOfEveryCrash
  }
}

extension SymbolicatedReport {
  /// The lines of `--explain`: the signature, and what became of the frames that were looked at.
  package func signatureExplanation(_ options: SymbolicationOptions) -> [String] {
    let maker = SignatureMaker(self, options)
    guard let signature = maker.signature else { return [] }
    return ["signature \(signature.hash): \(signature.text)"]
      + maker.decisions.map { "  frame \($0.frame.index): \($0.decision.text(of: $0.frame))" }
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
    case .machinery(let title, let pattern, _): "\(title) ('\(pattern)')"
    case .trap: "it only says why the code traps"
    case .standardLibrary: "standard library compiled into the program"
    case .unknown: "neither a function nor an image is known"
    case .nextFunction: "a return address at the start of the next function"
    case .damagedName: "the name is cut, or joined with other text"
    case .imageOfEveryCrash: "every crash has frames of this library"
    }
  }
}

import Demangling
import FunctionNames
import ReportSymbolication
import SymbolicationModel

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
    guard let raw = frame.rawName ?? frame.function else { return false }
    var bytes = raw.utf8[...]
    if bytes.first == UInt8(ascii: "_") { bytes = bytes.dropFirst() }
    guard bytes.starts(with: "$s".utf8) || bytes.starts(with: "$S".utf8) else { return false }
    bytes = bytes.dropFirst(2)
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

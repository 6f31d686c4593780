import CrashLogParser
import Demangling
import ReportSymbolication
import SymbolicationModel
import Wording

/// A row of a backtrace as Swift's runtime writes it.
struct SwiftFrameText {
  package let name: String
  /// The name as the symbol file spells it, else `name`.
  let rawName: String
  /// The distance to the address that the runtime looks up, which for a return address is one less.
  /// 0 for an inlined call.
  let offset: UInt64
  let imageName: String
  package let location: SymbolicationModel.SourceLocation?
  let isInlined: Bool
  let isThunk: Bool
  let isSystem: Bool
  private let kind: FrameAddressKind

  /// - Parameter isInlined: whether the row is an inlined call.
  init(_ text: FrameAnswer.FrameText, of frame: SymbolicatedFrame, isInlined: Bool) {
    name = text.name
    rawName = text.rawName ?? text.name
    let isReturn = frame.addressKind == .returnAddress
    offset = isInlined ? 0 : isReturn && text.offset > 0 ? text.offset - 1 : text.offset
    imageName = frame.imageName.withoutControlCharacters
    location = text.location
    self.isInlined = isInlined
    isThunk = text.rawName.map { isSwiftThunk($0) } ?? false
    isSystem = Self.isSystem(text, in: frame.imageName, isThunk: isThunk)
    kind = frame.source.addressKind ?? frame.addressKind
  }

  /// `name + N`, or `name` at the start of the function and for an inlined call.
  package var description: String { offset == 0 ? name : "\(name) + \(offset)" }

  /// `name + N in image at file:line:column`
  package var content: String { "\(description) in \(imageName)\(shownLocation ?? "")" }

  /// ` at file:line:column`; nil if no file is known.
  var shownLocation: String? { location.map { " at " + Self.description($0) } }

  /// `[ra] [inlined] [system]`
  var attributes: String {
    var attributes: [String] = []
    switch kind {
    case .programCounter: break
    case .returnAddress: attributes.append("[ra]")
    case .asyncResumePoint: attributes.append("[async]")
    }
    if isInlined { attributes.append("[inlined]") }
    if isThunk { attributes.append("[thunk]") }
    if isSystem { attributes.append("[system]") }
    return attributes.joined(separator: " ")
  }

  private static func description(_ location: SymbolicationModel.SourceLocation) -> String {
    let path = location.path.withoutControlCharacters
    if location.line == 0 { return path }
    return location.column == 0
      ? "\(path):\(location.line)" : "\(path):\(location.line):\(location.column)"
  }

  /// Whether the runtime marks the function as its own: it calls the program's entry point,
  /// continues a task, or has no source location and is not a thunk
  /// (`SymbolicatedBacktrace.Symbol.isSystemFunction` of Swift 6.3).
  private static func isSystem(
    _ text: FrameAnswer.FrameText, in imageName: String, isThunk: Bool
  ) -> Bool {
    if let name = text.rawName {
      if name.hasSuffix("5$mainyyFZ") || name.hasSuffix("5$mainyyYaFZTQ0_") { return true }
      if name == "async_MainTQ0_" { return true }
      if name == "_ZL23completeTaskWithClosurePN5swift12AsyncContextEPNS_10SwiftErrorE",
        imageName == "libswift_Concurrency.so"
      {
        return true
      }
    }
    guard let location = text.location, !isThunk else { return false }
    return location.line == 0 && location.column == 0
      || location.path.hasSuffix("<compiler-generated>")
  }
}

/// The colours of the cells of a backtrace on a terminal. The values are parameters of the control
/// sequence that turns the colour on (ECMA-48, SGR); 39 turns it off.
///
/// Source: github.com/swiftlang/swift, stdlib/public/libexec/swift-backtrace/Themes.swift.
enum SwiftColour: Int {
  case index = 90
  case attribute = 34
  case address = 32
  case function = 96
  case offset = 37
  case image = 36
  case location = 33

  package static let end = "\u{1b}[39m"

  package var start: String { "\u{1b}[\(rawValue)m" }

  func paint(_ text: String) -> String { start + text + Self.end }
}

extension SwiftFrameText {
  /// ``content`` in colours.
  var colouredContent: String {
    let distance = offset == 0 ? "" : SwiftColour.offset.paint(" + \(offset)")
    let place = colouredLocation ?? ""
    return SwiftColour.function.paint(name) + distance + " in "
      + SwiftColour.image.paint(imageName) + place
  }

  /// ``shownLocation`` in colours.
  var colouredLocation: String? {
    shownLocation.map { " at " + SwiftColour.location.paint(String($0.dropFirst(4))) }
  }
}

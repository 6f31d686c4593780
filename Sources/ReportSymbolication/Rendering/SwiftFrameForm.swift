import AddressResolver
import CrashLogParser
import SymbolicationModel

/// A function of an answer as Swift's runtime shows it in a backtrace.
struct SwiftFrameForm {
  let name: String
  /// The name as the symbol file spells it, else `name`.
  let rawName: String
  /// To the address that the runtime looks up, one less for a return address; 0 for an inlined call.
  let offset: UInt64
  let imageName: String
  let location: SymbolicationModel.SourceLocation?
  let isInlined: Bool
  let isThunk: Bool
  let isSystem: Bool
  private let kind: SwiftBacktraceFrame.Kind

  /// - Parameter isInlined: whether it is a call that was inlined.
  init(
    _ text: FrameAnswer.FrameText, of frame: SymbolicatedFrame, _ line: SwiftBacktraceFrame,
    isInlined: Bool
  ) {
    name = text.name
    rawName = text.rawName ?? text.name
    let isReturn = frame.addressKind == .returnAddress
    offset = isInlined ? 0 : isReturn && text.offset > 0 ? text.offset - 1 : text.offset
    imageName = frame.imageName.withoutControlCharacters
    location = text.location
    self.isInlined = isInlined
    isThunk = text.rawName.map { SwiftSymbols.isThunk($0) } ?? false
    isSystem = Self.isSystem(text, in: frame.imageName, isThunk: isThunk)
    kind = line.kind
  }

  /// `name + N`, or `name` at the start of the function and for an inlined call.
  var description: String { offset == 0 ? name : "\(name) + \(offset)" }

  /// `name + N in image at file:line:column`
  var content: String { "\(description) in \(imageName)\(place ?? "")" }

  /// ` at file:line:column`; nil where no file is known.
  var place: String? { location.map { " at " + Self.description($0) } }

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

  /// What the runtime takes for a part of itself: what calls the program's entry point, what goes on with
  /// a task, and code without a place in a source file, thunks apart
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

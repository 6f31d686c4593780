import AddressResolver
import CrashLogParser
import SymbolicationModel

/// A function of an answer as Swift's runtime shows it in a backtrace.
struct SwiftFrameForm {
  /// `[ra] [inlined] [system]`
  let attributes: String
  /// `name + N in image at file:line:column`
  let content: String
  /// ` at file:line:column`; nil where no file is known.
  let place: String?

  /// - Parameter isInlined: whether it is a call that was inlined; it has no offset then.
  init(_ text: FrameAnswer.FrameText, of frame: SymbolicatedFrame, isInlined: Bool) {
    let location = text.location
    place = location.map { " at " + Self.description($0) }
    // The runtime counts to the address that it looked up.
    let isReturn = frame.addressKind == .returnAddress
    let offset = isReturn && text.offset > 0 ? text.offset - 1 : text.offset
    let distance = isInlined || offset == 0 ? "" : " + \(offset)"
    content =
      "\(text.name)\(distance) in \(frame.imageName.withoutControlCharacters)\(place ?? "")"

    var attributes: [String] = []
    switch frame.addressKind {
    case .programCounter: break
    case .returnAddress: attributes.append("[ra]")
    case .asyncResumePoint: attributes.append("[async]")
    }
    if isInlined { attributes.append("[inlined]") }
    let isThunk = text.rawName.map { SwiftSymbols.isThunk($0) } ?? false
    if isThunk { attributes.append("[thunk]") }
    if Self.isSystem(text, in: frame.imageName, isThunk: isThunk) { attributes.append("[system]") }
    self.attributes = attributes.joined(separator: " ")
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

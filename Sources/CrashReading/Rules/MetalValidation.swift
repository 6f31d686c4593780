import FunctionNames

/// The debug layer that Xcode puts between a program and Metal: it checks what each call is given,
/// and stops the program with an assertion.
///
/// Source: developer.apple.com/documentation/xcode/validating-your-apps-metal-api-usage; the
/// classes as in the assertions that people show (`-[MTLDebugRenderCommandEncoder
/// setVertexBuffer:offset:atIndex:]:1629: failed assertion …`).
enum MetalValidation {
  static let text = "Metal's validation of the API failed"

  /// The call of the program that was checked: the last one of Metal's own methods before other
  /// code, because some check through others of them. Nil if no name says it.
  ///
  /// - Parameter callers: of `MTLReportFailure`, innermost first.
  static func call(_ callers: ArraySlice<FunctionWords?>) -> String? {
    var found: String?
    for case let name? in callers.prefix(8) {
      let function = name.readable
      if classes.contains(where: { function.hasPrefix($0) }) {
        found = String(function)
      } else if found != nil || !helpers.contains(where: { function.hasPrefix($0) }) {
        break
      }
    }
    return found
  }

  private static let classes = ["-[MTL", "+[MTL", "-[_MTL", "+[_MTL", "-[CaptureMTL"]
  private static let helpers = [
    "MTL", "_MTL", "validate", "_validate", "void MTL", "void validate",
  ]
}

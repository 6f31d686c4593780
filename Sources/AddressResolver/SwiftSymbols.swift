import Demangling

/// What the raw name of a Swift symbol reveals about its function.
package enum SwiftSymbols {
  /// Whether the function is a thunk: made by the compiler, it only calls another one.
  package static func isThunk(_ rawName: String) -> Bool { isSwiftThunk(rawName) }
}

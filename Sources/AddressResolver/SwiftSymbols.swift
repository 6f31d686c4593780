import Demangling

/// What the raw name of a Swift symbol says of it.
package enum SwiftSymbols {
  /// Whether it is a thunk: a function of the compiler's own making that only calls another one.
  package static func isThunk(_ rawName: String) -> Bool { isSwiftThunk(rawName) }
}

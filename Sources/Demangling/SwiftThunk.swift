import Glibc  // The Runtime module, linked statically, takes symbols from it.
import Runtime

/// Whether a symbol is a thunk of Swift's: a function of the compiler's own making that calls another one
/// and fits its arguments and results to what the caller expects. It is what the runtime marks so in its
/// backtraces.
package func isSwiftThunk(_ rawName: String) -> Bool {
  guard rawName.utf8.count <= SwiftRuntime.lengthLimit else { return false }
  return SymbolicatedBacktrace.Symbol(
    imageIndex: -1, imageName: "", rawName: rawName, offset: 0, sourceLocation: nil
  ).isSwiftThunk
}

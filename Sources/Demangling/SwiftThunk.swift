import Glibc  // The Runtime module, linked statically, takes symbols from it.
import Runtime

/// Whether a symbol is a Swift thunk: a function that the compiler makes to call another one, and
/// that converts arguments and results to what the caller expects. The runtime marks the same
/// functions as thunks in its backtraces.
package func isSwiftThunk(_ rawName: String) -> Bool {
  guard rawName.utf8.count <= SwiftRuntime.lengthLimit else { return false }
  return SymbolicatedBacktrace.Symbol(
    imageIndex: -1, imageName: "", rawName: rawName, offset: 0, sourceLocation: nil
  ).isSwiftThunk
}

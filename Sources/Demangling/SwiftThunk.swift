/// Whether a symbol is a Swift thunk: a function that the compiler makes to call another one, and
/// that converts arguments and results to what the caller expects. The runtime marks the same
/// functions as thunks in its backtraces.
package func isSwiftThunk(_ rawName: String) -> Bool {
  // Swift 3's thunks are marked at the start of the name.
  if ["_TTo", "_TTO", "_TPA_", "_TPAo_"].contains(where: rawName.hasPrefix) { return true }
  var runtime = SwiftRuntime()
  return (try? runtime.isThunk(rawName)) ?? false
}

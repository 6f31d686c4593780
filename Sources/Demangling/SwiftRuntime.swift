import CDemangle
import Platform

/// The demangler that is linked into every Swift program.
///
/// It is written in C++ for names that compilers make, and has no limits that hold for others: it
/// takes exponential time and memory for some, overflows the stack for others, and reads through
/// null pointers. No name goes there that `SwiftNameMeter` has not read before.
struct SwiftRuntime {
  private var meter = SwiftNameMeter()

  /// The demangled form of a Swift name, as `swift-demangle --simplified` prints it.
  mutating func simplifiedName(of name: String) throws(DemanglingFailure) -> String {
    try meter.check(name)
    // Safe: the runtime reads only the stated number of bytes of `name`.
    return try unsafe Self.shownName(
      of: name, taking: _swift_backtrace_demangle(name, name.utf8.count, nil, nil))
  }

  /// A Swift name as `swift-demangle` prints it without options.
  mutating func fullName(of name: String) throws(DemanglingFailure) -> String {
    try meter.check(name)
    // Safe: as above.
    return try SwiftTypeSugar.applied(
      to: unsafe Self.shownName(
        of: name, taking: swift_demangle(name, name.utf8.count, nil, nil, 0)))
  }

  /// Whether the function of a Swift name is a thunk.
  mutating func isThunk(_ name: String) throws(DemanglingFailure) -> Bool {
    try meter.check(name)
    // Safe: the runtime reads up to the zero byte that ends a string of C.
    return unsafe _swift_backtrace_isThunkFunction(name)
  }

  /// - Parameter text: null, or a zero-terminated string in newly allocated memory, which is freed.
  private static func shownName(
    of name: String, taking text: UnsafeMutablePointer<CChar>?
  ) throws(DemanglingFailure) -> String {
    guard let text = unsafe text else { throw .malformed }
    defer { unsafe free(text) }
    let shownName = unsafe String(cString: text)
    guard shownName != name else { throw .malformed }
    return shownName
  }
}

/// Whether a symbol is a Swift thunk: a function that the compiler makes to call another one, and
/// that converts arguments and results to what the caller expects. The runtime marks the same
/// functions as thunks in its backtraces.
package func isSwiftThunk(_ rawName: String) -> Bool {
  // Swift 3's thunks are marked at the start of the name.
  if ["_TTo", "_TTO", "_TPA_", "_TPAo_"].contains(where: rawName.hasPrefix) { return true }
  var runtime = SwiftRuntime()
  return (try? runtime.isThunk(rawName)) ?? false
}

/// A limit that keeps a name from taking long or much memory to demangle. A name beyond it is shown
/// mangled.
///
/// Names may come from strangers, and what a short name stands for may be exponentially long. No
/// name of a real library is known to be beyond a limit.
public enum DemanglingLimit: String, Hashable, Sendable, CaseIterable {
  /// The mangled name has too many bytes.
  case nameLength
  /// Types and names are nested too deeply.
  case nesting
  /// The demangled name would be too long, or have too many parts.
  case shownLength
}

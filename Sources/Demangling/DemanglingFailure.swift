package import SymbolicationModel

/// Why a name cannot be demangled.
package enum DemanglingFailure: Error, Hashable {
  /// It does not follow the grammar of its scheme.
  case malformed
  case beyond(DemanglingLimit)
}

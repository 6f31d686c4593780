/// How much of a mangled name is shown.
public enum DemanglingStyle: Hashable, Sendable {
  /// What a person wants to read: Swift as `swift-demangle --simplified` prints it (no module names, no
  /// types, argument labels kept), C++ with its full signature, Rust as a path without hashes.
  case simplified
  /// Everything a name says: Swift with modules and types, as `swift-demangle` prints it without
  /// options; Rust with the hashes that tell instances and builds of crates apart.
  case full
  /// The name as it is mangled, without the underscore that Mach-O puts in front of every symbol.
  case raw
  /// What Apple's `atos` prints: `simplified`, but Rust's older names, which it takes for C++, with
  /// their hash and their escapes (`$LT$`).
  case atos
}

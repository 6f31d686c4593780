/// How much of a mangled name is shown.
public enum DemanglingStyle: Hashable, Sendable {
  /// The short form that people read. Swift as `swift-demangle --simplified` prints it: without
  /// modules and types, with argument labels. C++ with its full signature. Rust as a path without
  /// hashes.
  case simplified
  /// Everything that the name states. Swift with modules and types, as `swift-demangle` prints it
  /// without options. Rust with the hashes that distinguish instances and builds of crates.
  case full
  /// The mangled name, without the underscore that Mach-O puts in front of every symbol.
  case raw
  /// What Apple's `atos` prints. It differs from `simplified` for Rust's older names, which `atos`
  /// takes for C++: they keep their hash and their escapes (`$LT$`).
  case atos
}

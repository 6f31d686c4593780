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

/// The reader that decodes DWARF.
public enum DwarfReaderChoice: String, CaseIterable, Hashable, Sendable {
  /// This program's own. It checks every read, so it is safe with files from strangers.
  case builtIn = "built-in"
  /// The reference, over the C library libdwarf. Damaged files can crash it, so it is only for
  /// files that one trusts.
  case libdwarf
}

/// Whether an index that was made earlier from a symbol file may answer in its place.
///
/// The answers are the same, except that an index has no columns. A GSYM file that is itself given
/// as a symbol file is always used.
public enum IndexUse: Hashable, Sendable {
  /// Only the symbol file answers.
  case never
  /// A fitting index in this directory answers, if there is one. Nil stands for the user's cache
  /// directory.
  case cached(directory: String?)
}

/// The rules that a signature is made by. `docs/signature.md` has them.
package enum SignatureVersion: Int, CaseIterable, Hashable, Sendable {
  /// The first rules, for groups that go on from those of an earlier run.
  case first = 1
  case second = 2

  package static let current = second
}

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

/// Whether an index that was made of a symbol file before may answer in its stead.
///
/// Answers are the same, but for columns of source lines, which an index does not hold. A GSYM file
/// that is itself given for a symbol file is used whatever this says.
public enum IndexUse: Hashable, Sendable {
  /// The symbol file alone answers.
  case never
  /// An index in this directory, where there is one that fits; nil for the user's cache directory.
  case cached(directory: String?)
}

/// A file that the voices are asked about.
struct SymbolFile: CustomStringConvertible {
  let path: String
  /// How tables name it.
  let description: String

  /// One object file of it.
  struct Slice: CustomStringConvertible {
    let file: SymbolFile
    /// Nil in a file that holds only one.
    let architecture: String?

    var description: String { file.description + (architecture.map { " (\($0))" } ?? "") }
  }
}

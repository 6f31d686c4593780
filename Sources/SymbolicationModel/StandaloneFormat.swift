/// A format of symbol files that hold functions and lines, but not as DWARF: nothing else has to be
/// found for such a file.
package struct StandaloneFormat: Hashable, Sendable {
  /// Its name in JSON.
  package let name: String
  /// What a file of it is called in messages: `a Breakpad symbol file`.
  package let term: String

  package init(name: String, term: String) {
    self.name = name
    self.term = term
  }
}

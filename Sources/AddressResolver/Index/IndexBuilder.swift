package import ObjectFiles
package import SymbolIndex
package import SymbolicationModel

/// Makes the index of an image: its DWARF, merged with its symbol table, as a GSYM file.
package struct IndexBuilder {
  private let objectFile: ObjectFile

  package init(_ objectFile: ObjectFile) { self.objectFile = objectFile }

  /// An index, ready to be written.
  package struct Index: Sendable {
    /// The file's bytes, in pieces to be written one behind the other.
    package let pieces: [[UInt8]]
    package let functionCount: Int
    /// What of the symbol file was passed over because it could not be read.
    package let problems: [SymbolFileProblem]
  }

  /// Why there can be no index.
  package enum BuildError: Error, Hashable, Sendable {
    /// The symbol file holds neither DWARF nor a symbol.
    case nothingToIndex
    case limit(GsymLimitError)
  }

  /// Decodes the whole file on up to `jobs` threads. The same file gives the same bytes, whatever
  /// `jobs` is.
  ///
  /// - Parameter progress: called from the threads, with how many units are done and how many there are.
  package func build(
    jobs: Int, progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
  ) throws(BuildError) -> Index {
    throw .nothingToIndex
  }
}

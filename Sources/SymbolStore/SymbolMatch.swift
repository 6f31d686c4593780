package import ObjectFiles
package import SymbolicationModel

/// A symbol file for an image.
package struct SymbolMatch: Sendable {
  package let objectFile: ObjectFile
  /// The image's program or library, if it is among the files too and `objectFile` is a debug file
  /// made from it: it has what a debug file lacks, such as symbol stubs.
  package let program: ObjectFile?
  package let basis: Basis

  package var candidate: SymbolCandidate { SymbolCandidate(objectFile) }

  /// Whether the file has a `.debug_info` section that is not empty.
  package var hasDebugInfo: Bool { objectFile.hasDebugInfo }
  /// Whether it is a program or library without debug information, and not a dSYM.
  package var isStripped: Bool {
    standalone == nil && !hasDebugInfo && !candidate.path.contains(".dSYM/")
  }
  package var isElf: Bool { objectFile.format == .elf }
  /// The format of a file that answers alone, such as an index; nil for others.
  package var standalone: StandaloneFormat? { objectFile.format.standalone }

  package enum Basis: Hashable, Sendable {
    /// Its UUID or build-id is the image's.
    case identity
    /// Only its name is: the report does not state which build of the image it was.
    case name
  }
}

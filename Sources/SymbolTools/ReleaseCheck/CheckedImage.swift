package import SymbolStore
package import SymbolicationModel

/// A slice of a program or library in a release, with what was found out about its dSYM.
package struct CheckedImage: Hashable, Sendable {
  /// The name of its file.
  package let name: String
  /// The path of its file in the release. If the release has the slice several times, the first.
  package let path: String
  package let architecture: Architecture
  /// Nil if the slice has none.
  package let identity: ImageIdentity?
  package let verdict: Verdict
  /// Apple's file with the names of its symbols, `Symbols/<UUID>.symbols` in an `.ipa`; nil if
  /// there is none.
  package let symbolsFile: String?

  package enum Verdict: Hashable, Sendable {
    /// The debug information is complete: in the file at this path.
    case complete(path: String)
    case incomplete(Defect)
    /// The user allows its defect.
    case allowed(Defect)
    /// It is Apple's own, and Apple gives out no dSYM for it.
    case apple
  }

  /// What is wrong with the dSYM of a slice. Paths are those to show.
  package enum Defect: Hashable, Sendable {
    /// There is no dSYM for it.
    case noDsym
    /// There is no dSYM for it, nor in the xcframework that it comes from.
    case noDsymInXcframework(XcframeworkGap)
    /// The dSYM of its name is from another build.
    case otherBuild(path: String, found: ImageIdentity?)
    /// The dSYM of its file has only other slices.
    case otherSlices(path: String, found: [Architecture])
    /// The dSYM of its name has no DWARF file, or an empty one.
    case emptyDsym(path: String)
    /// The DWARF file of the dSYM cannot be read.
    case unreadable(SymbolFileProblem)
    /// The dSYM of its UUID has no debug information.
    case noDebugInformation(path: String)
    /// The debug information of the dSYM cannot be read.
    case damagedDebugInformation(path: String, SymbolFileProblem)
    /// The dSYM of its UUID leads from no address to a line.
    case noLines(path: String)
    /// The names in the dSYM are hidden, and this BCSymbolMap, which has them, is not there.
    case hiddenNames(path: String, map: String)
    /// The slice has no UUID, so that no dSYM can be its own.
    case noUuid
  }

  /// What keeps the release from passing; nil if nothing does.
  package var defect: Defect? {
    if case .incomplete(let defect) = verdict { defect } else { nil }
  }
}

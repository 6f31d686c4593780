import FileSystem
import ReportSymbolication
package import SymbolStore
package import SymbolicationModel
import Wording

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

extension CheckedImage {
  /// `Kit (arm64)`
  var shownName: String {
    architecture == .unknown ? name : "\(name) (\(architecture.name))"
  }
}

extension CheckedImage.Defect {
  /// One or two sentences: what is wrong, and what to do.
  func message(of image: CheckedImage) -> String {
    let identity = image.identity.map { "UUID \($0)" } ?? "no UUID"
    switch self {
    case .noDsym:
      return
        "There is no dSYM with \(identity). Build with DEBUG_INFORMATION_FORMAT=dwarf-with-dsym, or add the dSYM that came with \(image.name)."
    case .noDsymInXcframework(let gap):
      return "There is no dSYM with \(identity). \(gap.sentences)"
    case .otherBuild(let path, let found):
      let other = found.map { "UUID \($0)" } ?? "no UUID"
      return
        "\(path) is from another build: it has \(other), but \(image.name) has \(identity). Use the dSYM of the same build."
    case .otherSlices(let path, let found):
      let names = found.map(\.name).joined(separator: ", ")
      return
        "\(path) has no \(image.architecture.name) slice with \(identity), only \(names). Build the dSYM for all architectures of \(image.name)."
    case .emptyDsym(let path):
      return
        "\(path) is empty: it has no DWARF file. Build \(image.name) with debug information (-g), and run dsymutil again."
    case .unreadable(let problem):
      return "The dSYM of \(image.name) cannot be read: \(problem.message)."
    case .noDebugInformation(let path):
      return
        "\(path) has the right UUID but no debug information. Build \(image.name) with debug information (-g); run dsymutil before strip, and while the object files still exist."
    case .damagedDebugInformation(let path, let problem):
      return "The debug information in \(path) cannot be read: \(problem.message)."
    case .noLines(let path):
      return
        "\(path) has no line numbers for the code of \(image.name). Build it with -g, or at least with -gline-tables-only."
    case .hiddenNames(let path, let map):
      return
        "The names in \(path) are hidden (__hidden#…), and \(map) is missing. Add that file from the archive or from App Store Connect."
    case .noUuid:
      return
        "\(image.name) has no UUID, so no dSYM can be matched to it. Link it without -no_uuid."
    }
  }

  /// A word for programs.
  var schemaName: String {
    switch self {
    case .noDsym, .noDsymInXcframework: "noDsym"
    case .otherBuild: "otherBuild"
    case .otherSlices: "otherSlices"
    case .emptyDsym: "emptyDsym"
    case .unreadable: "unreadable"
    case .noDebugInformation: "noDebugInformation"
    case .damagedDebugInformation: "damagedDebugInformation"
    case .noLines: "noLines"
    case .hiddenNames: "hiddenNames"
    case .noUuid: "noUuid"
    }
  }
}

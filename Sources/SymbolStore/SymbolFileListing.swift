import FileSystem
import ObjectFiles
package import SymbolicationModel

/// The slices of the symbol files at some paths, one for each image.
package struct SymbolFileListing {
  /// In the order of the paths; in a directory, in the order of the files' paths.
  package let files: [File]
  /// What is wrong with paths, or with files in them.
  package let problems: [Problem]

  package struct File: Hashable, Sendable {
    package let candidate: SymbolCandidate
    /// The path that it belongs to: its position in the list of paths.
    package let pathIndex: Int
  }

  package struct Problem: Hashable, Sendable {
    package let problem: SymbolFileProblem
    package let pathIndex: Int
  }

  /// The paths that are directories and were searched: nobody asked for the files in them by name.
  package let searchedPaths: Set<Int>

  /// Looks at each path as `SymbolStore` does: a dSYM bundle, a Mach-O or ELF file, or a directory,
  /// which is searched with all its subfolders.
  ///
  /// If an image has several slices (of one identity and architecture, such as a program and its
  /// dSYM), the first with debug information is taken, else the first. A slice without identity is
  /// an image of its own. Object files that were not linked are ignored in directories.
  ///
  /// Cost: the headers of all files are read.
  package init(
    paths: [String], jobs: Int = ParallelWork.processorCount,
    limits: ResourceLimits = ResourceLimits()
  ) {
    var settings = SearchSettings()
    settings.jobs = jobs
    settings.entryLimit = Int(clamping: limits.searchedFiles)
    var found: [(file: File, hasDebugInfo: Bool)] = []
    var problems: [Problem] = []
    var searchedPaths: Set<Int> = []
    var places: [ImageKey: Int] = [:]
    for (pathIndex, path) in paths.enumerated() {
      let (files, pathProblems, isSearched) = Self.list(path, settings)
      problems += pathProblems.map { Problem(problem: $0, pathIndex: pathIndex) }
      if isSearched { searchedPaths.insert(pathIndex) }
      for (candidate, header) in files {
        let entry = (
          file: File(candidate: candidate, pathIndex: pathIndex),
          hasDebugInfo: header.hasDebugInfo
        )
        found.merge(entry, ImageKey(candidate), &places) { known in
          if entry.hasDebugInfo, !known.hasDebugInfo { known = entry }
        }
      }
    }
    self.files = found.map(\.file)
    self.problems = problems
    self.searchedPaths = searchedPaths
  }

  /// Two slices with equal keys belong to the same image. Without an identity the path counts.
  private struct ImageKey: Hashable {
    let identity: ImageIdentity?
    let architecture: Architecture
    let path: String?

    init(_ candidate: SymbolCandidate) {
      self.identity = candidate.identity
      self.architecture = candidate.architecture
      self.path = candidate.identity == nil ? candidate.path : nil
    }
  }

  private typealias Slice = (candidate: SymbolCandidate, header: SymbolFileHeader)

  private static func list(
    _ path: String, _ settings: SearchSettings
  ) -> (files: [Slice], problems: [SymbolFileProblem], isSearched: Bool) {
    let kind: FileKind
    do {
      kind = try FileKind(orProblemAt: path)
    } catch {
      return ([], [error], false)
    }
    switch kind {
    case .directory where !BundleName.isDsym(path):
      let found = SearchRoot(path, followsLinks: true).search(settings)
      let files = found.entries.filter {
        $0.header.isForIndexes && $0.header.fileType != .relocatable
      }
      let isEmpty = files.isEmpty && found.problems.isEmpty
      return (
        files.map { ($0.candidate, $0.header) },
        isEmpty ? [SymbolFileProblem(path: path, kind: .noSymbolFiles)] : found.problems, true
      )
    case .directory, .regularFile, .special, .symbolicLink:
      do {
        let opened = try SymbolFile.objectFiles(at: path)
        let files = opened.files.map { (SymbolCandidate($0), SymbolFileHeader($0)) }
          .filter { $0.1.isForIndexes }
        let isEmpty = files.isEmpty && opened.problems.isEmpty
        return (
          files, isEmpty ? [SymbolFileProblem(path: path, kind: .notIndexed)] : opened.problems,
          false
        )
      } catch {
        return ([], [error], false)
      }
    }
  }
}

extension SymbolFileHeader {
  /// Whether an index can be made from it.
  fileprivate var isForIndexes: Bool { format == .machO || format == .elf }
}

/// Files with the name of an image that are from other builds. The user hears of them, and they are
/// never used. So only the first ones are looked at: a report may have as many images of a name as
/// a directory has files.
enum OtherBuilds {
  /// How many are named for an image.
  static let limit = 100
  /// How many of a name are looked at, whatever their architectures.
  static let walkLimit = 1000
}

import FileSystem
import ObjectFiles
package import SymbolicationModel

/// One candidate for an image, and what became of it.
package struct SymbolFinding: Hashable, Sendable {
  /// The file, or the bundle if it is empty.
  package let path: String
  package let place: SymbolPlace
  /// What the file states; nil if it could not be read, or is no file.
  package var candidate: SymbolCandidate?
  package internal(set) var outcome: Outcome
  /// Whether the file has debug information; nil if that was not found out.
  package var hasDebugInfo: Bool?

  package enum Outcome: Hashable, Sendable {
    /// The symbol file that is used for the image.
    case used(by: SymbolMatch.Basis)
    /// It is the image's too, and another file is used. If that is for no better reason than the
    /// order, both are the same or contradict each other (`SymbolStore.problems`).
    case fits(by: SymbolMatch.Basis)
    /// It has the image's name and architecture, and belongs to another build.
    case otherBuild
    /// It has the image's name, and no slice for the image's architecture. These it has.
    case otherArchitectures([Architecture])
    /// A dSYM of the image's name without a DWARF file.
    case emptyBundle
    /// It is refused for another reason.
    case refused(DebugFileSearch.Finding)
  }
}

extension SymbolFinding {
  init(_ candidate: SymbolCandidate, place: SymbolPlace, outcome: Outcome, hasDebugInfo: Bool?) {
    self.init(
      path: candidate.path, place: place, candidate: candidate, outcome: outcome,
      hasDebugInfo: hasDebugInfo)
  }

  init(_ file: ObjectFile, place: SymbolPlace, outcome: Outcome) {
    self.init(
      SymbolCandidate(file), place: place, outcome: outcome, hasDebugInfo: file.hasDebugInfo)
  }

  init(_ refused: DebugFileSearch.Attempt, place: SymbolPlace) {
    self.init(path: refused.path, place: place, outcome: .refused(refused.finding))
  }

  fileprivate init(_ entry: SymbolFileEntry, place: SymbolPlace, outcome: Outcome) {
    self.init(
      entry.candidate, place: place, outcome: outcome, hasDebugInfo: entry.header.hasDebugInfo)
  }
}

extension SymbolFileEntries {
  /// The files that have the image's identity or name, in their order, at most `OtherBuilds.limit`
  /// of each.
  func findings(for image: ImageDescription, place: SymbolPlace) -> [SymbolFinding] {
    guard let identity = image.identity else { return [] }
    let fitting = files(of: identity, limit: OtherBuilds.limit).map {
      SymbolFinding($0, place: place, outcome: .fits(by: .identity))
    }
    var others: [SymbolFinding] = []
    let named = files(of: image.names).filter { !$0.header.belongs(to: identity) }
    let fittingPaths = Set(fitting.map(\.path))
    for (path, slices) in named.groupedByPath where others.count < OtherBuilds.limit {
      let accepted = slices.filter { image.accepts($0.header.architecture) }
      others += accepted.map { SymbolFinding($0, place: place, outcome: .otherBuild) }
      // Another slice of a file that fits is no finding.
      guard accepted.isEmpty, !fittingPaths.contains(path),
        let first = slices.first
      else { continue }
      others.append(
        SymbolFinding(
          first, place: place, outcome: .otherArchitectures(slices.map(\.header.architecture))))
    }
    return fitting + others
  }
}

/// The dSYMs without a DWARF file, or with an empty one, that lie directly in a folder, in its
/// folder `dSYMs`, or in that of an archive of Xcode in it; by the names of images.
struct EmptyBundles: Sendable {
  private var paths: [String] = []
  private var positions: [String: [Int]] = [:]

  /// Cost: the folders are listed, and all dSYMs in them.
  init(in folders: [String]) {
    for bundle in folders.flatMap({ Self.bundles(in: $0) }) {
      guard let names = Self.names(ofEmptyBundle: bundle) else { continue }
      for name in names.withoutRepetitions { positions[name, default: []].append(paths.count) }
      paths.append(bundle)
    }
  }

  /// The paths of those that have a name of the image, at most `OtherBuilds.limit` for each.
  func paths(for image: ImageDescription) -> [String] {
    Set(image.names.flatMap { (positions[$0] ?? []).prefix(OtherBuilds.limit) }).sorted()
      .map { paths[$0] }
  }

  private static func bundles(in folder: String) -> [String] {
    let archives = entries(of: folder).filter { $0.hasSuffix(BundleName.archiveSuffix) }
    let folders =
      [folder, folder.appendingPath("dSYMs")]
      + archives.map { folder.appendingPath($0 + "/dSYMs") }
    return folders.flatMap { folder in
      entries(of: folder).filter { BundleName.isDsym($0) }.map { folder.appendingPath($0) }
    }
  }

  private static func entries(of folder: String) -> [String] {
    ((try? Directory.entries(of: folder)) ?? []).map(\.name)
  }

  /// The names that images of the dSYM at `path` may have, by its own name or those of its DWARF
  /// files; nil if it is not empty.
  private static func names(ofEmptyBundle path: String) -> [String]? {
    let name = BundleName.binaryName(ofBundle: path.lastPathComponent)
    do throws(SymbolFileProblem) {
      let files = try DsymBundle.dwarfFiles(in: path)
      guard files.allSatisfy({ (try? FileStatus(path: $0))?.size == 0 }) else { return nil }
      return [name] + files.map(\.lastPathComponent)
    } catch {
      return error.kind == .emptyBundle && FileKind(path: path) == .directory ? [name] : nil
    }
  }
}

extension [SymbolFileEntry] {
  /// The slices of each file, in the order of the files.
  fileprivate var groupedByPath: [(path: String, slices: [SymbolFileEntry])] {
    var groups: [(path: String, slices: [SymbolFileEntry])] = []
    var places: [String: Int] = [:]
    for entry in self {
      groups.merge((entry.path, [entry]), entry.path, &places) { $0.slices.append(entry) }
    }
    return groups
  }
}

/// The kind of a place in which a symbol file lies. The raw value is its name in JSON.
package enum SymbolPlace: String, Hashable, CaseIterable, Sendable {
  /// A file or bundle that the user gave by name.
  case given
  /// Somewhere below a directory that the user gave by name (`-d`).
  case givenDirectory
  /// Somewhere below a search directory (`-s`, or the environment).
  case searchDirectory
  /// A member of an archive (zip, tar) that the user gave by name.
  case givenArchive
  /// A member of an archive that was found in a directory.
  case foundArchive
  /// At a path in a given directory or search directory that follows from the identity.
  case layout
  /// The folder of a report.
  case reportFolder
  /// The folders of build-ids in the system's debug directories.
  case systemDebugDirectory
  /// What a server delivered, now or earlier.
  case server
  /// Near another symbol file of the image, or at a path that it states: its dSYM or its separate
  /// debug file.
  case companion
  /// The user's cache of indexes.
  case indexCache
}

/// A place that may have the symbol file of an image, and can say what it has for one.
protocol ImagePlace: SymbolFileLocator {
  /// Everything in the place that could be meant for the image. Cost: that of `locate`; a place
  /// that was not searched yet is searched.
  func findings(for image: ImageDescription) -> [SymbolFinding]
}

import Archives
import ObjectFiles
import SymbolicationModel
import Synchronization

/// The symbol files in archives (zip and tar). An archive is like a directory with the same
/// content: it is searched, once, when an image is asked for by its identity, and a file in it
/// never fits by its name.
///
/// Only the heads of the members are read then. A member is taken out when its identity is asked
/// for.
final class ArchiveMembers: ImagePlace {
  let place: SymbolPlace
  private let cache: ArchiveCache?
  private let unpacked: UnpackedMembers
  private let source: @Sendable () -> Source
  private let state = Mutex(State())

  /// The archives to search.
  private struct Source {
    var archives: [ArchiveFile] = []
    var problems: [SymbolFileProblem] = []
    /// Whether an archive without a symbol file is a problem.
    var expectsFiles = false
  }

  private struct State {
    /// Nil if nothing was searched yet.
    var content: Content?
    var openProblems = DistinctValues<SymbolFileProblem>()
  }

  private struct Content {
    var byIdentity: [ImageIdentity: [(slice: ArchivedSlice, archive: ArchiveFile)]] = [:]
    var byName: [String: [ArchivedSlice]] = [:]
    var problems: [SymbolFileProblem] = []
  }

  /// The archives that the user gave by name.
  init(_ archives: [ArchiveFile], cache: ArchiveCache?) {
    place = .givenArchive
    self.cache = cache
    unpacked = UnpackedMembers(cache: cache)
    source = { Source(archives: archives, expectsFiles: true) }
  }

  /// The archives that were found in directories and beside reports, when these were searched.
  ///
  /// - Parameter given: those that are searched anyway.
  init(
    in directories: [SearchedDirectories], _ reportFolders: ReportFolders,
    besides given: [ArchiveFile], cache: ArchiveCache?, limits: ArchiveLimits
  ) {
    place = .foundArchive
    let given = Set(given.compactMap(\.cacheKey))
    self.cache = cache
    unpacked = UnpackedMembers(cache: cache)
    source = {
      var source = Source()
      for path in (directories.flatMap(\.archives) + reportFolders.archives).withoutRepetitions {
        do throws(ArchiveError) {
          // Nil for a file that only has the name of an archive.
          guard let archive = try ArchiveFile.open(path: path, limits: limits) else { continue }
          if archive.cacheKey.map(given.contains) != true { source.archives.append(archive) }
        } catch {
          source.problems.append(SymbolFileProblem(error))
        }
      }
      return source
    }
  }

  /// What is wrong with the archives and with members that were met, and archives given by name
  /// that have no symbol file.
  var problems: [SymbolFileProblem] {
    // Threads ask in any order.
    state.withLock {
      ($0.content?.problems ?? []) + $0.openProblems.values.sorted { $0.path < $1.path }
    }
  }

  /// The files found so far that have one of the image's names and an architecture that serves for
  /// it.
  func candidates(named image: ImageDescription) -> [SymbolCandidate] {
    slices(named: image).map(\.candidate)
  }

  /// Those of `candidates(named:)` that belong to another build of the image.
  func otherBuilds(of image: ImageDescription) -> [SymbolCandidate] {
    slices(named: image).filter { !$0.head.belongs(to: image.identity) }.map(\.candidate)
  }

  private func slices(named image: ImageDescription) -> [ArchivedSlice] {
    Array(
      namedSlices(image).prefix(OtherBuilds.walkLimit).lazy
        .filter { image.accepts($0.head.architecture) }.prefix(OtherBuilds.limit))
  }

  /// Those of any architecture, at most `OtherBuilds.walkLimit` of each name.
  private func namedSlices(_ image: ImageDescription) -> [ArchivedSlice] {
    guard let byName = state.withLock({ $0.content?.byName }), !byName.isEmpty else { return [] }
    return image.names.sorted().flatMap { (byName[$0] ?? []).prefix(OtherBuilds.walkLimit) }
  }

  func locate(_ request: SymbolFileRequest, skipping known: Set<String>) -> SymbolFileAnswer {
    guard case .image(let image) = request.wanted, let identity = image.identity else {
      return SymbolFileAnswer()
    }
    var answer = SymbolFileAnswer()
    var counts: [SliceKind: Int] = [:]
    for (slice, archive) in members(of: identity) {
      let kind = SliceKind(slice.head)
      guard (counts[kind] ?? 0) < Self.copiesOfAKind else { continue }
      do throws(SymbolFileProblem) {
        answer.files.append(try unpacked.objectFile(slice, in: archive))
        counts[kind, default: 0] += 1
      } catch {
        _ = state.withLock { $0.openProblems.insert(error) }
      }
    }
    answer.refused = otherBuilds(of: image).map { candidate in
      DebugFileSearch.Attempt(
        path: candidate.path,
        finding: .otherIdentity(found: candidate.identity, expected: identity))
    }
    return answer
  }

  /// Files that serve an image equally well. Whoever made an archive may have put any number of
  /// them into it, and unpacking costs: two are enough to see whether they contradict each other.
  private struct SliceKind: Hashable {
    let format: ObjectFormat
    let hasDebugInfo: Bool?

    init(_ head: SymbolFileHead) {
      format = head.format
      hasDebugInfo = head.hasDebugInfo
    }
  }

  private static let copiesOfAKind = 2

  func findings(for image: ImageDescription) -> [SymbolFinding] {
    guard let identity = image.identity else { return [] }
    let fitting = members(of: identity).prefix(OtherBuilds.limit).map(\.slice)
    let named = namedSlices(image).prefix(OtherBuilds.walkLimit).filter {
      !$0.head.belongs(to: identity)
    }
    var others: [SymbolFinding] = []
    let byPath = Dictionary(grouping: named, by: \.path)
    let fittingPaths = Set(fitting.map(\.path))
    for path in named.map(\.path).withoutRepetitions
    where !fittingPaths.contains(path) && others.count < OtherBuilds.limit {
      let slices = byPath[path] ?? []
      let accepted = slices.filter { image.accepts($0.head.architecture) }
      others += accepted.map { finding($0, .otherBuild) }
      if accepted.isEmpty, let first = slices.first {
        others.append(finding(first, .otherArchitectures(slices.map(\.head.architecture))))
      }
    }
    return fitting.map { finding($0, .fits(by: .identity)) } + others
  }

  private func finding(_ slice: ArchivedSlice, _ outcome: SymbolFinding.Outcome) -> SymbolFinding {
    SymbolFinding(
      slice.candidate, place: place, outcome: outcome, hasDebugInfo: slice.head.hasDebugInfo)
  }

  /// The slices with that identity, and then those that state only the start of it. While one
  /// thread searches, the others wait.
  private func members(
    of identity: ImageIdentity
  ) -> [(slice: ArchivedSlice, archive: ArchiveFile)] {
    state.withLock { state in
      let content = state.content ?? search()
      state.content = content
      let prefix = identity.debugIdPrefix.flatMap { content.byIdentity[$0] } ?? []
      return (content.byIdentity[identity] ?? [])
        + prefix.filter { $0.slice.head.belongs(to: identity) }
    }
  }

  private func search() -> Content {
    let source = source()
    var content = Content()
    content.problems = source.problems
    for archive in source.archives {
      let (slices, problems) = slices(in: archive)
      content.problems += problems
      if source.expectsFiles, slices.isEmpty, problems.isEmpty {
        content.problems.append(SymbolFileProblem(path: archive.path, kind: .noSymbolFiles))
      }
      for slice in slices {
        content.byName[slice.candidate.name, default: []].append(slice)
        if let identity = slice.head.identity {
          content.byIdentity[identity, default: []].append((slice, archive))
        }
      }
    }
    return content
  }

  /// The slices as an earlier run listed them, or of a search, which is then kept for later runs.
  /// An archive with problems is searched in each run, so that each reports them.
  private func slices(
    in archive: ArchiveFile
  ) -> (slices: [ArchivedSlice], problems: [SymbolFileProblem]) {
    if let listing = cache?.listing(of: archive),
      let slices = ArchiveListing.decode(listing, archivePath: archive.path)
    {
      return (slices, [])
    }
    let found = ArchiveSearch.slices(in: archive)
    if found.problems.isEmpty {
      cache?.storeListing(ArchiveListing.encode(found.slices), of: archive)
    }
    return found
  }
}

import Archives
import ObjectFiles
import SymbolicationModel
import Synchronization

/// The symbol files in archives (zip and tar) that the user gave. An archive is like a directory
/// with the same content: it is searched, once, when an image is asked for by its identity, and a
/// file in it never fits by its name.
///
/// Only the heads of the members are read then. A member is taken out when its identity is asked
/// for.
final class ArchiveMembers: SymbolFileLocator {
  private let archives: [ArchiveFile]
  private let cache: ArchiveCache?
  private let state = Mutex(State())

  private struct State {
    /// Nil if nothing was searched yet.
    var content: Content?
    var openProblems: [SymbolFileProblem] = []
  }

  private struct Content {
    var byIdentity: [ImageIdentity: [(slice: ArchivedSlice, archive: ArchiveFile)]] = [:]
    var byName: [String: [SymbolCandidate]] = [:]
    var problems: [SymbolFileProblem] = []
  }

  init(_ archives: [ArchiveFile], cache: ArchiveCache?) {
    self.archives = archives
    self.cache = cache
  }

  /// What is wrong with the archives and with members that were met, and archives without a symbol
  /// file.
  var problems: [SymbolFileProblem] {
    state.withLock { ($0.content?.problems ?? []) + $0.openProblems }
  }

  /// The files found so far that have one of the image's names and an architecture that serves for
  /// it.
  func candidates(named image: ImageDescription) -> [SymbolCandidate] {
    let byName = state.withLock { $0.content?.byName ?? [:] }
    return image.names.sorted().flatMap { byName[$0] ?? [] }.filter { candidate in
      guard let architecture = image.architecture else { return true }
      return [architecture, architecture.fallback, .unknown].contains(candidate.architecture)
    }
  }

  /// Those of `candidates(named:)` that belong to another build of the image.
  func otherBuilds(of image: ImageDescription) -> [SymbolCandidate] {
    candidates(named: image).filter { $0.identity != image.identity }
  }

  /// While one thread searches, the others wait.
  func locate(_ request: SymbolFileRequest, skipping known: Set<String>) -> SymbolFileAnswer {
    guard !archives.isEmpty, case .image(let image) = request.wanted,
      let identity = image.identity
    else { return SymbolFileAnswer() }
    let found = state.withLock { state in
      let content = state.content ?? search()
      state.content = content
      return content.byIdentity[identity] ?? []
    }
    var answer = SymbolFileAnswer()
    for (slice, archive) in found {
      do throws(SymbolFileProblem) {
        answer.files.append(try slice.open(in: archive, cache: cache))
      } catch {
        state.withLock { $0.openProblems.append(error) }
      }
    }
    answer.refused = otherBuilds(of: image).map { candidate in
      DebugFileSearch.Attempt(
        path: candidate.path,
        finding: .otherIdentity(found: candidate.identity, expected: identity))
    }
    return answer
  }

  private func search() -> Content {
    var content = Content()
    for archive in archives {
      let (slices, problems) = slices(in: archive)
      content.problems += problems
      if slices.isEmpty, problems.isEmpty {
        content.problems.append(SymbolFileProblem(path: archive.path, kind: .noSymbolFiles))
      }
      for slice in slices {
        let candidate = slice.candidate
        content.byName[candidate.name, default: []].append(candidate)
        if let identity = candidate.identity {
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

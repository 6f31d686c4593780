package import Archives
import ObjectFiles
package import SymbolicationModel
import Synchronization

/// The one home for finding symbol files: every place where one may lie, in the order in which they
/// are asked.
///
/// A path given may be a dSYM bundle, a DWARF file, an executable or library (Mach-O or ELF), an
/// index (GSYM), a Breakpad symbol file, a directory, which is searched with all its subfolders, or
/// an archive (zip, tar), which is searched like a directory. Files given by name are opened when
/// the store is made; every other place is looked at when something is asked for that no place
/// before it has. Only the headers of a file are read here.
///
/// Answers are remembered for as long as the store lives, and so are failures. It may be asked from
/// several threads.
package final class SymbolStore: Sendable {
  /// How much is read of symbol files.
  package let limits: ResourceLimits
  private let given: GivenFiles
  /// The directories given by name, and the search directories.
  private let searched: [SearchedDirectories]
  private let reportFolders: ReportFolders
  private let layouts: [LayoutDirectories]
  /// The archives given by name, and those found in directories.
  private let archived: [ArchiveMembers]
  let symbolMapPlaces: SymbolMapPlaces
  /// Nil if no server is to be asked.
  private let servers: SymbolServers?
  private let learntNames: LearntNamesPlace
  /// All places, in the order in which they are asked.
  let locators: [any SymbolFileLocator]
  private let memory = Mutex<[SymbolFileRequest: SymbolFileAnswer]>([:])
  /// Files with debug information that carry the identity of another one.
  private let ambiguities = Mutex(DistinctValues<SymbolFileProblem>())

  /// A store of files that are given by name, and of the system's debug directories.
  package convenience init(
    paths: [String] = [], debugDirectories: [String] = SymbolPlaces.systemDebugDirectories,
    archiveCache: ArchiveCache? = nil, limits: ResourceLimits = ResourceLimits()
  ) {
    var places = SymbolPlaces(paths: paths, debugDirectories: debugDirectories)
    places.limits = limits
    self.init(places, archiveCache: archiveCache)
  }

  /// - Parameters:
  ///   - archiveCache: where symbol files are unpacked that lie compressed in archives; nil to
  ///     unpack them to memory.
  ///   - downloadProgress: called from time to time while servers are asked.
  package init(
    _ places: SymbolPlaces, _ settings: SearchSettings = SearchSettings(),
    archiveCache: ArchiveCache? = nil,
    downloadProgress: (@Sendable (DownloadProgress) -> Void)? = nil
  ) {
    limits = places.limits
    let archiveLimits = ArchiveLimits(places.limits)
    let debugDirectories = places.debugDirectories
    let paths = SymbolMapPlaces.sorted(
      places.paths, searchDirectories: places.searchDirectories)
    symbolMapPlaces = paths.places
    given = GivenFiles(paths: paths.otherPaths, archiveLimits: archiveLimits)
    let givenRoots = given.directories.map { SearchRoot($0, followsLinks: true) }
    let searchRoots = SearchRoot.distinct(places.searchDirectories, beside: givenRoots)
    searched = [
      SearchedDirectories(givenRoots, place: .givenDirectory, expectsFiles: true, settings),
      SearchedDirectories(searchRoots, place: .searchDirectory, expectsFiles: false, settings),
    ]
    reportFolders = ReportFolders(
      places.reportFolders, searched: givenRoots + searchRoots, settings)
    archived = [
      ArchiveMembers(given.archives, cache: archiveCache),
      ArchiveMembers(
        in: searched, reportFolders, besides: given.archives, cache: archiveCache,
        limits: archiveLimits),
    ]
    layouts = [
      LayoutDirectories(
        (givenRoots + searchRoots).map(\.path), layouts: LayoutDirectories.all, place: .layout),
      LayoutDirectories(
        debugDirectories, layouts: LayoutDirectories.buildIds, place: .systemDebugDirectory),
    ]
    servers = SymbolServers(places, progress: downloadProgress)
    learntNames = LearntNamesPlace(places)
    locators = [
      given, layouts[0], searched[0], archived[0], searched[1], reportFolders, archived[1],
      layouts[1], SystemNamePlace(places),
      IndexDirectories(cacheDirectory: places.cacheDirectory),
      StatedPaths(debugDirectories: debugDirectories),
      DwzDirectories(debugDirectories: debugDirectories),
      BuildIdDirectories(debugDirectories: debugDirectories), NeighbouringFiles(),
      MirroredFolders(debugDirectories: debugDirectories), NeighbouringDsyms(), SplitPackages(),
      DebugMapObjects(),
    ].appending(servers).appending(learntNames)
  }

  /// How many answers are remembered.
  package var answerCount: Int { memory.withLock { $0.count } }

  /// Searches the directories and archives now, and not when something is first asked for.
  package func search() {
    _ = ask(Self.noImage, asksServers: false)
  }

  /// What no place has.
  private static let noImage = SymbolFileRequest.image(
    ImageDescription(
      identity: ImageIdentity(bytes: Array("no such image...".utf8)), architecture: nil, names: []))

  /// Asks the places in their order until one has the file.
  ///
  /// A separate debug file that has only symbols is taken if no place has one with DWARF.
  package func locate(_ request: SymbolFileRequest) -> SymbolFileAnswer {
    if let known = memory.withLock({ $0[request] }) { return known }
    var answer = ask(request)
    if answer.files.isEmpty, answer.hasRefusedForMissingSection,
      let secondBest = request.acceptingSymbolsAlone
    {
      answer.files = ask(secondBest).files
    }
    return memory.withLock { memory in
      // Another thread may have asked meanwhile: all get one answer.
      if let known = memory[request] { return known }
      memory[request] = answer
      return answer
    }
  }

  /// - Parameter asksServers: whether the servers are among the places.
  private func ask(_ request: SymbolFileRequest, asksServers: Bool = true) -> SymbolFileAnswer {
    var answer = SymbolFileAnswer()
    var known: Set<String> = []
    for locator in locators
    where asksServers || !(locator is SymbolServers || locator is LearntNamesPlace) {
      let found = locator.locate(request, skipping: known)
      answer.files += found.files
      answer.refused += found.refused
      if request.isSatisfied(by: answer.files) { break }
      known.formUnion(found.refused.map(\.path))
    }
    return answer
  }
}

// MARK: - Servers

extension SymbolStore {
  /// Downloads the symbol files of images that no place on this machine has, several at a time. The
  /// requests that follow find them; without this call, each would wait for its own download.
  package func prefetch(_ images: [ImageDescription]) {
    guard let servers else { return }
    servers.fetch(
      images.compactMap { image in
        let request = SymbolFileRequest.image(image)
        guard let wish = SymbolServers.Wish(request),
          !request.isSatisfied(by: ask(request, asksServers: false).files)
        else { return nil }
        return wish
      })
  }

  /// What was wrong with servers and with what they delivered so far.
  package var serverProblems: [ServerProblem] { servers?.problems ?? [] }
}

extension [any SymbolFileLocator] {
  fileprivate func appending(_ locator: (any SymbolFileLocator)?) -> Self {
    locator.map { self + [$0] } ?? self
  }
}

// MARK: - Images of reports

extension SymbolStore {
  /// The file for an image, or nil.
  ///
  /// A file fits by its UUID or build-id. If the report does not state the image's, a file given by
  /// name fits an image of the same name and architecture. If several fit, one with debug
  /// information wins, then an index, then a Breakpad or `.symbols` file, then, by name, one of the
  /// exact architecture, then the first, and last what was learnt from reports. Directories are
  /// searched unless a file given by name fits and has debug information or is an index or a
  /// Breakpad or `.symbols` file.
  package func symbolFile(for image: ImageDescription) -> SymbolMatch? {
    match(for: image, among: locate(.image(image)).files)
  }

  /// The files for an image that is known by name only, one for each build and architecture. More
  /// than one may be wrong.
  package func symbolFiles(named image: ImageDescription) -> [SymbolMatch] {
    let files = locate(.image(image)).files
    let exact = files.filter { $0.architecture == image.architecture }
    var builds: [[ObjectFile]] = []
    for file in exact.isEmpty ? files : exact {
      if let known = builds.firstIndex(where: { $0[0].isOfSameBuild(as: file) }) {
        builds[known].append(file)
      } else {
        builds.append([file])
      }
    }
    return builds.compactMap { match(for: image, among: $0) }
  }

  private func match(for image: ImageDescription, among files: [ObjectFile]) -> SymbolMatch? {
    let better = files.filter { !$0.format.isLastResort }
    let best =
      better.first { $0.hasDebugInfo } ?? better.first { $0.format == .gsym }
      ?? better.first { $0.answersAlone } ?? better.first ?? files.first
    guard let best else { return nil }
    noteAmbiguity(of: best, among: files)
    return SymbolMatch(
      objectFile: best, program: files.first { $0.isProgram(of: best) },
      basis: image.identity == nil ? .name : .identity)
  }

  /// Notes files that carry the identity of `best` and other debug information.
  private func noteAmbiguity(of best: ObjectFile, among files: [ObjectFile]) {
    guard best.hasDebugInfo, let identity = best.identity else { return }
    for file in files
    where file.path != best.path && file.hasDebugInfo && file.architecture == best.architecture
      && file.identity == identity && !file.hasSameDebugInfo(as: best)
    {
      let problem = SymbolFileProblem(
        path: best.path, architecture: best.architecture,
        kind: .ambiguousIdentity(identity, otherPath: file.path))
      _ = ambiguities.withLock { $0.insert(problem) }
    }
  }

  /// Files in directories and archives that have the image's name and architecture, whatever their
  /// identity; none before these were searched.
  package func filesOfSameName(as image: ImageDescription) -> [SymbolCandidate] {
    var beside = reportFolders.files(named: image)
    if !beside.isEmpty {
      // A file that was given by name and lies beside the report is reported as a given file.
      let given = Set(given.index.files(named: image).map(\.identity))
      beside.removeAll { given.contains($0.header.identity) }
    }
    var found: [SymbolCandidate] = []
    for place in searched { found += place.files(named: image).map(\.candidate) }
    found += beside.map(\.candidate)
    for archive in archived { found += archive.candidates(named: image) }
    return found.withoutRepetitions
  }

  /// The first file in the directories to search with the name of an image whose UUID is not known,
  /// so that it is not used. They are searched now if they were not before.
  package func unusedFile(named image: ImageDescription) -> SymbolCandidate? {
    for place in searched { _ = place.locate(Self.noImage, skipping: []) }
    return searched.lazy.flatMap { $0.files(named: image) }.first?.candidate
  }

  /// The first file given by name that has the image's name and is for another architecture.
  package func fileOfOtherArchitecture(named image: ImageDescription) -> SymbolCandidate? {
    givenFiles.flatMap(\.candidates).first {
      image.names.contains($0.name) && !image.accepts($0.architecture)
    }
  }

  /// Files given by name, and those found in directories so far, that have the image's name and
  /// architecture but another identity.
  package func otherBuilds(of image: ImageDescription) -> [SymbolCandidate] {
    guard image.identity != nil else { return [] }
    let found = searchedEntries.flatMap { $0.otherBuilds(of: image).map(\.candidate) }
    return
      (given.index.otherBuilds(of: image).map { SymbolCandidate($0) } + found
      + archived.flatMap { $0.otherBuilds(of: image) }).withoutRepetitions
  }

  private var searchedEntries: [SymbolFileEntries] {
    searched.map(\.entries) + [reportFolders.entries]
  }

  /// The files given by name, in the order given; a bundle with several DWARF files counts as one.
  package var givenFiles: [GivenSymbolFile] { given.files }

  /// What is wrong with paths that were given, in the order given.
  package var problems: [SymbolFileProblem] { given.problems }

  /// What is wrong with what was found in directories and archives so far: damaged symbol files,
  /// files that the system does not let be read, files in the place of another image, given
  /// directories and archives without a symbol file, failures of the disk beside a report; and
  /// files that carry the identity of the one that is used and contradict it.
  package var searchProblems: [SymbolFileProblem] {
    (layouts.flatMap(\.problems) + searched.flatMap(\.problems) + archived.flatMap(\.problems)
      + reportFolders.problems + learntNames.problems + ambiguities.withLock { $0.values })
      .withoutRepetitions
  }
}

extension ObjectFile {
  fileprivate func isOfSameBuild(as other: ObjectFile) -> Bool {
    architecture == other.architecture
      && (path == other.path || identity != nil && identity == other.identity)
  }

  /// Whether it is the program or library that `debugFile`, which has the same identity, was made
  /// from: another file, without debug information.
  fileprivate func isProgram(of debugFile: ObjectFile) -> Bool {
    debugFile.hasDebugInfo && !hasDebugInfo && format == debugFile.format
      && fileType != .debugSymbols && architecture == debugFile.architecture
      && identity != nil && identity == debugFile.identity && path != debugFile.path
  }
}

package import Archives
import ObjectFiles
package import SymbolicationModel
import Synchronization

/// The one home for finding symbol files: every place where one may lie, in the order in which they
/// are asked.
///
/// A path given may be a dSYM bundle, a DWARF file, an executable or library (Mach-O or ELF), an
/// index (GSYM), a directory, which is searched with all its subfolders, or an archive (zip, tar),
/// which is searched like a directory. Files given by name are
/// opened when the store is made; every other place is looked at when something is asked for that
/// no place before it has. Only the headers of a file are read here.
///
/// Answers are remembered for as long as the store lives, and so are failures. It may be asked from
/// several threads.
package final class SymbolStore: Sendable {
  /// Where Linux distributions keep debug information.
  package static let systemDebugDirectories = ["/usr/lib/debug"]

  private let given: GivenFiles
  private let searched: SearchedDirectories
  private let archived: ArchiveMembers
  /// All places, in the order in which they are asked.
  let locators: [any SymbolFileLocator]
  private let memory = Mutex<[SymbolFileRequest: SymbolFileAnswer]>([:])

  /// - Parameters:
  ///   - paths: as the user gave them, most wanted first.
  ///   - debugDirectories: where the system keeps debug information; absolute paths.
  ///   - archiveCache: where symbol files are unpacked that lie compressed in archives; nil to
  ///     unpack them to memory.
  package init(
    paths: [String] = [], debugDirectories: [String] = systemDebugDirectories,
    archiveCache: ArchiveCache? = nil
  ) {
    given = GivenFiles(paths: paths)
    searched = SearchedDirectories(given.directories)
    archived = ArchiveMembers(given.archives, cache: archiveCache)
    locators = [
      given, searched, archived, IndexDirectories(),
      StatedPaths(debugDirectories: debugDirectories),
      DwzDirectories(debugDirectories: debugDirectories),
      BuildIdDirectories(debugDirectories: debugDirectories), NeighbouringFiles(),
      MirroredFolders(debugDirectories: debugDirectories), NeighbouringDsyms(), SplitPackages(),
      DebugMapObjects(),
    ]
  }

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

  private func ask(_ request: SymbolFileRequest) -> SymbolFileAnswer {
    var answer = SymbolFileAnswer()
    var known: Set<String> = []
    for locator in locators {
      let found = locator.locate(request, skipping: known)
      answer.files += found.files
      answer.refused += found.refused
      if request.isSatisfied(by: answer.files) { break }
      known.formUnion(found.refused.map(\.path))
    }
    return answer
  }
}

// MARK: - Images of reports

extension SymbolStore {
  /// The file for an image, or nil.
  ///
  /// A file fits by its UUID or build-id. If the report does not state the image's, a file given by
  /// name fits an image of the same name and architecture. If several fit, one with debug
  /// information wins, then an index, then, by name, one of the exact architecture, then the first.
  /// Directories are searched unless a file given by name fits and has debug information or is an
  /// index.
  package func symbolFile(for image: ImageDescription) -> SymbolMatch? {
    let files = locate(.image(image)).files
    let best =
      files.first { $0.hasDebugInfo } ?? files.first { $0.format == .gsym } ?? files.first
    guard let best else { return nil }
    return SymbolMatch(
      objectFile: best, program: files.first { $0.isProgram(of: best) },
      basis: image.identity == nil ? .name : .identity)
  }

  /// Files in the given directories and archives that have the image's name and architecture,
  /// whatever their identity; none before these were searched.
  package func filesOfSameName(as image: ImageDescription) -> [SymbolCandidate] {
    (searched.index?.files(named: image) ?? []).map { SymbolCandidate($0) }
      + archived.candidates(named: image)
  }

  /// Files given by name, and those found in directories so far, that have the image's name and
  /// architecture but another identity.
  package func otherBuilds(of image: ImageDescription) -> [SymbolCandidate] {
    guard image.identity != nil else { return [] }
    return (given.index.otherBuilds(of: image) + (searched.index?.otherBuilds(of: image) ?? []))
      .map { SymbolCandidate($0) } + archived.otherBuilds(of: image)
  }

  /// The files given by name, in the order given; a bundle with several DWARF files counts as one.
  package var givenFiles: [GivenSymbolFile] { given.files }

  /// What is wrong with paths that were given, in the order given.
  package var problems: [SymbolFileProblem] { given.problems }

  /// What is wrong with what was found in directories and archives so far (damaged symbol files,
  /// files that the system does not let be read), and those without a symbol file.
  package var searchProblems: [SymbolFileProblem] { searched.problems + archived.problems }
}

extension ObjectFile {
  /// Whether it is the program or library that `debugFile`, which has the same identity, was made
  /// from: another file, without debug information.
  fileprivate func isProgram(of debugFile: ObjectFile) -> Bool {
    debugFile.hasDebugInfo && !hasDebugInfo && format == debugFile.format
      && fileType != .debugSymbols && architecture == debugFile.architecture
      && identity != nil && identity == debugFile.identity && path != debugFile.path
  }
}

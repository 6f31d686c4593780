import Archives
import FileSystem
import ObjectFiles
import SymbolicationModel

/// The symbol files that the user gave by name. They are opened when the store is made.
///
/// A file fits an image by its UUID or build-id; if the report does not state the image's, by name
/// and architecture.
struct GivenFiles: SymbolFileLocator {
  /// In the order given; a bundle with several DWARF files counts as one.
  let files: [GivenSymbolFile]
  /// The paths that are directories to be searched.
  let directories: [String]
  /// The zip and tar archives among the paths, which are searched like directories.
  let archives: [ArchiveFile]
  /// What is wrong with paths, in the order given.
  let problems: [SymbolFileProblem]
  let index: SymbolFileIndex
  /// The places in `files` of those with a slice of that name, and of that identity.
  private let byName: [String: [Int]]
  private let byIdentity: [ImageIdentity: [Int]]
  /// The empty dSYMs among the paths, by the names that their images may have.
  private let emptyBundles: [String: [SymbolFileProblem]]

  init(paths: [String], archiveLimits: ArchiveLimits = ArchiveLimits()) {
    var files: [GivenSymbolFile] = []
    var directories: [String] = []
    var archives: [ArchiveFile] = []
    var problems: [SymbolFileProblem] = []
    for path in paths {
      do throws(SymbolFileProblem) {
        switch try FileKind(orProblemAt: path) {
        case .directory where !BundleName.isDsym(path):
          do throws(FileSystemError) {
            try FileAccess.check([.read, .execute], path: path)
          } catch {
            throw SymbolFileProblem(error)
          }
          directories.append(path)
        case .directory, .regularFile, .special, .symbolicLink:
          let opened: (files: [ObjectFile], problems: [SymbolFileProblem])
          do throws(SymbolFileProblem) {
            opened = try SymbolFile.objectFiles(at: path)
          } catch {
            guard let archive = try Self.archive(at: path, archiveLimits, insteadOf: error) else {
              throw error
            }
            archives.append(archive)
            continue
          }
          files.append(GivenSymbolFile(path: path, objectFiles: opened.files))
          problems += opened.problems
        }
      } catch {
        problems.append(error)
      }
    }
    self.files = files
    self.directories = directories
    self.archives = archives
    self.problems = problems
    self.index = SymbolFileIndex(files.flatMap(\.objectFiles))
    self.byName = Self.places(of: files) { $0.imageName }
    self.byIdentity = Self.places(of: files) { $0.identity }
    self.emptyBundles = Dictionary(
      grouping: problems.filter { $0.kind == .emptyBundle },
      by: { BundleName.binaryName(ofBundle: $0.path.lastPathComponent) })
  }

  private static func places<Key: Hashable>(
    of files: [GivenSymbolFile], _ key: (ObjectFile) -> Key?
  ) -> [Key: [Int]] {
    var places: [Key: [Int]] = [:]
    for (index, given) in files.enumerated() {
      for key in given.objectFiles.compactMap(key) where places[key]?.last != index {
        places[key, default: []].append(index)
      }
    }
    return places
  }

  /// The files that have the image's identity or one of its names, in their order: at most
  /// `OtherBuilds.walkLimit` for each.
  func files(for image: ImageDescription) -> [GivenSymbolFile] {
    let identities = [image.identity, image.identity?.debugIdPrefix].compactMap(\.self)
    let places =
      identities.flatMap { (byIdentity[$0] ?? []).prefix(OtherBuilds.walkLimit) }
      + image.names.flatMap { (byName[$0] ?? []).prefix(OtherBuilds.walkLimit) }
    return Set(places).sorted().map { files[$0] }
  }

  /// The problems of empty dSYMs that have a name of the image.
  func emptyBundles(of image: ImageDescription) -> [SymbolFileProblem] {
    image.names.sorted().flatMap { (emptyBundles[$0] ?? []).prefix(OtherBuilds.limit) }
  }

  /// The archive at `path`, which is no symbol file; nil if it is no archive either.
  private static func archive(
    at path: String, _ limits: ArchiveLimits, insteadOf problem: SymbolFileProblem
  ) throws(SymbolFileProblem) -> ArchiveFile? {
    guard case .notASymbolFile = problem.kind, FileKind(path: path) == .regularFile else {
      return nil
    }
    do throws(ArchiveError) {
      return try ArchiveFile.open(path: path, limits: limits)
    } catch {
      throw SymbolFileProblem(error)
    }
  }

  func locate(_ request: SymbolFileRequest, skipping known: Set<String>) -> SymbolFileAnswer {
    guard case .image(let image) = request.wanted else { return SymbolFileAnswer() }
    guard image.identity == nil else { return index.answer(for: image) }
    let named = index.files(named: image)
    let exact = named.filter { $0.architecture == image.architecture }
    return SymbolFileAnswer(files: exact + named)
  }
}

/// A symbol file that the user gave by name, with its slices.
package struct GivenSymbolFile: Sendable {
  /// As given: the bundle, if a bundle was given.
  package let path: String
  let objectFiles: [ObjectFile]

  package var candidates: [SymbolCandidate] { objectFiles.map { SymbolCandidate($0) } }
}

/// Opened files by what they are searched for. Files with the same key stay in their order.
struct SymbolFileIndex: Sendable {
  private let byIdentity: [ImageIdentity: [ObjectFile]]
  private let byName: [String: [ObjectFile]]

  init(_ files: [ObjectFile]) {
    var byIdentity: [ImageIdentity: [ObjectFile]] = [:]
    for file in files {
      if let identity = file.identity { byIdentity[identity, default: []].append(file) }
    }
    self.byIdentity = byIdentity
    self.byName = Dictionary(grouping: files, by: \.imageName)
  }

  /// The files with one of the image's names and an architecture that serves for it: of each name
  /// the first ones, at most `OtherBuilds.walkLimit`.
  func files(named image: ImageDescription) -> [ObjectFile] {
    let named = image.names.sorted().flatMap { (byName[$0] ?? []).prefix(OtherBuilds.walkLimit) }
    return named.filter { image.accepts($0.architecture) }
  }

  /// The files of that name and architecture that belong to another build of the image.
  func otherBuilds(of image: ImageDescription) -> [ObjectFile] {
    Array(
      files(named: image).lazy.filter { !$0.belongs(to: image.identity) }.prefix(OtherBuilds.limit))
  }

  private func files(of identity: ImageIdentity) -> [ObjectFile] {
    let exact = byIdentity[identity] ?? []
    guard let prefix = identity.debugIdPrefix else { return exact }
    return exact + (byIdentity[prefix] ?? []).filter { $0.belongs(to: identity) }
  }

  /// The files with the image's identity. Files of the same name with another one are refused.
  func answer(for image: ImageDescription) -> SymbolFileAnswer {
    guard let identity = image.identity else { return SymbolFileAnswer() }
    // Each slice has an identity of its own, unless somebody made them alike.
    let found = files(of: identity)
    let exact = found.filter { $0.architecture == image.architecture }
    return SymbolFileAnswer(
      files: exact.isEmpty || exact.count == found.count
        ? found : exact + found.filter { $0.architecture != image.architecture },
      refused: otherBuilds(of: image).map { file in
        DebugFileSearch.Attempt(
          path: file.path, finding: .otherIdentity(found: file.identity, expected: identity))
      })
  }
}

extension ImageIdentity {
  /// The first 16 bytes of a longer build-id: all that a Breakpad symbol file may state of it. Nil
  /// for an identity without more bytes.
  var debugIdPrefix: ImageIdentity? {
    bytes.count > 16 ? ImageIdentity(bytes: Array(bytes.prefix(16))) : nil
  }
}

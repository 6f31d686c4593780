import FileSystem
package import ObjectFiles
package import SymbolicationModel

/// The symbol files that a user gave, and the search for the one that belongs to an image.
///
/// A path given may be a dSYM bundle, a DWARF file, an executable or library (Mach-O or ELF), an index
/// (GSYM), or a directory, which is searched to its depth for any of these. Files given by name are opened when
/// the store is made; directories are searched when an image is asked for that no such file is for,
/// once. Of a file only the headers are read here.
///
/// One owner, one thread.
package final class SymbolStore {
  /// The files given by name, in the order given; a bundle with several DWARF files counts as one.
  package let givenFiles: [GivenSymbolFile]
  /// What is wrong with paths that were given, in the order given.
  package private(set) var problems: [SymbolFileProblem] = []
  /// What is wrong with what was met in directories so far (damaged symbol files, what the system
  /// does not let be read), and directories without any symbol file.
  package private(set) var searchProblems: [SymbolFileProblem] = []

  private let givenIndex: SymbolFileIndex
  private var directories: [String] = []
  private var foundIndex: SymbolFileIndex?

  /// - Parameter paths: as the user gave them, most wanted first.
  package init(paths: [String]) {
    var given: [GivenSymbolFile] = []
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
          let opened = try SymbolFile.objectFiles(at: path)
          given.append(GivenSymbolFile(path: path, objectFiles: opened.files))
          problems += opened.problems
        }
      } catch {
        problems.append(error)
      }
    }
    self.givenFiles = given
    self.givenIndex = SymbolFileIndex(given.flatMap(\.objectFiles))
  }

  /// The file for an image, or nil.
  ///
  /// A file fits by its UUID or build-id. Where the report does not know the image's, a file given by
  /// name fits an image of the same name and architecture. Of several that fit, one with debug
  /// information wins, then an index, then, by name, one of the very architecture, then the first;
  /// directories are searched unless a file given by name fits and has debug information, or is an
  /// index.
  package func symbolFile(for image: ImageDescription) -> SymbolMatch? {
    guard let identity = image.identity else {
      let given = image.matches(in: givenIndex)
      let exact = given.filter { $0.architecture == image.architecture }
      return match(exact + given, basis: .name)
    }
    let given = givenIndex.files(identity: identity)
    if let best = best(given), best.hasDebugInfo || best.format == .gsym {
      return match(given, basis: .identity)
    }
    return match(
      given + filesInDirectories().files(identity: identity), basis: .identity)
  }

  private func match(_ files: [ObjectFile], basis: SymbolMatch.Basis) -> SymbolMatch? {
    guard let best = best(files) else { return nil }
    let program = files.first { $0.isProgram(of: best) }
    return SymbolMatch(objectFile: best, program: program, basis: basis)
  }

  /// Files in the given directories that have the image's name and architecture but another identity.
  package func filesOfSameName(as image: ImageDescription) -> [SymbolCandidate] {
    guard let foundIndex else { return [] }
    return image.matches(in: foundIndex).map { SymbolCandidate($0) }
  }

  /// Files given by name, and those met in directories so far, that have the image's name and
  /// architecture but another identity.
  package func otherBuilds(of image: ImageDescription) -> [SymbolCandidate] {
    guard image.identity != nil else { return [] }
    let files = image.matches(in: givenIndex) + (foundIndex.map { image.matches(in: $0) } ?? [])
    return files.filter { $0.identity != image.identity }.map { SymbolCandidate($0) }
  }

  private func best(_ files: [ObjectFile]) -> ObjectFile? {
    files.first { $0.hasDebugInfo } ?? files.first { $0.format == .gsym } ?? files.first
  }

  private func filesInDirectories() -> SymbolFileIndex {
    if let foundIndex { return foundIndex }
    var files: [ObjectFile] = []
    for directory in directories {
      let found = DirectorySearch.objectFiles(under: directory)
      files += found.files
      searchProblems += found.problems
      if found.files.isEmpty, found.problems.isEmpty {
        searchProblems.append(SymbolFileProblem(path: directory, kind: .noSymbolFiles))
      }
    }
    let index = SymbolFileIndex(files)
    foundIndex = index
    return index
  }
}

/// Object files by what they are searched for. Files with the same key stay in their order.
private struct SymbolFileIndex {
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

  func files(identity: ImageIdentity) -> [ObjectFile] { byIdentity[identity] ?? [] }

  func files(name: String) -> [ObjectFile] { byName[name] ?? [] }
}

/// A symbol file that the user gave by name, with its slices.
package struct GivenSymbolFile {
  /// As given: the bundle, where a bundle was given.
  package let path: String
  let objectFiles: [ObjectFile]

  package var candidates: [SymbolCandidate] { objectFiles.map { SymbolCandidate($0) } }
}

/// What tells a slice of a symbol file from others.
package struct SymbolCandidate: Hashable, Sendable {
  package let path: String
  /// The file's own name; in a bundle that of the binary it was made from, for an index that of its
  /// image.
  package let name: String
  /// `unknown` where the file does not tell it.
  package let architecture: Architecture
  package let identity: ImageIdentity?

  init(_ objectFile: ObjectFile) {
    self.path = objectFile.path
    self.name = objectFile.imageName
    self.architecture = objectFile.architecture
    self.identity = objectFile.identity
  }
}

extension ObjectFile {
  /// Whether it is the program or library that `debugFile`, of the same image by identity, was made of:
  /// another file, without debug information.
  fileprivate func isProgram(of debugFile: ObjectFile) -> Bool {
    debugFile.hasDebugInfo && !hasDebugInfo && format == debugFile.format
      && fileType != .debugSymbols && architecture == debugFile.architecture
      && identity != nil && identity == debugFile.identity && path != debugFile.path
  }
}

/// A symbol file for an image.
package struct SymbolMatch {
  package let objectFile: ObjectFile
  /// The image's program or library, where that is among the files too and `objectFile` is a debug file
  /// made of it: it has what a debug file lacks, such as symbol stubs.
  package let program: ObjectFile?
  package let basis: Basis

  package var candidate: SymbolCandidate { SymbolCandidate(objectFile) }

  package enum Basis: Hashable, Sendable {
    /// Its UUID or build-id is the image's.
    case identity
    /// Only its name is: the report does not say which build of the image it was.
    case name
  }
}

/// What a report knows of an image for which a symbol file is wanted.
package struct ImageDescription: Hashable, Sendable {
  package let identity: ImageIdentity?
  package let architecture: Architecture?
  /// The names under which the image goes: as its frames and its line show it, and its file's.
  package let names: Set<String>

  package init(identity: ImageIdentity?, architecture: Architecture?, names: Set<String>) {
    self.identity = identity
    self.architecture = architecture
    self.names = names
  }

  /// The files that have one of the image's names and an architecture that serves for it.
  fileprivate func matches(in index: SymbolFileIndex) -> [ObjectFile] {
    names.sorted().flatMap { index.files(name: $0) }.filter { file in
      guard let architecture else { return true }
      return [architecture, architecture.fallback, .unknown].contains(file.architecture)
    }
  }
}

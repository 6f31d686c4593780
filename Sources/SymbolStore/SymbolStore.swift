package import ObjectFiles
package import SymbolicationModel

/// The symbol files that a user gave, and the search for the one that belongs to an image.
///
/// A path given may be a dSYM bundle, a DWARF file, an executable or library (Mach-O or ELF), or a
/// directory, which is searched to its depth for any of these. Files given by name are opened when
/// the store is made; directories are searched when an image is asked for that no such file is for,
/// once. Of a file only the headers are read here.
///
/// One owner, one thread.
package final class SymbolStore {
  /// The files given by name, in the order given; a bundle with several DWARF files counts as one.
  package let givenFiles: [GivenSymbolFile]
  /// What is wrong with paths that were given, in the order given.
  package private(set) var problems: [SymbolFileProblem] = []
  /// Damaged symbol files that were met in directories so far, and directories without any.
  package private(set) var searchProblems: [SymbolFileProblem] = []

  private var directories: [String] = []
  private var foundFiles: [ObjectFile]?

  /// - Parameter paths: as the user gave them, most wanted first.
  package init(paths: [String]) {
    var given: [GivenSymbolFile] = []
    for path in paths {
      do throws(SymbolFileProblem) {
        switch PathKind(path: path) {
        case .inaccessible(let errno):
          throw SymbolFileProblem(path: path, kind: .inaccessible(errno: errno))
        case .directory where !DsymBundle.isBundle(path: path):
          directories.append(path)
        case .directory, .file:
          let opened = try SymbolFile.objectFiles(at: path)
          given.append(GivenSymbolFile(path: path, objectFiles: opened.files))
          problems += opened.problems
        }
      } catch {
        problems.append(error)
      }
    }
    self.givenFiles = given
  }

  /// The file for an image, or nil.
  ///
  /// A file fits by its UUID or build-id. Where the report does not know the image's, a file given by
  /// name fits an image of the same name and architecture. Of several that fit, one with debug
  /// information wins, then the first.
  package func symbolFile(for image: ImageDescription) -> SymbolMatch? {
    let given = givenFiles.flatMap(\.objectFiles)
    guard let identity = image.identity else {
      return best(given.filter { image.mayBe(name: lastComponent(of: $0.path), $0.architecture) })
        .map { SymbolMatch(objectFile: $0, basis: .name) }
    }
    let match =
      best(given.filter { $0.identity == identity })
      ?? best(filesInDirectories().filter { $0.identity == identity })
    return match.map { SymbolMatch(objectFile: $0, basis: .identity) }
  }

  /// Files in the given directories that have the image's name and architecture but another identity.
  package func filesOfSameName(as image: ImageDescription) -> [SymbolCandidate] {
    (foundFiles ?? [])
      .filter { image.mayBe(name: lastComponent(of: $0.path), $0.architecture) }
      .map { SymbolCandidate($0) }
  }

  private func best(_ files: [ObjectFile]) -> ObjectFile? {
    files.first { $0.hasDebugInfo } ?? files.first
  }

  private func filesInDirectories() -> [ObjectFile] {
    if let foundFiles { return foundFiles }
    var files: [ObjectFile] = []
    for directory in directories {
      let found = DirectorySearch.objectFiles(under: directory)
      files += found.files
      searchProblems += found.problems
      if found.files.isEmpty, found.problems.isEmpty {
        searchProblems.append(SymbolFileProblem(path: directory, kind: .noSymbolFiles))
      }
    }
    foundFiles = files
    return files
  }
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
  /// The file's own name; in a bundle that of the binary it was made from.
  package let name: String
  package let architecture: Architecture
  package let identity: ImageIdentity?

  init(_ objectFile: ObjectFile) {
    self.path = objectFile.path
    self.name = lastComponent(of: objectFile.path)
    self.architecture = objectFile.architecture
    self.identity = objectFile.identity
  }
}

/// A symbol file for an image.
package struct SymbolMatch {
  package let objectFile: ObjectFile
  package let basis: Basis

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

  func mayBe(name: String, _ architecture: Architecture) -> Bool {
    guard names.contains(name) else { return false }
    guard let wanted = self.architecture else { return true }
    return wanted == architecture || wanted.fallback == architecture
  }
}

import FileSystem
package import ObjectFiles
package import SymbolicationModel

/// Opening one path that a user gave for a symbol file.
package enum SymbolFile {
  /// The slice for `architecture` (with Apple's fall-backs) of the file at `path`.
  ///
  /// `path` is a Mach-O, ELF, GSYM or Breakpad file, a `.dSYM` bundle, or a bundle named after the
  /// binary in it (`X.app`, `X.framework`, …). From a dSYM with several binaries, the one named
  /// like the bundle is taken, else the first that has the architecture. Without an architecture it
  /// is the one that `ObjectContainer.preferredObjectFile(for:)` prefers.
  ///
  /// - Returns: the slice, and the architectures it was chosen from.
  package static func open(
    path: String, architecture: Architecture?
  ) throws(SymbolFileProblem) -> (objectFile: ObjectFile, architectures: [Architecture]) {
    var firstProblem: SymbolFileProblem?
    for file in try binaries(at: path) {
      do throws(SymbolFileProblem) {
        let container = try ObjectContainer.openForUse(path: file)
        return (
          try container.preferredObjectFile(for: architecture),
          container.objectFiles.map(\.architecture).withoutRepetitions
        )
      } catch {
        firstProblem = firstProblem ?? error
      }
    }
    throw firstProblem ?? SymbolFileProblem(path: path, kind: .noSymbolFiles)
  }

  /// All libraries of the dyld shared cache at `path`; for any other file the slice that
  /// `open(path:architecture:)` returns.
  package static func openAll(
    path: String, architecture: Architecture?
  ) throws(SymbolFileProblem) -> (objectFiles: [ObjectFile], architectures: [Architecture]) {
    let (file, architectures) = try open(path: path, architecture: architecture)
    guard file.format == .sharedCache else { return ([file], architectures) }
    return (try ObjectContainer.openForUse(path: file.path).objectFiles, architectures)
  }

  /// The slice with this architecture and identity of the file at `path`; nil if it has none.
  package static func slice(
    ofFileAt path: String, architecture: Architecture, identity: ImageIdentity?
  ) throws(SymbolFileProblem) -> ObjectFile? {
    try ObjectContainer.openForUse(path: path).objectFiles.first {
      $0.architecture == architecture && $0.identity == identity
    }
  }

  /// Every slice of the file or bundle at `path`. Throws if none can be read; `problems` are those
  /// of the slices that cannot be read beside others.
  package static func objectFiles(
    at path: String
  ) throws(SymbolFileProblem) -> (files: [ObjectFile], problems: [SymbolFileProblem]) {
    var files: [ObjectFile] = []
    var problems: [SymbolFileProblem] = []
    for file in try binaries(at: path) {
      do {
        let container = try ObjectContainer.open(path: file)
        files += container.objectFiles
        problems += container.faults.map { SymbolFileProblem($0) }
        problems += container.objectFiles.flatMap(\.faults).map { SymbolFileProblem($0) }
      } catch {
        problems.append(SymbolFileProblem(error))
      }
    }
    if files.isEmpty, let problem = problems.first { throw problem }
    return (files, problems)
  }

  /// The files that `path` leads to, best first.
  private static func binaries(at path: String) throws(SymbolFileProblem) -> [String] {
    switch try FileKind(orProblemAt: path) {
    case .regularFile, .special, .symbolicLink:
      return [path]
    case .directory where BundleName.isDsym(path):
      let files = try DsymBundle.dwarfFiles(in: path)
      let named = BundleName.binaryName(ofBundle: path.lastPathComponent)
      return files.filter { $0.lastPathComponent == named }
        + files.filter { $0.lastPathComponent != named }
    case .directory:
      let name = BundleName.binaryName(ofBundle: path.lastPathComponent)
      let places = ["", "Contents/MacOS/", "Versions/Current/", "Versions/A/"]
        .map { path.appendingPath($0 + name) }
      guard path.lastPathComponent != name,
        let binary = places.first(where: { FileKind(path: $0) == .regularFile })
      else { throw SymbolFileProblem(path: path, kind: .directory) }
      return [binary]
    }
  }
}

/// The content of a `….dSYM` directory.
enum DsymBundle {
  /// The DWARF files of the bundle at `path`, sorted by name. Throws `emptyBundle` if there are
  /// none.
  static func dwarfFiles(in path: String) throws(SymbolFileProblem) -> [String] {
    let folder = path.appendingPath(BundleName.dsymContent)
    var entries: [Directory.Entry] = []
    do throws(FileSystemError) {
      if try FileStatus(path: folder).kind == .directory {
        entries = try Directory.entries(of: folder)
      }
    } catch  where !error.isAbsence {
      throw SymbolFileProblem(error)
    } catch {}
    var files: [String] = []
    for entry in entries {
      let file = folder.appendingPath(entry.name)
      do throws(FileSystemError) {
        if try FileStatus(path: file).isOrdinaryFile(at: file) { files.append(file) }
      } catch  where !error.isAbsence {
        throw SymbolFileProblem(error)
      } catch {}
    }
    guard !files.isEmpty else { throw SymbolFileProblem(path: path, kind: .emptyBundle) }
    return files
  }
}

import FileSystem
package import ObjectFiles
import SymbolicationModel
import Synchronization

/// A slice of a symbol file that was found in a directory: what its headers state, and where it
/// lies. It is small, and holds no mapping: the file is opened if it is the answer for an image.
package struct SymbolFileEntry: Hashable, Sendable {
  /// The path of the file.
  package let path: String
  package let header: SymbolFileHeader

  package init(path: String, header: SymbolFileHeader) {
    self.path = path
    self.header = header
  }

  /// The name of the image that it belongs to.
  package var imageName: String {
    header.moduleName ?? ObjectFile.imageName(ofFileAt: path, format: header.format)
  }

  package var candidate: SymbolCandidate {
    SymbolCandidate(
      path: path, name: imageName, architecture: header.architecture, identity: header.identity)
  }

  /// Opens the file, and finds the slice again. Throws `refused` if the file was replaced since.
  ///
  /// - Parameter caches: keeps shared caches open, which have thousands of slices each.
  func open(_ caches: OpenedCaches = OpenedCaches()) throws(RefusedEntry) -> ObjectFile {
    let container: ObjectContainer
    do throws(ObjectFileError) {
      container =
        header.format == .sharedCache
        ? try caches.container(path) : try ObjectContainer.open(regularFileAt: path)
    } catch {
      let problem = SymbolFileProblem(error)
      throw RefusedEntry(
        finding: error.isAbsence ? .absent : .unreadable(problem.kind), problem: problem)
    }
    let slice = container.objectFiles.first {
      $0.identity == header.identity && $0.architecture == header.architecture
    }
    guard let slice else {
      throw RefusedEntry(
        finding: .otherIdentity(
          found: container.objectFiles.first?.identity, expected: header.identity),
        problem: nil)
    }
    return slice
  }
}

/// The dyld shared caches of directories that an image was found in.
final class OpenedCaches: Sendable {
  private let containers = Mutex<[String: ObjectContainer]>([:])

  /// The cache at `path`, which is opened once. Throws as `ObjectContainer.open(regularFileAt:)`.
  func container(_ path: String) throws(ObjectFileError) -> ObjectContainer {
    if let known = containers.withLock({ $0[path] }) { return known }
    let opened = try ObjectContainer.open(regularFileAt: path)
    containers.withLock { $0[path] = opened }
    return opened
  }
}

/// Why a file that was found in a directory is not used after all.
struct RefusedEntry: Error {
  let finding: DebugFileSearch.Finding
  /// Nil if the file itself is sound.
  let problem: SymbolFileProblem?
}

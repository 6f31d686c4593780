package import FileSystem
import SystemPackage

/// Why a directory that was named in place of the user's cache is not used.
package enum CacheDirectoryProblem: Hashable, Sendable {
  /// It cannot be made, or is not a directory.
  case unusable(path: String, errno: CInt)
  /// Others may have written what is in it.
  case exposed(path: String, FileExposure)

  /// Makes the directory if it is missing. Nil if it can be used.
  package init?(with path: String) {
    let folder = CacheFolder(directory: path, sizeLimit: nil) { _ in nil }
    do throws(FileSystemError) {
      try folder.makeDirectory()
    } catch {
      self = .unusable(path: error.path, errno: error.errno.rawValue)
      return
    }
    guard let exposure = folder.exposure else { return nil }
    self = .exposed(path: path, exposure)
  }
}

package import FileSystem
import SystemPackage
import Wording

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

  /// One sentence: which directory, why it is not used, and what to do.
  package var message: String {
    let text =
      switch self {
      case .unusable(let path, let errno):
        "cannot use \(path) as the cache: \(Errno(rawValue: errno)); nothing is kept for the next run"
      case .exposed(let path, .otherOwner(let user)):
        "\(path) is not used as the cache: it belongs to the user with the number \(user), who could have put anything there; name another directory with --cache-dir"
      case .exposed(let path, .writableByOthers):
        "\(path) is not used as the cache: other users may write to it; if you trust its contents, run 'chmod go-w' on it"
      }
    return text.withoutControlCharacters
  }
}

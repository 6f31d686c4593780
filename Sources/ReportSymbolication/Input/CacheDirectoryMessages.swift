import FileSystem
import SystemPackage
import Wording

extension CacheDirectoryProblem {
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

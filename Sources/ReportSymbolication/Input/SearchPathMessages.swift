import SystemPackage
import Wording

extension SearchDirectoryProblem {
  /// One sentence: which directory, and why it is not searched.
  package var message: String {
    let text =
      switch reason {
      case .absent: "cannot search \(path): there is no such directory"
      case .notADirectory:
        "cannot search \(path): it is not a directory; give symbol files with -d"
      case .refused(let errno): "cannot search \(path): \(Errno(rawValue: errno))"
      }
    return text.withoutControlCharacters
  }
}

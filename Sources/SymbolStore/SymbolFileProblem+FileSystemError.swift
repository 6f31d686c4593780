import FileSystem
import Platform
import SymbolicationModel
import SystemPackage

extension SymbolFileProblem {
  /// The same refusal as a problem of the symbol file, or directory, at that path.
  init(_ error: FileSystemError) {
    self.init(path: error.path, kind: .inaccessible(errno: error.errno.rawValue))
  }

  /// Whether the system failed: neither is the file as it is meant to be, nor is it forbidden.
  var isFaultOfTheSystem: Bool {
    guard case .inaccessible(let errno, _) = kind else { return false }
    return ![ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, EACCES, EPERM].contains(errno)
  }
}

extension FileKind {
  /// The kind of what `path` leads to. Throws `inaccessible`.
  init(orProblemAt path: String) throws(SymbolFileProblem) {
    do throws(FileSystemError) {
      self = try FileStatus(path: path).kind
    } catch {
      throw SymbolFileProblem(error)
    }
  }
}

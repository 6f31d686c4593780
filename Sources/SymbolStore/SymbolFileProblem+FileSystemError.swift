import FileSystem
import SymbolicationModel
import SystemPackage

extension SymbolFileProblem {
  /// The same refusal as a problem of the symbol file, or directory, at that path.
  init(_ error: FileSystemError) {
    self.init(path: error.path, kind: .inaccessible(errno: error.errno.rawValue))
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

import Glibc
package import SymbolIndex
package import SymbolicationModel

extension SourceStamp {
  /// The stamp of the file at `path` as it is now. Throws where the system does not tell.
  package init(ofFileAt path: String) throws(SymbolFileProblem) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      throw SymbolFileProblem(path: path, kind: .inaccessible(errno: errno))
    }
    self.init(
      size: UInt64(clamping: status.st_size),
      modificationSeconds: Int64(status.st_mtim.tv_sec),
      modificationNanoseconds: UInt32(clamping: status.st_mtim.tv_nsec), path: path)
  }
}

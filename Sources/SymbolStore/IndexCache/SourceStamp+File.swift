import FileSystem
package import SymbolIndex
package import SymbolicationModel
import SystemPackage

extension SourceStamp {
  /// The stamp of the file at `path` as it is now. Throws `inaccessible`.
  package init(ofFileAt path: String) throws(SymbolFileProblem) {
    do throws(FileSystemError) {
      let status = try FileStatus(path: path)
      self.init(
        size: status.size, modificationSeconds: status.modificationTime.seconds,
        modificationNanoseconds: status.modificationTime.nanoseconds, path: path)
    } catch {
      throw SymbolFileProblem(path: path, kind: .inaccessible(errno: error.errno.rawValue))
    }
  }
}

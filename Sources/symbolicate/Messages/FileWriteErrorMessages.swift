import FileSystem
import SystemPackage

extension FileWriteError {
  /// One sentence: which file, and what the system said.
  var message: String {
    switch self {
    case .cannotCreate(let path, .noSuchFileOrDirectory)
    where FileKind(path: path.folder) != .directory:
      "cannot create \(path): there is no folder \(path.folder)"
    case .cannotCreate(let path, let errno): "cannot create \(path): \(errno)"
    case .cannotWrite(let path, let errno): "cannot write \(path): \(errno)"
    }
  }
}

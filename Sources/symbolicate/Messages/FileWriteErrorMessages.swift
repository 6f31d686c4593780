import FileSystem

extension FileWriteError {
  /// One sentence: which file, and what the system said.
  var message: String {
    switch self {
    case .cannotCreate(let path, let errno): "cannot create \(path): \(errno)"
    case .cannotWrite(let path, let errno): "cannot write \(path): \(errno)"
    }
  }
}

import FileSystem

extension FileWriteError {
  /// Says it on standard error.
  ///
  /// - Returns: the exit status that it means.
  func report() -> ExitStatus {
    switch self {
    case .cannotCreate(let path, let errno):
      Diagnostics.print("cannot create \(path): \(errno)")
      return .cannotCreateOutput
    case .cannotWrite(let path, let errno):
      Diagnostics.print("cannot write \(path): \(errno)")
      return .cannotWriteOutput
    }
  }
}

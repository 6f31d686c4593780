import CPlatform

/// The number of the kind of file system that `path` leads to (`f_type` of statfs(2)).
///
/// - Returns: nil with `errno` if the system does not say.
@unsafe package func fileSystemType(of path: UnsafePointer<CChar>) -> UInt? {
  var status = statfs()
  guard unsafe statfs(path, &status) == 0 else { return nil }
  return UInt(bitPattern: Int(status.f_type))
}

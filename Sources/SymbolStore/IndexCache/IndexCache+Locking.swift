package import FileSystem
package import ObjectFiles
import Platform

extension IndexCache {
  /// Whether the directory is there.
  package var exists: Bool { FileKind(path: directory) == .directory }

  /// Removes the directory if there is nothing in it.
  package func removeIfEmpty() { _ = unsafe directory.withPathBytes { unsafe rmdir($0) } }

  /// Takes the lock of the index of `objectFile`, so that of several processes one makes it. No
  /// lock is no reason not to make it: an index appears whole in any case.
  ///
  /// - Returns: the lock, if there is one to have; and whether another process has it.
  package func lock(
    for objectFile: ObjectFile, waits: Bool
  ) -> (lock: FileLock?, isBusy: Bool) {
    // `store` says what is wrong with the directory.
    guard let name = fileName(for: objectFile), (try? makeDirectory()) != nil else {
      return (nil, false)
    }
    switch FileLock.take(path(IndexFileName.lock(name)), waits: waits) {
    case .taken(let lock): return (lock, false)
    case .busy: return (nil, true)
    case .unavailable: return (nil, false)
    }
  }
}

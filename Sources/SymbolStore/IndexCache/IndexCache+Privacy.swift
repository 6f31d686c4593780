import FileSystem
import ObjectFiles
import SymbolicationModel
import SystemPackage

extension IndexCache {
  /// Why others than the user may have written the index at `path`; nil if they cannot.
  ///
  /// What the trailer states about the symbol file can be forged by whoever knows the file. So the
  /// user's cache and what is in it must belong to the user or the administrator, and nobody else
  /// may write to them. A directory that the user named is often shared: an index there may also
  /// belong to the owner of the directory or of the symbol file, who could make it lie anyway, and
  /// a group may write to it; all may, if all may write to the symbol file.
  func exposure(of path: String, for objectFile: ObjectFile) -> IndexRefusal? {
    if isCache {
      return folderExposure ?? (try? FileStatus(path: path))?.exposure.map { refusal(path, $0) }
    }
    let symbolFile = try? FileStatus(path: objectFile.path)
    let owners = [symbolFile, try? FileStatus(path: directory)].compactMap { $0?.owner }
    let isOpenToAll = symbolFile?.permissions.contains(.otherWrite) == true
    return (try? FileStatus(path: path))?.exposure(
      trusting: Set(owners), writers: isOpenToAll ? [] : .otherWrite
    ).map { refusal(path, $0) }
  }

  /// Why others may write to the folder of the cache; nil if they cannot, or there is none.
  var folderExposure: IndexRefusal? { folder.exposure.map { refusal(directory, $0) } }

  private func refusal(_ path: String, _ exposure: FileExposure) -> IndexRefusal {
    switch exposure {
    case .otherOwner(let user): .otherOwner(path: path, user: user)
    case .writableByOthers(let permissions):
      .writableByOthers(path: path, permissions: UInt32(permissions.rawValue))
    }
  }
}

import Archives
import ObjectFiles
import SymbolicationModel

/// A slice of a symbol file in an archive, known by its head and not opened.
struct ArchivedSlice: Hashable, Sendable {
  /// The symbol file; before it, if it lies in an archive that is a member itself, that one.
  let members: [ArchiveMember]
  /// What the file is called: the archive's path and the members' names.
  let path: String
  let head: SymbolFileHead

  init(members: [ArchiveMember], archivePath: String, head: SymbolFileHead) {
    self.members = members
    self.path = members.reduce(archivePath) { $0 + "/" + $1.name }
    self.head = head
  }

  var candidate: SymbolCandidate {
    SymbolCandidate(
      path: path,
      name: head.moduleName ?? ObjectFile.imageName(ofFileAt: path, format: head.format),
      architecture: head.architecture, identity: head.identity)
  }

  /// The slice in what was taken out of the archive. Throws if that is not the file that its head
  /// promised.
  func objectFile(in container: ObjectContainer) throws(SymbolFileProblem) -> ObjectFile {
    guard
      let slice = container.objectFiles.first(where: {
        $0.identity == head.identity && $0.architecture == head.architecture
      })
    else { throw SymbolFileProblem(path: path, kind: .unusableArchive(.changedMeanwhile)) }
    return slice
  }
}

import Archives
import ObjectFiles
import SymbolicationModel
import Synchronization

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

/// The members of archives that were unpacked in a run, so that none is unpacked twice: neither one
/// that several images ask for, nor one that proved to be of no use.
final class UnpackedMembers: Sendable {
  private let cache: ArchiveCache?
  private let members = Mutex<[Key: Member]>([:])

  private struct Key: Hashable {
    let archive: ObjectIdentifier
    let places: [Int]
  }

  /// Other threads wait for the one that unpacks it.
  private final class Member: Sendable {
    let result = Mutex<Result<ObjectContainer, SymbolFileProblem>?>(nil)
  }

  init(cache: ArchiveCache?) { self.cache = cache }

  /// Takes the member out of `archive`, which must live as long as this, and opens the slice.
  /// Throws, too, if what comes out is not the file that its head promised.
  func objectFile(
    _ slice: ArchivedSlice, in archive: ArchiveFile
  ) throws(SymbolFileProblem) -> ObjectFile {
    let key = Key(archive: ObjectIdentifier(archive), places: slice.members.map(\.index))
    let member = members.withLock { members in
      let member = members[key] ?? Member()
      members[key] = member
      return member
    }
    let result = member.result.withLock { known in
      let result = known ?? unpack(slice, archive)
      known = result
      return result
    }
    return try slice.objectFile(in: result.get())
  }

  private func unpack(
    _ slice: ArchivedSlice, _ archive: ArchiveFile
  ) -> Result<ObjectContainer, SymbolFileProblem> {
    do {
      return .success(
        try ObjectContainer.parse(
          try archive.content(of: slice.members, cache: cache), path: slice.path))
    } catch let error as ArchiveError {
      return .failure(SymbolFileProblem(error))
    } catch let error as ObjectFileError {
      return .failure(SymbolFileProblem(error))
    } catch {
      return .failure(
        SymbolFileProblem(path: slice.path, kind: .unusableArchive(.changedMeanwhile)))
    }
  }
}

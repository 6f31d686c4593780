import FileSystem
import ObjectFiles
import SymbolicationModel
import Synchronization

/// The object files, and members of archives, at the paths that a debug map states.
///
/// A relative path (`-oso_prefix`) is relative to the image's folder. A file, or a member, that was
/// changed since it was linked is refused: its functions may be others.
final class DebugMapObjects: SymbolFileLocator {
  private let archives = Mutex<[String: [Archive]]>([:])

  /// Cost: the file is mapped and its headers are read; the list of an archive's members is read
  /// once.
  func locate(_ request: SymbolFileRequest, skipping known: Set<String>) -> SymbolFileAnswer {
    guard case .debugMapObject(let object) = request.wanted, let image = request.askingFile else {
      return SymbolFileAnswer()
    }
    let paths =
      object.path.isAbsolutePath
      ? [object.path] : image.folders.map { $0.appendingPath(object.path) }
    return request.firstFile(at: paths, skipping: known) { (path) throws(RefusedCandidate) in
      try self.open(path, changed: object.modificationTime, request)
    }
  }

  private func open(
    _ path: String, changed time: Int64, _ request: SymbolFileRequest
  ) throws(RefusedCandidate) -> ObjectFile {
    if let (archive, member) = Self.archiveAndMember(path) {
      return try openMember(member, of: archive, at: path, changed: time, request)
    }
    let found = time == 0 ? nil : (try? FileStatus(path: path))?.modificationTime.seconds
    // A file that could not be the one for another reason is refused for that.
    let file = try request.openCandidate(at: path)
    if let found, found != time {
      throw RefusedCandidate(finding: .otherTime(found: found, expected: time))
    }
    return file
  }

  /// `lib.a` and `member.o` for `lib.a(member.o)`; nil for any other path.
  private static func archiveAndMember(_ path: String) -> (archive: String, member: String)? {
    guard path.utf8.last == UInt8(ascii: ")"), let open = path.lastIndex(of: "("),
      open != path.startIndex
    else { return nil }
    return (String(path[..<open]), String(path[path.index(after: open)...].dropLast()))
  }

  private func openMember(
    _ name: String, of archivePath: String, at path: String, changed time: Int64,
    _ request: SymbolFileRequest
  ) throws(RefusedCandidate) -> ObjectFile {
    let archives = try request.refusing { () throws(ObjectFileError) in
      try self.archives(at: archivePath)
    }
    guard !archives.isEmpty else { throw RefusedCandidate(finding: .notMachO) }
    var finding = DebugFileSearch.Finding.missingMember(name)
    for member in archives.flatMap({ $0.members(named: name) }) {
      let file: ObjectFile
      do throws(RefusedCandidate) {
        file = try request.chosenSlice { () throws(ObjectFileError) in
          try ObjectFile.machOFiles(in: member.content, path: path)
        }
      } catch {
        // The archive for another architecture in a fat file has the same members.
        if case .missingMember = finding { finding = error.finding }
        continue
      }
      guard time == 0 || member.modificationTime == time else {
        finding = .otherTime(found: member.modificationTime, expected: time)
        continue
      }
      return file
    }
    throw RefusedCandidate(finding: finding)
  }

  private func archives(at path: String) throws(ObjectFileError) -> [Archive] {
    try archives.withLock { (known) throws(ObjectFileError) in
      if let archives = known[path] { return archives }
      let archives = try Archive.open(statedPath: path)
      known[path] = archives
      return archives
    }
  }
}

import FileSystem
import ObjectFiles
import SymbolicationModel
import Synchronization

/// Finds and opens the object files to which the debug map of one image leads.
///
/// The paths come from the image, which may be a stranger's: only regular files are opened, and of a
/// file of another format nothing is told. A relative path (`-oso_prefix`) is relative to the image's
/// folder. A file, or a member of an archive, that was changed since it was linked is refused: its
/// functions may be others. May be used from several threads.
final class DebugMapFiles: Sendable {
  private let imagePath: String
  private let realImagePath: String?
  private let architecture: Architecture
  private let archives = Mutex<[String: [Archive]]>([:])

  init(image: ObjectFile) {
    self.imagePath = image.path
    self.realImagePath = image.realPath
    self.architecture = image.architecture
  }

  /// An object file, or why there is none.
  enum Result {
    case found(ObjectFile)
    case notFound(DebugFileSearch)
  }

  /// Cost: the file is mapped and its headers are read; of an archive the list of its members, once.
  func open(_ object: DebugMap.Object) -> Result {
    var attempts: [DebugFileSearch.Attempt] = []
    for path in places(of: object.path) {
      let finding: DebugFileSearch.Finding
      do throws(Refusal) {
        return .found(try file(at: path, changed: object.modificationTime))
      } catch {
        finding = error.finding
      }
      attempts.append(DebugFileSearch.Attempt(path: path, finding: finding))
    }
    return .notFound(
      DebugFileSearch(
        purpose: .debugMapObject, name: object.path, attempts: attempts))
  }

  private struct Refusal: Error {
    let finding: DebugFileSearch.Finding
  }

  private func places(of path: String) -> [String] {
    if path.isAbsolutePath { return [path] }
    return [imagePath, realImagePath ?? imagePath].map { $0.folder.appendingPath(path) }
      .withoutRepetitions
  }

  private func file(at path: String, changed time: Int64) throws(Refusal) -> ObjectFile {
    if let (archive, member) = Self.memberPlace(path) {
      return try memberFile(member, of: archive, at: path, changed: time)
    }
    if time != 0, let found = (try? FileStatus(path: path))?.modificationTime.seconds,
      found != time
    {
      // What is no file that could be the one is told as that.
      _ = try slice(path) { () throws(ObjectFileError) in
        try ObjectFile.openMachO(statedPath: path)
      }
      throw Refusal(finding: .otherTime(found: found, expected: time))
    }
    return try slice(path) { () throws(ObjectFileError) in
      try ObjectFile.openMachO(statedPath: path)
    }
  }

  /// `lib.a` and `member.o` for `lib.a(member.o)`; nil for a path of another form.
  private static func memberPlace(_ path: String) -> (archive: String, member: String)? {
    guard path.utf8.last == UInt8(ascii: ")"), let open = path.lastIndex(of: "("),
      open != path.startIndex
    else { return nil }
    return (
      String(path[..<open]), String(path[path.index(after: open)...].dropLast())
    )
  }

  private func memberFile(
    _ name: String, of archivePath: String, at path: String, changed time: Int64
  ) throws(Refusal) -> ObjectFile {
    let archives = try archives(at: archivePath)
    guard !archives.isEmpty else { throw Refusal(finding: .notMachO) }
    var refusal = DebugFileSearch.Finding.missingMember(name)
    for archive in archives {
      for member in archive.members(named: name) {
        let file: ObjectFile
        do throws(Refusal) {
          file = try slice(path) { () throws(ObjectFileError) in
            try ObjectFile.machOFiles(in: member.content, path: path)
          }
        } catch {
          // The archive for another architecture of a fat file has the same members.
          if case .missingMember = refusal { refusal = error.finding }
          continue
        }
        guard time == 0 || member.modificationTime == time else {
          refusal = .otherTime(found: member.modificationTime, expected: time)
          continue
        }
        return file
      }
    }
    throw Refusal(finding: refusal)
  }

  private func archives(at path: String) throws(Refusal) -> [Archive] {
    do throws(ObjectFileError) {
      return try archives.withLock { (known) throws(ObjectFileError) in
        if let archives = known[path] { return archives }
        let archives = try Archive.open(statedPath: path)
        known[path] = archives
        return archives
      }
    } catch {
      throw Refusal(finding: DebugFileSearch.Finding(error, wanted: .notMachO))
    }
  }

  private func slice(
    _ path: String, _ open: () throws(ObjectFileError) -> [ObjectFile]
  ) throws(Refusal) -> ObjectFile {
    let slices: [ObjectFile]
    do throws(ObjectFileError) {
      slices = try open()
    } catch {
      throw Refusal(finding: DebugFileSearch.Finding(error, wanted: .notMachO))
    }
    guard let slice = slices.first(where: { $0.architecture == architecture }) else {
      throw Refusal(
        finding: .otherArchitecture(
          found: slices.map(\.architecture), expected: architecture))
    }
    guard slice.hasDebugInfo else { throw Refusal(finding: .missingSection("__debug_info")) }
    return slice
  }
}

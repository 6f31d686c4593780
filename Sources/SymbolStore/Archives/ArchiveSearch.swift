package import Archives
import BinaryInput
import FileSystem
import ObjectFiles
import SymbolicationModel

/// The symbol files in an archive.
enum ArchiveSearch {
  /// Every slice of every Mach-O, ELF and GSYM file in the archive, wherever it is in it, and in
  /// archives (zip and tar) that are members of it: an `.ipa` beside a zip of dSYMs.
  ///
  /// All other members are ignored. Nothing is written. Cost: one pass over the archive, see
  /// `ArchiveFile.visitMembers`.
  ///
  /// - Returns: the slices in the order of the archive, and the problems of the archive and of
  ///   members that begin like a symbol file.
  static func slices(
    in archive: ArchiveFile
  ) -> (slices: [ArchivedSlice], problems: [SymbolFileProblem]) {
    var slices: [ArchivedSlice] = []
    var problems: [SymbolFileProblem] = []
    visit(archive, outer: [], archivePath: archive.path, &slices, &problems)
    return (slices, problems)
  }

  private static func visit(
    _ archive: ArchiveFile, outer: [ArchiveMember], archivePath: String,
    _ slices: inout [ArchivedSlice], _ problems: inout [SymbolFileProblem]
  ) {
    let faults = archive.visitMembers { (head) throws(ArchiveError) in
      let member = head.member
      func found(_ heads: [SymbolFileHead]) {
        for head in heads {
          slices.append(
            ArchivedSlice(members: outer + [member], archivePath: archivePath, head: head))
        }
      }
      let finding = try SymbolFileHead.read { (offset, count) throws(ArchiveError) in
        try head.bytes(at: offset, count: count)
      }
      switch finding {
      case .slices(let heads):
        found(heads)
      case .needsWholeFile:
        let path = archive.path + "/" + member.name
        guard let content = try head.whole() else {
          // Only the slices of fat files are looked for beyond the start.
          problems.append(
            SymbolFileProblem(path: path, kind: .damaged(structure: "fat header", offset: 0)))
          return
        }
        do throws(ObjectFileError) {
          let container = try ObjectContainer.parse(content, path: path)
          found(container.objectFiles.map { SymbolFileHead($0) })
          problems += container.faults.map { SymbolFileProblem($0) }
        } catch {
          if error.isAboutAnObjectFile { problems.append(SymbolFileProblem(error)) }
        }
      case .notASymbolFile:
        switch try head.archiveKind() {
        case .zip, .tar:
          guard outer.isEmpty else {
            problems.append(SymbolFileProblem(nestedTooDeeply: member, in: archive))
            return
          }
          guard let inner = try head.archive() else { return }
          visit(inner, outer: [member], archivePath: archivePath, &slices, &problems)
        case .compressed, nil:
          problems.addOnce(try head.archivedSystem(in: archive.path))
        }
      }
    }
    problems += faults.map { SymbolFileProblem($0) }
  }
}

extension MemberHead {
  /// What to say of a file of a dyld shared cache in an archive; nil for another member.
  func archivedSystem(in path: String) throws(ArchiveError) -> SymbolFileProblem? {
    let start = try bytes(at: 0, count: 16).bytes
    guard SharedCache.begins(start) else { return nil }
    return SymbolFileProblem(path: path + "/" + member.name, kind: .archivedSystem)
  }
}

extension [SymbolFileProblem] {
  /// Adds a problem unless there is one of its kind: a cache has many files.
  mutating func addOnce(_ problem: SymbolFileProblem?) {
    guard let problem, !contains(where: { $0.kind == problem.kind }) else { return }
    append(problem)
  }
}

extension ArchiveCache {
  /// The user's cache of unpacked symbol files: the folder `archives` beside the indexes, with a
  /// size limit of its own. Nil if the user has no cache.
  package static func user(
    directory: String? = nil, sizeLimit: UInt64 = IndexCache.standardSizeLimit,
    environment: (String) -> String? = { IndexCache.environmentVariable($0) }
  ) -> ArchiveCache? {
    CacheFolder.userDirectory(stated: directory, environment: environment).map {
      ArchiveCache(directory: $0.appendingPath("archives"), sizeLimit: sizeLimit)
    }
  }
}

extension IndexCache {
  /// Removes everything that was unpacked from archives into the user's cache; nil if the user has
  /// no cache.
  package static func cleanUnpackedArchives() -> Removal? { ArchiveCache.user()?.clean() }
}

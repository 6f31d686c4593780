import Archives
import BinaryInput
import FileSystem
import ObjectFiles
import PropertyLists
import SymbolicationModel

/// A zip or tar archive, and the archives in it: an `.ipa` beside a zip of dSYMs. A member's name
/// is its path in the tree.
///
/// Nothing is unpacked but object files, into `cache`, and property lists.
struct ArchiveFileTree: FileTree {
  let archive: ArchiveFile
  let cache: ArchiveCache?

  var path: String { archive.path }

  /// Cost: one pass over the archive. Empty members are not among the entries.
  func content() -> FileTreeContent {
    var visit = Visit()
    visit.add(archive, outer: [])
    return FileTreeContent(
      entries: visit.entries.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) },
      problems: visit.problems)
  }

  func objectContainer(
    of entry: FileTreeContent.Entry
  ) throws(SymbolFileProblem) -> ObjectContainer? {
    guard entry.isObjectFile else { return nil }
    let content = try bytes(of: entry)
    do {
      return try ObjectContainer.parse(content, path: entry.shownPath)
    } catch {
      // Java classes begin like a fat file, too.
      guard error.isAboutAnObjectFile else { return nil }
      throw SymbolFileProblem(error)
    }
  }

  func propertyList(of entry: FileTreeContent.Entry) -> PropertyList? {
    guard entry.size <= Self.propertyListLimit else { return nil }
    return (try? bytes(of: entry)).flatMap { try? PropertyList($0) }
  }

  /// Larger ones are not about a build.
  static let propertyListLimit: UInt64 = 1 << 20

  private func bytes(of entry: FileTreeContent.Entry) throws(SymbolFileProblem) -> ByteRegion {
    do throws(ArchiveError) {
      return try archive.content(of: entry.members, cache: entry.isObjectFile ? cache : nil)
    } catch {
      throw SymbolFileProblem(error)
    }
  }

  /// What was met in a pass over an archive.
  private struct Visit {
    var entries: [FileTreeContent.Entry] = []
    var problems: [SymbolFileProblem] = []

    /// - Parameter outer: the member that the archive is; none for the file itself.
    mutating func add(_ archive: ArchiveFile, outer: [ArchiveMember]) {
      let faults = archive.visitMembers { (head) throws(ArchiveError) in
        let finding = try SymbolFileHead.read { (offset, count) throws(ArchiveError) in
          try head.bytes(at: offset, count: count)
        }
        guard finding == .notASymbolFile else {
          return append(head.member, in: archive, outer, isObjectFile: true)
        }
        switch try head.archiveKind() {
        case .zip, .tar:
          guard outer.isEmpty else {
            problems.append(SymbolFileProblem(nestedTooDeeply: head.member, in: archive))
            return
          }
          if let inner = try head.archive() { add(inner, outer: [head.member]) }
        case .compressed, nil:
          problems.addOnce(try head.archivedSystem(in: archive.path))
          append(head.member, in: archive, outer, isObjectFile: false)
        }
      }
      problems += faults.map { SymbolFileProblem($0) }
    }

    private mutating func append(
      _ member: ArchiveMember, in archive: ArchiveFile, _ outer: [ArchiveMember],
      isObjectFile: Bool
    ) {
      let members = outer + [member]
      entries.append(
        FileTreeContent.Entry(
          path: members.map { Self.treePath($0.name) }.joined(separator: "/"),
          shownPath: archive.path + "/" + member.name, size: member.size, members: members,
          isObjectFile: isObjectFile))
    }

    /// The name without `/` and `./` at its start, which some programs write.
    private static func treePath(_ name: String) -> String {
      name.split(separator: "/").drop { $0 == "." }.joined(separator: "/")
    }
  }
}

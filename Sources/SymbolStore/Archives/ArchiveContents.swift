import Archives
import BinaryInput
package import SymbolicationModel

/// The files in an archive, whatever they hold.
package enum ArchiveContents {
  /// Whether an input that begins so is a zip or tar archive.
  package static func isArchive(start: [UInt8]) -> Bool {
    switch ArchiveKind(Array(start.prefix(ArchiveKind.prefixSize))) {
    case .zip, .tar: true
    case .compressed, nil: false
    }
  }

  /// Calls `body` with the name and the first bytes of each file in the archive at `path`, as far
  /// as they can be read. Archives in it are files. Nothing is written.
  package static func visit(
    archiveAt path: String, startSize: Int, limits: ResourceLimits,
    _ body: (_ name: String, _ start: [UInt8]) -> Void
  ) {
    guard let archive = try? ArchiveFile.open(path: path, limits: ArchiveLimits(limits)) else {
      return
    }
    _ = archive.visitMembers { (head) throws(ArchiveError) in
      body(head.member.name, try head.bytes(at: 0, count: startSize).bytes)
    }
  }
}

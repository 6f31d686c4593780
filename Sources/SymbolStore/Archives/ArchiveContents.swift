import Archives
import BinaryInput
import Decompression
package import SymbolicationModel

/// A file from an archive, unpacked.
package struct ArchivedFile: Sendable {
  /// As the archive states it: it may be anything, and is no path. The name of a file in an archive
  /// that is a member itself follows the name of that one.
  package let name: String
  package let size: UInt64
  private let content: ByteRegion?

  fileprivate init(name: String, size: UInt64, content: ByteRegion?) {
    (self.name, self.size, self.content) = (name, size, content)
  }

  /// A copy of its bytes; nil if it is larger than what the caller wanted.
  package var bytes: [UInt8]? { content?.bytes }
}

/// The files in an archive, whatever they hold.
package struct ArchiveContents {
  package private(set) var files: [ArchivedFile] = []
  package private(set) var problems: [SymbolFileProblem] = []
  /// How many symbol files were left out.
  package private(set) var symbolFileCount = 0

  /// So many bytes of a file are shown to whoever wants it or not.
  package static let startSize = 4096

  /// Unpacks the files of an archive, and those of archives in it, in their order. Symbol files are
  /// left out.
  ///
  /// Cost: one pass over the archive. What is compressed goes to one temporary file.
  ///
  /// - Parameters:
  ///   - path: the archive.
  ///   - sizeLimit: larger files are listed and not unpacked.
  ///   - isWanted: gets the name and the first bytes of each file.
  package init(
    ofArchiveAt path: String, limits: ResourceLimits, sizeLimit: UInt64,
    isWanted: (_ name: String, _ start: [UInt8]) -> Bool
  ) {
    do throws(ArchiveError) {
      guard let archive = try ArchiveFile.open(path: path, limits: ArchiveLimits(limits)) else {
        return
      }
      unpack(archive, sizeLimit: sizeLimit, isWanted)
    } catch {
      problems.append(SymbolFileProblem(error))
    }
  }

  /// The files in an archive that is in memory.
  package init(
    ofArchive bytes: [UInt8], path: String, limits: ResourceLimits, sizeLimit: UInt64,
    isWanted: (_ name: String, _ start: [UInt8]) -> Bool
  ) {
    guard
      let archive = ArchiveFile(
        ByteRegion(copying: bytes), path: path, limits: ArchiveLimits(limits))
    else { return }
    unpack(archive, sizeLimit: sizeLimit, isWanted)
  }

  private mutating func unpack(
    _ archive: ArchiveFile, sizeLimit: UInt64,
    _ isWanted: (_ name: String, _ start: [UInt8]) -> Bool
  ) {
    /// The files before they have their contents. `isUnpacked` says which have.
    var found: [(name: String, size: UInt64, isUnpacked: Bool)] = []
    let collection = MemberCollection(limits: archive.limits)

    func visit(_ archive: ArchiveFile, outer: String?) -> [ArchiveError] {
      archive.visitMembers(checksCrc: true) { (head) throws(ArchiveError) in
        let name = (outer.map { $0 + "/" } ?? "") + head.member.name
        let start = try head.bytes(at: 0, count: Self.startSize).bytes
        guard isWanted(name, start) else { return }
        guard try !Self.holdsArchive(head, start) else {
          guard outer == nil else {
            problems.append(SymbolFileProblem(nestedTooDeeply: head.member, in: archive))
            return
          }
          guard let inner = try head.archive() else { return }
          let faults = visit(try inner.withoutCompression(), outer: name)
          problems += faults.map { SymbolFileProblem($0) }
          return
        }
        let kind = SymbolFileKind(start: start)
        guard !kind.isSymbolFile || kind == .zipOrTar else {
          symbolFileCount += 1
          return
        }
        let isUnpacked = head.member.size <= sizeLimit
        if isUnpacked { try head.add(to: collection) }
        found.append((name, head.member.size, isUnpacked))
      }
    }

    do throws(ArchiveError) {
      let faults = visit(try archive.withoutCompression(), outer: nil)
      problems += faults.map { SymbolFileProblem($0) }
    } catch {
      problems.append(SymbolFileProblem(error))
    }
    guard let contents = collection.contents() else {
      let size = found.reduce(0) { $0 + ($1.isUnpacked ? $1.size : 0) }
      problems.append(
        SymbolFileProblem(path: archive.path, kind: .unusableArchive(.outOfMemory(size: size))))
      return
    }
    var rest = contents[...]
    for file in found {
      files.append(
        ArchivedFile(
          name: file.name, size: file.size, content: file.isUnpacked ? rest.popFirst() : nil))
    }
  }

  /// Whether a member is an archive: a compressed one only if a tar archive is in it.
  private static func holdsArchive(
    _ head: MemberHead, _ start: [UInt8]
  ) throws(ArchiveError) -> Bool {
    switch ArchiveKind(start) {
    case nil: return false
    case .zip, .tar: return true
    case .compressed:
      guard let format = CompressedFile(start: start) else { return false }
      let start = try head.bytes(at: 0, count: format.startSize)
      return start.withRawSpan { SymbolFileKind.isTar(compressed: $0, format) }
    }
  }

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

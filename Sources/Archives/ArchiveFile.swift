package import BinaryInput
import FileSystem
import Platform
package import SymbolicationModel
import Synchronization
import SystemPackage

/// A zip or tar archive: its members, the first bytes of each, and the whole of some.
///
/// It may be used from several threads. Every member is data: no name in an archive is a path of
/// the file system, and links are not followed. What a link leads to is found under its own name.
package final class ArchiveFile: Sendable {
  /// As it was opened. An archive in an archive has the path of the outer one and its own name.
  package let path: String
  package let kind: ArchiveKind
  package let limits: ArchiveLimits
  let bytes: ByteRegion
  /// What names its members in a cache, and tells it from other archives and from itself after a
  /// change; nil if it is not a regular file.
  package let cacheKey: String?
  /// The file that was opened, and its status then; nil if it is not a regular file.
  private let source: Source?
  /// Whether the checksum of gzip data is wrong; nil until it was compared.
  let wrongChecksum = Mutex<Bool?>(nil)
  /// What may be unpacked. It is that of the archive that holds this one, if there is one.
  let budget: UnpackingBudget
  /// The archives in this one that content was taken from, by the places of the members.
  private let innerArchives = Mutex<[Int: ArchiveFile]>([:])
  let memberSearch = Mutex(MemberSearch())
  /// What a compressed archive is without its compression; nil if nobody needed it yet.
  let plainTar = Mutex<PlainTar?>(nil)

  /// What is known about where members are.
  ///
  /// Soundness: who takes `lastPass` out of its place is its only owner.
  struct MemberSearch: @unchecked Sendable {
    /// The places of the members of a zip archive; empty if its directory does not state them, nil
    /// if nobody needed them yet.
    var starts: [UInt64]?
    /// The pass that unpacked a member last, behind that member: members are mostly asked for in
    /// their order, and a new pass would read all headers before them again.
    var lastPass: ArchivePass?
    /// How many passes began at the start of the archive.
    var passCount = 0
  }

  private struct Source {
    let path: String
    let status: FileStatus
  }

  /// The archive at `path`, mapped; nil if the file does not begin like one.
  package static func open(
    path: String, limits: ArchiveLimits = ArchiveLimits()
  ) throws(ArchiveError) -> ArchiveFile? {
    let status: FileStatus
    let bytes: ByteRegion
    do throws(FileSystemError) {
      status = try FileStatus(path: path)
    } catch {
      throw ArchiveError(
        path: path, reason: .inaccessible(errno: error.errno.rawValue, operation: .inspect))
    }
    do throws(FileAccessError) {
      bytes = try MappedFile.openRegularFile(path: path)
    } catch {
      throw ArchiveError(
        path: path, reason: .inaccessible(errno: error.errno.rawValue, operation: .open))
    }
    guard let kind = ArchiveKind(bytes.prefix(ArchiveKind.prefixSize)) else { return nil }
    return ArchiveFile(
      path: path, kind: kind, limits: limits, bytes: bytes, cacheKey: ArchiveCache.key(of: status),
      source: Source(path: path, status: status))
  }

  /// The archive in these bytes; nil if they do not begin like one. Nothing of it is cached.
  package convenience init?(
    _ bytes: ByteRegion, path: String, limits: ArchiveLimits = ArchiveLimits()
  ) {
    guard let kind = ArchiveKind(bytes.prefix(ArchiveKind.prefixSize)) else { return nil }
    self.init(
      path: path, kind: kind, limits: limits, bytes: bytes, cacheKey: nil, source: nil)
  }

  private init(
    path: String, kind: ArchiveKind, limits: ArchiveLimits, bytes: ByteRegion, cacheKey: String?,
    source: Source?, budget: UnpackingBudget? = nil
  ) {
    self.path = path
    self.kind = kind
    self.limits = limits
    self.bytes = bytes
    self.cacheKey = cacheKey
    self.source = source
    self.budget =
      budget ?? UnpackingBudget(limits, path: path, archiveSize: UInt64(bytes.count))
  }

  /// The archive that `member` is, given its bytes; nil if they do not begin like one.
  package func archive(in member: ArchiveMember, content: ByteRegion) -> ArchiveFile? {
    guard let kind = ArchiveKind(content.prefix(ArchiveKind.prefixSize)) else { return nil }
    return ArchiveFile(
      path: path + "/" + member.name, kind: kind, limits: limits, bytes: content,
      cacheKey: cacheKey.map { "\($0)-\(member.index.hexadecimalDigits())" }, source: source,
      budget: budget)
  }

  /// The archive that `member` is, as an earlier call knows it, or with the bytes that `content`
  /// returns. So it is unpacked once, however much is taken from it.
  func innerArchive(
    _ member: ArchiveMember, content: () throws(ArchiveError) -> ByteRegion
  ) throws(ArchiveError) -> ArchiveFile {
    try innerArchives.withLock { (known) throws(ArchiveError) in
      if let archive = known[member.index] { return archive }
      guard let archive = archive(in: member, content: try content()) else {
        throw error(.changedMeanwhile, in: member.name)
      }
      known[member.index] = archive
      return archive
    }
  }

  /// The tar archive of these bytes, which are those of this one without its compression.
  func plainArchive(_ bytes: ByteRegion) -> ArchiveFile {
    ArchiveFile(
      path: path, kind: .tar, limits: limits, bytes: bytes, cacheKey: nil, source: nil,
      budget: budget)
  }

  func error(_ fault: ArchiveFault, in member: String? = nil) -> ArchiveError {
    budget.error(fault, path: path, member: member)
  }

  /// Whether the file is still the one that was opened. What is not a file cannot change.
  var isUnchanged: Bool {
    guard let source else { return true }
    guard let now = try? FileStatus(path: source.path) else { return false }
    return now.identity == source.status.identity && now.size == source.status.size
      && now.modificationTime == source.status.modificationTime
  }
}

/// libarchive converts names to the character set of the thread's locale. Ours is UTF-8, whatever
/// the user's is.
enum Utf8Locale {
  /// Calls `body` while the thread has a UTF-8 locale. If the system has none, names with other
  /// characters than ASCII come out with question marks.
  ///
  /// Soundness: the locale is this function's own, is in use on this thread only, and is freed when
  /// the thread has its former one again.
  static func perform<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let locale = unsafe newlocale(characterSetMask, "C.UTF-8", nil) else {
      return try body()
    }
    let former = unsafe uselocale(locale)
    defer {
      unsafe uselocale(former)
      unsafe freelocale(locale)
    }
    return try body()
  }
}

/// `LC_CTYPE_MASK`, which Swift does not import.
private let characterSetMask: CInt = 1 << LC_CTYPE

/// Why an archive, or a member of it, cannot be read.
package struct ArchiveError: Error, Hashable, Sendable {
  /// The path of the archive, as it was opened.
  package let path: String
  /// The member's name in the archive; nil if the archive as a whole is concerned.
  package let member: String?
  package let reason: Reason

  package enum Reason: Hashable, Sendable {
    /// The system refused `operation`; C's `errno`.
    case inaccessible(errno: CInt, operation: SymbolFileProblem.FileOperation)
    case fault(ArchiveFault)
  }

  /// Whether bytes are wrong, and not a limit reached.
  var isDamage: Bool {
    if case .fault(.damaged) = reason { true } else { false }
  }

  init(path: String, member: String? = nil, _ fault: ArchiveFault) {
    self.init(path: path, member: member, reason: .fault(fault))
  }

  init(path: String, member: String? = nil, reason: Reason) {
    self.path = path
    self.member = member
    self.reason = reason
  }
}

extension SymbolFileProblem {
  /// The error as a problem of the archive, or of its member. The path of a member is the path of
  /// the archive and the member's name.
  package init(_ error: ArchiveError) {
    let kind: Kind =
      switch error.reason {
      case .inaccessible(let errno, let operation):
        .inaccessible(errno: errno, operation: operation)
      case .fault(let fault): .unusableArchive(fault)
      }
    self.init(path: error.member.map { error.path + "/" + $0 } ?? error.path, kind: kind)
  }
}

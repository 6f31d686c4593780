import FetchProtocol
package import FileSystem
import Platform
import SymbolIndex
import SymbolicationModel
import SystemPackage

/// What servers delivered, and what they did not have: `servers` in the user's cache.
///
/// The name of a file is made of the server, the image's identity and the path on the server, all
/// as hexadecimal digits. So nothing that a report or a server says becomes a path. A file appears
/// whole, and several processes may read and write at a time. Least recently used files make room
/// for new ones.
struct ServerCache: Sendable {
  let folder: CacheFolder

  /// How long a server is not asked again for a file that it did not have, in seconds.
  static let secondsOfAbsence: Int64 = 86_400
  /// How long a server is not asked again for a file that could not be used, in seconds.
  static let secondsOfMalformation: Int64 = 86_400

  init(directory: String, sizeLimit: UInt64) {
    folder = CacheFolder(
      directory: directory, sizeLimit: sizeLimit,
      suffixes: [Suffix.file, Suffix.absent, Suffix.malformed],
      temporaryStart: Self.temporaryStart)
  }

  /// Nil if neither `XDG_CACHE_HOME` nor `HOME` is set, and no `directory` is named in their place.
  static func user(directory: String? = nil, sizeLimit: UInt64) -> ServerCache? {
    CacheFolder.userDirectory(
      stated: directory, environment: { IndexCache.environmentVariable($0) }
    ).map {
      ServerCache(directory: $0.appendingPath("servers"), sizeLimit: sizeLimit)
    }
  }

  // MARK: - Names

  private enum Suffix {
    static let file = ".symbols"
    /// An empty file: the server did not have it when this was written.
    static let absent = ".absent"
    /// An empty file: what the server delivered then was not usable.
    static let malformed = ".malformed"
  }

  private static let temporaryStart = ".symbolicate-download-"

  /// One file on one server.
  struct Key: Hashable {
    fileprivate let stem: String

    init(server: SymbolServer, path: String, identity: ImageIdentity) {
      // Not the URL itself, which may hold a password.
      let place = Self.hash("\(server.shownUrl),\(server.layout.rawValue)")
      stem = "\(place)-\(identity.bytes.hexadecimalDigits)-\(Self.hash(path))"
    }

    private static func hash(_ text: String) -> String {
      var checksum = IndexChecksum()
      checksum.add(Array(text.utf8))
      return checksum.value.hexadecimalDigits(count: 16)
    }
  }

  func path(_ key: Key) -> String { folder.path(key.stem + Suffix.file) }

  private func path(_ key: Key, _ suffix: String) -> String { folder.path(key.stem + suffix) }

  /// A path for a file that is being downloaded; nothing is there.
  func temporaryPath() -> String {
    folder.path(CacheFolder.temporaryName(Self.temporaryStart, .random(in: .min ... .max)))
  }

  // MARK: - Entries

  enum Entry: Hashable {
    case file(path: String)
    case absent
    /// Until the file at `path` is a day old, or removed.
    case malformed(path: String)
  }

  /// What is known about a file; nil if the server must be asked. What others could have put into
  /// the folder is not used.
  func entry(for key: Key) -> Entry? {
    guard folder.isPrivate else { return nil }
    if FileKind(path: path(key)) == .regularFile, folder.isPrivate(key.stem + Suffix.file) {
      CacheFolder.noteUse(of: path(key))
      return .file(path: path(key))
    }
    if isYoung(path(key, Suffix.absent), Self.secondsOfAbsence) { return .absent }
    let malformed = path(key, Suffix.malformed)
    if isYoung(malformed, Self.secondsOfMalformation) { return .malformed(path: malformed) }
    return nil
  }

  /// A time in the future is not believed.
  private func isYoung(_ path: String, _ seconds: Int64) -> Bool {
    guard let changed = (try? FileStatus(path: path))?.modificationTime.seconds else {
      return false
    }
    let age = Clock.secondsSince1970.subtractingReportingOverflow(changed).partialValue
    return age >= 0 && age < seconds
  }

  // MARK: - Writing

  /// Makes the folder, and removes what is no longer of use.
  func prepare() throws(FileSystemError) {
    try folder.makeDirectory()
    guard folder.isPrivate else {
      throw FileSystemError(path: folder.directory, errno: .notPermitted)
    }
    folder.removeAbandonedFiles()
    for entry in (try? Directory.entries(of: folder.directory)) ?? [] {
      let path = folder.path(entry.name)
      let isOld =
        entry.name.hasSuffix(Suffix.absent) && !isYoung(path, Self.secondsOfAbsence)
        || entry.name.hasSuffix(Suffix.malformed) && !isYoung(path, Self.secondsOfMalformation)
      if isOld, folder.isOurs(entry.name) { try? removeFile(at: path) }
    }
  }

  /// Gives a complete file its name.
  func keep(_ temporary: String, as key: Key) throws(FileSystemError) {
    try renameFile(at: temporary, to: path(key))
    try? removeFile(at: path(key, Suffix.absent))
    try? removeFile(at: path(key, Suffix.malformed))
  }

  func noteAbsence(of key: Key) { note(path(key, Suffix.absent)) }

  func noteMalformation(of key: Key) { note(path(key, Suffix.malformed)) }

  /// An entry that cannot be written is not remembered, and nothing else happens.
  private func note(_ path: String) {
    try? WholeFile.write([], to: path, permissions: FilePermissions(rawValue: 0o600)) {
      CacheFolder.temporaryName(Self.temporaryStart, $0)
    }
  }

  /// Removes the least recently used files until the others are within the limit.
  ///
  /// - Parameter used: files of this run, which stay.
  func makeRoom(keeping used: Set<String>) {
    folder.removeLeastRecentlyUsed { used.contains(folder.path($0)) }
  }
}

extension IndexCache {
  /// Removes everything that servers delivered into the user's cache, and what is remembered about
  /// them; nil if the user has no cache.
  package static func cleanDownloads() -> CacheFolder.Removal? {
    ServerCache.user(sizeLimit: .max)?.folder.clean()
  }
}

/// What libdebuginfod downloaded earlier, for any program.
///
/// elfutils does not document the names, but all of its versions so far use
/// `CACHE/BUILD-ID/debuginfo` and `CACHE/BUILD-ID/executable`. A file that is not there is asked
/// for through the library.
enum DebuginfodCache {
  /// The path of a file that is there; nil for an absent one. (An empty file records an absence.)
  static func path(
    of kind: DebuginfodKind, identity: ImageIdentity,
    environment: (String) -> String? = { IndexCache.environmentVariable($0) }
  ) -> String? {
    guard let directory = directory(environment) else { return nil }
    let path = directory.appendingPath("\(identity.bytes.hexadecimalDigits)/\(kind.rawValue)")
    guard let status = try? FileStatus(path: path), status.kind == .regularFile, status.size > 0
    else { return nil }
    return path
  }

  /// debuginfod_find_debuginfo(3), "CACHE".
  private static func directory(_ environment: (String) -> String?) -> String? {
    func stated(_ name: String) -> String? {
      environment(name).flatMap { $0.isEmpty ? nil : $0 }
    }
    if let path = stated("DEBUGINFOD_CACHE_PATH") { return path }
    if let home = stated("HOME") {
      let deprecated = home.appendingPath(".debuginfod_client_cache")
      if FileKind(path: deprecated) == .directory { return deprecated }
    }
    if let cache = stated("XDG_CACHE_HOME") { return cache.appendingPath("debuginfod_client") }
    return stated("HOME").map { $0.appendingPath(".cache/debuginfod_client") }
  }
}

import FetchProtocol
import FileSystem
import SymbolicationModel

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

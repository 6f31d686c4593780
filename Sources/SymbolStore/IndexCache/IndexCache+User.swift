import FileSystem
import Platform

extension IndexCache {
  /// The size limit of the user's cache if none is given: 2 GiB.
  package static let standardSizeLimit: UInt64 = 2 << 30

  /// The user's cache: `$XDG_CACHE_HOME/symbolicate`, else `$HOME/.cache/symbolicate` (XDG Base
  /// Directory Specification 0.8). A relative path does not count. Nil if neither is set. It need
  /// not exist.
  ///
  /// - Parameter directory: the directory that the user named in its place.
  package static func user(
    directory: String? = nil, sizeLimit: UInt64 = standardSizeLimit,
    environment: (String) -> String? = { environmentVariable($0) }
  ) -> IndexCache? {
    CacheFolder.userDirectory(stated: directory, environment: environment).map {
      IndexCache(cache: $0, sizeLimit: sizeLimit)
    }
  }

  /// The value as a path.
  ///
  /// Soundness: the text is copied at once, and this program does not change its environment.
  package static func environmentVariable(_ name: String) -> String? {
    guard let text = unsafe getenv(name) else { return nil }
    return unsafe String(pathBytes: text)
  }
}

import AddressResolver
import ObjectFiles
import Platform
import SymbolStore
import SymbolicationModel
import TestSupport
import Testing

/// An index that another user could have written is not used, whatever it states.
struct IndexCachePrivacyTests {
  private let images: CachedImages
  private let file: ObjectFile

  init() throws {
    images = try CachedImages()
    file = try images.symbolFile()
  }

  private func change(_ path: String, permissions: mode_t) {
    #expect(unsafe chmod(path, permissions) == 0)
  }

  @Test func cachedIndexesAreForTheUserAlone() throws {
    let path = try images.store(file, in: images.cache())
    #expect(try CachedImages.permissions(of: path) == 0o600)
    #expect(fault(images.cache(), file) == nil)
  }

  @Test(arguments: [0o620, 0o602, 0o666] as [mode_t])
  func anIndexThatOthersMayWriteTo(permissions: mode_t) throws {
    let path = try images.store(file, in: images.cache())
    change(path, permissions: permissions)
    #expect(
      fault(images.cache(), file)
        == .writableByOthers(path: path, permissions: UInt32(permissions)))
    change(path, permissions: 0o644)
    #expect(fault(images.cache(), file) == nil)
  }

  /// Whoever may write to the folder may put another file in place of an index.
  @Test(arguments: [0o770, 0o707, 0o1777] as [mode_t])
  func aCacheThatOthersMayWriteTo(permissions: mode_t) throws {
    try images.store(file, in: images.cache())
    change(images.cachePath, permissions: permissions)
    let refusal = IndexRefusal.writableByOthers(
      path: images.cachePath, permissions: UInt32(permissions))
    #expect(fault(images.cache(), file) == refusal)
    #expect(throws: IndexWriteError.exposedCache(images.cachePath, refusal)) {
      try images.store(file, in: images.cache())
    }
    change(images.cachePath, permissions: 0o755)
    #expect(fault(images.cache(), file) == nil)
  }

  @Test(.enabled(if: FileOwners.canBeChanged, "only root may give files away"))
  func indexesOfAnotherUser() throws {
    let path = try images.store(file, in: images.cache())
    #expect(unsafe chown(path, 12345, 0) == 0)
    #expect(fault(images.cache(), file) == .otherOwner(path: path, user: 12345))
    #expect(unsafe chown(path, 0, 0) == 0)
    #expect(unsafe chown(images.cachePath, 12345, 0) == 0)
    #expect(fault(images.cache(), file) == .otherOwner(path: images.cachePath, user: 12345))
  }

  // MARK: - Directories that the user names

  /// They are often shared by a group, and indexes there get the permissions of any new file.
  @Test func namedDirectories() throws {
    let directory = images.directory.path("indexes")
    let cache = IndexCache(directory: directory)
    let path = try images.store(file, in: cache)
    // As with the mask 002.
    change(directory, permissions: 0o775)
    change(path, permissions: 0o664)
    #expect(fault(cache, file) == nil)
    change(path, permissions: 0o666)
    #expect(fault(cache, file) == .writableByOthers(path: path, permissions: 0o666))
    // Some file systems show the same permissions for all files.
    change(file.path, permissions: 0o777)
    #expect(fault(cache, file) == nil)
  }

  /// The owner of the directory, or of the symbol file, could make the index lie anyway.
  @Test(.enabled(if: FileOwners.canBeChanged, "only root may give files away"))
  func ownersInNamedDirectories() throws {
    let directory = images.directory.path("indexes")
    let cache = IndexCache(directory: directory)
    let path = try images.store(file, in: cache)
    #expect(unsafe chown(path, 12345, 0) == 0)
    #expect(fault(cache, file) == .otherOwner(path: path, user: 12345))
    for trusted in [directory, file.path] {
      #expect(unsafe chown(trusted, 12345, 0) == 0)
      #expect(fault(cache, file) == nil)
      #expect(unsafe chown(trusted, 0, 0) == 0)
    }
  }
}

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
    unsafe expectEqual(chmod(path, permissions), 0)
  }

  @Test func cachedIndexesAreForTheUserAlone() throws {
    let path = try images.store(file, in: images.cache())
    try expectEqual(CachedImages.permissions(of: path), 0o600)
    expectNil(fault(images.cache(), file))
  }

  @Test(arguments: [0o620, 0o602, 0o666] as [mode_t])
  func anIndexThatOthersMayWriteTo(permissions: mode_t) throws {
    let path = try images.store(file, in: images.cache())
    change(path, permissions: permissions)
    expectEqual(
      fault(images.cache(), file), .writableByOthers(path: path, permissions: UInt32(permissions)))
    change(path, permissions: 0o644)
    expectNil(fault(images.cache(), file))
  }

  /// Whoever may write to the folder may put another file in place of an index.
  @Test(arguments: [0o770, 0o707, 0o1777] as [mode_t])
  func aCacheThatOthersMayWriteTo(permissions: mode_t) throws {
    try images.store(file, in: images.cache())
    change(images.cachePath, permissions: permissions)
    let refusal = IndexRefusal.writableByOthers(
      path: images.cachePath, permissions: UInt32(permissions))
    expectEqual(fault(images.cache(), file), refusal)
    #expect(throws: IndexWriteError.exposedCache(images.cachePath, refusal)) {
      try images.store(file, in: images.cache())
    }
    change(images.cachePath, permissions: 0o755)
    expectNil(fault(images.cache(), file))
  }

  @Test(.enabled(if: FileOwners.canBeChanged, "only root may give files away"))
  func indexesOfAnotherUser() throws {
    let path = try images.store(file, in: images.cache())
    unsafe expectEqual(chown(path, 12345, 0), 0)
    expectEqual(fault(images.cache(), file), .otherOwner(path: path, user: 12345))
    unsafe expectEqual(chown(path, 0, 0), 0)
    unsafe expectEqual(chown(images.cachePath, 12345, 0), 0)
    expectEqual(fault(images.cache(), file), .otherOwner(path: images.cachePath, user: 12345))
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
    expectNil(fault(cache, file))
    change(path, permissions: 0o666)
    expectEqual(fault(cache, file), .writableByOthers(path: path, permissions: 0o666))
    // Some file systems show the same permissions for all files.
    change(file.path, permissions: 0o777)
    expectNil(fault(cache, file))
  }

  /// The owner of the directory, or of the symbol file, could make the index lie anyway.
  @Test(.enabled(if: FileOwners.canBeChanged, "only root may give files away"))
  func ownersInNamedDirectories() throws {
    let directory = images.directory.path("indexes")
    let cache = IndexCache(directory: directory)
    let path = try images.store(file, in: cache)
    unsafe expectEqual(chown(path, 12345, 0), 0)
    expectEqual(fault(cache, file), .otherOwner(path: path, user: 12345))
    for trusted in [directory, file.path] {
      unsafe expectEqual(chown(trusted, 12345, 0), 0)
      expectNil(fault(cache, file))
      unsafe expectEqual(chown(trusted, 0, 0), 0)
    }
  }
}

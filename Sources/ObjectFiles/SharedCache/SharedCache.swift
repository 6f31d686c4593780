import BinaryInput
import SymbolicationModel
import Synchronization

// Apple's dyld shared caches: one file, or several that belong together, with all libraries of a
// system.
//
// A library in a cache is a Mach-O image whose parts lie in several places: its segments are among
// those of all others, and all share one `__LINKEDIT`. `SharedCacheFile` reads the header of one
// file, `SharedCache` joins the files and finds bytes by address, and `SharedCacheImage` reads one
// library. Any field may be wrong: what a field leads to is checked against the file, and all
// tables that are read have together a few times the size of the files (`Allowance`).

/// A dyld shared cache: the images in it, and the bytes at their addresses.
///
/// Opening it reads the header and the list of images of the main file. The other files are opened
/// when the names of an image are first asked for. It may be asked from several threads.
package final class SharedCache: Sendable {
  let main: SharedCacheFile
  let images: [SharedCacheFile.Image]
  private let joined = Mutex<Joined?>(nil)
  let selectorBase = Mutex<SelectorBase?>(nil)
  private let local = Mutex<Result<LocalSymbols?, ObjectFileError>?>(nil)
  /// The images whose names were asked for.
  private let asked = Mutex<Set<Int>>([])

  /// Throws if the file is not the main file of a cache.
  init(_ region: ByteRegion, path: String) throws(ObjectFileError) {
    main = try SharedCacheFile(region, path: path)
    images = try main.images()
    let mappings = main.mappings
    // The parts of a cache may repeat the list of its images.
    let isPart =
      main.number(.subCacheArrayCount) == 0
      && !images.contains { image in mappings.contains { $0.addresses.contains(image.address) } }
    guard !isPart else {
      throw ObjectFileError(path: path, reason: .partOfSharedCache)
    }
  }

  /// Whether a file with these first bytes is one of a cache.
  package static func begins(_ start: [UInt8]) -> Bool { SharedCacheFile.begins(start) }

  /// The cache in `region` as a container of its images; nil for another file.
  static func container(
    _ region: ByteRegion, path: String
  ) throws(ObjectFileError) -> ObjectContainer? {
    guard SharedCacheFile.begins(region.prefix(16)) else { return nil }
    let cache = try SharedCache(region, path: path)
    let files = cache.images.indices.map { SharedCacheImage(cache: cache, index: $0).objectFile() }
    return ObjectContainer(
      path: path, kind: .sharedCache, objectFiles: files, faults: cache.main.faults)
  }

  /// What the tables that are read may have together, in bytes. Images of a made-up cache may share
  /// one table that takes most of the file.
  final class Allowance: Sendable {
    private let left: Atomic<Int>

    init(bytes: Int) { left = Atomic(bytes) }

    /// Whether `count` more bytes may be read.
    func takes(_ count: Int) -> Bool {
      left.wrappingSubtract(max(count, 0), ordering: .relaxed).newValue >= 0
    }

    /// For all images of files that have so many bytes.
    convenience init(forFilesOf size: Int) { self.init(bytes: 8 * size + 1 << 20) }
  }

  /// What may be read for an image. All share what there is, but an image that was read before
  /// costs the others nothing when it is read again.
  func allowance(forImage index: Int, in files: Joined) -> Allowance {
    let isFirst = asked.withLock { $0.insert(index).inserted }
    return isFirst ? files.allowance : Allowance(forFilesOf: files.byteCount)
  }

  // MARK: - The files

  /// All files of the cache.
  struct Joined: Sendable {
    var files: [SharedCacheFile]
    /// Ascending by address; they do not overlap.
    var mappings: [(mapping: SharedCacheFile.Mapping, file: Int)] = []
    /// The file with the symbols of single compilation units.
    var symbols: SharedCacheFile?
    /// What is wrong with the other files.
    var faults: [ObjectFileError] = []
    /// The sizes of all files together.
    var byteCount = 0
    var allowance = Allowance(bytes: 0)
  }

  /// Opens the other files, unless that was done.
  func files() -> Joined {
    joined.withLock { known in
      let files = known ?? join()
      known = files
      return files
    }
  }

  private func join() -> Joined {
    var result = Joined(files: [main])
    do throws(ObjectFileError) {
      for subCache in try main.subCaches() {
        do throws(ObjectFileError) {
          let file = try open(subCache)
          result.files.append(file)
          result.faults += file.faults
        } catch {
          result.faults.append(error)
        }
      }
    } catch {
      result.faults.append(error)
    }
    if let identity = main.identity(.symbolFileUUID) {
      do throws(ObjectFileError) {
        let suffix = SharedCacheFile.SubCache(identity: identity, suffix: ".symbols")
        result.symbols = try open(suffix)
      } catch {
        result.faults.append(error)
      }
    } else {
      result.symbols = main
    }
    result.byteCount = result.files.reduce(0) { $0 + $1.region.count }
    if let symbols = result.symbols, symbols.path != main.path {
      result.byteCount += symbols.region.count
    }
    result.allowance = Allowance(forFilesOf: result.byteCount)
    order(&result)
    return result
  }

  private func order(_ result: inout Joined) {
    var all: [(mapping: SharedCacheFile.Mapping, file: Int)] = []
    for (index, file) in result.files.enumerated() { all += file.mappings.map { ($0, index) } }
    all.sort {
      ($0.mapping.addresses.lowerBound, $0.file) < ($1.mapping.addresses.lowerBound, $1.file)
    }
    for entry in all {
      let start = entry.mapping.addresses.lowerBound
      if let end = result.mappings.last?.mapping.addresses.upperBound, start < end {
        result.faults.append(
          result.files[entry.file].error(
            .malformed(
              structure: "address of a mapping of the shared cache", value: start,
              expected: .atLeast(end))))
      } else {
        result.mappings.append(entry)
      }
    }
  }

  /// The symbols of compilation units; nil if there are none. Their entries are read once.
  func localSymbols(in files: Joined) throws(ObjectFileError) -> LocalSymbols? {
    let result = local.withLock { known in
      let result = known ?? readLocalSymbols(files)
      known = result
      return result
    }
    return try result.get()
  }

  private func readLocalSymbols(_ files: Joined) -> Result<LocalSymbols?, ObjectFileError> {
    guard let file = files.symbols, file.number(.localSymbolsSize) > 0 else { return .success(nil) }
    do throws(ObjectFileError) {
      return .success(
        try LocalSymbols(
          file, hasLongEntries: main.has(.symbolFileUUID), addresses: Set(images.map(\.address)),
          base: main.mappings.first?.addresses.lowerBound ?? 0))
    } catch {
      return .failure(error)
    }
  }

  /// Opens another file of the cache, which has the main file's name and a suffix. Throws if it
  /// belongs to another cache.
  private func open(
    _ wanted: SharedCacheFile.SubCache
  ) throws(ObjectFileError) -> SharedCacheFile {
    // The suffix comes from a file, which may be a stranger's.
    guard wanted.suffix.utf8.first == UInt8(ascii: "."), !wanted.suffix.contains("/") else {
      throw main.malformed(.subCacheArrayOffset, main.number(.subCacheArrayOffset), .atLeast(0))
    }
    let path = main.path.withoutDevelopmentSuffix(before: wanted.suffix) + wanted.suffix
    let file = try SharedCacheFile(try StatedPath.content(of: path), path: path)
    guard let expected = wanted.identity, file.identity == expected else {
      throw file.error(
        wanted.identity.map { .otherImage(found: file.identity, expected: $0) }
          ?? .malformed(structure: SharedCacheField.uuid.term, value: 0, expected: .atLeast(1)))
    }
    return file
  }

  /// The sizes of all files together, in bytes: with a file that was missing, the cache has more
  /// names.
  package var size: UInt64 { UInt64(files().byteCount) }

  /// Gives the memory back that the pages of the files take in this process, which are read again
  /// when they are needed.
  package func releasePages() {
    let files = joined.withLock { $0 }
    for file in (files?.files ?? [main]) + [files?.symbols].compactMap(\.self) {
      file.region.releasePages()
    }
  }
}

extension SharedCache.Joined {
  /// Where `address` is in the files; nil if it is nowhere.
  func place(
    of address: UInt64
  ) -> (file: SharedCacheFile, mapping: SharedCacheFile.Mapping, offset: UInt64)? {
    let index = mappings.partitionPoint { $0.mapping.addresses.lowerBound > address }
    guard index > 0 else { return nil }
    let (mapping, file) = mappings[index - 1]
    guard mapping.addresses.contains(address) else { return nil }
    return (
      files[file], mapping, mapping.fileOffset + (address - mapping.addresses.lowerBound)
    )
  }

  /// The bytes from `address` to the end of its mapping; nil if it is in none.
  func bytes(from address: UInt64) -> ByteRegion? {
    guard let place = place(of: address) else { return nil }
    return try? place.file.region.subregion(
      offset: place.offset, count: place.mapping.addresses.upperBound - address)
  }

  /// The pointer at `address`; nil outside of the files.
  func pointer(at address: UInt64, size: Int) -> UInt64? {
    guard let place = place(of: address),
      UInt64(size) <= place.mapping.addresses.upperBound - address
    else { return nil }
    return place.file.region.unsigned(at: place.offset, size: size, byteOrder: .little).map {
      place.mapping.slide.address($0)
    }
  }

  /// The text at `address` to the next zero; nil outside of the files, and for a text of more than
  /// 4 KiB.
  func text(at address: UInt64) -> String? {
    guard let place = place(of: address) else { return nil }
    let size = min(place.mapping.addresses.upperBound - address, Self.textLimit)
    guard let field = try? place.file.region.subregion(offset: place.offset, count: size),
      let count = field.countBeforeZero(from: 0)
    else { return nil }
    return field.text(at: 0, count: count)
  }

  private static let textLimit: UInt64 = 4096
}

extension String {
  /// The main file of a development cache has a suffix that the suffixes of the others repeat:
  /// `X.development` and `X.01.development`.
  fileprivate func withoutDevelopmentSuffix(before suffix: String) -> String {
    let development = ".development"
    return hasSuffix(development) && suffix.hasSuffix(development)
      ? String(dropLast(development.count)) : self
  }
}

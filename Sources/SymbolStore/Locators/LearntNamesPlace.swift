import ObjectFiles
import SymbolicationModel
import Synchronization

/// What was learnt from reports about images of the system: asked for what no other place has.
///
/// Anyone may write a report that calls an app's image a part of the system. So the report that
/// asks must call the image that, too.
final class LearntNamesPlace: ImagePlace {
  /// Nil if the user has no cache, or no index is to be used.
  private let folder: LearntFolder?
  private let memory = Mutex(Memory())
  private let found = Mutex(DistinctValues<SymbolFileProblem>())

  private struct Memory {
    var files: [ImageIdentity: ObjectFile?] = [:]
    var trust: LearntFolder.Trust?
  }

  init(_ places: SymbolPlaces) {
    guard places.usesIndexes else {
      folder = nil
      return
    }
    let cache =
      places.indexDirectory.map { IndexCache(directory: $0) }
      ?? IndexCache.user(directory: places.cacheDirectory)
    folder = cache.map { LearntFolder(in: $0) }
  }

  /// What is wrong with files in the folder.
  var problems: [SymbolFileProblem] { found.withLock { $0.values } }

  /// Cost: an attempt to open a file, once for each image.
  func file(for image: ImageDescription) -> ObjectFile? {
    guard image.isOfAppleSystem, let folder, let identity = image.identity,
      identity.bytes.count == 16
    else { return nil }
    return memory.withLock { memory in
      if let known = memory.files[identity] { return known }
      var file: ObjectFile?
      do throws(SymbolFileProblem) {
        file = try folder.objectFile(for: identity) {
          let trust = memory.trust ?? folder.trust
          memory.trust = trust
          return trust
        }
      } catch {
        _ = found.withLock { $0.insert(error) }
      }
      memory.files[identity] = .some(file)
      return file
    }
  }

  func locate(_ request: SymbolFileRequest, skipping known: Set<String>) -> SymbolFileAnswer {
    guard case .image(let image) = request.wanted, let file = file(for: image),
      !known.contains(file.path)
    else { return SymbolFileAnswer() }
    return SymbolFileAnswer(files: [file])
  }

  func findings(for image: ImageDescription) -> [SymbolFinding] {
    file(for: image).map {
      [SymbolFinding($0, place: .indexCache, outcome: .fits(by: .identity))]
    } ?? []
  }
}

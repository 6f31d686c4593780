import ObjectFiles
import SymbolIndex
import SymbolicationModel

/// The directories of indexes: the user's cache, or the one that the request names.
struct IndexDirectories: SymbolFileLocator {
  /// What is used in place of the user's cache; nil for the cache itself.
  let cacheDirectory: String?

  /// An index is refused as `IndexCache.find(for:)` says. An absent one is not mentioned: most
  /// images have none.
  func locate(_ request: SymbolFileRequest, skipping known: Set<String>) -> SymbolFileAnswer {
    guard case .index(let directory) = request.wanted, let askingFile = request.askingFile,
      let cache = directory.map({ IndexCache(directory: $0) })
        ?? IndexCache.user(directory: cacheDirectory)
    else { return SymbolFileAnswer() }
    do throws(SymbolFileProblem) {
      guard let index = try cache.find(for: askingFile.objectFile) else {
        return SymbolFileAnswer()
      }
      return SymbolFileAnswer(files: [try objectFile(of: index)])
    } catch {
      return SymbolFileAnswer(
        refused: [
          DebugFileSearch.Attempt(path: error.path, finding: .unreadable(error.kind))
        ])
    }
  }

  /// The index as a symbol file like any other.
  private func objectFile(of index: IndexFile) throws(SymbolFileProblem) -> ObjectFile {
    let container: ObjectContainer
    do {
      container = try ObjectContainer.parse(index.bytes, path: index.path)
    } catch {
      throw SymbolFileProblem(error)
    }
    return try container.preferredObjectFile(for: nil)
  }
}

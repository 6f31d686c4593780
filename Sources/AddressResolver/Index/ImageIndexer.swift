import ObjectFiles
import SymbolIndex
package import SymbolStore
package import SymbolicationModel

/// Makes the index of one slice of a symbol file and stores it in a directory of indexes.
package struct ImageIndexer {
  private let cache: IndexCache
  /// How many threads may work at a time.
  private let jobs: Int
  private let store: SymbolStore

  /// - Parameter store: finds separate debug files, and what their DWARF refers to.
  package init(cache: IndexCache, jobs: Int, store: SymbolStore = SymbolStore()) {
    self.cache = cache
    self.jobs = jobs
    self.store = store
  }

  /// The index of an image.
  package struct Outcome: Hashable, Sendable {
    /// The index's path.
    package let path: String
    /// Whether this call made it. If not, it was there and up to date, or another process made it.
    package let isNew: Bool
    /// What could not be read of the symbol file and is missing from the index.
    package let problems: [SymbolFileProblem]
  }

  /// Why an image has no index.
  package enum Failure: Error, Hashable, Sendable {
    /// The symbol file cannot be used, or has nothing to look up.
    case symbolFile(SymbolFileProblem)
    /// The symbol file has debug information or symbols, but no function in what could be read of
    /// them. The problems say what could not be read.
    case noFunctions([SymbolFileProblem])
    /// The image has neither UUID nor build-id by which the cache could find it.
    case noIdentity
    /// Others may write to the cache at this path, so nothing in it would be used.
    case exposedCache(String, IndexRefusal)
    /// The image has a debug map: lookups ask the object files to which it leads.
    case debugMap
    /// The format cannot hold it.
    case limit(Limit, value: UInt64)
    /// The symbol file was changed while it was read.
    case changedMeanwhile
    /// The system refused: the value of C's `errno`.
    case cannotCreate(path: String, errno: CInt)
    case cannotWrite(path: String, errno: CInt)
  }

  /// The sizes that the format limits.
  package enum Limit: Hashable, Sendable {
    /// In bytes; at most 20.
    case uuidSize
    /// In bytes; below 4 GiB.
    case functionSize
    case functionCount
    case sourceFileCount
    /// In bytes; at most 4 GiB.
    case stringTableSize
    /// Where a record begins, in bytes; below 4 GiB.
    case fileSize
  }

  /// Makes the index of the slice with this architecture and identity in the file at `path`. An
  /// undamaged index that was made from the file as it is now stays.
  ///
  /// If a file has no debug information, its separate debug file is indexed: that is what lookups
  /// ask (`ImageResolver`).
  ///
  /// Of several processes that want the index of one image, one makes it, and the others wait.
  ///
  /// - Parameter progress: called from several threads, with the number of units that are done and
  ///   of all units; not called if the index exists.
  package func index(
    path: String, architecture: Architecture, identity: ImageIdentity?,
    progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
  ) throws(Failure) -> Outcome {
    let outcome = try index(
      path: path, architecture: architecture, identity: identity, waits: true, progress: progress)
    guard let outcome else { throw .changedMeanwhile }
    return outcome
  }

  /// The same, but does not wait.
  ///
  /// - Returns: nil if another process is making the index.
  package func indexUnlessBusy(
    path: String, architecture: Architecture, identity: ImageIdentity?,
    progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
  ) throws(Failure) -> Outcome? {
    try index(
      path: path, architecture: architecture, identity: identity, waits: false, progress: progress)
  }

  private func index(
    path: String, architecture: Architecture, identity: ImageIdentity?, waits: Bool,
    progress: (@Sendable (_ done: Int, _ total: Int) -> Void)?
  ) throws(Failure) -> Outcome? {
    let debugFile = try debugFile(of: path, architecture: architecture, identity: identity)
    let path = debugFile.path
    // The stamp is taken before the file is opened and compared after it was read: the index must
    // never seem to be made from later content.
    let source: SourceStamp
    do throws(SymbolFileProblem) {
      source = try SourceStamp(ofFileAt: path)
    } catch {
      throw .symbolFile(error)
    }
    let objectFile = try slice(of: path, architecture: architecture, identity: debugFile.identity)
    guard cache.fileName(for: objectFile) != nil else { throw .noIdentity }
    if let known = upToDate(objectFile) { return known }
    let isNewDirectory = !cache.exists
    var (lock, isBusy) = cache.lock(for: objectFile, waits: waits)
    if isBusy { return nil }
    // Another process may have made it meanwhile.
    if let known = upToDate(objectFile) { return known }
    let index: IndexBuilder.Index
    do throws(Failure) {
      index = try build(objectFile, progress)
    } catch {
      // Nothing is left where nothing was.
      lock = nil
      if isNewDirectory { cache.removeIfEmpty() }
      throw error
    }
    guard (try? SourceStamp(ofFileAt: path))?.isSameContent(as: source) == true else {
      throw .changedMeanwhile
    }
    let stored: String
    do throws(IndexWriteError) {
      stored = try cache.store(
        index.pieces, for: objectFile, source: source.at(path: objectFile.realPath ?? path))
    } catch {
      throw Failure(error)
    }
    // The lock is held until the index has its name.
    withExtendedLifetime(lock) {}
    return Outcome(path: stored, isNew: true, problems: index.problems)
  }

  private func upToDate(_ objectFile: ObjectFile) -> Outcome? {
    guard let known = try? cache.find(for: objectFile), known.hasIntactContent == true else {
      return nil
    }
    return Outcome(path: known.path, isNew: false, problems: [])
  }

  private func slice(
    of path: String, architecture: Architecture, identity: ImageIdentity?
  ) throws(Failure) -> ObjectFile {
    do throws(SymbolFileProblem) {
      if let slice = try SymbolFile.slice(
        ofFileAt: path, architecture: architecture, identity: identity)
      {
        return slice
      }
    } catch {
      throw .symbolFile(error)
    }
    throw .changedMeanwhile
  }

  /// The file that lookups would ask.
  private func debugFile(
    of path: String, architecture: Architecture, identity: ImageIdentity?
  ) throws(Failure) -> ObjectFile {
    let given = try slice(of: path, architecture: architecture, identity: identity)
    guard !given.hasDebugInfo else { return given }
    let search = SeparateDebugFile.find(for: given, in: store)
    if let found = search.objectFile { return found }
    if let map = try? given.readDebugMap(), map.count > 0 { throw .debugMap }
    return given
  }

  private func build(
    _ objectFile: ObjectFile, _ progress: (@Sendable (Int, Int) -> Void)?
  ) throws(Failure) -> IndexBuilder.Index {
    // Checked before the work and not after it.
    if let size = objectFile.identity?.bytes.count, size > GsymHeader.maximumUuidSize {
      throw .limit(.uuidSize, value: UInt64(size))
    }
    do throws(IndexBuilder.BuildError) {
      return try IndexBuilder(objectFile, store: store).build(jobs: jobs, progress: progress)
    } catch {
      switch error {
      case .nothingToIndex:
        throw .symbolFile(SymbolFileProblem(path: objectFile.path, kind: .noSymbols))
      case .noFunctions(let problems): throw .noFunctions(problems)
      case .limit(let limit): throw Failure(limit)
      }
    }
  }
}

extension ImageIndexer.Failure {
  init(_ error: IndexWriteError) {
    switch error {
    case .noIdentity: self = .noIdentity
    case .exposedCache(let path, let exposure): self = .exposedCache(path, exposure)
    case .cannotCreate(let path, let errno): self = .cannotCreate(path: path, errno: errno)
    case .cannotWrite(let path, let errno): self = .cannotWrite(path: path, errno: errno)
    }
  }

  init(_ error: GsymLimitError) {
    switch error {
    case .uuidTooLong(let count): self = .limit(.uuidSize, value: UInt64(clamping: count))
    case .functionTooLarge(let start, let end):
      self = .limit(.functionSize, value: end >= start ? end - start : 0)
    case .tooManyFunctions(let count):
      self = .limit(.functionCount, value: UInt64(clamping: count))
    case .tooManyFiles(let count):
      self = .limit(.sourceFileCount, value: UInt64(clamping: count))
    case .stringTableTooLarge(let count):
      self = .limit(.stringTableSize, value: UInt64(clamping: count))
    case .fileTooLarge(let offset): self = .limit(.fileSize, value: UInt64(clamping: offset))
    }
  }
}

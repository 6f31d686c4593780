import AddressResolver
import SymbolStore
import SymbolicationModel
import SystemPackage

/// Makes the indexes of all images in some paths, one after the other.
package struct IndexRun {
  private let listing: SymbolFileListing
  private let indexer: ImageIndexer
  /// The directory that the user named; nil for the cache.
  private let isCache: Bool
  private var nextFile = 0
  /// The indexes that were written, and what of.
  private var written: [String: String] = [:]
  private var pathsWithIndex: Set<Int> = []
  /// Two slices of one file may be told of in the same words.
  private var toldProblems: Set<String> = []
  private var failures: [(kind: FailureKind, pathIndex: Int)] = []

  /// What is wrong with the paths, a sentence each.
  package let problems: [String]

  /// What a failure means for the whole run.
  package enum FailureKind: Hashable, Sendable {
    /// A path has nothing of which there could be an index.
    case nothingUsable
    /// A path cannot be read.
    case unreadable
    case cannotCreate
    case cannotWrite
  }

  /// Looks at the paths; nothing is made yet.
  ///
  /// - Parameter paths: dSYM bundles, Mach-O and ELF files, and directories, which are searched.
  /// - Parameter directory: where the indexes go; nil for the user's cache.
  /// - Parameter cacheLimit: how many bytes the cache may hold.
  /// - Parameter jobs: how many threads may work at a time.
  ///
  /// Throws where nothing says where the user's cache is.
  package init(
    paths: [String], directory: String?, cacheLimit: UInt64?, jobs: Int
  ) throws(NoCacheDirectory) {
    let cache: IndexCache
    if let directory {
      cache = IndexCache(directory: directory)
    } else {
      cache = try IndexCleaning.userCache(limit: cacheLimit)
    }
    self.listing = SymbolFileListing(paths: paths)
    self.indexer = ImageIndexer(cache: cache, jobs: jobs)
    self.isCache = directory == nil
    self.problems =
      listing.problems.map(\.problem.message.withoutControlCharacters).withoutRepetitions
    self.toldProblems = Set(problems)
    for entry in listing.problems {
      if let kind = entry.problem.failureKind { failures.append((kind, entry.pathIndex)) }
    }
  }

  /// What to say, when all are done, where the cache was too small for what this run made; nil
  /// where it holds all of it.
  package var displacementNote: String? {
    guard isCache else { return nil }
    let gone = written.keys.filter { path in
      guard let file = try? unsafe FileDescriptor.open(path, .readOnly) else { return true }
      try? file.close()
      return false
    }
    guard !gone.isEmpty else { return nil }
    return
      "\(gone.count) of these \(written.count) indexes had to make room for others: the cache is too small for them all; raise SYMBOLICATE_CACHE_LIMIT, or write them to a directory with -o"
  }

  /// The image that `indexNext` would go on with; nil when all are done.
  package var nextImage: Image? {
    guard nextFile < listing.files.count else { return nil }
    return Image(
      name: listing.files[nextFile].candidate.name, number: nextFile + 1,
      count: listing.files.count)
  }

  package struct Image: Hashable, Sendable {
    package let name: String
    /// From 1 to `count`.
    package let number: Int
    /// How many images there are.
    package let count: Int
  }

  package struct Result: Hashable, Sendable {
    /// The path of the index; nil where there is none.
    package var path: String?
    /// What went wrong, a sentence each.
    package var problems: [String] = []
  }

  /// Makes the index of the next image.
  ///
  /// - Parameter progress: called from several threads, with how many units of debug information
  ///   are done and how many there are.
  package mutating func indexNext(
    progress: (@Sendable (_ done: Int, _ total: Int) -> Void)?
  ) -> Result {
    guard nextFile < listing.files.count else { return Result() }
    let file = listing.files[nextFile]
    let image = file.candidate
    nextFile += 1
    var result = Result()
    do throws(ImageIndexer.Failure) {
      let outcome = try indexer.index(
        path: image.path, architecture: image.architecture, identity: image.identity,
        progress: progress)
      if let earlier = written[outcome.path] {
        // Two files of one name and without identity: the later has taken the place of the earlier.
        result.problems.append(
          "\(outcome.path) is the index of \(image.path) now, and no longer of \(earlier), which has the same name and neither UUID nor build-id"
        )
      }
      written[outcome.path] = image.path
      pathsWithIndex.insert(file.pathIndex)
      result.path = outcome.path
      result.problems += outcome.problems.map(\.message)
    } catch {
      failures.append((error.kind, file.pathIndex))
      result.problems.append(error.message(for: image))
    }
    result.problems = result.problems.map(\.withoutControlCharacters).filter {
      toldProblems.insert($0).inserted
    }
    return result
  }

  /// What failed so far. What was met in a directory that was searched counts only where the
  /// directory gave no index at all; what could not be written always does.
  package var failureKinds: Set<FailureKind> {
    Set(
      failures.filter { failure in
        switch failure.kind {
        case .cannotCreate, .cannotWrite: true
        case .nothingUsable, .unreadable:
          !listing.searchedPaths.contains(failure.pathIndex)
            || !pathsWithIndex.contains(failure.pathIndex)
        }
      }.map(\.kind))
  }
}

extension SymbolFileProblem {
  /// Nil if the file is usable all the same.
  fileprivate var failureKind: IndexRun.FailureKind? {
    switch severity {
    case .partial: nil
    case .noSymbols, .notASymbolFile: .nothingUsable
    case .unusable: .unreadable
    }
  }
}

extension ImageIndexer.Failure {
  fileprivate var kind: IndexRun.FailureKind {
    switch self {
    case .symbolFile(let problem): problem.failureKind ?? .unreadable
    case .noIdentity, .limit, .debugMap: .nothingUsable
    case .changedMeanwhile: .unreadable
    case .cannotCreate: .cannotCreate
    case .cannotWrite: .cannotWrite
    }
  }
}

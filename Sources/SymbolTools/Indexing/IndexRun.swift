import AddressResolver
import FileSystem
import ReportSymbolication
import SymbolStore
package import SymbolicationModel
import SystemPackage
package import Wording

/// Builds the indexes of all images in some paths, one after the other.
package struct IndexRun {
  private let listing: SymbolFileListing
  private let indexer: ImageIndexer
  /// Whether the indexes go to the user's cache, and not to a directory that the user named.
  private let isCache: Bool
  private var nextFile = 0
  /// The paths of the indexes that were written, and those of their symbol files.
  private var written: [String: String] = [:]
  private var pathsWithIndex: Set<Int> = []
  /// Two slices of one file may have the same problem, which is reported once.
  private var reportedProblems: Set<String> = []
  private var failures: [(kind: FailureKind, pathIndex: Int)] = []

  /// The problems with the paths, one sentence each.
  package let problems: [String]

  /// What a failure means for the exit status.
  package enum FailureKind: Hashable, Sendable {
    /// A path has nothing to index.
    case nothingUsable
    /// A path cannot be read.
    case unreadable
    case cannotCreate
    case cannotWrite
  }

  /// Looks at the paths. Nothing is built yet.
  ///
  /// - Parameters:
  ///   - paths: dSYM bundles, Mach-O and ELF files, and directories, which are searched.
  ///   - directory: where the indexes go; nil for the user's cache.
  ///   - cacheLimit: the size limit of the cache in bytes; nil for the default.
  ///   - jobs: the largest number of threads.
  ///   - limits: how much is read of the files.
  package init(
    paths: [String], directory: String?, cacheLimit: UInt64?, jobs: Int,
    limits: ResourceLimits = ResourceLimits()
  ) throws(NoCacheDirectory) {
    let cache = try IndexCleaning.cache(at: directory, limit: cacheLimit)
    self.listing = SymbolFileListing(paths: paths, jobs: jobs, limits: limits)
    self.indexer = ImageIndexer(cache: cache, jobs: jobs, store: SymbolStore(limits: limits))
    self.isCache = directory == nil
    self.problems =
      listing.problems.map(\.problem.message.withoutControlCharacters).withoutRepetitions
    self.reportedProblems = Set(problems)
    for entry in listing.problems {
      if let kind = entry.problem.failureKind { failures.append((kind, entry.pathIndex)) }
    }
  }

  /// At the end of the run: the sentence that indexes of this run are gone again, because the cache
  /// is too small for all of them. Nil if all of them are there.
  package var displacementNote: String? {
    guard isCache else { return nil }
    let gone = written.keys.filter { !FileAccess.exists($0) }
    guard !gone.isEmpty else { return nil }
    return Self.displacementMessage(removed: gone.count, written: written.count)
  }

  /// The image that `indexNext` will index; nil if all are done.
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
    /// The number of images.
    package let count: Int
  }

  package struct Result: Hashable, Sendable {
    /// The path of the index; nil if there is none.
    package var path: String?
    /// What went wrong, one sentence each.
    package var problems: [String] = []
    /// What is wrong with the places that were searched, if nothing was to be made.
    package var warnings: [Message] = []
  }

  /// Builds the index of the next image, unless it is up to date.
  ///
  /// - Parameter progress: called from several threads, with the number of units of debug
  ///   information that are done, and of all.
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
        result.problems.append(
          Self.replacementMessage(
            index: outcome.path, newSource: image.path, oldSource: earlier))
      }
      written[outcome.path] = image.path
      pathsWithIndex.insert(file.pathIndex)
      result.path = outcome.path
      result.problems += outcome.problems.map(\.message)
    } catch {
      failures.append((error.kind, file.pathIndex))
      result.problems += error.problems.map(\.message) + [error.message(for: image)]
    }
    result.problems = result.problems.map(\.withoutControlCharacters).filter {
      reportedProblems.insert($0).inserted
    }
    return result
  }

  /// What failed so far. A file that was found in a directory counts only if nothing else in that
  /// directory got an index; an index that could not be written always counts.
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
  /// Nil if the file is usable anyway.
  fileprivate var failureKind: IndexRun.FailureKind? {
    switch severity {
    case .partial: nil
    case .noSymbols, .notASymbolFile: .nothingUsable
    case .unusable: .unreadable
    }
  }
}

extension ImageIndexer.Failure {
  /// What could not be read, if that is why there is no index.
  var problems: [SymbolFileProblem] {
    if case .noFunctions(let problems) = self { problems } else { [] }
  }

  var kind: IndexRun.FailureKind {
    switch self {
    case .symbolFile(let problem): problem.failureKind ?? .unreadable
    case .noFunctions(let problems): problems.isEmpty ? .nothingUsable : .unreadable
    case .noIdentity, .limit, .debugMap: .nothingUsable
    case .changedMeanwhile: .unreadable
    case .cannotCreate, .exposedCache: .cannotCreate
    case .cannotWrite: .cannotWrite
    }
  }
}

extension ImageIndexer.Failure {
  /// One sentence: why `image` gets no index, and what to try.
  func message(for image: SymbolCandidate) -> String {
    message(forFileAt: "\(image.path) (\(image.architecture))")
  }

  /// - Parameter path: what the file is called.
  func message(forFileAt path: String) -> String {
    func noIndex(_ reason: String) -> String { "no index for \(path): \(reason)" }
    return switch self {
    case .symbolFile(let problem): problem.message
    case .noFunctions:
      noIndex("there is no function in what could be read of its debug information and symbols")
    case .noIdentity:
      noIndex("it has no UUID or build-id to find it by in the cache; use -o DIRECTORY")
    case .exposedCache(let path, let exposure):
      "cannot create indexes in \(path): \(exposure.reason)"
    case .debugMap:
      noIndex(
        "its debug information is in the object files it was linked from, where lookups read it; make a dSYM with dsymutil and index that"
      )
    case .limit(let limit, let value):
      noIndex("\(limit.message(value)); lookups read the file itself")
    case .changedMeanwhile: noIndex("the file changed while it was read; try again")
    case .cannotCreate(let path, let errno): "cannot create \(path): \(Errno(rawValue: errno))"
    case .cannotWrite(let path, let errno): "cannot write \(path): \(Errno(rawValue: errno))"
    }
  }
}

extension ImageIndexer.Limit {
  fileprivate func message(_ value: UInt64) -> String {
    switch self {
    case .uuidSize: "its UUID or build-id has \(value) bytes; an index holds at most 20"
    case .functionSize:
      "a function of \(value) bytes, or its lines and inlined calls, exceeds the 32 bits of the index format"
    case .functionCount: "it has \(value) functions; an index holds fewer than 4294967296"
    case .sourceFileCount: "it has \(value) source files; an index holds fewer than 4294967296"
    case .stringTableSize: "its names take \(value) bytes; an index holds less than 4 GiB of them"
    case .fileSize:
      "a function's record would begin at byte \(value) of the index, which exceeds the 32 bits of its offsets"
    }
  }
}

extension IndexRun {
  /// Two symbol files without identity have the same name, and so the same index.
  static func replacementMessage(index: String, newSource: String, oldSource: String) -> String {
    "\(index) is now the index of \(newSource), not of \(oldSource): they have the same name, and no UUID or build-id"
  }

  /// `removed` of the `written` indexes of a run are gone at its end.
  static func displacementMessage(removed: Int, written: Int) -> String {
    "\(removed) of these \(written) indexes had to make room for others, because the cache is too small for all of them; raise SYMBOLICATE_CACHE_LIMIT, or write them to a directory with -o"
  }
}

import AddressResolver
import ReportSymbolication
import SymbolStore
package import SymbolicationModel
package import Wording

/// Makes the indexes of the images that reports need, one after the other: the symbol files are
/// found as they would be for the reports.
///
/// Several processes may do this at a time for one directory of indexes. Each takes the images that
/// no other is at work on first, and then waits for those.
package struct NeededIndexRun {
  private let images: [NeededImages.Image]
  private let store: SymbolStore
  private let indexer: ImageIndexer
  private var next = 0
  /// The images that another process was at work on.
  private var postponed: [Work] = []
  private var reportedProblems: Set<String> = []
  /// The symbol files that were asked for an index, since several images may have one.
  private var indexedFiles: Set<SymbolCandidate> = []

  package private(set) var summary = NeededIndexSummary()
  package private(set) var failureKinds: Set<IndexRun.FailureKind> = []

  private struct Work {
    let candidate: SymbolCandidate
    let image: NeededImages.Image
  }

  /// Finds nothing yet.
  ///
  /// - Parameters:
  ///   - directory: where the indexes go; nil for the user's cache.
  ///   - cacheLimit: the size limit of the cache in bytes; nil for the default.
  ///   - jobs: the largest number of threads.
  ///   - progress: as of `ReportJob`.
  ///   - downloadProgress: as of `ReportJob`.
  package init(
    _ needed: NeededImages, places: SymbolPlaces, directory: String?, cacheLimit: UInt64?,
    jobs: Int, progress: (@Sendable (Int?) -> Void)? = nil,
    downloadProgress: (@Sendable (DownloadProgress) -> Void)? = nil
  ) throws(NoCacheDirectory) {
    let cache = try IndexCleaning.cache(at: directory, limit: cacheLimit)
    images = needed.images
    // What was learnt from reports is no symbol file.
    var places = places
    places.usesIndexes = false
    store = SymbolStore(
      forUser: places, jobs: jobs, progress: progress, downloadProgress: downloadProgress)
    indexer = ImageIndexer(cache: cache, jobs: jobs, store: store)
    store.prefetch(images.map(\.description))
  }

  /// What `makeNext` will do; nil if everything is done.
  package var nextImage: IndexRun.Image? {
    let image = next < images.count ? images[next] : postponed.last?.image
    guard let image else { return nil }
    return IndexRun.Image(
      name: image.wanted.name, number: min(next + 1, images.count), count: images.count)
  }

  /// Makes the index of the next image, unless it is there.
  ///
  /// - Parameter progress: as of `IndexRun`.
  package mutating func makeNext(
    progress: (@Sendable (_ done: Int, _ total: Int) -> Void)?
  ) -> IndexRun.Result {
    if next < images.count {
      let image = images[next]
      next += 1
      return make(image, progress)
    }
    guard let work = postponed.popLast() else { return IndexRun.Result() }
    return make(work, waits: true, progress)
  }

  private mutating func make(
    _ image: NeededImages.Image, _ progress: (@Sendable (Int, Int) -> Void)?
  ) -> IndexRun.Result {
    guard let match = store.symbolFile(for: image.description) else {
      if image.isMissed {
        summary.missing.add(
          image.wanted, inputCount: image.inputCount, frameCount: image.frameCount)
      }
      return IndexRun.Result(warnings: newWarnings())
    }
    guard indexedFiles.insert(match.candidate).inserted else { return IndexRun.Result() }
    guard match.standalone == nil else {
      summary.unneededCount += 1
      return IndexRun.Result(warnings: newWarnings())
    }
    return make(Work(candidate: match.candidate, image: image), waits: false, progress)
  }

  private mutating func make(
    _ work: Work, waits: Bool, _ progress: (@Sendable (Int, Int) -> Void)?
  ) -> IndexRun.Result {
    let file = work.candidate
    do throws(ImageIndexer.Failure) {
      let outcome: ImageIndexer.Outcome?
      if waits {
        outcome = try indexer.index(
          path: file.path, architecture: file.architecture, identity: file.identity,
          progress: progress)
      } else {
        outcome = try indexer.indexUnlessBusy(
          path: file.path, architecture: file.architecture, identity: file.identity,
          progress: progress)
      }
      guard let outcome else {
        postponed.append(work)
        return IndexRun.Result()
      }
      if outcome.isNew { summary.madeCount += 1 } else { summary.presentCount += 1 }
      return IndexRun.Result(
        path: outcome.path, problems: newProblems(outcome.problems.map(\.message)))
    } catch {
      summary.failedCount += 1
      failureKinds.insert(error.kind)
      return IndexRun.Result(
        problems: newProblems(error.problems.map(\.message) + [error.message(for: file)]))
    }
  }

  /// The problems that were not reported yet, with those of the places so far.
  private mutating func newProblems(_ problems: [String]) -> [String] {
    newWarnings().map(\.text)
      + problems.map(\.withoutControlCharacters).filter { reportedProblems.insert($0).inserted }
  }

  /// What is wrong with the places so far and was not reported yet.
  private mutating func newWarnings() -> [Message] {
    let problems =
      (store.problems + store.searchProblems).map(\.searchMessage)
      + store.serverProblems.map { .warning($0.message) }
    return problems.filter { reportedProblems.insert($0.text).inserted }
  }
}

/// What became of the images that reports need.
package struct NeededIndexSummary {
  /// Indexes that this process made.
  package internal(set) var madeCount = 0
  /// Indexes that were there, or that another process made meanwhile.
  package internal(set) var presentCount = 0
  /// Images whose symbols are in an index or a Breakpad file.
  package internal(set) var unneededCount = 0
  package internal(set) var failedCount = 0
  var missing = WantedSymbolsCount()

  init() {}
}

extension NeededIndexSummary {
  /// The lines at the end of `symbolicate index --from`.
  package var messages: [Message] {
    let parts = [
      "\(counted(madeCount, "index", plural: "indexes")) made", "\(presentCount) already there",
      unneededCount > 0 ? "\(unneededCount) not needed (indexes and Breakpad files)" : nil,
      failedCount > 0 ? "\(failedCount) failed" : nil,
    ].compactMap(\.self)
    return
      [.plain(parts.joined(separator: ", "))]
      + missing.messages(remedy: "give their dSYMs or ELF files with -d, or a directory with -s")
  }
}

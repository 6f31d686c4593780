import AddressResolver
import CrashReading
import Platform
import ReportRendering
import ReportRuns
import ReportSymbolication
import SymbolStore
package import SymbolicationModel
package import Wording

/// Looks up the frames of records, one record after the other.
///
/// What was decoded and answered for one record is kept for the next. New symbol files are found
/// when the store is made anew: see `renew`.
package struct WorkerSession {
  private let places: SymbolPlaces
  private let options: WorkerOptions
  private var symbolicator: ReportSymbolicator
  /// Of stores that were given up.
  private var earlierCounts = CacheCounts()
  /// Problems that were handed out.
  private var knownProblems: Set<SymbolFileProblem> = []
  private var newProblems: [Message] = []
  /// Whether the store missed something since it was made.
  private var hasMissed = false
  /// When the store was made, and how long its search took.
  private var searchTime: SearchTime
  package let steps: WorkerSteps

  package struct CacheCounts: Hashable, Sendable {
    package var hits = 0
    package var misses = 0

    /// What came since `earlier`.
    func since(_ earlier: CacheCounts) -> CacheCounts {
      CacheCounts(hits: hits - earlier.hits, misses: misses - earlier.misses)
    }
  }

  package init(places: SymbolPlaces, options: WorkerOptions) {
    var options = options
    var places = places
    places.limits = options.symbolication.limits
    options.symbolication.explains = false
    self.places = places
    self.options = options
    steps = WorkerSteps(options: options)
    (symbolicator, searchTime) = Self.symbolicator(places, options)
    noteProblems(symbolicator.store.problems)
  }

  private static func symbolicator(
    _ places: SymbolPlaces, _ options: WorkerOptions
  ) -> (ReportSymbolicator, SearchTime) {
    let start = Clock.monotonicNanoseconds
    var places = places
    places.limits.usage = RunUsage()
    let store = SymbolStore(forUser: places, jobs: options.symbolication.jobs)
    // Searching may take longer than any record may.
    store.search()
    var symbolicator = ReportSymbolicator(store: store, options: options.symbolication)
    symbolicator.memory = AnswerMemory(limit: options.answerMemory)
    return (symbolicator, SearchTime(start: start, end: Clock.monotonicNanoseconds))
  }

  /// When a search for symbol files began and ended, on the monotonic clock, in nanoseconds.
  package struct SearchTime {
    private let start: UInt64
    private let end: UInt64

    package init(start: UInt64, end: UInt64) {
      self.start = start
      self.end = end
    }

    /// Whether the next search may begin: `interval` seconds after the end of this one. A search
    /// that took long, on a slow disk, is followed by a pause that is 20 times as long. Counted in
    /// whole seconds, a short search that met the tick of a second would count as one second.
    package func allowsNext(after interval: Int, at now: UInt64) -> Bool {
      let pause = max(.seconds(interval), Self.duration(from: start, to: end) * 20)
      return Self.duration(from: end, to: now) >= pause
    }

    private static func duration(from start: UInt64, to end: UInt64) -> Duration {
      .nanoseconds(Int64(clamping: end >= start ? end - start : 0))
    }
  }

  /// Looks for symbol files anew if some were missing and the last search is long ago: they may
  /// have come. Everything that was decoded is then forgotten. So it is if a great many images were
  /// asked for, because the store remembers each.
  package mutating func renewIfDue() {
    guard hasMissed || symbolicator.store.answerCount > Self.answerLimit else { return }
    guard
      symbolicator.store.answerCount > Self.answerLimit
        || searchTime.allowsNext(after: options.retryInterval, at: Clock.monotonicNanoseconds)
    else { return }
    earlierCounts = cacheCounts
    (symbolicator, searchTime) = Self.symbolicator(places, options)
    hasMissed = false
  }

  private static let answerLimit = 100_000

  /// How often an answer was known already, and how often not.
  package var cacheCounts: CacheCounts {
    CacheCounts(
      hits: earlierCounts.hits + (symbolicator.memory?.hitCount ?? 0),
      misses: earlierCounts.misses + (symbolicator.memory?.missCount ?? 0))
  }

  /// Looks up what a record asks.
  package mutating func resolve(
    _ record: consuming WorkerSteps.Prepared
  ) -> WorkerSteps.Resolved {
    let (id, spelling) = (record.id, record.spelling)
    switch record.content {
    case .failure(let failure): return WorkerSteps.Resolved(id: id, content: .failure(failure))
    case .frames(let frames):
      let answers = symbolicator.answers(to: frames)
      hasMissed = hasMissed || answers.contains { $0.symbolFile == nil }
      return WorkerSteps.Resolved(id: id, content: .frames(answers))
    case .input(let input, let shownPath):
      let resolved = symbolicator.resolve(input)
      noteProblems(
        resolved.outcome.symbolFileProblems + resolved.outcome.searchProblems)
      hasMissed =
        hasMissed
        || resolved.reports.contains { report in
          report.missingImages.contains { !$0.image.belongsToSystem }
        }
      return WorkerSteps.Resolved(
        id: id, content: .input(resolved, shownPath: shownPath), spelling: spelling)
    }
  }

  // MARK: Problems

  /// How many problems are printed at most: a worker may run for weeks.
  private static let problemLimit = 1000

  private mutating func noteProblems(_ problems: [SymbolFileProblem]) {
    for problem in problems where knownProblems.count < Self.problemLimit {
      if knownProblems.insert(problem).inserted {
        newProblems.append(problem.searchMessage)
      }
    }
  }

  /// What was found to be wrong with symbol files since the last call, a sentence each; each
  /// problem once in a worker's life.
  package mutating func takeProblems() -> [Message] {
    defer { newProblems = [] }
    return newProblems
  }
}

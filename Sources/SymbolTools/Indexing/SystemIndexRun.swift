import AddressResolver
import FileSystem
import SymbolStore
package import SymbolicationModel
import Synchronization
import Wording

/// Makes the indexes of the libraries of systems: of dyld shared caches, and of the files that
/// Xcode copies from devices.
package struct SystemIndexRun {
  private let found: SystemLibraries
  private let names: SystemNames
  private let jobs: Int
  /// The problems with the paths, one sentence each.
  package let problems: [String]

  /// Looks at the paths. Nothing is made yet.
  ///
  /// - Parameter directory: where the indexes go; nil for the user's cache.
  package init(
    paths: [String], directory: String?, jobs: Int, limits: ResourceLimits
  ) throws(NoCacheDirectory) {
    guard let names = SystemNames(directory: directory) else { throw NoCacheDirectory() }
    self.names = names
    self.jobs = jobs
    found = SystemLibraries(paths: paths, jobs: jobs, limits: limits)
    problems = found.problems.map(\.problem.message.withoutControlCharacters).withoutRepetitions
  }

  /// What became of all libraries.
  package struct Result: Sendable {
    /// The paths of the indexes, in the order of the libraries.
    package fileprivate(set) var paths: [String] = []
    package fileprivate(set) var problems: [String] = []
    package fileprivate(set) var failures: Set<IndexRun.FailureKind> = []
    fileprivate var made = 0
    fileprivate var withoutNames = 0

    /// `2990 indexes made, 5 already there, 5 libraries without names`
    package var summary: String {
      let parts = [
        "\(counted(made, "index", plural: "indexes")) made",
        paths.count > made ? "\(paths.count - made) already there" : nil,
        withoutNames > 0
          ? "\(counted(withoutNames, "library", plural: "libraries")) without names" : nil,
      ]
      return parts.compactMap(\.self).joined(separator: ", ")
    }
  }

  /// After so many libraries, the memory that the pages of caches take is given back.
  private static let librariesBetweenReleases = 16

  /// Makes the indexes on several threads. One that is up to date stays.
  ///
  /// - Parameter progress: called from several threads, with the number of libraries that are done
  ///   and of all.
  package func perform(progress: (@Sendable (_ done: Int, _ total: Int) -> Void)?) -> Result {
    typealias Outcome = Swift.Result<ImageIndexer.Outcome, ImageIndexer.Failure>
    var result = Result()
    for problem in found.problems {
      let hasNothing =
        problem.isWholePath && [.noSymbols, .notASymbolFile].contains(problem.problem.severity)
      result.failures.insert(hasNothing ? .nothingUsable : .unreadable)
    }
    let indexer: SystemIndexer
    do throws(ImageIndexer.Failure) {
      guard !found.libraries.isEmpty else { return result }
      indexer = try SystemIndexer(names)
    } catch {
      result.add(error, path: "")
      return result
    }
    let outcomes = Mutex<[Int: Outcome]>([:])
    ParallelWork.perform(count: found.libraries.count, jobs: jobs) { index in
      let outcome: Outcome
      do throws(ImageIndexer.Failure) {
        outcome = .success(try indexer.index(found.libraries[index]))
      } catch {
        outcome = .failure(error)
      }
      let done = outcomes.withLock { outcomes in
        outcomes[index] = outcome
        return outcomes.count
      }
      progress?(done, found.libraries.count)
      if done % Self.librariesBetweenReleases == 0 { found.releasePages() }
    }
    let all = outcomes.withLock { $0 }
    for (index, library) in found.libraries.enumerated() {
      switch all[index] {
      case .success(let outcome)?: result.add(outcome)
      case .failure(let failure)?: result.add(failure, path: library.path)
      case nil: break
      }
    }
    result.problems = result.problems.map(\.withoutControlCharacters).withoutRepetitions
    return result
  }
}

extension SystemIndexRun.Result {
  fileprivate mutating func add(_ outcome: ImageIndexer.Outcome) {
    paths.append(outcome.path)
    if outcome.isNew { made += 1 }
    problems += outcome.problems.map(\.message)
  }

  fileprivate mutating func add(_ failure: ImageIndexer.Failure, path: String) {
    switch failure {
    case .noFunctions(let found):
      withoutNames += 1
      problems += found.map(\.message)
    case .noIdentity: withoutNames += 1
    default:
      failures.insert(failure.kind)
      problems.append(failure.message(forFileAt: path))
    }
  }
}

import Platform
import Synchronization
import TestSupport
import Testing

@testable import SymbolicationModel

/// The threads of an `OrderedWork` help any `ParallelWork` of the process, so the tests run one
/// after the other.
@Suite(.serialized) struct OrderedWorkTests {
  private struct Refusal: Error, Equatable {
    let index: Int
  }

  /// What happened, seen from inside the steps.
  private final class Log: Sendable {
    struct Content: Sendable {
      var prepared: [Int] = []
      var finished: [Int] = []
      var deliveredCount = 0
      var underWay = 0
      var mostUnderWay = 0
      var deliveredBefore: [Int: Int] = [:]
      var threads: Set<UInt> = []
    }

    private let content = Mutex(Content())

    var value: Content { content.withLock { $0 } }

    func change(_ body: (inout Content) -> Void) {
      let thread = UInt(pthread_self())
      content.withLock { content in
        content.threads.insert(thread)
        body(&content)
      }
    }

    func begin(_ index: Int) {
      change {
        $0.prepared.append(index)
        $0.deliveredBefore[index] = $0.deliveredCount
        $0.underWay += 1
        $0.mostUnderWay = max($0.mostUnderWay, $0.underWay)
      }
    }

    func end() {
      change {
        $0.underWay -= 1
        $0.deliveredCount += 1
      }
    }
  }

  /// Work that takes a different time for each item, and is not optimised away.
  private static func toil(_ index: Int) -> Int {
    var generator = UInt64(index) &* 0x9E37_79B9_7F4A_7C15
    for _ in 0..<(generator % 5000) { generator ^= generator << 7 ^ generator >> 9 }
    return Int(truncatingIfNeeded: generator)
  }

  private static let jobCounts = [1, 2, 3, 8]

  @Test(arguments: jobCounts)
  func everyStepSeesEachItemOnceAndOrderIsKept(jobs: Int) {
    let log = Log()
    var resolved: [Int] = []
    var delivered: [String] = []
    OrderedWork(jobs: jobs, capacity: 10).perform(
      count: 300, item: { OrderedWork.Item(weight: $0 % 4) },
      prepare: { index in
        log.change { $0.prepared.append(index) }
        return Self.toil(index)
      },
      resolve: { index, toil in
        resolved.append(index)
        return "\(index) \(toil)"
      },
      finish: { index, text in
        log.change { $0.finished.append(index) }
        _ = Self.toil(index + 1)
        return text + "!"
      },
      deliver: { index, text in delivered.append("\(index): \(text)") })
    expectEqual(resolved, Array(0..<300))
    expectEqual(delivered, (0..<300).map { "\($0): \($0) \(Self.toil($0))!" })
    expectEqual(log.value.prepared.sorted(), Array(0..<300))
    expectEqual(log.value.finished.sorted(), Array(0..<300))
    #expect(log.value.threads.count <= jobs)
  }

  /// `resolve` and `deliver` have one owner.
  @Test(arguments: jobCounts)
  func theMiddleAndTheEndBelongToTheCallingThread(jobs: Int) {
    let caller = pthread_self()
    var strangers = 0
    OrderedWork(jobs: jobs, capacity: 100).perform(
      count: 100, item: { _ in OrderedWork.Item(weight: 1) }, prepare: Self.toil,
      resolve: { _, toil in
        if pthread_equal(pthread_self(), caller) == 0 { strangers += 1 }
        return toil
      },
      finish: { _, toil in toil },
      deliver: { _, _ in
        if pthread_equal(pthread_self(), caller) == 0 { strangers += 1 }
      })
    expectEqual(strangers, 0)
  }

  // MARK: What is under way

  /// However many items there are, no more are begun than the capacity holds.
  @Test(arguments: [2, 3, 8], [1, 5, 20])
  func theCapacityLimitsWhatIsUnderWay(jobs: Int, capacity: Int) {
    let log = Log()
    OrderedWork(jobs: jobs, capacity: capacity).perform(
      count: 500, item: { _ in OrderedWork.Item(weight: 1) },
      prepare: { index in
        log.begin(index)
        return Self.toil(index)
      },
      resolve: { _, toil in toil }, finish: { _, toil in toil }, deliver: { _, _ in log.end() })
    #expect(log.value.mostUnderWay <= capacity)
    expectEqual(log.value.underWay, 0)
  }

  /// Items above the capacity do not stop the work, and their weights cannot overflow.
  @Test(arguments: [10, Int.max])
  func heavyItemsGoAlone(capacity: Int) {
    let log = Log()
    OrderedWork(jobs: 3, capacity: capacity).perform(
      count: 200, item: { _ in OrderedWork.Item(weight: .max) },
      prepare: { index in
        log.begin(index)
        return Self.toil(index)
      },
      resolve: { _, toil in toil }, finish: { _, toil in toil }, deliver: { _, _ in log.end() })
    expectEqual(log.value.mostUnderWay, 1)
    expectEqual(log.value.deliveredCount, 200)
  }

  @Test(arguments: jobCounts)
  func anItemMayWaitForAllBeforeIt(jobs: Int) {
    let log = Log()
    let alone = [0, 7, 8, 50, 99]
    OrderedWork(jobs: jobs, capacity: 40).perform(
      count: 100, item: { OrderedWork.Item(weight: 1, isAlone: alone.contains($0)) },
      prepare: { index in
        log.begin(index)
        return Self.toil(index)
      },
      resolve: { _, toil in toil }, finish: { _, toil in toil }, deliver: { _, _ in log.end() })
    for index in alone { expectEqual(log.value.deliveredBefore[index], index) }
  }

  // MARK: Failures and few items

  @Test(arguments: jobCounts)
  func aFailureStaysWithItsItem(jobs: Int) {
    var delivered: [Result<Int, Refusal>] = []
    OrderedWork(jobs: jobs, capacity: 10).perform(
      count: 50, item: { _ in OrderedWork.Item(weight: 1) },
      prepare: { index -> Result<Int, Refusal> in
        index % 7 == 3 ? .failure(Refusal(index: index)) : .success(index)
      },
      resolve: { _, value in value.map { $0 * 2 } },
      finish: { index, value in
        value.flatMap { index % 11 == 5 ? .failure(Refusal(index: -index)) : .success($0) }
      },
      deliver: { _, value in delivered.append(value) })
    let expected = (0..<50).map { index -> Result<Int, Refusal> in
      if index % 7 == 3 { return .failure(Refusal(index: index)) }
      return index % 11 == 5 ? .failure(Refusal(index: -index)) : .success(index * 2)
    }
    expectEqual(delivered, expected)
  }

  @Test(arguments: jobCounts)
  func nothingIsDoneForNoItems(jobs: Int) {
    OrderedWork(jobs: jobs, capacity: 10).perform(
      count: 0, item: { _ in OrderedWork.Item(weight: 1) },
      prepare: { _ in Issue.record("prepared") }, resolve: { _, _ in Issue.record("resolved") },
      finish: { _, _ in Issue.record("finished") }, deliver: { _, _ in Issue.record("delivered") })
  }

  /// One item starts no thread and is not even weighed.
  @Test func oneItemStaysOnTheCallingThread() {
    let log = Log()
    OrderedWork(jobs: 8, capacity: 10).perform(
      count: 1,
      item: { _ in
        Issue.record("weighed")
        return OrderedWork.Item(weight: 1)
      },
      prepare: log.begin, resolve: { _, _ in }, finish: { _, _ in log.change { _ in } },
      deliver: { _, _ in log.end() })
    expectEqual(log.value.threads, [UInt(pthread_self())])
    expectEqual(log.value.deliveredCount, 1)
  }

  // MARK: Work within a step

  /// Parallel work within a step is done by the threads that are there.
  @Test(arguments: jobCounts)
  func workWithinAStepStartsNoThreads(jobs: Int) {
    let log = Log()
    var sums: [Int] = []
    OrderedWork(jobs: jobs, capacity: 100).perform(
      count: 20, item: { _ in OrderedWork.Item(weight: 1) },
      prepare: { index in
        log.change { $0.prepared.append(index) }
        return index
      },
      resolve: { _, index in
        let sum = Atomic(0)
        ParallelWork.perform(count: 40, jobs: jobs) { part in
          log.change { _ in }
          _ = Self.toil(part)
          sum.add(index * part, ordering: .relaxed)
        }
        return sum.load(ordering: .relaxed)
      },
      finish: { _, sum in sum }, deliver: { _, sum in sums.append(sum) })
    expectEqual(sums, (0..<20).map { $0 * 780 })
    #expect(log.value.threads.count <= jobs)
  }
}

import SymbolicationModel
import Synchronization

/// The addresses to look up in one unit.
struct UnitQuestions: Sendable {
  /// The offset of the unit in `.debug_info`.
  let unitOffset: UInt64
  /// The unit, if it was decoded before.
  let known: Lent?
  /// In ascending order of their addresses.
  var questions: [NumberedAddress] = []

  /// What one thread leaves to the reader: the decoded unit, and what could not be read.
  struct Outcome {
    let unitOffset: UInt64
    let content: Result<UnitContent, DwarfReadError>
    var faults: [DwarfReadError] = []
  }

  /// A unit on loan to a thread.
  ///
  /// Soundness: no unit occurs twice, and the reader waits until all threads are done.
  struct Lent: @unchecked Sendable {
    let content: UnitContent
  }

  /// Answers `groups` on up to `jobs` threads, one thread for each unit, and decodes the units that
  /// are not known. The results have the order of `groups`.
  ///
  /// - Parameter take: gets the answers of each unit, on the thread that found them.
  static func answer(
    _ groups: [UnitQuestions], in file: DwarfFile, jobs: Int,
    _ take: @Sendable (DwarfUnitAnswers) -> Void
  ) -> [Outcome] {
    let results = Mutex<[Handover?]>(Array(repeating: nil, count: groups.count))
    let sizes = groups.map { jobs > 1 ? $0.size(in: file) : 0 }
    ParallelWork.perform(sizes: sizes, jobs: jobs) { index in
      let handover = Handover(outcome: groups[index].answer(in: file, take))
      results.withLock { $0[index] = handover }
    }
    return results.withLock { $0.compactMap { $0?.outcome } }
  }

  /// A result that passes from one thread to another.
  ///
  /// Soundness: the thread that made it keeps no reference, so only one thread uses it at a time.
  private struct Handover: @unchecked Sendable {
    let outcome: Outcome
  }

  /// Answering an address takes as long as decoding this many bytes.
  private static let sizeOfAnswer = 100

  /// The work of answering the questions, in bytes to decode.
  private func size(in file: DwarfFile) -> Int {
    questions.count * Self.sizeOfAnswer + (known == nil ? file.workload(ofUnitAt: unitOffset) : 0)
  }

  private func answer(
    in file: DwarfFile, _ take: (DwarfUnitAnswers) -> Void
  ) -> Outcome {
    var faults: [DwarfReadError] = []
    let unit: UnitContent
    if let known {
      unit = known.content
    } else {
      do throws(DwarfReadError) {
        unit = UnitContent(
          try file.unit(at: unitOffset),
          for: questions.lazy.map(\.address.value),
          record: { faults.append($0) })
      } catch {
        return Outcome(unitOffset: unitOffset, content: .failure(error))
      }
    }
    // All answers of a unit may meet the same fault: keeping it each time would waste memory.
    take(unit.answers(to: questions) { if faults.last != $0 { faults.append($0) } })
    return Outcome(unitOffset: unitOffset, content: .success(unit), faults: faults)
  }
}

/// Addresses (half-open) about which the same unit is asked first.
struct UnitExtent {
  /// Nil if no unit is known to hold them.
  var unitOffset: UInt64?
  var low: UInt64 = 0
  var high: UInt64 = 0

  func holds(_ address: UInt64) -> Bool { low <= address && address < high }
}

extension UnitExtent {
  /// The last unit that covers `address` in `table`, with as many addresses around it as are known
  /// to have the same last unit. Nil if none covers it.
  init?(at address: UInt64, in table: DwarfUnitRangeTable) {
    guard let index = table.lastIndex(covering: address) else { return nil }
    let entry = table.entries[index]
    let next = index + 1 < table.entries.count ? table.entries[index + 1].low : .max
    self.init(unitOffset: entry.unitOffset, low: entry.low, high: min(entry.high, next))
  }
}

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
    var order = Array(groups.indices)
    if jobs > 1 {
      // The longest pieces of work first: at the end, no thread waits long for another.
      order.sort {
        (groups[$1].questions.count, $0) < (groups[$0].questions.count, $1)
      }
    }
    let results = Mutex<[Handover?]>(Array(repeating: nil, count: groups.count))
    ParallelWork.perform(count: groups.count, jobs: jobs) { [order] place in
      let index = order[place]
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

  private func answer(
    in file: DwarfFile, _ take: (DwarfUnitAnswers) -> Void
  ) -> Outcome {
    var faults: [DwarfReadError] = []
    let unit: UnitContent
    if let known {
      unit = known.content
    } else {
      do throws(DwarfReadError) {
        unit = UnitContent(try file.unit(at: unitOffset)) { faults.append($0) }
      } catch {
        return Outcome(unitOffset: unitOffset, content: .failure(error))
      }
    }
    // All answers of a unit may meet the same fault: keeping it each time would waste memory.
    take(unit.answers(to: questions) { if faults.last != $0 { faults.append($0) } })
    return Outcome(unitOffset: unitOffset, content: .success(unit), faults: faults)
  }
}

import SymbolicationModel
import Synchronization

/// The addresses that lie in one unit.
struct UnitQuestions: Sendable {
  /// Of the unit in `.debug_info`.
  let unitOffset: UInt64
  var addresses: [LinkAddress]

  /// What came of them. The unit goes from the thread that decoded it to the reader that asked.
  struct Answers {
    let unitOffset: UInt64
    let content: Result<UnitContent, DwarfReadError>
    /// Those with a function; the rest is for the reader to look for elsewhere.
    var answers: [(LinkAddress, DwarfAnswer)] = []
    var faults: [DwarfReadError] = []
  }

  /// Decodes the units of `groups` on up to `jobs` threads, each unit on one. Results are in the order
  /// of `groups`.
  static func answer(_ groups: [UnitQuestions], in file: DwarfFile, jobs: Int) -> [Answers] {
    let results = Mutex<[Handover?]>(Array(repeating: nil, count: groups.count))
    ParallelWork.perform(count: groups.count, jobs: jobs) { index in
      let answers = groups[index].answer(in: file)
      let handover = Handover(answers: answers)
      results.withLock { $0[index] = handover }
    }
    return results.withLock { $0.compactMap { $0?.answers } }
  }

  /// Results on their way between threads. Sound because the thread that made them lets go of them: one
  /// thread at a time has them.
  private struct Handover: @unchecked Sendable {
    let answers: Answers
  }

  private func answer(in file: DwarfFile) -> Answers {
    var faults: [DwarfReadError] = []
    let unit: UnitContent
    do throws(DwarfReadError) {
      unit = UnitContent(try file.unit(at: unitOffset)) { faults.append($0) }
    } catch {
      return Answers(unitOffset: unitOffset, content: .failure(error))
    }
    var answers: [(LinkAddress, DwarfAnswer)] = []
    answers.reserveCapacity(addresses.count)
    for address in addresses {
      // Each answer may meet the same fault: told again it costs memory.
      let answer = unit.answer(at: address) { if faults.last != $0 { faults.append($0) } }
      if let answer, !answer.frames.isEmpty { answers.append((address, answer)) }
    }
    return Answers(
      unitOffset: unitOffset, content: .success(unit), answers: answers, faults: faults)
  }
}

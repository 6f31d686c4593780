import SymbolicationModel
import Synchronization

/// The addresses to look up in one unit.
struct UnitQuestions: Sendable {
  /// The offset of the unit in `.debug_info`.
  let unitOffset: UInt64
  var addresses: [LinkAddress]

  /// The decoded unit and its answers. They pass from the thread that decoded the unit to the
  /// reader.
  struct Answers {
    let unitOffset: UInt64
    let content: Result<UnitContent, DwarfReadError>
    /// The answers with a function. The reader looks up the other addresses in other units too.
    var answers: [(LinkAddress, DwarfAnswer)] = []
    var faults: [DwarfReadError] = []
  }

  /// Decodes the units of `groups` on up to `jobs` threads, one thread for each unit. The results
  /// have the order of `groups`.
  static func answer(_ groups: [UnitQuestions], in file: DwarfFile, jobs: Int) -> [Answers] {
    let results = Mutex<[Handover?]>(Array(repeating: nil, count: groups.count))
    let sizes = groups.map { jobs > 1 ? file.workload(ofUnitAt: $0.unitOffset) : 0 }
    ParallelWork.perform(sizes: sizes, jobs: jobs) { index in
      let answers = groups[index].answer(in: file)
      let handover = Handover(answers: answers)
      results.withLock { $0[index] = handover }
    }
    return results.withLock { $0.compactMap { $0?.answers } }
  }

  /// Answers that pass from one thread to another.
  ///
  /// Soundness: the thread that made them keeps no reference, so only one thread uses them at a
  /// time.
  private struct Handover: @unchecked Sendable {
    let answers: Answers
  }

  private func answer(in file: DwarfFile) -> Answers {
    var faults: [DwarfReadError] = []
    let unit: UnitContent
    do throws(DwarfReadError) {
      unit = UnitContent(
        try file.unit(at: unitOffset), asked: AskedAddresses(addresses.lazy.map(\.value)),
        record: { faults.append($0) })
    } catch {
      return Answers(unitOffset: unitOffset, content: .failure(error))
    }
    var answers: [(LinkAddress, DwarfAnswer)] = []
    answers.reserveCapacity(addresses.count)
    for address in addresses {
      // All answers of a unit may meet the same fault: keeping it each time would waste memory.
      let answer = unit.answer(at: address) { if faults.last != $0 { faults.append($0) } }
      if let answer, !answer.frames.isEmpty { answers.append((address, answer)) }
    }
    return Answers(
      unitOffset: unitOffset, content: .success(unit), answers: answers, faults: faults)
  }
}

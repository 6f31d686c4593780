package import CrashLogParser
package import SymbolStore
import SymbolicationModel

/// The result for one input.
package struct SymbolicatedInput: Sendable {
  /// The input.
  package let input: [UInt8]
  /// What the input has around its reports.
  package let wrapping: ReportWrapping?
  /// The text that the reports stand in: the input, or what is in its wrapping.
  package var bytes: [UInt8] { wrapping?.text ?? input }
  /// In the order of the input.
  package internal(set) var reports: [SymbolicatedReport]
  package let outcome: SymbolicationOutcome
  package let options: SymbolicationOptions

  /// Counts and compares what was found. It follows from the arguments alone.
  ///
  /// - Parameter givenFiles: the symbol files that the user named.
  package init(
    _ input: consuming ResolvedInput, givenFiles: [GivenSymbolFile], _ options: SymbolicationOptions
  ) {
    var outcome = input.outcome
    reports = input.reports
    let (bytes, wrapping) = (input.input, input.wrapping)
    self.input = bytes
    self.wrapping = wrapping
    self.options = options
    for index in reports.indices {
      reports[index].contradictedImages = reports[index].foundContradictions
    }
    // A text and the JSON that it was made from count once.
    for report in reports.ofDistinctIncidents {
      outcome.counts += FrameCounts(report, options)
      outcome.missingImages += report.missingImages
      outcome.contradictedImages += report.contradictedImages
    }
    let sources = reports.map(\.source)
    outcome.statedFrameCount = reports.reduce(0) { count, report in
      report.backtraces.reduce(count) { $0 + $1.frames.count }
    }
    outcome.limits = options.limits
    outcome.exceededLimits = sources.flatMap(\.exceededLimits).withoutRepetitions
    outcome.breakOffsets = sources.flatMap(\.breakOffsets).map {
      wrapping?.inputRange(of: $0..<$0).lowerBound ?? $0
    }
    outcome.damage = ReportDamage(sources, in: bytes)
    outcome.broken = BrokenReport(sources)
    if case .numbered(let numbers) = options.threads {
      var absent = numbers
      for report in sources {
        for backtrace in report.backtraces where backtrace.kind == .thread {
          if let number = backtrace.number { absent.remove(number) }
        }
      }
      outcome.absentThreads = absent.sorted()
    }
    outcome.noteAbsentProcesses(options.processes, among: sources.map(\.process))
    outcome.compare(givenFiles, with: sources)
    self.outcome = outcome
  }
}

extension SymbolicatedReport {
  /// Images with frames that contradict themselves, in the order of the selected frames.
  fileprivate var foundContradictions: [ContradictedImage] {
    var found: [ContradictedImage] = []
    var indices: [ReportImage: Int] = [:]
    for backtrace in backtraces.indices where backtraces[backtrace].isSelected {
      // Most frames have none, and a frame is large to copy.
      let allFrames = backtraces[backtrace].frames
      let frames = allFrames.span
      for index in frames.indices {
        guard let contradiction = frames[index].contradiction,
          let image = frames[index].image, let address = frames[index].address
        else { continue }
        if let index = indices[image] {
          found[index].frameCount += 1
        } else {
          indices[image] = found.count
          found.append(
            ContradictedImage(
              image: image, frameCount: 1, address: address, contradiction: contradiction))
        }
      }
    }
    return found
  }
}

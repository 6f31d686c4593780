package import CrashLogParser
package import SymbolStore
import SymbolicationModel
package import Wording

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
      outcome.unplacedFrames += report.unplacedFrames
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
    if !options.processes.isEmpty {
      outcome.noteAbsentProcesses(options.processes, among: sources.map(\.process))
    }
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
        let first = ContradictedImage(
          image: image, frameCount: 1, address: address, contradiction: contradiction)
        found.merge(first, image, &indices) { $0.frameCount += 1 }
      }
    }
    return found
  }
}

extension SymbolicatedInput {
  /// The reports that JSON and summaries show. Console puts a text report and the JSON it was made
  /// from into one file; the text is then dropped. Reports of processes that the options leave out
  /// are not shown.
  package var shownReports: [SymbolicatedReport] {
    reports.ofDistinctIncidents.filter { options.selects($0.source.process) }
  }
}

extension [SymbolicatedReport] {
  /// Drops a text report if the input also holds the JSON of the same incident.
  package var ofDistinctIncidents: [SymbolicatedReport] {
    guard count > 1 else { return self }
    let incidents = Set(filter(\.isTranslatable).flatMap(\.source.facts.incidentKeys))
    guard !incidents.isEmpty else { return self }
    return filter { report in
      report.isTranslatable
        || !(report.source.facts.incidentKeys.first.map { incidents.contains($0) } ?? false)
    }
  }
}

/// What distinguishes one crash from any other.
private enum IncidentKey: Hashable {
  case identifier(String)
  /// Text reports of macOS have no identifier, but a time in tenths of a millisecond.
  case process(identifier: Int, date: String)
}

extension ReportFacts {
  /// The best one first.
  fileprivate var incidentKeys: [IncidentKey] {
    var keys: [IncidentKey] = []
    if let incident { keys.append(.identifier(incident)) }
    if let identifier = process.identifier, let date {
      keys.append(.process(identifier: identifier, date: date))
    }
    return keys
  }
}

extension SymbolicatedReport {
  /// Whether Apple's tools make text reports from it: then a text report of the same incident is a
  /// copy.
  package var isTranslatable: Bool { source.format.traits.appleText == .translation }
}

extension [Report] {
  /// The format of the first report if none has stacks; nil otherwise.
  package var formatWithoutStacks: ReportFormat? {
    contains { $0.format.hasStacks } ? nil : first?.format
  }
}

extension SymbolicatedInput {
  /// The lines of `--verbose`: for each image with frames, the file that was used and what it was
  /// chosen by.
  package var imageLines: [Message] {
    guard options.namesFiles else { return [] }
    var lines: [Message] = []
    for report in shownReports {
      var images = report.symbolFiles.map { image, file in
        (image: image, text: "\(file.path), matched by \(image.matchedProperty(file.basis))")
      }
      images += report.missingImages.map { missing in
        let system = missing.image.belongsToSystem ? " (part of the operating system)" : ""
        return (missing.image, "no symbols found\(system)")
      }
      images.sort {
        ($0.image.loadAddress.value, $0.image.name) < ($1.image.loadAddress.value, $1.image.name)
      }
      lines += images.map { .note("\($0.image.shownIdentity): \($0.text)") }
    }
    return lines.withoutRepetitions
  }
}

extension ReportImage {
  fileprivate func matchedProperty(_ basis: SymbolMatch.Basis) -> String {
    switch basis {
    case .identity: identity?.bytes.count == 16 ? "UUID" : "build-id"
    case .name: "name alone"
    }
  }
}

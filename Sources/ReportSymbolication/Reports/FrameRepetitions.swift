import SymbolicationModel

extension [ShownFrame] {
  /// The runs of consecutive frame numbers, and how many frames are missing before each: reports
  /// leave frames out, which their numbers show.
  package var partsBetweenOmissions: [(missing: Int, frames: ArraySlice<ShownFrame>)] {
    var parts: [(missing: Int, frames: ArraySlice<ShownFrame>)] = []
    var start = 0
    var missing = 0
    for index in indices.dropFirst() {
      // Numbers come from the report.
      let (distance, overflow) = self[index].index.subtractingReportingOverflow(
        self[index - 1].index)
      guard !overflow, distance > 1 else { continue }
      parts.append((missing, self[start..<index]))
      (start, missing) = (index, distance - 1)
    }
    return parts + [(missing, self[start...])]
  }
}

/// Frames that repeat at least three times in a row: one with the same function, file and line, or
/// up to eight that follow each other in the same order.
package struct FrameRepetitions {
  /// Several rounds of the same frames.
  package struct Run: Hashable {
    /// The index of the first frame of the first round.
    package let start: Int
    /// How many frames one round has.
    package let period: Int
    package let rounds: Int

    package var end: Int { start + period * rounds }
  }

  /// In the order of the frames. They do not overlap.
  package let runs: [Run]

  private static let fewestRounds = 3
  private static let longestPeriod = 8

  package init(_ frames: ArraySlice<ShownFrame>) {
    let kinds = Self.kinds(of: frames)
    var runs: [Run] = []
    var start = 0
    while start < kinds.count {
      guard let run = Self.run(kinds, from: start) else {
        start += 1
        continue
      }
      runs.append(
        Run(start: frames.startIndex + start, period: run.period, rounds: run.rounds))
      start = run.end
    }
    self.runs = runs
  }

  /// The run with the shortest period that begins at `start`.
  private static func run(_ kinds: [Kind], from start: Int) -> Run? {
    let longest = min(longestPeriod, (kinds.count - start) / fewestRounds)
    guard longest > 0 else { return nil }
    for period in 1...longest {
      var end = start + period
      while end < kinds.count, kinds[end] == kinds[end - period] { end += 1 }
      let rounds = (end - start) / period
      if rounds >= fewestRounds { return Run(start: start, period: period, rounds: rounds) }
    }
    return nil
  }

  /// What a frame shows.
  private struct Kind: Equatable {
    package let line: Int?
    let isInlined: Bool
    package let function: String?
    package let file: String?
    /// Of a frame without a function: where it is. Nothing says whether frames without an address
    /// are the same, so they have numbers of their own.
    let place: UInt64?
  }

  private static func kinds(of frames: ArraySlice<ShownFrame>) -> [Kind] {
    frames.indices.map { index in
      let frame = frames[index]
      // A name that is far away says nothing, so frames with it may be of several functions.
      let function = frame.isFarFromNamedFunction ? nil : frame.function
      let location = frame.location
      return Kind(
        line: location.line, isInlined: frame.isInlined, function: function, file: location.file,
        place: function == nil ? frame.address?.value ?? UInt64(index) : nil)
    }
  }
}

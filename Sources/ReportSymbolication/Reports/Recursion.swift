import SymbolicationModel

/// Functions that call each other again and again: the shortest cycle of names that repeats.
package struct Recursion {
  /// The innermost frame of the cycle.
  package let first: ShownFrame
  /// The names of one round, innermost first.
  package let cycle: [String]
  /// The index behind the last frame of the cycle.
  package let end: Int
  /// How many frames belong to whole rounds.
  package let count: Int

  /// - Parameters:
  ///   - frames: innermost first. The cycle is looked for among the first few thousand, and
  ///     followed to its end.
  ///   - fewestRounds: fewer rounds are ordinary recursion, such as a walk through a tree.
  ///   - startLimit: how many frames may be above the cycle, of a function called from it.
  package init?(_ frames: [ShownFrame], fewestRounds: Int = 8, startLimit: Int = startLimit) {
    let named = frames.prefix(Self.frameLimit)
    let names = named.map { Self.name(of: $0) }
    // Somebody wrote one line for all rounds.
    for (index, frame) in named.enumerated().prefix(startLimit)
    where frame.repetitions > 1 && frame.repetitions >= fewestRounds {
      guard let name = names[index] else { continue }
      first = frame
      cycle = [name]
      end = index + 1
      count = frame.repetitions
      return
    }
    // The innermost frames may be of a function called from the cycle.
    for start in names.indices.prefix(startLimit) where names[start] != nil {
      for length in 1...Self.cycleLimit {
        var end = start + length
        while end < names.count, names[end] != nil, names[end] == names[end - length] { end += 1 }
        // macOS 26 leaves out rounds, and the numbers of frames go on.
        let seen = (end - start) / length
        guard seen >= 2 else { continue }
        let left = Self.framesLeftOut(named[start..<min(end, named.count)])
        guard (end - start + left) / length >= fewestRounds else { continue }
        if end == names.count {
          while end < frames.count,
            Self.name(of: frames[end]) == names[start + (end - start) % length]
          {
            end += 1
          }
        }
        first = named[start]
        self.end = end
        cycle = names[start..<start + length].compactMap(\.self)
        count = (end - start + left) / length * length
        return
      }
    }
    return nil
  }

  /// The function. Without a name, the call that the frame waits for stands for it: `Game + 49904`.
  /// A walk along a damaged stack repeats addresses that are in no image.
  private static func name(of frame: ShownFrame) -> String? {
    if let function = frame.readableFunction { return function }
    guard let address = frame.address?.value, frame.imageName != unknownImageName,
      !frame.imageFileName.isEmpty
    else { return nil }
    return frame.imageOffset.map { "\(frame.imageFileName) + \($0)" }
      ?? "\(frame.imageFileName) \(address.hexadecimal)"
  }

  /// Numbers come from the report, which may state any.
  private static func framesLeftOut(_ frames: ArraySlice<ShownFrame>) -> Int {
    zip(frames, frames.dropFirst()).reduce(0) { sum, pair in
      let (distance, overflow) = pair.1.index.subtractingReportingOverflow(pair.0.index)
      guard !overflow, (2...Self.greatestDistance).contains(distance) else { return sum }
      return sum + distance - 1
    }
  }

  /// No stack has so many frames.
  private static let greatestDistance = 1 << 32

  private static let frameLimit = 4096
  /// Hardly any function calls more before it is at its end.
  package static let startLimit = 8
  private static let cycleLimit = 8
  private static let shownNames = 3

  /// `visit(_:) calls itself (× 511)`, `a() and b() call each other (× 40)`, `a(), b(), c() and 3
  /// more call each other (× 40)`.
  package var text: String {
    let rounds = count / cycle.count
    let names = cycle.withoutRepetitions
    guard let only = names.first else { return "" }
    if names.count == 1 { return "\(only) calls itself (× \(rounds))" }
    // One more takes no more room than saying so.
    let shown = names.count <= Self.shownNames + 1 ? names.count - 1 : Self.shownNames
    let last = shown == names.count - 1 ? names[shown] : "\(names.count - shown) more"
    return
      "\(names[..<shown].joined(separator: ", ")) and \(last) call each other (× \(rounds))"
  }
}

import SymbolicationModel

/// Functions that call each other again and again: the shortest cycle of names that repeats.
struct Recursion {
  /// The innermost frame of the cycle.
  let first: ShownFrame
  /// The names of one round, innermost first.
  let cycle: [String]
  /// How many frames belong to whole rounds.
  let count: Int

  /// - Parameter frames: innermost first. Only the first few thousand are looked at.
  init?(_ frames: [ShownFrame]) {
    let named = frames.prefix(Self.frameLimit)
    let names = named.map { $0.readableFunction }
    // The innermost frames may be of a function called from the cycle.
    for start in names.indices.prefix(Self.startLimit) where names[start] != nil {
      for length in 1...Self.cycleLimit {
        var end = start + length
        while end < names.count, names[end] != nil, names[end] == names[end - length] { end += 1 }
        let rounds = (end - start) / length
        guard rounds >= Self.fewestRounds else { continue }
        first = named[start]
        cycle = names[start..<start + length].compactMap(\.self)
        count = rounds * length
        return
      }
    }
    return nil
  }

  private static let frameLimit = 4096
  private static let startLimit = 8
  private static let cycleLimit = 8
  /// Fewer rounds are ordinary recursion, such as a walk through a tree.
  private static let fewestRounds = 8

  /// `visit(_:) calls itself (× 511)`, `a() and b() call each other (× 40)`.
  var text: String {
    let rounds = count / cycle.count
    let names = cycle.withoutRepetitions
    guard let only = names.first else { return "" }
    if names.count == 1 { return "\(only) calls itself (× \(rounds))" }
    return "\(names.prefix(3).joined(separator: " and ")) call each other (× \(rounds))"
  }
}

/// How far a run over many reports is, in words: `1234 of 20000 reports, 350 a second, 54 s left`.
package struct RunProgressText: Hashable, Sendable {
  let done: Int
  let total: Int
  let nanoseconds: UInt64

  /// - Parameter nanoseconds: since the run began.
  package init(done: Int, total: Int, nanoseconds: UInt64) {
    self.done = done
    self.total = total
    self.nanoseconds = nanoseconds
  }

  package var text: String {
    let counts = "\(done) of \(total) reports"
    let seconds = Double(nanoseconds) / 1e9
    guard done > 0, seconds > 0 else { return counts }
    let rate = Double(done) / seconds
    let left = Double(max(total - done, 0)) / rate
    return "\(counts), \(Self.shown(rate: rate)) a second, \(Self.shown(seconds: left)) left"
  }

  /// Slow runs have tenths.
  private static func shown(rate: Double) -> String {
    guard rate < 10 else { return String(Int(rate.rounded())) }
    let tenths = Int((rate * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// `54 s`, `3 min`, `2 h 5 min`.
  private static func shown(seconds: Double) -> String {
    let seconds = seconds < 1e9 ? Int(seconds.rounded(.up)) : 1_000_000_000
    if seconds < 100 { return "\(seconds) s" }
    let minutes = (seconds + 59) / 60
    return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }
}

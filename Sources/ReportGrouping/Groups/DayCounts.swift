/// How many reports there are of each day (UTC): of the newest days up to a limit.
///
/// The counts are exact, whatever the order, as those of `VersionCounts` are.
struct DayCounts: Hashable, Sendable {
  /// More than a year.
  static let limit = 400

  /// By the number of days since 1970.
  private var counts: [Int64: Int] = [:]
  /// Whether there were more days than the limit.
  private(set) var hasMore = false

  init() {}

  init(_ entries: some Sequence<(day: Int64, count: Int)>, hasMore: Bool) {
    self.hasMore = hasMore
    for entry in entries { add(entry.day, count: entry.count) }
  }

  /// The oldest first.
  var ascending: [(day: Int64, count: Int)] {
    counts.sorted { $0.key < $1.key }.map { (day: $0.key, count: $0.value) }
  }

  mutating func add(_ day: Int64, count: Int = 1) {
    counts[day, default: 0] = (counts[day] ?? 0).saturatingSum(count)
    guard counts.count > Self.limit, let oldest = counts.keys.min() else { return }
    counts[oldest] = nil
    hasMore = true
  }

  mutating func merge(_ other: DayCounts) {
    hasMore = hasMore || other.hasMore
    for (day, count) in other.counts { add(day, count: count) }
  }
}

import SymbolicationModel
import Wording

/// How often each version was seen: the newest ones up to a limit.
///
/// The counts are exact, whatever the order: a version that is among the newest of all is among the
/// newest of any part, so it is never forgotten once it was seen.
struct VersionCounts: Hashable, Sendable {
  static let limit = 16
  /// The most characters of a version.
  private static let lengthLimit = 80

  private var counts: [String: Int] = [:]
  /// Whether there were more versions than the limit.
  private(set) var hasMore = false

  init() {}

  init(_ entries: some Sequence<(version: String, count: Int)>, hasMore: Bool) {
    self.hasMore = hasMore
    for entry in entries { add(entry.version, count: entry.count) }
  }

  /// The newest first.
  var newestFirst: [(version: String, count: Int)] {
    counts.map { (version: $0.key, count: $0.value) }.sorted {
      Self.isNewer($0.version, $1.version)
    }
  }

  mutating func add(_ version: String, count: Int = 1) {
    let version = shortened(version.withoutControlCharacters, to: Self.lengthLimit)
    guard !version.isEmpty else { return }
    if let known = counts[version] {
      counts[version] = known.saturatingSum(count)
      return
    }
    counts[version] = count
    guard counts.count > Self.limit, let oldest = counts.keys.max(by: Self.isNewer) else { return }
    counts[oldest] = nil
    hasMore = true
  }

  mutating func merge(_ other: VersionCounts) {
    hasMore = hasMore || other.hasMore
    for (version, count) in other.counts { add(version, count: count) }
  }

  /// Compares numbers in versions as numbers, so 1.10 is newer than 1.9. A total order.
  static func isNewer(_ left: String, _ right: String) -> Bool {
    var (first, second) = (Array(left.utf8)[...], Array(right.utf8)[...])
    while let a = first.first, let b = second.first {
      if a.isDecimalDigit, b.isDecimalDigit {
        let (x, y) = (first.takeNumber(), second.takeNumber())
        if x.count != y.count { return x.count > y.count }
        if x != y { return y.lexicographicallyPrecedes(x) }
      } else if a != b {
        return a > b
      } else {
        first = first.dropFirst()
        second = second.dropFirst()
      }
    }
    if first.isEmpty != second.isEmpty { return second.isEmpty }
    // Equal but for zeros before numbers.
    return right.utf8.lexicographicallyPrecedes(left.utf8)
  }
}

extension ArraySlice<UInt8> {
  /// Removes the digits at the start and returns them without leading zeros.
  fileprivate mutating func takeNumber() -> ArraySlice<UInt8> {
    let digits = prefix { $0.isDecimalDigit }
    self = dropFirst(digits.count)
    return digits.drop { $0 == UInt8(ascii: "0") }
  }
}

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

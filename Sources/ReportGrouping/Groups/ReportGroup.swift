import CrashLogParser
package import SymbolicationModel
import Wording

/// The reports that have a key in common. It takes the same memory however many they are.
///
/// Every part of it is the same for any order of the reports and any division into partial results.
package struct ReportGroup: Hashable, Sendable {
  /// What the reports have in common; nil for those that have no such thing.
  package let key: String?
  package internal(set) var count = 0
  var devices = DeviceSet()
  /// Of the reports that state a time.
  var first: ReportDate?
  var last: ReportDate?
  var days = DayCounts()
  var appVersions = VersionCounts()
  var systems = VersionCounts()
  /// The path of one of the reports: the first in the order of bytes.
  package internal(set) var sample = ""

  init(key: String?) { self.key = key }

  mutating func add(_ report: ReportOutline) {
    noteSample(report.path)
    count += 1
    if let device = report.device, !device.isEmpty { devices.insert(device: device) }
    if let date = report.date.flatMap({ ReportDate($0) }), date >= .earliestOfReport {
      note(date, date)
      days.add(date.dayNumber)
    }
    if let version = report.version { appVersions.add(version) }
    if let system = report.system { systems.add(system) }
  }

  /// Adds the reports of another part of the same group.
  mutating func merge(_ other: ReportGroup) {
    noteSample(other.sample)
    count = count.saturatingSum(other.count)
    devices.formUnion(other.devices)
    note(other.first, other.last)
    days.merge(other.days)
    appVersions.merge(other.appVersions)
    systems.merge(other.systems)
  }

  private mutating func note(_ first: ReportDate?, _ last: ReportDate?) {
    self.first = [self.first, first].compactMap(\.self).min()
    self.last = [self.last, last].compactMap(\.self).max()
  }

  private mutating func noteSample(_ path: String) {
    if count == 0 || path.utf8.lexicographicallyPrecedes(sample.utf8) { sample = path }
  }
}

/// Groups of reports, and how many reports there are in all.
package struct GroupTable: Sendable {
  package let criterion: GroupCriterion
  /// The rules of the signatures.
  package let signatureVersion: SignatureVersion
  package private(set) var reportCount = 0
  private var groups: [String?: ReportGroup] = [:]

  package init(by criterion: GroupCriterion, _ version: SignatureVersion = .current) {
    self.criterion = criterion
    signatureVersion = version
  }

  /// The version to write; nil if the groups are not made by signature.
  var statedVersion: SignatureVersion? { criterion == .signature ? signatureVersion : nil }

  package var isEmpty: Bool { groups.isEmpty }
  package var groupCount: Int { groups.count }

  mutating func add(_ report: ReportOutline) {
    let key = report.key(criterion)
    groups[key, default: ReportGroup(key: key)].add(report)
    reportCount += 1
  }

  mutating func merge(_ group: ReportGroup) {
    groups[group.key, default: ReportGroup(key: group.key)].merge(group)
    reportCount = reportCount.saturatingSum(group.count)
  }

  package mutating func merge(_ other: GroupTable) {
    for group in other.groups.values { merge(group) }
  }

  /// Of all groups together.
  var days: DayCounts { groups.values.reduce(into: DayCounts()) { $0.merge($1.days) } }
  var appVersions: VersionCounts {
    groups.values.reduce(into: VersionCounts()) { $0.merge($1.appVersions) }
  }
  var systems: VersionCounts {
    groups.values.reduce(into: VersionCounts()) { $0.merge($1.systems) }
  }

  /// The largest first; of equally large ones in the order of the bytes of their keys.
  package var largestFirst: [ReportGroup] {
    groups.values.sorted { left, right in
      if left.count != right.count { return left.count > right.count }
      guard let first = left.key, let second = right.key else { return left.key == nil }
      return first.utf8.lexicographicallyPrecedes(second.utf8)
    }
  }
}

extension Int {
  /// The sum of two numbers that are not negative; the greatest number if it is larger than that.
  func saturatingSum(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}

/// What reports of one group have in common: `--by`.
package enum GroupCriterion: String, CaseIterable, Sendable {
  case signature
  /// The source line at which the app crashed.
  case line
  /// The type of the exception and the signal.
  case exception
  /// The app and its version.
  case version

  /// What a table calls reports that have none.
  var missing: String {
    switch self {
    case .signature: "(no signature)"
    case .line: "(no source line)"
    case .exception: "(no exception)"
    case .version: "(no version)"
    }
  }
}

/// How many devices a group was seen on: exactly up to a limit, so that a group takes the same
/// memory however many there are.
struct DeviceSet: Hashable, Sendable {
  static let limit = 256

  /// Of each device the first 64 bits of the SHA-256 of its key. Empty beyond the limit.
  private(set) var marks: Set<UInt64> = []
  /// Whether there are more devices than the limit.
  private(set) var isBeyondLimit = false

  var count: Int { isBeyondLimit ? Self.limit : marks.count }

  init() {}

  /// - Parameter marks: those that another run wrote.
  init(marks: some Sequence<UInt64>, isBeyondLimit: Bool) {
    if isBeyondLimit { exceed() }
    for mark in marks { insert(mark) }
  }

  mutating func insert(device key: String) {
    insert(Sha256.digest(of: Array(key.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }

  mutating func insert(_ mark: UInt64) {
    guard !isBeyondLimit else { return }
    marks.insert(mark)
    if marks.count > Self.limit { exceed() }
  }

  mutating func formUnion(_ other: DeviceSet) {
    if other.isBeyondLimit { exceed() }
    for mark in other.marks { insert(mark) }
  }

  private mutating func exceed() {
    isBeyondLimit = true
    marks = []
  }
}

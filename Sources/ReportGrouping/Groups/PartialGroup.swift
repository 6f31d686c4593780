import CrashLogParser
package import SymbolicationModel

/// A line of `symbolicate group --format ndjson`: a group, with all that is needed to add those of
/// other runs to it.
package struct PartialGroup {
  static let schema = "symbolicate-group"
  static let version = 1

  let group: ReportGroup

  package enum Failure: Error, Hashable, Sendable {
    /// It is not such a line.
    case notAGroup
    /// It is grouped by something else.
    case otherCriterion(GroupCriterion)
    /// Its signature is made by other rules.
    case otherVersion(SignatureVersion)
    /// With it there would be more reports than `largestCount`.
    case tooManyReports
  }

  /// The most reports of all groups. Many readers of JSON round larger numbers.
  package static let largestCount = 1 << 53 - 1

  /// - Parameter table: the other groups.
  init(_ line: [UInt8], for table: GroupTable) throws(Failure) {
    guard let root = JsonDocument.root(ofWholeLine: line),
      let stated = Self.basis(of: root), let key = root["key"],
      let count = Self.count(root["count"]), let devices = root["devices"],
      let sample = root["sample"]?.string
    else { throw .notAGroup }
    guard stated.criterion == table.criterion else { throw .otherCriterion(stated.criterion) }
    if let version = table.statedVersion, stated.version != version {
      throw .otherVersion(stated.version)
    }
    var group = ReportGroup(key: key.string)
    group.count = count
    group.sample = sample
    group.devices = DeviceSet(
      marks: (devices["ids"]?.elements).map { elements in
        elements.compactMap { $0.string.flatMap { UInt64($0, radix: 16) } }
      } ?? [], isBeyondLimit: devices["more"]?.boolean == true)
    group.first = root["first"]?.string.flatMap { ReportDate($0) }
    group.last = root["last"]?.string.flatMap { ReportDate($0) }
    group.days = Self.days(root["days"])
    group.appVersions = Self.versions(root["appVersions"])
    group.systems = Self.versions(root["osVersions"])
    // A report has one day and one version of each kind.
    let parts = [
      group.days.ascending.map(\.count), group.appVersions.newestFirst.map(\.count),
      group.systems.newestFirst.map(\.count),
    ]
    guard parts.allSatisfy({ $0.reduce(0) { $0.saturatingSum($1) } <= count }) else {
      throw .notAGroup
    }
    self.group = group
  }

  /// What groups are made by.
  package typealias Basis = (criterion: GroupCriterion, version: SignatureVersion)

  /// What the groups of a file are made by, from its first line.
  package static func basis(ofLine line: [UInt8]) -> Basis? {
    (try? JsonDocument(line)).flatMap { basis(of: $0.root) }
  }

  private static func basis(of root: JsonValue) -> Basis? {
    guard root["schema"]?.string == schema, root["version"]?.integer == Int64(version),
      let criterion = root["by"]?.string.flatMap({ GroupCriterion(rawValue: $0) }),
      let version = SignatureVersion(stated: root["signatureVersion"])
    else { return nil }
    return (criterion, version)
  }

  private static func count(_ value: JsonValue?) -> Int? {
    value?.integer.flatMap { $0 > 0 ? Int(exactly: $0) : nil }
  }

  private static func days(_ value: JsonValue?) -> DayCounts {
    let entries = (value?["values"]?.elements).map { elements in
      elements.compactMap { entry -> (day: Int64, count: Int)? in
        guard let date = entry["day"]?.string.flatMap({ ReportDate($0 + "T00:00:00Z") }),
          let count = count(entry["count"])
        else { return nil }
        return (date.dayNumber, count)
      }
    }
    return DayCounts(entries ?? [], hasMore: value?["more"]?.boolean == true)
  }

  private static func versions(_ value: JsonValue?) -> VersionCounts {
    let entries = (value?["values"]?.elements).map { elements in
      elements.compactMap { entry -> (version: String, count: Int)? in
        guard let version = entry["version"]?.string, let count = count(entry["count"]) else {
          return nil
        }
        return (version, count)
      }
    }
    return VersionCounts(entries ?? [], hasMore: value?["more"]?.boolean == true)
  }
}

extension SignatureVersion {
  /// The version that JSON of this program states: the first one if it states none, for the first
  /// one had no number there. Nil for a later one.
  init?(stated value: JsonValue?) {
    guard let value, value.kind != .null else {
      self = .first
      return
    }
    guard let number = value.integer.flatMap({ Int(exactly: $0) }) else { return nil }
    self.init(rawValue: number)
  }
}

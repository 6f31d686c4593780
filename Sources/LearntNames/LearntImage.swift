import SymbolIndex
package import SymbolicationModel

// The names of a system library's functions, learnt from reports.
//
// `.ips` reports name the frames of system libraries, as Apple's ReportCrash does on the machine of
// the crash: the name of the function (`symbol`), and the distance of the address from its start
// (`symbolLocation`). So each such frame says where a function begins, and that everything from
// there to the address belongs to it. Where the function ends is not said: other functions, which
// no report has shown yet, may begin right after the address. So nothing beyond is named.

/// What reports say about one image.
package struct LearntImage: Sendable {
  package let identity: ImageIdentity
  /// As the reports state it; empty if they do not.
  package var architecture: String
  /// The name of the file.
  package var name: String
  /// By the distance of their start from the start of the image.
  package internal(set) var functions: [UInt64: Function] = [:]
  /// The hashes of the reports that count, at most `reportLimit`.
  package internal(set) var reports: Set<UInt64> = []
  /// Whether something was added since it was made or read.
  package private(set) var isChanged = false

  /// So many reports count. More still add functions, but no votes for names.
  package static let reportLimit = 4096

  /// In bytes. Longer names are rare.
  static let longestName = 1 << 14

  package struct Function: Hashable, Sendable {
    /// How many bytes from the start are known to be the function's.
    package internal(set) var reach: UInt64
    /// The names that reports give it, and how many reports do.
    package internal(set) var votes: [String: UInt32]

    /// - Returns: whether that is news.
    fileprivate mutating func add(reach: UInt64, vote: String?) -> Bool {
      let reachesFarther = reach > self.reach
      if reachesFarther { self.reach = reach }
      guard let vote, votes[vote] != .max else { return reachesFarther }
      votes[vote, default: 0] += 1
      return true
    }

    /// The most frequent name; of several the first in alphabetical order.
    package var name: String {
      votes.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key ?? ""
    }
  }

  /// A frame that names its function.
  package struct Observation: Hashable, Sendable {
    /// The start of the function, and the address that is looked up, as distances from the start of
    /// the image. A return address is looked up one byte before.
    package let start: UInt64
    package let address: UInt64
    package let name: String

    /// Nil if it cannot be true, teaches nothing, because the start of an image has no function, or
    /// is so far from the start that the function is probably another one: a machine without the
    /// symbols of single compilation units names the nearest export.
    package init?(start: UInt64, address: UInt64, name: String) {
      guard start > 0, !name.isEmpty, name.utf8.count <= LearntImage.longestName,
        address < start || address - start < Self.longestReach
      else { return nil }
      self.start = start
      self.address = address
      self.name = name
    }

    var order: (UInt64, UInt64, String) { (start, address, name) }

    /// In bytes. Of 2,000 frames of real reports, the farthest was 11,736 bytes from the start.
    package static let longestReach: UInt64 = 1 << 14
  }

  package init(identity: ImageIdentity, architecture: String = "", name: String = "") {
    self.identity = identity
    self.architecture = architecture
    self.name = name
  }

  /// Adds what one report says. A report that was added before has no vote any more; a copy with
  /// more threads may still add functions.
  ///
  /// - Parameter incident: what identifies the report.
  /// - Returns: whether the report was new.
  @discardableResult
  package mutating func add(_ observations: Set<Observation>, incident: String?) -> Bool {
    let report = Self.hash(observations, incident)
    guard !observations.isEmpty else { return false }
    let isNew = !reports.contains(report)
    let counts = isNew && reports.count < Self.reportLimit
    if counts {
      reports.insert(report)
      isChanged = true
    }
    var voted: Set<Vote> = []
    for observation in observations {
      let start = observation.start
      let reach = observation.address >= start ? observation.address - start + 1 : 0
      let isVote =
        (counts || functions[start]?.votes.isEmpty != false)
        && voted.insert(Vote(start: start, name: observation.name)).inserted
      // In its place: a function may have thousands of names, which a copy would double.
      let isNews = functions[start, default: Function(reach: 0, votes: [:])].add(
        reach: reach, vote: isVote ? observation.name : nil)
      if isNews { isChanged = true }
    }
    return isNew
  }

  /// A UUID identifies a report alone, so a copy that was cut or completed is known again. Some
  /// incidents are blanked; then what the report says counts.
  private static func hash(_ observations: Set<Observation>, _ incident: String?) -> UInt64 {
    var checksum = IndexChecksum()
    let incident = Array((incident ?? "").utf8)
    let digits = incident.filter { $0 != UInt8(ascii: "-") }
    checksum.add(incident + [0])
    if digits.count == 32, Set(digits).count > 4 { return checksum.value }
    for observation in observations.sorted(by: { $0.order < $1.order }) {
      var numbers: [UInt8] = []
      numbers.appendNumber(observation.start)
      numbers.appendNumber(observation.address)
      checksum.add(numbers + Array(observation.name.utf8) + [0])
    }
    return checksum.value
  }

  private struct Vote: Hashable {
    let start: UInt64
    let name: String
  }

  /// How many functions have several names.
  package var conflictCount: Int { functions.values.count { $0.votes.count > 1 } }
}

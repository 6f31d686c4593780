import Wording

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

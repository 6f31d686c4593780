import BinaryInput
import TestSupport
import Testing

/// `ByteRegion.contains(_:inFirst:)`
struct ByteSearchTests {
  private let region = ByteRegion(copying: Array("aababc__aab".utf8))

  @Test(arguments: [
    ("aab", 11, true), ("aab", 3, true), ("aab", 2, false), ("abc", 6, true), ("abc", 5, false),
    ("c__a", 100, true), ("abd", 100, false), ("b", 11, true), ("", 11, false), ("a", 0, false),
    ("a", -1, false), ("aababc__aabx", 100, false), ("aababc__aab", 11, true),
  ])
  func finds(text: String, limit: Int, isThere: Bool) {
    expectEqual(region.contains(Array(text.utf8), inFirst: limit), isThere)
  }

  @Test func emptyRegion() {
    expectFalse(ByteRegion(copying: []).contains([0], inFirst: 1))
  }
}

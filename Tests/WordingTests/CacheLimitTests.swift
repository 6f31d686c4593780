import TestSupport
import Testing
import Wording

@Suite struct CacheLimitTests {
  private func limit(_ value: String?) throws -> UInt64? {
    try CacheLimit.stated { $0 == "SYMBOLICATE_CACHE_LIMIT" ? value : "5" }
  }

  @Test(
    arguments: [
      (nil, nil), ("", nil), ("0", 0), ("1234", 1234), ("1k", 1024), ("500M", 524_288_000),
      ("3G", 3_221_225_472), ("2t", 2_199_023_255_552),
    ] as [(String?, UInt64?)])
  func sizes(value: String?, expected: UInt64?) throws {
    try expectEqual(limit(value), expected)
  }

  @Test(arguments: [
    "G", "1GB", "-1", "+1", "1.5G", " 1", "1 G", "much", "0x10", "99999999999999999999",
    "99999999T",
    "1\u{2b}", "٣",
  ])
  func noSizes(value: String) {
    #expect(throws: CacheLimit.Unreadable.self) { try limit(value) }
  }
}

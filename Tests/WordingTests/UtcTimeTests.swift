import SymbolicationModel
import TestSupport
import Testing
import Wording

/// As `date -u -d @NUMBER` prints them.
struct UtcTimeTests {
  @Test(
    arguments: [
      (0, "1970-01-01 00:00:00 UTC"),
      (1_680_674_828, "2023-04-05 06:07:08 UTC"),
      (-1, "1969-12-31 23:59:59 UTC"),
      (951_782_400, "2000-02-29 00:00:00 UTC"),
      (.max, "9223372036854775807"),
      (.min, "-9223372036854775808"),
    ] as [(Int64, String)])
  func times(seconds: Int64, text: String) {
    expectEqual("\(UtcTime(secondsSince1970: seconds))", text)
  }
}

import Foundation
import TestSupport

/// The addresses of a slice that all voices are asked about.
///
/// Always random addresses in its code sections. From its line tables, the addresses at which rows
/// and sequences begin and end, and the byte before each (where a return address is looked up): all
/// of them in a small file, and a random part of them in a large one. The random numbers are the
/// same in each run.
struct AddressSample {
  /// A slice with more row addresses than these is large.
  let smallFileRowCount: Int
  /// The number of rows sampled in a large file.
  let rowCount: Int
  /// The number of code addresses sampled in any file.
  let codeAddressCount: Int

  /// The sample for CI, or the whole file if `SYMBOLICATE_REFEREE=whole` is set.
  static let chosen = isWhole ? whole : part

  static let isWhole = ProcessInfo.processInfo.environment["SYMBOLICATE_REFEREE"] == "whole"

  private static let whole = AddressSample(
    smallFileRowCount: 100_000, rowCount: 10_000, codeAddressCount: 10_000)
  private static let part = AddressSample(
    smallFileRowCount: 1_000, rowCount: 500, codeAddressCount: 500)

  /// Ascending, without duplicates.
  func addresses(rows: [UInt64], codeRanges: [Range<UInt64>]) -> [UInt64] {
    var generator = SeededGenerator(seed: 1)
    var chosen: Set<UInt64> = []
    var rows = rows
    if rows.count > smallFileRowCount {
      rows = Array(rows.shuffled(using: &generator).prefix(rowCount))
    }
    for row in rows {
      chosen.insert(row)
      if row > 0 { chosen.insert(row - 1) }
    }
    // Each byte of code is equally likely.
    let size = codeRanges.reduce(0) { $0 + UInt64($1.count) }
    for _ in 0..<min(UInt64(codeAddressCount), size) {
      var offset = UInt64.random(in: 0..<size, using: &generator)
      for range in codeRanges {
        guard offset >= UInt64(range.count) else {
          chosen.insert(range.lowerBound + offset)
          break
        }
        offset -= UInt64(range.count)
      }
    }
    return chosen.sorted()
  }
}

import SymbolicationModel

/// A time for messages: `2023-04-05 06:07:08 UTC`.
package struct UtcTime: CustomStringConvertible {
  let secondsSince1970: Int64

  package init(secondsSince1970: Int64) {
    self.secondsSince1970 = secondsSince1970
  }

  /// The number itself if the year does not fit in 32 bits.
  package var description: String {
    let time = CivilTime(secondsSince1970: secondsSince1970)
    guard Int32(exactly: time.year - 1900) != nil else { return "\(secondsSince1970)" }
    return "\(time.year)\(time.monthAndDayText) \(time.timeText) UTC"
  }
}

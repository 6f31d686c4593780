import SymbolicationModel

/// A moment as reports write it: `2023-04-05 06:07:08 +0000`.
package struct UtcDate: CustomStringConvertible {
  package let secondsSince1970: Int64

  package init(secondsSince1970: Int64) {
    self.secondsSince1970 = secondsSince1970
  }

  package var description: String {
    // Far more than any clock shows.
    let seconds = min(max(secondsSince1970, -62_135_596_800), 253_402_300_799)
    let time = CivilTime(secondsSince1970: seconds)
    return "\(time.dateText) \(time.timeText) +0000"
  }
}

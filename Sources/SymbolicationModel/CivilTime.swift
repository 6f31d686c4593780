/// A second of the Gregorian calendar, UTC.
package struct CivilTime: Hashable, Sendable {
  package let year: Int64
  /// From 1.
  package let month: Int64
  /// From 1.
  package let day: Int64
  /// Since midnight.
  package let secondOfDay: Int64

  private static let secondsPerDay: Int64 = 86_400

  package init(secondsSince1970 seconds: Int64) {
    let (days, second) = seconds.flooredQuotient(dividingBy: Self.secondsPerDay)
    self.init(daysSince1970: days, secondOfDay: second)
  }

  /// - Parameter days: at most 10^17 before or after 1970.
  package init(daysSince1970 days: Int64, secondOfDay: Int64 = 0) {
    let (era, ofEra) = (days + Self.daysBefore1970).flooredQuotient(dividingBy: Self.daysPerEra)
    let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * year + year / 4 - year / 100)
    let fromMarch = (5 * ofYear + 2) / 153
    month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
    day = ofYear - (153 * fromMarch + 2) / 5 + 1
    self.year = year + era * 400 + (month <= 2 ? 1 : 0)
    self.secondOfDay = secondOfDay
  }

  // The calendar repeats every 400 years. They begin in March here, so that the day that leap years
  // add is the last of its year.
  private static let daysPerEra: Int64 = 146_097
  /// From 1 March of the year 0.
  private static let daysBefore1970: Int64 = 719_468

  /// The number of days from 1970 to a day of the years 0 to 9999; nil for one that no calendar
  /// has, such as 31 April.
  package static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64? {
    guard 0...9999 ~= year, 1...12 ~= month, 1...31 ~= day else { return nil }
    let (era, ofEra) = (month <= 2 ? year - 1 : year).flooredQuotient(dividingBy: 400)
    let ofYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let days =
      era * daysPerEra + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - daysBefore1970
    let found = CivilTime(daysSince1970: days)
    return (found.year, found.month, found.day) == (year, month, day) ? days : nil
  }

  /// `2023-04-05`
  package var dateText: String { Self.digits(year, 4) + monthAndDayText }

  /// `-04-05`
  package var monthAndDayText: String { "-\(Self.digits(month, 2))-\(Self.digits(day, 2))" }

  /// `06:07:08`
  package var timeText: String {
    [secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60].map { Self.digits($0, 2) }
      .joined(separator: ":")
  }

  /// The number with zeros in front, if it has fewer than `count` characters.
  package static func digits(_ number: Int64, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }
}

extension Int64 {
  /// With a remainder that is never negative.
  package func flooredQuotient(dividingBy divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

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

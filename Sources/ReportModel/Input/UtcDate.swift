import JsonReading

/// A moment as reports write it: `2023-04-05 06:07:08 +0000`.
package struct UtcDate: CustomStringConvertible {
  package let secondsSince1970: Int64

  package init(secondsSince1970: Int64) {
    self.secondsSince1970 = secondsSince1970
  }

  /// The days of the Gregorian calendar are counted from 1 March, so that the leap day comes last.
  package var description: String {
    // Far more than any clock shows; the calendar repeats each 400 years.
    let seconds = min(max(secondsSince1970, -62_135_596_800), 253_402_300_799)
    let (day, second) = Self.split(seconds, by: 86_400)
    let (era, dayOfEra) = Self.split(day + 719_468, by: 146_097)
    let leaps = dayOfEra / 1_460 - dayOfEra / 36_524 + dayOfEra / 146_096
    let yearOfEra = (dayOfEra - leaps) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let time = [second / 3600, second / 60 % 60, second % 60].map(Self.twoDigits)
    let date = [Self.padded(year, 4), Self.twoDigits(month), Self.twoDigits(dayOfMonth)]
    return "\(date.joined(separator: "-")) \(time.joined(separator: ":")) +0000"
  }

  private static func split(_ value: Int64, by unit: Int64) -> (Int64, Int64) {
    let rest = (value % unit + unit) % unit
    return ((value - rest) / unit, rest)
  }

  private static func twoDigits(_ number: Int64) -> String { padded(number, 2) }

  private static func padded(_ number: Int64, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
  }
}

/// Points in time as XML property lists spell them: `2001-01-01T00:00:00Z`.
enum PropertyListDate {
  private static let secondsPerDay: Int64 = 86_400

  /// Nil if `text` is spelt differently, or names no day or second that exists.
  static func secondsSince1970(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    let pattern = Array("0000-00-00T00:00:00Z".utf8)
    guard bytes.count == pattern.count else { return nil }
    var fields: [Int64] = []
    var number: Int64 = 0
    for (byte, wanted) in zip(bytes, pattern) {
      if wanted == UInt8(ascii: "0") {
        guard case UInt8(ascii: "0")...UInt8(ascii: "9") = byte else { return nil }
        number = number * 10 + Int64(byte - UInt8(ascii: "0"))
      } else {
        guard byte == wanted else { return nil }
        fields.append(number)
        number = 0
      }
    }
    let (year, month, day) = (fields[0], fields[1], fields[2])
    guard (1...12).contains(month), (1...31).contains(day), fields[3] < 24, fields[4] < 60,
      fields[5] < 60
    else { return nil }
    let days = daysSince1970(year: year, month: month, day: day)
    // 31 April would come out as 1 May.
    guard civil(daysSince1970: days) == (year, month, day) else { return nil }
    return days * secondsPerDay + fields[3] * 3600 + fields[4] * 60 + fields[5]
  }

  static func text(secondsSince1970 seconds: Int64) -> String {
    let days = (seconds - (seconds % secondsPerDay + secondsPerDay) % secondsPerDay) / secondsPerDay
    let second = (seconds % secondsPerDay + secondsPerDay) % secondsPerDay
    let (year, month, day) = civil(daysSince1970: days)
    func digits(_ number: Int64, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T"
      + "\(digits(second / 3600, 2)):\(digits(second / 60 % 60, 2)):\(digits(second % 60, 2))Z"
  }

  // The Gregorian calendar repeats every 400 years, which have 146,097 days. Years are counted from
  // March, so that the day that leap years add is the last of its year.

  private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func civil(
    daysSince1970 days: Int64
  ) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }
}

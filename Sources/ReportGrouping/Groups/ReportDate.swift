/// The time of a report in milliseconds since 1970, UTC.
struct ReportDate: Hashable, Comparable, Sendable {
  let milliseconds: Int64

  init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Reads `2019-07-31 11:32:24.3585 -0700`, `2026-07-15T21:20:05Z` and what lies between them. A
  /// time without a zone counts as UTC. Nil for anything else, for days that no calendar has, and
  /// for times that are not in the years 0 to 9999 of UTC.
  init?(_ text: String) {
    var rest = Array(text.utf8.prefix(64))[...]
    func number(_ digits: Int) -> Int64? {
      let part = rest.prefix(digits)
      guard part.count == digits, part.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
      else { return nil }
      rest = rest.dropFirst(digits)
      return part.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }
    func skip(_ bytes: String) -> Bool {
      guard let first = rest.first, bytes.utf8.contains(first) else { return false }
      rest = rest.dropFirst()
      return true
    }
    guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2),
      skip(" T"), let hour = number(2), skip(":"), let minute = number(2), skip(":"),
      let second = number(2), 1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second < 62
    else { return nil }
    var fraction: Int64 = 0
    if skip(".,") {
      var scale: Int64 = 100
      while let digit = number(1) {
        fraction += digit * scale
        scale /= 10
      }
    }
    _ = skip(" ")
    var zone: Int64 = 0
    if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      rest = rest.dropFirst()
      guard let hours = number(2) else { return nil }
      _ = skip(":")
      zone = (hours * 60 + (number(2) ?? 0)) * (sign == UInt8(ascii: "-") ? -60 : 60)
    } else if !rest.isEmpty, !skip("Z") {
      return nil
    }
    let days = Self.days(year: year, month: month, day: day)
    let seconds = days * 86400 + hour * 3600 + minute * 60 + second - zone
    milliseconds = seconds * 1000 + fraction
    guard Self.date(days: days) == (year, month, day),
      0...9999 ~= Self.date(days: dayNumber).year
    else { return nil }
  }

  /// The start of a day, by the number of days since 1970.
  init(day: Int64) { milliseconds = day * 86_400_000 }

  /// How many days (UTC) since 1970 are over.
  var dayNumber: Int64 { milliseconds.flooredQuotient(dividingBy: 86_400_000).0 }

  /// `2019-07-31T18:32:24.358Z`
  var description: String {
    let (days, inDay) = milliseconds.flooredQuotient(dividingBy: 86_400_000)
    let (year, month, day) = Self.date(days: days)
    func digits(_ number: Int64, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let seconds = inDay / 1000
    return
      "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T\(digits(seconds / 3600, 2)):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2)).\(digits(inDay % 1000, 3))Z"
  }

  /// `2019-07-31`
  var day: String { String(description.prefix(10)) }

  static func < (left: ReportDate, right: ReportDate) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// Days since 1970 in the Gregorian calendar. Years begin in March here, so that the day that
  /// some of them have more is their last.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let (era, ofEra) = year.flooredQuotient(dividingBy: 400)
    let ofYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
  }

  private static func date(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, ofEra) = (days + 719_468).flooredQuotient(dividingBy: 146_097)
    let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * year + year / 4 - year / 100)
    let shifted = (5 * ofYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (year + era * 400 + (month <= 2 ? 1 : 0), month, ofYear - (153 * shifted + 2) / 5 + 1)
  }
}

extension Int64 {
  /// With a remainder that is never negative.
  fileprivate func flooredQuotient(dividingBy divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

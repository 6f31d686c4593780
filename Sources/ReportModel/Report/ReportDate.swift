import SymbolicationModel

/// The time of a report in milliseconds since 1970, UTC.
package struct ReportDate: Hashable, Comparable, Sendable {
  package let milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Reads `2019-07-31 11:32:24.3585 -0700`, `2026-07-15T21:20:05Z` and what lies between them. A
  /// time without a zone counts as UTC. Nil for anything else, for days that no calendar has, and
  /// for times that are not in the years 0 to 9999 of UTC.
  package init?(_ text: String) {
    var rest = Array(text.utf8.prefix(64))[...]
    func number(_ digits: Int) -> Int64? {
      let part = rest.prefix(digits)
      guard part.count == digits, part.allSatisfy({ $0.isDecimalDigit }) else { return nil }
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
      let second = number(2), hour < 24, minute < 60, second < 62,
      let days = CivilTime.daysSince1970(year: year, month: month, day: day)
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
    let seconds = days * 86400 + hour * 3600 + minute * 60 + second - zone
    milliseconds = seconds * 1000 + fraction
    guard 0...9999 ~= CivilTime(daysSince1970: dayNumber).year else { return nil }
  }

  /// No system that writes reports is older than the year 2000. Earlier dates are those of clocks
  /// that were not set.
  package static let earliestOfReport = ReportDate(day: 10_957)

  /// The start of a day, by the number of days since 1970.
  package init(day: Int64) { milliseconds = day * 86_400_000 }

  /// How many days (UTC) since 1970 are over.
  package var dayNumber: Int64 { milliseconds.flooredQuotient(dividingBy: 86_400_000).0 }

  /// `2019-07-31T18:32:24.358Z`
  package var description: String {
    let (seconds, rest) = milliseconds.flooredQuotient(dividingBy: 1000)
    let time = CivilTime(secondsSince1970: seconds)
    return "\(time.dateText)T\(time.timeText).\(CivilTime.digits(rest, 3))Z"
  }

  /// `2019-07-31`
  package var day: String { String(description.prefix(10)) }

  package static func < (left: ReportDate, right: ReportDate) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

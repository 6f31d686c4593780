import Platform

/// A time for messages: `2023-04-05 06:07:08 UTC`.
struct UtcTime: CustomStringConvertible {
  let secondsSince1970: Int64

  /// The number itself if the year does not fit in 32 bits.
  var description: String {
    var seconds = time_t(secondsSince1970)
    var time = unsafe tm()
    guard unsafe gmtime_r(&seconds, &time) != nil else { return "\(secondsSince1970)" }
    func twoDigits(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
    // Unsafe is the name of the time zone in it alone.
    let (year, month, day) = unsafe (Int(time.tm_year) + 1900, time.tm_mon + 1, time.tm_mday)
    let (hour, minute, second) = unsafe (time.tm_hour, time.tm_min, time.tm_sec)
    return
      "\(year)-\(twoDigits(month))-\(twoDigits(day)) \(twoDigits(hour)):\(twoDigits(minute)):\(twoDigits(second)) UTC"
  }
}

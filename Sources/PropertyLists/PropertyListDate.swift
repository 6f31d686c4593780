import SymbolicationModel

/// Points in time as XML property lists spell them: `2001-01-01T00:00:00Z`.
enum PropertyListDate {
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
    guard fields[3] < 24, fields[4] < 60, fields[5] < 60,
      let days = CivilTime.daysSince1970(year: fields[0], month: fields[1], day: fields[2])
    else { return nil }
    return days * 86_400 + fields[3] * 3600 + fields[4] * 60 + fields[5]
  }

  static func text(secondsSince1970 seconds: Int64) -> String {
    let time = CivilTime(secondsSince1970: seconds)
    return "\(time.dateText)T\(time.timeText)Z"
  }
}

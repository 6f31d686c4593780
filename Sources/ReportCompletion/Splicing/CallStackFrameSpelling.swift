import CrashLogParser

/// How the object of a frame in a call stack tree is written: where new members go, and the white
/// space and punctuation of its first members.
struct CallStackFrameSpelling {
  package let object: JsonValue
  /// Where new members are inserted: after the last member before the frames that it holds.
  package let end: Int
  let afterOpeningBrace: ArraySlice<UInt8>
  let memberSeparator: ArraySlice<UInt8>
  let beforeClosingBrace: ArraySlice<UInt8>
  /// The white space before the object.
  let beforeObject: ArraySlice<UInt8>
  /// Whether numbers are strings and keys are those of App Store Connect.
  let isOfStore: Bool
  /// Whether the frame is one of a flat list.
  let isFlat: Bool
  private let keySeparator: ArraySlice<UInt8>

  /// Nil for an object without members, and for one that was cut before its frames.
  init?(_ object: JsonValue, _ bytes: [UInt8]) {
    self.object = object
    let range = object.byteRange
    var members = object.members.makeIterator()
    guard let first = members.next() else { return nil }
    let firstRange = first.byteRange
    afterOpeningBrace = bytes[(range.lowerBound + 1)..<firstRange.lowerBound]
    keySeparator = bytes[first.keyRange.upperBound..<first.value.byteRange.lowerBound]
    var separator: ArraySlice<UInt8>?
    var lastEnd = firstRange.upperBound
    var ownEnd: Int?
    var isOfStore = false
    var isFlat = false
    var member: JsonMember? = first
    while let current = member {
      let range = current.byteRange
      if separator == nil, range.lowerBound > firstRange.lowerBound {
        separator = bytes[firstRange.upperBound..<range.lowerBound]
      }
      if current.hasKey("subFrames") {
        if range.lowerBound > firstRange.lowerBound, ownEnd == nil { ownEnd = lastEnd }
      } else if Self.storeKeys.contains(where: { current.hasKey($0) }) {
        isOfStore = true
      } else if Self.numberKeys.contains(where: { current.hasKey($0) }) {
        isOfStore = isOfStore || current.value.kind == .string
      } else if current.hasKey("offsetAddress") {
        isFlat = true
      }
      lastEnd = range.upperBound
      member = members.next()
    }
    guard ownEnd != nil || object.isComplete else { return nil }
    end = ownEnd ?? lastEnd
    self.isOfStore = isOfStore
    self.isFlat = isFlat
    memberSeparator = separator ?? [UInt8(ascii: ",")] + afterOpeningBrace
    beforeClosingBrace =
      object.isComplete ? bytes[lastEnd..<(range.upperBound - 1)] : bytes[lastEnd..<lastEnd]
    var space = range.lowerBound
    while space > 0, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[space - 1]) { space -= 1 }
    beforeObject = bytes[space..<range.lowerBound]
  }

  private static let storeKeys = ["symbolName", "rawFrame", "isBlameFrame", "offsetIntoSymbol"]
  private static let numberKeys = ["address", "offsetIntoBinaryTextSegment"]

  /// Appends a key, with what separates it from the member before it and from its value.
  func append(_ key: String, to bytes: inout [UInt8]) {
    bytes += memberSeparator
    bytes.append(UInt8(ascii: "\""))
    bytes += key.utf8
    bytes.append(UInt8(ascii: "\""))
    bytes += keySeparator
  }
}

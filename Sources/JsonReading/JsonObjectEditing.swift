/// How an object is written: its white space and punctuation, judging by its first two members and
/// its end. New members, and new objects beside it, are written in the same way.
package struct JsonObjectSpelling: Hashable, Sendable {
  /// Between `{` and the first key: nothing, or a line end and an indentation.
  package let afterOpeningBrace: ArraySlice<UInt8>
  /// Between a key and its value: a colon and the white space around it.
  package let keySeparator: ArraySlice<UInt8>
  /// Between a value and the next key: a comma and the white space around it.
  package let memberSeparator: ArraySlice<UInt8>
  /// Between the last value and `}`.
  package let beforeClosingBrace: ArraySlice<UInt8>

  /// On a single line without spaces.
  package static let compact = JsonObjectSpelling()

  private init() {
    (afterOpeningBrace, beforeClosingBrace) = ([], [])
    (keySeparator, memberSeparator) = ([Ascii.colon], [Ascii.comma])
  }

  /// Nil for an object without members.
  ///
  /// - Parameter guessesSeparator: whether what separates members follows from the other white
  ///   space if there is only one member. Else it is a comma.
  package init?(_ object: JsonValue, guessesSeparator: Bool = true) {
    let content = object.content
    let bytes = content.bytes
    // The positions of keys. Each value follows its key.
    let first = object.position + JsonContent.containerHeadCount
    let end = content.position(after: object.position)
    guard object.kind == .object, first < end else { return nil }
    let second = content.position(after: first + 1)
    var (last, next) = (first, second)
    while next < end {
      last = next
      next = content.position(after: next + 1)
    }
    func valueEnd(_ key: Int) -> Int {
      JsonValue(content: content, position: key + 1).byteRange.upperBound
    }
    let range = object.byteRange
    let (firstKey, lastEnd) = (content.offset(at: first), valueEnd(last))
    afterOpeningBrace = bytes[range.lowerBound + 1..<firstKey]
    keySeparator = bytes[content.stringEnd(firstKey)..<content.offset(at: first + 1)]
    // An object that was cut has no brace.
    beforeClosingBrace = bytes[lastEnd..<max(lastEnd, range.upperBound - 1)]
    memberSeparator =
      if second < end {
        bytes[valueEnd(first)..<content.offset(at: second)]
      } else if !guessesSeparator {
        [Ascii.comma]
      } else if afterOpeningBrace.isEmpty, keySeparator.last == Ascii.space {
        [Ascii.comma, Ascii.space]
      } else {
        [Ascii.comma] + afterOpeningBrace
      }
  }
}

extension JsonValue {
  /// The ranges to remove so that an object has none of these members: for each run of them, from
  /// its first key to its last value, with the comma that would be left over.
  ///
  /// The ranges ascend, do not touch, and contain nothing of other members.
  package func removalRanges(where isRemoved: (JsonMember) -> Bool) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var keptEnd: Int?
    var run: Range<Int>?
    func finishRun(before next: Int?) {
      guard let removed = run else { return }
      if let keptEnd {
        ranges.append(keptEnd..<removed.upperBound)
      } else {
        ranges.append(removed.lowerBound..<(next ?? removed.upperBound))
      }
      run = nil
    }
    for member in members {
      let range = member.byteRange
      if isRemoved(member) {
        run = (run?.lowerBound ?? range.lowerBound)..<range.upperBound
      } else {
        finishRun(before: range.lowerBound)
        keptEnd = range.upperBound
      }
    }
    finishRun(before: nil)
    return ranges
  }
}

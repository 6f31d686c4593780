/// What is needed to write into a frame so that the rest of the report stays as it is.
extension IpsFrame {
  /// The keys that a symbolicated frame has more than another.
  public enum Key: String, CaseIterable, Sendable {
    case symbol, symbolLocation, sourceFile, sourceLine
    /// Written only where it is true.
    case inline
  }

  /// The two places at which members are inserted: each is the offset right behind a value.
  public struct InsertionPoints: Hashable, Sendable {
    public let afterImageOffset: Int
    public let afterImageIndex: Int
  }

  /// Where to insert members; nil where the frame lacks `imageOffset` or `imageIndex`.
  ///
  /// A new member is ``Spelling/memberSeparator``, the key, ``Spelling/keySeparator`` and the value.
  /// Several at one place follow one another, in the order of ``keyOrder(of:)``. An insertion point may
  /// be the start of a range to remove: what is inserted takes its place then.
  public var insertionPoints: InsertionPoints? {
    guard let offset = value["imageOffset"], let index = value["imageIndex"] else { return nil }
    return InsertionPoints(
      afterImageOffset: offset.byteRange.upperBound, afterImageIndex: index.byteRange.upperBound)
  }

  /// How Apple's writer (macOS 12 to 26, iOS 15 to 26) divides and orders these keys around the
  /// `imageIndex` of a frame, which begins with `imageOffset`:
  ///
  /// ```text
  /// imageOffset, symbol, symbolLocation, imageIndex
  /// imageOffset, sourceFile, symbol, symbolLocation, imageIndex
  /// imageOffset, sourceLine, sourceFile, symbol, imageIndex, symbolLocation
  /// imageOffset, sourceFile, symbol, imageIndex, symbolLocation, inline
  /// ```
  ///
  /// `symbolLocation` changes sides where the frame has more than five members. These four are the
  /// orders that occur in real reports; that with `sourceLine` and `inline` follows from them.
  public static func keyOrder(
    of keys: Set<Key>
  ) -> (afterImageOffset: [Key], afterImageIndex: [Key]) {
    let isLarge = keys.count + 2 > 5
    var first: [Key] = [.sourceLine, .sourceFile, .symbol]
    var second: [Key] = [.inline]
    if isLarge {
      second.insert(.symbolLocation, at: 0)
    } else {
      first.append(.symbolLocation)
    }
    return (first.filter(keys.contains), second.filter(keys.contains))
  }

  /// The value of a key that the frame has, whatever its kind: what to replace where only the value
  /// changes.
  public func valueRange(of key: Key) -> Range<Int>? { value[key.rawValue]?.byteRange }

  /// What to remove so that the frame has none of these keys any more: for each run of such members,
  /// from its first key to its last value, with the comma that would be left over.
  ///
  /// The ranges are in ascending order, do not touch, and hold nothing of other members.
  public func removalRanges(of keys: Set<Key>) -> [Range<Int>] {
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
    for member in value.members {
      let range = member.byteRange
      if keys.contains(where: { member.hasKey($0.rawValue) }) {
        run = (run?.lowerBound ?? range.lowerBound)..<range.upperBound
      } else {
        finishRun(before: range.lowerBound)
        keptEnd = range.upperBound
      }
    }
    finishRun(before: nil)
    return ranges
  }

  /// The white space and punctuation that the writer of the report uses.
  public struct Spelling: Hashable, Sendable {
    /// Between `{` and the first key: nothing, or a line end and an indentation.
    public let afterOpeningBrace: ArraySlice<UInt8>
    /// Between a key and its value: a colon with what stands around it.
    public let keySeparator: ArraySlice<UInt8>
    /// Between a value and the next key: a comma with what stands around it.
    public let memberSeparator: ArraySlice<UInt8>
    /// Between the last value and `}`.
    public let beforeClosingBrace: ArraySlice<UInt8>
    /// Between two frames: a comma with what stands around it. To insert a frame before this one, put
    /// its object and this separator at the start of ``IpsFrame/byteRange``.
    public let frameSeparator: ArraySlice<UInt8>
  }

  /// How this frame is spelt: by its own first two members, and the frame before or after it. A frame
  /// with less than two members is taken for one on a single line without spaces, as Apple's are.
  public var spelling: Spelling {
    let bytes = value.content.bytes
    let object = byteRange
    var members = value.members.makeIterator()
    let first = members.next()
    let second = members.next()
    var end = object.upperBound - 1
    for member in value.members { end = member.byteRange.upperBound }
    func slice(_ lower: Int?, _ upper: Int?, _ other: String) -> ArraySlice<UInt8> {
      guard let lower, let upper, lower <= upper else { return ArraySlice(other.utf8) }
      return bytes[lower..<upper]
    }
    let observed = bytes[separatorSpan.range]
    return Spelling(
      afterOpeningBrace: slice(object.lowerBound + 1, first?.keyRange.lowerBound, ""),
      keySeparator: slice(
        first?.keyRange.upperBound, first?.value.byteRange.lowerBound, ":"),
      memberSeparator: slice(
        first?.value.byteRange.upperBound, second?.keyRange.lowerBound, ","),
      beforeClosingBrace: slice(first == nil ? nil : end, object.upperBound - 1, ""),
      frameSeparator: observed.contains(Ascii.comma) ? observed : [Ascii.comma] + observed)
  }
}

import JsonReading

/// What a renderer needs to write into a frame and leave the rest of the report unchanged.
extension IpsFrame {
  /// The JSON keys added to a frame when it is symbolicated. `inline` is written only if it is
  /// true.
  package static let addedKeys: [IpsKey] = [
    .symbol, .symbolLocation, .sourceFile, .sourceLine, .inline,
  ]

  /// The two offsets at which members are inserted, each right after a value.
  package struct InsertionPoints: Hashable, Sendable {
    package let afterImageOffset: Int
    package let afterImageIndex: Int
  }

  /// Where to insert members; nil if the frame lacks `imageOffset` or `imageIndex`.
  ///
  /// A new member is ``Spelling/memberSeparator``, the key, ``Spelling/keySeparator`` and the
  /// value. Several members at one point follow one another in the order of ``keyOrder(of:)``. A
  /// range to remove may start at an insertion point: what is inserted then takes its place.
  package var insertionPoints: InsertionPoints? {
    guard let offset = value[.imageOffset], let index = value[.imageIndex] else { return nil }
    return InsertionPoints(
      afterImageOffset: offset.byteRange.upperBound, afterImageIndex: index.byteRange.upperBound)
  }

  /// Whether the object has two members that are neither objects nor arrays. If it has
  /// ``insertionPoints``, these are the two.
  package var hasTwoMembers: Bool {
    let start = value.position + JsonContent.containerHeadCount
    return value.content.position(after: value.position) == start + 4
      && value.content.position(after: start + 1) == start + 2
  }

  /// How Apple's writer (macOS 12 to 26, iOS 15 to 26) orders these keys before and after the
  /// `imageIndex` of a frame, which begins with `imageOffset`:
  ///
  /// ```text
  /// imageOffset, symbol, symbolLocation, imageIndex
  /// imageOffset, sourceFile, symbol, symbolLocation, imageIndex
  /// imageOffset, sourceLine, sourceFile, symbol, imageIndex, symbolLocation
  /// imageOffset, sourceFile, symbol, imageIndex, symbolLocation, inline
  /// ```
  ///
  /// `symbolLocation` changes sides if the frame has more than five members. Real reports have
  /// these four orders; the one with `sourceLine` and `inline` follows from them.
  package static func keyOrder(
    of keys: Set<IpsKey>
  ) -> (afterImageOffset: [IpsKey], afterImageIndex: [IpsKey]) {
    let isLarge = keys.count + 2 > 5
    var first: [IpsKey] = [.sourceLine, .sourceFile, .symbol]
    var second: [IpsKey] = [.inline]
    if isLarge {
      second.insert(.symbolLocation, at: 0)
    } else {
      first.append(.symbolLocation)
    }
    return (first.filter(keys.contains), second.filter(keys.contains))
  }

  /// The ranges to remove so that the frame has none of these keys: for each run of such members,
  /// from its first key to its last value, with the comma that would be left over.
  ///
  /// The ranges ascend, do not touch, and contain nothing of other members.
  package func removalRanges(of keys: Set<IpsKey>) -> [Range<Int>] {
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
  package struct Spelling: Hashable, Sendable {
    /// Between `{` and the first key: nothing, or a line end and an indentation.
    package let afterOpeningBrace: ArraySlice<UInt8>
    /// Between a key and its value: a colon and the white space around it.
    package let keySeparator: ArraySlice<UInt8>
    /// Between a value and the next key: a comma and the white space around it.
    package let memberSeparator: ArraySlice<UInt8>
    /// Between the last value and `}`.
    package let beforeClosingBrace: ArraySlice<UInt8>
    /// Between two frames: a comma and the white space around it. To insert a frame before this
    /// one, put its object and this separator at the start of ``IpsFrame/byteRange``.
    package let frameSeparator: ArraySlice<UInt8>
  }

  /// How this frame is spelt, judging by its own first two members and by the frame before or after
  /// it. A frame with fewer members counts as one on a single line without spaces, as Apple writes
  /// them.
  package var spelling: Spelling {
    let (content, position) = (value.content, value.position)
    let bytes = content.bytes
    let object = byteRange
    // The positions of keys. Each value follows its key.
    let end = content.position(after: position)
    let first = position + JsonContent.containerHeadCount
    let second = first < end ? content.position(after: first + 1) : end
    var last = first
    var next = first
    while next < end {
      last = next
      next = content.position(after: next + 1)
    }
    func slice(_ lower: Int, _ upper: Int, if isThere: Bool, _ other: String) -> ArraySlice<UInt8> {
      isThere && lower <= upper ? bytes[lower..<upper] : ArraySlice(other.utf8)
    }
    func valueEnd(_ key: Int) -> Int {
      JsonValue(content: content, position: key + 1).byteRange.upperBound
    }
    let firstKey = content.offset(at: first)
    let observed = bytes[separatorSpan.range]
    return Spelling(
      afterOpeningBrace: slice(object.lowerBound + 1, firstKey, if: first < end, ""),
      keySeparator: slice(
        content.stringEnd(firstKey), content.offset(at: first + 1), if: first < end, ":"),
      memberSeparator: slice(
        valueEnd(first), content.offset(at: second), if: second < end, ","),
      beforeClosingBrace: slice(
        valueEnd(last), object.upperBound - 1, if: first < end, ""),
      frameSeparator: observed.contains(Ascii.comma) ? observed : [Ascii.comma] + observed)
  }
}

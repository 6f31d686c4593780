package import JsonReading

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
  /// A new member is the `memberSeparator` of ``spelling``, the key, the `keySeparator` and the
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

  /// The ranges to remove so that the frame has none of these keys.
  package func removalRanges(of keys: Set<IpsKey>) -> [Range<Int>] {
    value.removalRanges { member in keys.contains { member.hasKey($0.rawValue) } }
  }

  /// How this frame is spelt. A frame without members counts as one on a single line without
  /// spaces, as Apple writes them.
  package var spelling: JsonObjectSpelling {
    JsonObjectSpelling(value, guessesSeparator: false) ?? .compact
  }

  /// Between two frames: a comma and the white space around it, judging by the frame before or
  /// after this one. To insert a frame before this one, put its object and this separator at the
  /// start of ``byteRange``.
  package var frameSeparator: ArraySlice<UInt8> {
    let observed = value.content.bytes[separatorSpan.range]
    return observed.contains(Ascii.comma) ? observed : [Ascii.comma] + observed
  }
}

internal import SymbolicationModel

/// How a line among the frames of a Swift backtrace was read.
enum SwiftFrameReading {
  /// A frame of which the content is not read yet: that needs the names of the images.
  case frame(SwiftBacktraceFrame)
  case omission
  /// It begins as a frame does, and is none.
  case damaged
  case other
}

extension PlainLine {
  /// Reads `index [attributes] address [content]`, or `index content`; and `...`, with an index or not.
  ///
  /// - Parameter expectedIndex: the index that a line without an address has to have. Lines of other
  ///   text may begin with a number too.
  func frame(expectedIndex: Int) -> SwiftFrameReading {
    let indexStart = text.skipSeparators(from: start, limit: end)
    if isOmission(from: indexStart) { return .omission }
    guard let (indexValue, indexEnd) = text.decimal(at: indexStart, limit: end) else {
      return .other
    }
    var place = text.skipSeparators(from: indexEnd, limit: end)
    guard place > indexEnd, place < end else { return .other }
    if isOmission(from: place) { return .omission }
    let attributesStart = place
    var attributes = Attributes()
    var attributesEnd = place
    while let next = attributeEnd(at: place, &attributes) {
      attributesEnd = next
      place = text.skipSeparators(from: next, limit: end)
    }
    let index = indexValue.flatMap { Int(exactly: $0) }
    let hasAttributes = attributesEnd > attributesStart
    var address: (value: UInt64, end: Int)?
    if let found = text.hexadecimal(at: place, limit: end),
      found.end == end || text.separatorLength(at: found.end, limit: end) > 0
    {
      address = found
    }
    guard let index else { return address == nil ? .other : .damaged }
    if address == nil {
      if hasAttributes || text.has("0x", at: place, limit: end) { return .damaged }
      guard index == expectedIndex, isSymbol(from: place) else { return .other }
    }
    let content = text.skipSeparators(from: address?.end ?? place, limit: end)
    return .frame(
      SwiftBacktraceFrame(
        kind: attributes.kind, index: index, address: address.map { LoadAddress($0.value) },
        symbol: nil, imageName: nil, isInlined: attributes.isInlined,
        isSystem: attributes.isSystem, isThunk: attributes.isThunk, byteRange: byteRange,
        text: SwiftBacktraceFrame.TextRanges(
          index: inputRange(indexStart, indexEnd),
          attributes: hasAttributes ? inputRange(attributesStart, attributesEnd) : nil,
          address: address.map { inputRange(place, $0.end) },
          content: inputRange(
            content == end ? address?.end ?? place : content,
            content == end
              ? address?.end ?? place : end))))
  }

  private func isOmission(from place: Int) -> Bool {
    end - place == 3 && text.has("...", at: place, limit: end)
  }

  private struct Attributes {
    var kind = SwiftBacktraceFrame.Kind.programCounter
    var isInlined = false
    var isSystem = false
    var isThunk = false
  }

  /// The end of an attribute, `[ra]`, with a separator behind it. What is not known is passed over.
  private func attributeEnd(at start: Int, _ attributes: inout Attributes) -> Int? {
    guard text[start] == Ascii.openBracket else { return nil }
    var place = start + 1
    while place < end, Ascii.isLowercase(text[place]) { place += 1 }
    guard place > start + 1, text[place] == Ascii.closeBracket,
      text.separatorLength(at: place + 1, limit: end) > 0
    else { return nil }
    switch place - start - 1 {
    case 2 where text.has("ra", at: start + 1, limit: place): attributes.kind = .returnAddress
    case 5 where text.has("async", at: start + 1, limit: place):
      attributes.kind = .asyncResumePoint
    case 5 where text.has("thunk", at: start + 1, limit: place): attributes.isThunk = true
    case 6 where text.has("system", at: start + 1, limit: place): attributes.isSystem = true
    case 7 where text.has("inlined", at: start + 1, limit: place): attributes.isInlined = true
    default: break
    }
    return place + 1
  }

  /// Whether text without an address before it reads like a symbol in an image or at a place.
  private func isSymbol(from place: Int) -> Bool {
    text.find(" in ", from: place, limit: end) != nil
      || text.find(" at ", from: place, limit: end) != nil
  }
}

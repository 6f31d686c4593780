import JsonReading
import ReportModel
import SymbolicationModel

/// How a line among the frames of a Swift backtrace was read.
enum SwiftFrameReading {
  /// A frame whose content is not read yet: that needs the names of the images.
  case frame(SwiftBacktraceContent.Frame)
  case omission
  /// It begins as a frame does, but is not one.
  case damaged
  case other
}

extension PlainLine {
  /// Reads `index [attributes] address [content]`, or `index content`; and `...`, with or without
  /// an index.
  ///
  /// - Parameter expectedIndex: the index that a line without an address must have. Other text may
  ///   also begin with a number.
  func frame(expectedIndex: Int) -> SwiftFrameReading {
    let indexStart = text.skipSeparators(from: start, limit: end)
    if isOmission(from: indexStart) { return .omission }
    guard let (indexValue, indexEnd) = text.decimal(at: indexStart, limit: end) else {
      return .other
    }
    var position = text.skipSeparators(from: indexEnd, limit: end)
    guard position > indexEnd, position < end else { return .other }
    if isOmission(from: position) { return .omission }
    let attributesStart = position
    var attributes = Attributes()
    var attributesEnd = position
    while let next = attributeEnd(at: position, &attributes) {
      attributesEnd = next
      position = text.skipSeparators(from: next, limit: end)
    }
    let index = indexValue.flatMap { Int(exactly: $0) }
    let hasAttributes = attributesEnd > attributesStart
    var address: (value: UInt64, end: Int)?
    if let found = text.hexadecimal(at: position, limit: end),
      found.end == end || text.separatorLength(at: found.end, limit: end) > 0
    {
      address = found
    }
    guard let index else { return address == nil ? .other : .damaged }
    if address == nil {
      // People leave addresses out, and of calls inlined there the image too.
      let isInlined =
        attributes.isInlined && index == expectedIndex && !Ascii.isDigit(text[position])
      if hasAttributes && !isInlined || text.has("0x", at: position, limit: end) {
        return .damaged
      }
      guard index == expectedIndex, isInlined || isSymbol(from: position) else { return .other }
    }
    let content = text.skipSeparators(from: address?.end ?? position, limit: end)
    var values = FrameValues(byteRange: byteRange)
    values.index = index
    values.addressKind = attributes.kind
    values.isInlined = attributes.isInlined
    values.isSystem = attributes.isSystem
    values.isThunk = attributes.isThunk
    let contentRange =
      content == end
      ? inputRange(address?.end ?? position, address?.end ?? position) : inputRange(content, end)
    values.parts = FrameValues.Parts(
      index: inputRange(indexStart, indexEnd),
      attributes: hasAttributes ? inputRange(attributesStart, attributesEnd) : nil,
      address: address.map { inputRange(position, $0.end) }, content: contentRange)
    return .frame(
      SwiftBacktraceContent.Frame(address: address.map { LoadAddress($0.value) }, values: values))
  }

  private func isOmission(from position: Int) -> Bool {
    end - position == 3 && text.has("...", at: position, limit: end)
  }

  private struct Attributes {
    var kind = FrameAddressKind.programCounter
    var isInlined = false
    var isSystem = false
    var isThunk = false
  }

  /// The end of an attribute such as `[ra]`, which a separator must follow. Unknown attributes are
  /// skipped.
  private func attributeEnd(at start: Int, _ attributes: inout Attributes) -> Int? {
    guard text[start] == Ascii.openBracket else { return nil }
    var position = start + 1
    while position < end, Ascii.isLowercase(text[position]) { position += 1 }
    guard position > start + 1, text[position] == Ascii.closeBracket,
      text.separatorLength(at: position + 1, limit: end) > 0
    else { return nil }
    switch position - start - 1 {
    case 2 where text.has("ra", at: start + 1, limit: position): attributes.kind = .returnAddress
    case 5 where text.has("async", at: start + 1, limit: position):
      attributes.kind = .asyncResumePoint
    case 5 where text.has("thunk", at: start + 1, limit: position): attributes.isThunk = true
    case 6 where text.has("system", at: start + 1, limit: position): attributes.isSystem = true
    case 7 where text.has("inlined", at: start + 1, limit: position): attributes.isInlined = true
    default: break
    }
    return position + 1
  }

  /// Whether text without an address before it looks like a symbol, followed by an image or a
  /// source location.
  private func isSymbol(from position: Int) -> Bool {
    text.find(" in ", from: position, limit: end) != nil
      || text.find(" at ", from: position, limit: end) != nil
  }
}

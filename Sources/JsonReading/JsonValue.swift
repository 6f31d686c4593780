/// A value in a `JsonDocument`. It is only a position; its content is read from the bytes on each
/// call.
package struct JsonValue: Sendable {
  package enum Kind: Hashable, Sendable {
    case object, array, string, number, `true`, `false`, null
  }

  package let content: JsonContent
  /// The value's position on the tape.
  package let position: Int

  @inlinable
  package init(content: JsonContent, position: Int) {
    self.content = content
    self.position = position
  }

  var start: Int { content.offset(at: position) }

  package var kind: Kind {
    switch content.byte(at: start) {
    case Ascii.openBrace: .object
    case Ascii.openBracket: .array
    case Ascii.quote: .string
    case UInt8(ascii: "t"): .true
    case UInt8(ascii: "f"): .false
    case UInt8(ascii: "n"): .null
    default: .number
    }
  }

  package var isContainer: Bool { kind == .object || kind == .array }

  /// The value in the input, including its quotes or brackets: a half-open range of offsets. An
  /// incomplete object or array extends to the end of the document.
  ///
  /// Cost: constant for objects and arrays; otherwise reads every byte of the value.
  package var byteRange: Range<Int> {
    let start = start
    let end: Int =
      switch kind {
      case .object, .array: isComplete ? content.offset(at: position + 2) : content.end
      case .string: content.stringEnd(start)
      case .true, .null: start + 4
      case .false: start + 5
      case .number: numberEnd(start)
      }
    return start..<max(start, end)
  }

  /// Whether an object or array has its closing bracket. Other values are only kept if they are
  /// complete.
  package var isComplete: Bool {
    switch kind {
    case .object, .array: content.offset(at: position + 2) != Int(JsonContent.incompleteEnd)
    default: true
    }
  }

  /// The members of an object in the order of the input, repeated keys included; empty for other
  /// values.
  package var members: JsonMembers {
    kind == .object
      ? JsonMembers(
        content: content, nextPosition: position + JsonContent.containerHeadCount,
        end: content.position(after: position))
      : JsonMembers(content: content, nextPosition: 0, end: 0)
  }

  /// The elements of an array in the order of the input; empty for other values.
  package var elements: JsonElements {
    kind == .array
      ? JsonElements(
        content: content, nextPosition: position + JsonContent.containerHeadCount,
        end: content.position(after: position))
      : JsonElements(content: content, nextPosition: 0, end: 0)
  }

  /// The number of elements of an array. Cost: reads the start of each element.
  package var elementCount: Int {
    guard kind == .array else { return 0 }
    let end = content.position(after: position)
    var next = position + JsonContent.containerHeadCount
    var count = 0
    while next < end {
      next = content.position(after: next)
      count += 1
    }
    return count
  }

  /// The value of the first member with this key; nil for values other than objects.
  ///
  /// Cost: reads the keys up to that one.
  package subscript(key: String) -> JsonValue? {
    guard kind == .object else { return nil }
    return content.valuePosition(of: key, inObjectAt: position).map {
      JsonValue(content: content, position: $0)
    }
  }

  private func numberEnd(_ start: Int) -> Int {
    var end = start
    while end < content.end, Self.isPartOfNumber(content.byte(at: end)) { end += 1 }
    return end
  }

  static func isPartOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case Ascii.zero...UInt8(ascii: "9"), Ascii.minus, Ascii.plus, UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}

/// One member of an object.
package struct JsonMember: Sendable {
  private let content: JsonContent
  private let keyPosition: Int

  package init(content: JsonContent, keyPosition: Int) {
    self.content = content
    self.keyPosition = keyPosition
  }

  private var keyValue: JsonValue { JsonValue(content: content, position: keyPosition) }

  package var value: JsonValue { JsonValue(content: content, position: keyPosition + 1) }
  /// The key with its escapes decoded. Decoded from the bytes on each call.
  package var key: String { keyValue.string ?? "" }
  /// The key with its quotes: a half-open range of offsets in the input.
  package var keyRange: Range<Int> { keyValue.byteRange }
  /// From the key to the end of the value.
  package var byteRange: Range<Int> { keyRange.lowerBound..<value.byteRange.upperBound }

  /// The key for quick comparisons; nil if it is long or has escapes.
  package var packedKey: JsonPackedKey? {
    let bytes = content.bytes
    return JsonPackedKey(in: bytes.span, at: content.offset(at: keyPosition))
  }

  /// Whether the key is `text`. Does not allocate unless the key has escapes.
  package func hasKey(_ text: String) -> Bool { content.hasKey(text, at: keyPosition) }
}

package struct JsonMembers: Sequence, IteratorProtocol, Sendable {
  fileprivate let content: JsonContent
  fileprivate var nextPosition: Int
  fileprivate let end: Int

  package mutating func next() -> JsonMember? {
    guard nextPosition < end else { return nil }
    defer { nextPosition = content.position(after: nextPosition + 1) }
    return JsonMember(content: content, keyPosition: nextPosition)
  }
}

package struct JsonElements: Sequence, IteratorProtocol, Sendable {
  fileprivate let content: JsonContent
  fileprivate var nextPosition: Int
  fileprivate let end: Int

  package mutating func next() -> JsonValue? {
    guard nextPosition < end else { return nil }
    defer { nextPosition = content.position(after: nextPosition) }
    return JsonValue(content: content, position: nextPosition)
  }
}

import ReportModel

/// The fields of a message in the wire format of Protocol Buffers, in the order of the bytes.
///
/// Source: protobuf.dev/programming-guides/encoding. Every read is checked: a field that cannot be
/// read ends the message, and ``damage`` says where. A message inside it that reaches beyond its
/// end is cut to what is there.
struct ProtobufFields {
  private let bytes: [UInt8]
  private var position: Int
  private let end: Int
  /// The offset of the first byte that could not be read; nil if all could.
  private(set) var damage: Int?

  /// - Parameter range: the message, without its tag and length.
  init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    let range = range.clamped(to: 0..<bytes.count)
    position = range.lowerBound
    end = range.upperBound
  }

  struct Field {
    let number: UInt64
    let value: Value
    /// The field with its tag.
    let byteRange: Range<Int>
  }

  enum Value {
    /// A whole number, a truth value or a case.
    case number(UInt64)
    /// A text, bytes or a message.
    case bytes(Range<Int>)
    /// The first bytes of one that was cut.
    case cut(Range<Int>)

    var number: UInt64? { if case .number(let number) = self { number } else { nil } }

    /// A text or bytes; nil if they were cut.
    var whole: Range<Int>? { if case .bytes(let range) = self { range } else { nil } }

    /// A message, or what is left of it.
    var message: Range<Int>? {
      switch self {
      case .number: nil
      case .bytes(let range), .cut(let range): range
      }
    }
  }

  mutating func next() -> Field? {
    guard position < end, damage == nil else { return nil }
    var start = position
    guard var tag = varint() else { return fail(at: start) }
    while tag & 7 == 3 {
      guard skipGroup() else { return fail(at: start) }
      guard position < end else { return nil }
      start = position
      guard let next = varint() else { return fail(at: start) }
      tag = next
    }
    let number = tag >> 3
    guard number > 0 else { return fail(at: start) }
    let value: Value
    switch tag & 7 {
    case 0:
      guard let content = varint() else { return fail(at: start) }
      value = .number(content)
    case 1:
      guard let content = fixed(8) else { return fail(at: start) }
      value = .number(content)
    case 2:
      guard let length = varint() else { return fail(at: start) }
      guard length <= UInt64(end - position) else {
        let range = position..<end
        damage = end
        position = end
        return Field(number: number, value: .cut(range), byteRange: start..<end)
      }
      let contentEnd = position + Int(length)
      value = .bytes(position..<contentEnd)
      position = contentEnd
    case 5:
      guard let content = fixed(4) else { return fail(at: start) }
      value = .number(content)
    // The end of a group that did not begin, and numbers without a meaning.
    default: return fail(at: start)
    }
    return Field(number: number, value: value, byteRange: start..<position)
  }

  /// Passes over a group, whose tag was read, with the groups in it. They are out of use, so no
  /// field of interest is one.
  ///
  /// - Returns: false if it cannot be read, or breaks off.
  private mutating func skipGroup() -> Bool {
    var depth = 1
    while depth > 0 {
      guard let tag = varint() else { return false }
      switch tag & 7 {
      case 0: if varint() == nil { return false }
      case 1: if fixed(8) == nil { return false }
      case 2:
        guard let length = varint(), length <= UInt64(end - position) else { return false }
        position += Int(length)
      case 3: depth += 1
      case 4: depth -= 1
      case 5: if fixed(4) == nil { return false }
      default: return false
      }
    }
    return true
  }

  private mutating func fail(at offset: Int) -> Field? {
    damage = offset
    position = end
    return nil
  }

  /// A number in groups of 7 bits, the lowest first: at most ten bytes. Nil if it is longer, or
  /// breaks off.
  private mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < end, shift < 64 {
      let byte = bytes[position]
      position += 1
      // Of the tenth byte one bit is left; the others are lost, as other readers do it.
      value |= UInt64(byte & 0x7f) << shift
      if byte & 0x80 == 0 { return value }
      shift += 7
    }
    return nil
  }

  private mutating func fixed(_ count: Int) -> UInt64? {
    guard end - position >= count else { return nil }
    var value: UInt64 = 0
    for index in (0..<count).reversed() { value = value << 8 | UInt64(bytes[position + index]) }
    position += count
    return value
  }
}

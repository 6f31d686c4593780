package import JsonReading

/// The JSON object on the first line of a report written by iOS 9 or later, and of copies of it:
/// `{"app_name":"App","bug_type":"109","incident_id":"…"}`.
///
/// It may disagree with the text below it, because people edit one and not the other.
public struct JsonHeader: Sendable {
  /// One member of the object.
  public struct Field: Hashable, Sendable {
    /// The key with its escapes decoded.
    public let key: String
    /// The value with its type.
    public let value: Value
    /// The value in the input, including quotes: a half-open range of offsets.
    public let valueRange: Range<Int>
  }

  /// A JSON value. Objects and arrays are kept as text.
  public enum Value: Hashable, Sendable {
    /// A string with its escapes decoded.
    case string(String)
    /// The spelling of a number.
    case number(String)
    /// `true` or `false`.
    case boolean(Bool)
    /// `null`.
    case null
    /// The JSON text of an object or array.
    case nested(String)
  }

  /// The members in the order of the input. A key may occur more than once.
  public let fields: [Field]
  /// The object, from brace to brace: a half-open range of offsets in the input.
  public let byteRange: Range<Int>

  /// The value of the first member with this key.
  public subscript(key: String) -> Value? { fields.first { $0.key == key }?.value }

  /// The value of the first member with this key as text; nil unless it is a string or a number.
  public func text(_ key: String) -> String? {
    switch self[key] {
    case .string(let text), .number(let text): text
    default: nil
    }
  }

  /// Apple's number for the kind of report: `109` for a crash as text, `309` for a crash as JSON.
  /// Most systems write it as a string, some as a number.
  public var bugType: String? { text("bug_type") }
}

extension JsonHeader {
  /// Reads the object at the start of `range`; nil if there is no complete object.
  package init?(_ bytes: [UInt8], in range: Range<Int>) {
    guard let document = try? JsonDocument(bytes, in: range), document.damage == nil,
      document.root.kind == .object
    else { return nil }
    self.init(document.root)
  }

  /// The members of `object`.
  package init(_ object: JsonValue) {
    fields = object.members.map {
      Field(key: $0.key, value: Value($0.value), valueRange: $0.value.byteRange)
    }
    byteRange = object.byteRange
  }
}

extension JsonHeader.Value {
  fileprivate init(_ value: JsonValue) {
    switch value.kind {
    case .string: self = .string(value.string ?? "")
    case .number: self = .number(value.numberText ?? "")
    case .true: self = .boolean(true)
    case .false: self = .boolean(false)
    case .null: self = .null
    case .object, .array:
      self = .nested(String(decoding: value.content.bytes[value.byteRange], as: UTF8.self))
    }
  }
}

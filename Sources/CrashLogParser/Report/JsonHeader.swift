/// The JSON object on the first line of a report written by iOS 9 or later, and of its copies:
/// `{"app_name":"App","bug_type":"109","incident_id":"…"}`.
///
/// What it says may differ from the text below it: people edit one and not the other.
public struct JsonHeader: Sendable {
  /// One member of the object.
  public struct Field: Hashable, Sendable {
    /// The key, escapes decoded.
    public let key: String
    public let value: Value
    /// The value as it stands in the input, as a half-open range of offsets.
    public let valueRange: Range<Int>
  }

  public enum Value: Hashable, Sendable {
    /// A string, escapes decoded.
    case string(String)
    /// A number as it is spelt.
    case number(String)
    case boolean(Bool)
    case null
    /// An object or array, as the text that it is.
    case nested(String)
  }

  /// The members in the order of the input. A key may occur more than once.
  public let fields: [Field]
  /// The object, from brace to brace, as a half-open range of offsets in the input.
  public let byteRange: Range<Int>

  /// The value of the first member with this key.
  public subscript(key: String) -> Value? { fields.first { $0.key == key }?.value }

  /// The first member's value as text: a string's text, or a number's spelling.
  public func text(_ key: String) -> String? {
    switch self[key] {
    case .string(let text), .number(let text): text
    default: nil
    }
  }

  /// Apple's number of the kind of report: `109` for a crash as text, `309` for one as JSON.
  /// Written as a string by most systems, as a number by some.
  public var bugType: String? { text("bug_type") }
}

extension JsonHeader {
  /// The object at the start of `range`, or nil where there is no complete one.
  init?(_ bytes: [UInt8], in range: Range<Int>) {
    guard let document = try? JsonDocument(bytes, in: range), document.damage == nil,
      document.root.kind == .object
    else { return nil }
    self.init(document.root)
  }

  /// The members of `object`.
  init(_ object: JsonValue) {
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

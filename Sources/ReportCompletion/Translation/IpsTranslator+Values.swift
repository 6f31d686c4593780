import CrashLogParser

/// Values of the report's JSON as the lines show them. All are nil if the value is missing or of
/// another kind.
extension IpsTranslator {
  var json: JsonValue { body.json }

  func string(_ key: IpsKey) -> String? { body.string(key) }

  /// A whole number in decimal; any other number as the report spells it.
  func number(_ value: JsonValue?) -> String? {
    guard let value else { return nil }
    if let number = value.unsignedInteger { return String(number) }
    return value.integer.map { String($0) } ?? value.numberText
  }

  /// `name [number]`, as processes and coalitions are shown; `name` if there is no number.
  package func name(_ name: JsonValue?, withNumber number: JsonValue?) -> String? {
    guard let name = name?.string else { return nil }
    return self.number(number).map { "\(name) [\($0)]" } ?? name
  }

  /// `train (build)`, as versions of systems are shown, or the part that the report has.
  func systemVersion(_ value: JsonValue?) -> String? {
    let build = value?[.build]?.string
    guard let train = value?[.train]?.string else { return build.map { "(\($0))" } }
    return build.map { "\(train) (\($0))" } ?? train
  }

  /// The strings of an array; a single string counts as an array of one.
  func strings(_ value: JsonValue?) -> [String] {
    guard let value else { return [] }
    return value.string.map { [$0] } ?? value.elements.compactMap(\.string)
  }

  /// `true`, or a number other than 0.
  func isTrue(_ value: JsonValue?) -> Bool {
    value?.boolean ?? value?.unsignedInteger.map { $0 != 0 } ?? false
  }
}

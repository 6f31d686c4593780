public import Testing

// Expectations as functions. `#expect` is a macro that is expanded and type-checked at each use,
// which takes the compiler 7 to 13 ms; a call takes it less than one. docs/testing.md has the
// measurement. A failure quotes the expression from the source.

/// Records an issue unless both values are equal.
public func expectEqual<Value: Equatable>(
  _ actual: Value, _ expected: Value, _ comment: @autoclosure () -> String = "",
  sourceLocation: SourceLocation? = nil, fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column
) {
  if actual == expected { return }
  Failure(sourceLocation, fileID, filePath, line, column)
    .record(difference(actual, expected), comment())
}

/// Records an issue unless the values differ.
public func expectNotEqual<Value: Equatable>(
  _ actual: Value, _ unwanted: Value, _ comment: @autoclosure () -> String = "",
  sourceLocation: SourceLocation? = nil, fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column
) {
  if actual != unwanted { return }
  Failure(sourceLocation, fileID, filePath, line, column)
    .record("both are \(String(reflecting: actual))", comment())
}

/// Records an issue if the condition is false.
public func expectTrue(
  _ condition: Bool, _ comment: @autoclosure () -> String = "",
  sourceLocation: SourceLocation? = nil, fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column
) {
  if condition { return }
  Failure(sourceLocation, fileID, filePath, line, column).record("false", comment())
}

/// Records an issue if the condition is true.
public func expectFalse(
  _ condition: Bool, _ comment: @autoclosure () -> String = "",
  sourceLocation: SourceLocation? = nil, fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column
) {
  if !condition { return }
  Failure(sourceLocation, fileID, filePath, line, column).record("true", comment())
}

/// Records an issue unless there is no value.
public func expectNil<Value>(
  _ actual: Value?, _ comment: @autoclosure () -> String = "",
  sourceLocation: SourceLocation? = nil, fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column
) {
  guard let actual else { return }
  Failure(sourceLocation, fileID, filePath, line, column)
    .record("got \(String(reflecting: actual))", comment())
}

/// Records an issue unless there is no element.
public func expectEmpty(
  _ actual: some Collection, _ comment: @autoclosure () -> String = "",
  sourceLocation: SourceLocation? = nil, fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column
) {
  if actual.isEmpty { return }
  Failure(sourceLocation, fileID, filePath, line, column)
    .record("got \(String(reflecting: actual))", comment())
}

/// Records an issue unless `part` is in the text.
public func expectContains(
  _ text: some StringProtocol, _ part: String, _ comment: @autoclosure () -> String = "",
  sourceLocation: SourceLocation? = nil, fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column
) {
  if text.contains(part) { return }
  Failure(sourceLocation, fileID, filePath, line, column)
    .record("got \(String(reflecting: text))", comment())
}

/// Records an issue unless `part` is among the texts.
public func expectContains(
  _ texts: some Collection<String>, _ part: String, _ comment: @autoclosure () -> String = "",
  sourceLocation: SourceLocation? = nil, fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column
) {
  if texts.contains(part) { return }
  Failure(sourceLocation, fileID, filePath, line, column)
    .record("got \(String(reflecting: texts))", comment())
}

/// Records an issue unless the text begins with `prefix`.
public func expectPrefix(
  _ text: some StringProtocol, _ prefix: String, _ comment: @autoclosure () -> String = "",
  sourceLocation: SourceLocation? = nil, fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column
) {
  if text.hasPrefix(prefix) { return }
  Failure(sourceLocation, fileID, filePath, line, column)
    .record("got \(String(reflecting: text))", comment())
}

/// Records an issue unless the text ends with `suffix`.
public func expectSuffix(
  _ text: some StringProtocol, _ suffix: String, _ comment: @autoclosure () -> String = "",
  sourceLocation: SourceLocation? = nil, fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column
) {
  if text.hasSuffix(suffix) { return }
  Failure(sourceLocation, fileID, filePath, line, column)
    .record("got \(String(reflecting: text))", comment())
}

/// The value, or an issue and the end of the test if there is none.
@discardableResult
public func require<Value>(
  _ value: Value?, _ comment: @autoclosure () -> String = "",
  sourceLocation: SourceLocation? = nil, fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column
) throws -> Value {
  if let value { return value }
  Failure(sourceLocation, fileID, filePath, line, column).record("nil", comment())
  throw RequirementFailed()
}

/// Ends the test with an issue if the condition is false.
public func require(
  _ condition: Bool, _ comment: @autoclosure () -> String = "",
  sourceLocation: SourceLocation? = nil, fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column
) throws {
  if condition { return }
  Failure(sourceLocation, fileID, filePath, line, column).record("false", comment())
  throw RequirementFailed()
}

/// What `require` throws after it has recorded why.
public struct RequirementFailed: Error, CustomStringConvertible {
  public var description: String { "a requirement is not met; the issue before says which" }
}

/// An expectation that is not met.
private struct Failure {
  let location: SourceLocation

  init(
    _ stated: SourceLocation?, _ fileID: String, _ filePath: String, _ line: Int, _ column: Int
  ) {
    location =
      stated
      ?? SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  func record(_ finding: String, _ comment: String) {
    Issue.record(
      "\(expression) – \(finding)\(comment.isEmpty ? "" : "\n\(comment)")",
      sourceLocation: location)
  }

  /// The expectation as it stands in the source: its lines until the parentheses are closed.
  private var expression: String {
    let text = (try? Fixtures.bytes(of: location.filePath)) ?? []
    let lines = String(decoding: text, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    var depth = 0
    var quoted: [String] = []
    for line in lines.dropFirst(location.line - 1).prefix(12) {
      quoted.append(String(line.drop { $0 == " " }))
      depth += line.reduce(0) { $0 + ($1 == "(" ? 1 : $1 == ")" ? -1 : 0) }
      if depth <= 0 { break }
    }
    return quoted.joined(separator: " ")
  }
}

/// Both values; of texts with several lines the first lines that differ.
private func difference<Value>(_ actual: Value, _ expected: Value) -> String {
  guard let got = text(actual), let wanted = text(expected), got != wanted,
    got.contains("\n") || wanted.contains("\n")
  else { return "got \(String(reflecting: actual)), expected \(String(reflecting: expected))" }
  let lines = got.split(separator: "\n", omittingEmptySubsequences: false)
  let others = wanted.split(separator: "\n", omittingEmptySubsequences: false)
  let number = zip(lines, others).prefix { $0 == $1 }.count
  func line(_ lines: [Substring]) -> String {
    number < lines.count ? String(reflecting: String(lines[number])) : "the end"
  }
  return """
    line \(number + 1): got \(line(lines)), expected \(line(others))
    all of what was got:
    \(got)
    """
}

private func text(_ value: some Any) -> String? {
  switch value {
  case let text as String: text
  case let bytes as [UInt8]: String(validating: bytes, as: UTF8.self)
  default: nil
  }
}

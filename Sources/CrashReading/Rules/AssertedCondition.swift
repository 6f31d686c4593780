import FunctionNames
import Wording

/// The condition of an assertion of Xcode's, which is all that a report says about it if its writer
/// left the words out: `(_section) != nil`, below `Application Specific Signatures`.
///
/// Source: the handlers of DVTFoundation and IDEKit, and what they write, as people show them
/// (github.com/tonyarnold/swift-dependency-audit, issue 15).
enum AssertedCondition {
  /// `failed assertion: (_section) != nil`, with the function if its frame has a name; nil for words
  /// that say themselves what they are, and for what no handler of assertions wrote.
  static func text(_ line: String, _ scene: CrashScene) -> String? {
    let names = scene.innermostNames
    guard
      let last = names.prefix(16).lastIndex(where: { name in
        name.map { name in handlers.contains { name.readable.hasBytes(of: $0) } } ?? false
      }), !line.hasBytes(of: ": "), !line.hasSuffix(":")
    else { return nil }
    let asserting = names[(last + 1)...].first.flatMap { $0?.readable }
    return "failed assertion\(asserting.map { " in \($0)" } ?? ""): \(line)"
  }

  private static let handlers = [
    "AssertionHandler handleFailureIn", "AssertionHandler _handleAssertion", "_DVTAssertionHandler",
    "_DVTAssertionFailureHandler", "_DVTAssertionWarningHandler",
  ]
}

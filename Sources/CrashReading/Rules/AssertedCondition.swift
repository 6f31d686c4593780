import CrashLogParser
import FunctionNames
import SymbolicationModel
import Wording

/// The condition of an assertion of Xcode's, which is all that a report says about it if its writer
/// left the words out: `(_section) != nil`, below `Application Specific Signatures`.
///
/// Source: the handlers of DVTFoundation and IDEKit, and what they write, as people show them
/// (github.com/tonyarnold/swift-dependency-audit, issue 15).
enum AssertedCondition {
  static func find(_ scene: CrashScene) -> CauseFinding? {
    // Hardly any report has one, and the names of all have to be searched.
    guard let signature = signature(scene) else { return nil }
    let names = scene.innermostNames
    guard
      let last = names.prefix(16).lastIndex(where: { name in
        name.map { name in handlers.contains { name.readable.hasBytes(of: $0) } } ?? false
      })
    else { return nil }
    let asserting = names[(last + 1)...].first.flatMap { $0?.readable }
    let place = asserting.map { " in \($0)" } ?? ""
    return CauseFinding(
      .assertion, "failed assertion\(place): \(signature.text)", .certain, [signature])
  }

  private static let handlers = [
    "AssertionHandler handleFailureIn", "AssertionHandler _handleAssertion",
    "_DVTAssertionHandler", "_DVTAssertionFailureHandler",
  ]

  private static func signature(_ scene: CrashScene) -> CauseEvidence? {
    if let field = scene.field("Application Specific Signatures") { return field }
    guard let value = scene.report.json?["asiSignatures"]?.elements.first(where: { _ in true }),
      let text = value.string, !text.isEmpty
    else { return nil }
    return CauseEvidence(
      source: .field("asiSignatures"), text: text, byteRange: value.byteRange)
  }
}

/// The rules that a signature is made by. `docs/signature.md` has them.
package enum SignatureVersion: Int, CaseIterable, Hashable, Sendable {
  /// The first rules, for groups that go on from those of an earlier run.
  case first = 1
  case second = 2

  package static let current = second
}

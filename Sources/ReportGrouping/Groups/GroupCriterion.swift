/// What reports of one group have in common: `--by`.
package enum GroupCriterion: String, CaseIterable, Sendable {
  case signature
  /// The source line at which the app crashed.
  case line
  /// The type of the exception and the signal.
  case exception
  /// The app and its version.
  case version

  /// What a table calls reports that have none.
  var missing: String {
    switch self {
    case .signature: "(no signature)"
    case .line: "(no source line)"
    case .exception: "(no exception)"
    case .version: "(no version)"
    }
  }
}

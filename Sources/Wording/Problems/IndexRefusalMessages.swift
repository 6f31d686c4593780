import SymbolicationModel

extension IndexRefusal {
  /// One sentence: why the index at `path` is not used, and what to do.
  package func message(path: String) -> String { "ignoring the index \(path): \(reason)" }

  /// The same sentence without its subject.
  package var reason: String {
    let rebuild = "run 'symbolicate index' again"
    return switch self {
    case .unreadable(let kind): kind.message(path: "it", renewal: rebuild)
    case .foreign:
      "it is cut short, or 'symbolicate index' did not write it; remove it, or \(rebuild)"
    case .otherImage(let found?): "it is from a different image, with the UUID or build-id \(found)"
    case .otherImage(nil): "it is from a different image, without a UUID or build-id"
    case .otherArchitecture(let found): "it is from a different slice, \(found)"
    case .stale(let source):
      "it was built from \(source), which has changed since or is a different file; \(rebuild)"
    case .otherOwner(let path, let user):
      "\(path) belongs to the user with the number \(user), who could have put anything there; remove it, or name another directory"
    case .writableByOthers(let path, let permissions):
      "other users may write to \(path) (mode \(octal(permissions))); if you trust its contents, run 'chmod go-w' on it"
    }
  }

  private func octal(_ permissions: UInt32) -> String {
    "0" + String(permissions & 0o7777, radix: 8)
  }
}

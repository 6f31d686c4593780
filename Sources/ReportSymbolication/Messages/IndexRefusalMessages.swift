import SymbolicationModel

extension IndexRefusal {
  /// One sentence: why the index at `path` is not used, and what to do.
  func message(path: String) -> String {
    let renew = "run 'symbolicate index' again"
    return switch self {
    case .unreadable(let kind):
      "an index is not used: \(kind.message(path: path, renewal: renew))"
    case .foreign:
      "the index \(path) is not used: it is cut short, or 'symbolicate index' did not write it; remove it, or \(renew)"
    case .otherImage(let found):
      "the index \(path) is not used: it is of another image, \(found.map { "\($0)" } ?? "one without UUID")"
    case .otherArchitecture(let found):
      "the index \(path) is not used: it is of another slice, \(found)"
    case .stale(let source):
      "the index \(path) is not used: it was made of \(source) as that was before, or of another file; \(renew)"
    }
  }
}

package import SymbolicationModel

/// Why an archive, or a member of it, cannot be read.
package struct ArchiveError: Error, Hashable, Sendable {
  /// The path of the archive, as it was opened.
  package let path: String
  /// The member's name in the archive; nil if the archive as a whole is concerned.
  package let member: String?
  package let reason: Reason

  package enum Reason: Hashable, Sendable {
    /// The system refused `operation`; C's `errno`.
    case inaccessible(errno: CInt, operation: SymbolFileProblem.FileOperation)
    case fault(ArchiveFault)
  }

  /// Whether bytes are wrong, and not a limit reached.
  var isDamage: Bool {
    if case .fault(.damaged) = reason { true } else { false }
  }

  init(path: String, member: String? = nil, _ fault: ArchiveFault) {
    self.init(path: path, member: member, reason: .fault(fault))
  }

  init(path: String, member: String? = nil, reason: Reason) {
    self.path = path
    self.member = member
    self.reason = reason
  }
}

extension SymbolFileProblem {
  /// The error as a problem of the archive, or of its member. The path of a member is the path of
  /// the archive and the member's name.
  package init(_ error: ArchiveError) {
    let kind: Kind =
      switch error.reason {
      case .inaccessible(let errno, let operation):
        .inaccessible(errno: errno, operation: operation)
      case .fault(let fault): .unusableArchive(fault)
      }
    self.init(path: error.member.map { error.path + "/" + $0 } ?? error.path, kind: kind)
  }
}

/// What became of a frame when a signature was made.
enum SignatureDecision {
  /// It is the app's own and part of the signature, unless that has it already.
  case taken(String, isRepeated: Bool)
  /// It is not the app's own, and counts only if no frame is. The library's title; nil for the
  /// system.
  case passed(String, library: String?)
  case dropped(Reason)

  package enum Reason {
    /// A pattern of `--rules`.
    case rule(String)
    /// The title of the group of ``FrameMachinery``, and the pattern.
    case machinery(String, String)
    /// A function that compilers invent to say why code traps.
    case trap
    /// A function of a standard library that was compiled into the program.
    case standardLibrary
    /// Neither a name nor an image.
    case unknown

    var isOfUser: Bool { if case .rule = self { true } else { false } }
  }
}

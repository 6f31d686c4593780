import ReportSymbolication

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
    /// The title of the group of ``FrameMachinery``, the pattern, and what was thrown.
    case machinery(String, String, thrown: String?)
    /// A function that compilers invent to say why code traps.
    case trap
    /// A function of a standard library that was compiled into the program.
    case standardLibrary
    /// Neither a name nor an image.
    case unknown
    /// The name is that of the function after the one that made the call.
    case nextFunction
    /// The name is cut, or joined with the text after it.
    case damagedName
    /// A library of the system in which threads begin and processes end.
    case imageOfEveryCrash
  }
}

extension SignatureMaker {
  /// The lines of `--explain`: the signature, and what became of the frames that were looked at.
  var explanation: [String] {
    guard let signature else { return [] }
    return ["signature \(signature.hash): \(signature.text)"]
      + decisions.map { "  frame \($0.frame.index): \($0.decision.text(of: $0.frame))" }
  }
}

extension SignatureDecision {
  fileprivate func text(of frame: ShownFrame) -> String {
    switch self {
    case .taken(let text, isRepeated: false): "taken: \(text)"
    case .taken(let text, isRepeated: true): "the same as the one before: \(text)"
    case .passed(let text, let library?): "not the app's own (\(library)): \(text)"
    case .passed(let text, nil): "not the app's own (the system): \(text)"
    case .dropped(let reason): "dropped, \(reason.text): \(frame.function ?? frame.imageName)"
    }
  }
}

extension SignatureDecision.Reason {
  fileprivate var text: String {
    switch self {
    case .rule(let pattern): "rule 'drop \(pattern)'"
    case .machinery(let title, let pattern, _): "\(title) ('\(pattern)')"
    case .trap: "it only says why the code traps"
    case .standardLibrary: "standard library compiled into the program"
    case .unknown: "neither a function nor an image is known"
    case .nextFunction: "a return address at the start of the next function"
    case .damagedName: "the name is cut, or joined with other text"
    case .imageOfEveryCrash: "every crash has frames of this library"
    }
  }
}

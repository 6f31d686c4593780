import ReportSymbolication
import Wording

extension SignatureRuleError {
  /// - Parameter path: the file of the rules.
  package func message(path: String) -> String {
    "\(path):\(line): expected 'drop PATTERN', 'app PATTERN' or 'system PATTERN', found '\(shortened(text, to: 80))'"
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
    case .machinery(let title, let pattern): "\(title) ('\(pattern)')"
    case .trap: "it only says why the code traps"
    case .standardLibrary: "standard library compiled into the program"
    case .unknown: "neither a function nor an image is known"
    }
  }
}

import AddressResolver
import ReportSymbolication
import SymbolicationModel
import Wording

/// A frame's explanation in the schema of `JsonRenderer`.
struct JsonExplanation {
  private let explanation: FrameExplanation

  init(_ explanation: FrameExplanation) { self.explanation = explanation }

  /// Writes its members into the open object.
  package func write(to writer: inout JsonWriter) {
    let lookup = explanation.lookup
    writer.member("reason", explanation.source.nothingReason?.schemaName)
    writer.member("lookupAddress", hexadecimal: lookup?.address.value)
    writer.member("addressKind", lookup?.kind.rawValue)
    writer.member("symbolFile", lookup?.symbolFile)
    writer.member("matchedBy", lookup?.matchedBy.rawValue)
    writer.member("answeringFile", lookup?.answeringFile)
    writer.member("index", lookup?.index)
    writer.member("mangling", lookup?.mangling?.rawValue)
    writer.member("demanglingLimit", lookup?.exceededLimit?.rawValue)
    writer.member("functionStart", hexadecimal: explanation.source.functionStart?.value)
    writer.member(array: "refused", explanation.refusals) { writer, refusal in
      writer.object { writer in
        writer.member("kind", refusal.schemaName)
        writer.member("what", refusal.subject)
        writer.member("why", refusal.reason)
      }
    }
  }
}

extension FrameExplanation.Source {
  /// Nil if something names the function: then `origin` says what.
  fileprivate var nothingReason: FrameExplanation.Reason? {
    if case .nothing(let reason) = self { reason } else { nil }
  }

  fileprivate var functionStart: LinkAddress? {
    if case .nothing(.unnamed(let start)) = self { start } else { nil }
  }
}

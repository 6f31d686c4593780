import AddressResolver
import SymbolicationModel

/// A frame's explanation in the schema of `JsonRenderer`.
struct JsonExplanation {
  private let explanation: FrameExplanation

  init(_ explanation: FrameExplanation) { self.explanation = explanation }

  /// Writes its members into the open object.
  func write(to writer: inout JsonWriter) {
    let lookup = explanation.lookup
    writer.member("reason", explanation.source.reasonName)
    writer.member("lookupAddress", hexadecimal: lookup?.address.value)
    writer.member("addressKind", lookup?.kind.name)
    writer.member("symbolFile", lookup?.symbolFile)
    writer.member("matchedBy", lookup?.matchedBy.rawValue)
    writer.member("answeringFile", lookup?.answeringFile)
    writer.member("index", lookup?.index)
    writer.member("mangling", lookup?.mangling?.name)
    writer.member("functionStart", hexadecimal: explanation.source.functionStart?.value)
    writer.member(array: "refused", explanation.refusals) { writer, refusal in
      writer.object { writer in
        writer.member("kind", refusal.kindName)
        writer.member("what", refusal.subject)
        writer.member("why", refusal.reason)
      }
    }
  }
}

extension FrameExplanation.Source {
  /// Nil where something names the function: `origin` says what.
  fileprivate var reasonName: String? {
    guard case .nothing(let reason) = self else { return nil }
    return switch reason {
    case .noAddress: "noAddress"
    case .noImage: "noImage"
    case .noSymbolFile: "noSymbolFile"
    case .noLinkBase: "noLinkBase"
    case .unnamed: "unnamed"
    case .leftOut: "leftOut"
    }
  }

  fileprivate var functionStart: LinkAddress? {
    if case .nothing(.unnamed(let start)) = self { start } else { nil }
  }
}

extension FrameAddressKind {
  fileprivate var name: String {
    switch self {
    case .programCounter: "programCounter"
    case .returnAddress: "returnAddress"
    case .asyncResumePoint: "asyncResumePoint"
    }
  }
}

extension ManglingScheme {
  fileprivate var name: String {
    switch self {
    case .swift: "swift"
    case .oldSwift: "oldSwift"
    case .itanium: "itanium"
    case .rustLegacy: "rustLegacy"
    case .rustV0: "rustV0"
    }
  }
}

extension FrameExplanation.Refusal {
  fileprivate var kindName: String {
    switch self {
    case .otherBuild: "otherBuild"
    case .unusableFile: "unusableFile"
    case .symbol: "symbol"
    case .statedName: "statedName"
    }
  }
}

import AddressResolver
import CrashLogParser
import FunctionNames
import SymbolStore
import SymbolicationModel
import Wording

extension ShownFrame {
  /// Why the frame has no function, in a few words; nil if it has one, or if nothing was explained.
  package var problem: String? {
    guard case .nothing(let reason)? = explanation?.source else { return nil }
    return reason.text(of: self)
  }

  /// ` GameData.rounds.unsafeMutableAddressor [inlined]`
  private var shownName: String {
    guard let function else { return "" }
    return isInlined ? " \(function) [inlined]" : " \(function)"
  }

  /// `  1  Letter Shuffle  0x1002474e0 NAME: DWARF of FILE (matched by UUID), looked up at 0x…`
  package var explanationLine: String? {
    guard let explanation else { return nil }
    let address = address?.value.hexadecimal ?? "no address"
    let refusals = explanation.refusals.map { "; refused \($0.subject): \($0.reason)" }.joined()
    return
      "  \(index)  \(imageName)  \(address)\(shownName): \(explanation.source.text(of: self))\(explanation.lookup?.text ?? "")\(refusals)"
  }
}

extension FrameExplanation.Source {
  fileprivate func text(of frame: ShownFrame) -> String {
    switch self {
    case .symbolFile(let origin): origin.term
    case .reportAndSymbolFile(let origin): "name from the report itself, line from \(origin.term)"
    case .report: "the report itself"
    case .nothing(let reason): "no name: \(reason.text(of: frame))"
    }
  }
}

extension FrameExplanation.Reason {
  fileprivate func text(of frame: ShownFrame) -> String {
    switch self {
    case .noAddress: "the report has no address"
    case .noImage: "the address is outside every listed image"
    case .noSymbolFile: "no symbol file for \(frame.image?.shownIdentity ?? frame.imageName)"
    case .noLinkBase: "the symbol file has no segment, so the slide is unknown"
    case .unnamed(nil): "the symbol file has no function there"
    case .unnamed(let start?):
      "the symbol file has no name there; a function begins at \(start.value.hexadecimal) (LC_FUNCTION_STARTS)"
    case .leftOut: "skipped, because the image belongs to the operating system"
    }
  }
}

extension FrameExplanation.Lookup {
  /// ` of FILE (matched by UUID), looked up at 0x10001f4df, the byte before the return address`
  fileprivate var text: String {
    let address = address.value.hexadecimal
    let lookup =
      switch kind {
      case .programCounter: address
      case .returnAddress: "\(address), the byte before the return address"
      case .asyncResumePoint: "\(address), where an async function resumes"
      }
    let file = answeringFile == symbolFile ? "" : ", for \(symbolFile)"
    let index = index.map { ", through the index \($0)" } ?? ""
    // Names of all other schemes are shown demangled, unless they are beyond a limit.
    let mangling =
      mangling == .oldSwift
      ? "; the name is from Swift 3 or older, and is shown mangled" : exceededLimit?.text ?? ""
    return
      " of \(answeringFile)\(file) (matched by \(matchedBy.text)\(index)), looked up at \(lookup)\(mangling)"
  }
}

extension DemanglingLimit {
  fileprivate var text: String {
    switch self {
    case .nameLength: "; a name is too long to be demangled, and is shown mangled"
    case .nesting: "; a name is nested too deeply to be demangled, and is shown mangled"
    case .shownLength: "; a name would be too long when demangled, and is shown mangled"
    }
  }
}

extension FrameExplanation.MatchBasis {
  fileprivate var text: String {
    switch self {
    case .uuid: "UUID"
    case .buildId: "build-id"
    case .name: "name alone"
    }
  }
}

// What follows is in JSON too (`what` and `why`), so the words are part of its schema.

extension FrameExplanation.Refusal {
  /// What was refused.
  package var subject: String {
    switch self {
    case .otherBuild(let file): file.path
    case .unusableFile(let attempt): attempt.path
    case .symbol(let symbol): "the nearest symbol, \(symbol.rawName)"
    case .statedName(let name): "the report's name \(name)"
    }
  }

  package var reason: String {
    switch self {
    case .otherBuild(let file): "another build, \(file.shownIdentity)"
    case .unusableFile(let attempt): attempt.finding.text
    case .symbol(let symbol): symbol.reason.text
    case .statedName: "the symbol file names another function"
    }
  }
}

extension SymbolRefusal.Reason {
  fileprivate var text: String {
    switch self {
    case .endsAt(let end): "it ends at \(end.value.hexadecimal)"
    case .anotherSection(let own, let other):
      "it is in \(own), and the address in \(other ?? "no section")"
    case .functionStart(let start):
      "another function begins in between, at \(start.value.hexadecimal) (LC_FUNCTION_STARTS)"
    case .hiddenName: "its name is hidden"
    }
  }
}

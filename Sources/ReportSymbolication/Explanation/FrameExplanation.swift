import AddressResolver
import CrashLogParser
import FunctionNames
package import SymbolStore
package import SymbolicationModel
import Wording

/// Where the name and line of a frame come from, and what was refused on the way.
package struct FrameExplanation: Hashable, Sendable {
  /// Where the frame's function and line come from.
  package let source: Source
  /// The lookup in a symbol file; nil if there was none.
  package let lookup: Lookup?
  /// What could have answered but was refused, in the order in which it was found.
  package let refusals: [Refusal]

  package enum Source: Hashable, Sendable {
    /// A symbol file names the function.
    case symbolFile(AnswerOrigin)
    /// The report names the function, and a symbol file the line.
    case reportAndSymbolFile(AnswerOrigin)
    /// The report alone. A frame that already has a line, or is an inlined call, is not looked up.
    case report
    /// Nothing names the function.
    case nothing(Reason)
  }

  /// Why nothing names a function.
  package enum Reason: Hashable, Sendable {
    /// The report has no address.
    case noAddress
    /// The address is outside every listed image.
    case noImage
    /// Nothing says where the frame's image was, or its file was refused.
    case notJoined(JoinRefusal)
    /// The image has no symbol file.
    case noSymbolFile
    /// The image's symbol file has no segment, so the slide is unknown.
    case noLinkBase
    /// The symbol file has no name there. The start of the function, if the file lists the starts
    /// of functions (`LC_FUNCTION_STARTS`).
    case unnamed(functionStart: LinkAddress?)
    /// `--only-user-code` was given, and the image belongs to the operating system.
    case leftOut
  }

  /// A lookup in a symbol file.
  package struct Lookup: Hashable, Sendable {
    package let address: LinkAddress
    package let kind: FrameAddressKind
    /// The image's symbol file.
    package let symbolFile: String
    package let matchedBy: MatchBasis
    /// How many reports the file's names were learnt from; nil for a real symbol file.
    package let reportCount: Int?
    /// The file that answered: the symbol file, or one that it refers to.
    package let answeringFile: String
    /// The index that answered for the file.
    package let index: String?
    /// How the function's name is mangled; nil if it is not, or if there is none.
    package let mangling: ManglingScheme?
    /// The limit that the name of the function, or of a call inlined there, exceeds, so that it is
    /// shown mangled.
    package let exceededLimit: DemanglingLimit?
  }

  /// How a symbol file was matched to its image.
  package enum MatchBasis: String, Hashable, Sendable, CaseIterable {
    case uuid
    case buildId
    case name

    init(_ basis: SymbolMatch.Basis, of image: ReportImage) {
      switch basis {
      case .name: self = .name
      // Apple's UUIDs have 16 bytes. Build-ids mostly have 20, and in practice never 16.
      case .identity: self = image.identity?.bytes.count == 16 ? .uuid : .buildId
      }
    }
  }

  /// Something that was refused.
  package enum Refusal: Hashable, Sendable {
    /// A symbol file with the image's name, from another build.
    case otherBuild(SymbolCandidate)
    /// A file that could hold the symbol file's debug information, and what was found there.
    case unusableFile(DebugFileSearch.Attempt)
    /// The nearest symbol before an address that has no name.
    case symbol(SymbolRefusal)
    /// The report's name for the frame: the symbol file's was taken.
    case statedName(String)
  }
}

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
    case .notJoined(let refusal): refusal.text(name: frame.imageName)
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
    let reports = reportCount.map { ", learnt from \(counted($0, "report"))" } ?? ""
    // Names of all other schemes are shown demangled, unless they are beyond a limit.
    let mangling =
      mangling == .oldSwift
      ? "; the name is from Swift 3 or older, and is shown mangled" : exceededLimit?.text ?? ""
    return
      " of \(answeringFile)\(file) (matched by \(matchedBy.text)\(index)\(reports)), looked up at \(lookup)\(mangling)"
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

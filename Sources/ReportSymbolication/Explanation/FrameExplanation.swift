import AddressResolver
import SymbolStore
import SymbolicationModel

/// Why a frame shows what it shows: what the answer rests on, and what was refused on the way to
/// it.
package struct FrameExplanation: Hashable, Sendable {
  /// What the frame's function and line rest on.
  let source: Source
  /// Where it was looked up; nil where it was not.
  let lookup: Lookup?
  /// What could have answered and was not taken, in the order in which it was come upon.
  let refusals: [Refusal]

  enum Source: Hashable, Sendable {
    /// A symbol file names the function.
    case symbolFile(AnswerOrigin)
    /// The report names the function, and a symbol file the line.
    case reportAndSymbolFile(AnswerOrigin)
    /// The report alone. Nothing else was asked where it shows a line, or an inlined call, already.
    case report
    /// Nothing names the function.
    case nothing(Reason)
  }

  /// Why nothing names a function.
  enum Reason: Hashable, Sendable {
    /// The report has no address.
    case noAddress
    /// The address lies in no image that the report tells of.
    case noImage
    /// No symbol file is for the image.
    case noSymbolFile
    /// The image's symbol file has no segment that the address could be relative to.
    case noLinkBase
    /// The symbol file names nothing there. Where it tells where functions begin
    /// (`LC_FUNCTION_STARTS`), that is the function's start.
    case unnamed(functionStart: LinkAddress?)
    /// `--only-user-code`, and the image is the system's.
    case leftOut
  }

  /// A question to a symbol file.
  struct Lookup: Hashable, Sendable {
    let address: LinkAddress
    let kind: FrameAddressKind
    /// The image's symbol file.
    let symbolFile: String
    let matchedBy: MatchBasis
    /// The file that has the answer: the symbol file, or one that it refers to.
    let answeringFile: String
    /// The index that was asked in place of the file.
    let index: String?
    /// How the function's name is mangled; nil where it is not, or there is none.
    let mangling: ManglingScheme?
  }

  /// What makes a symbol file the image's.
  enum MatchBasis: Hashable, Sendable, CaseIterable {
    case uuid
    case buildId
    case name

    init(_ basis: SymbolMatch.Basis, of image: ReportImage) {
      switch basis {
      case .name: self = .name
      // Apple's UUIDs have 16 bytes, build-ids 20 most often, and any number but that in practice.
      case .identity: self = image.identity?.bytes.count == 16 ? .uuid : .buildId
      }
    }
  }

  /// Something that was refused.
  enum Refusal: Hashable, Sendable {
    /// A symbol file of the image's name, of another build.
    case otherBuild(SymbolCandidate)
    /// A file that the symbol file's debug information might be in, for what was found there.
    case unusableFile(DebugFileSearch.Attempt)
    /// The nearest symbol before an address that has no name.
    case symbol(SymbolRefusal)
    /// What the report says of the frame, in favour of the symbol file.
    case statedName(String)
  }
}

import AddressResolver
package import SymbolStore
package import SymbolicationModel

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

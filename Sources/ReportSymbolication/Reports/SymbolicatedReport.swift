package import AddressResolver
package import CrashLogParser
package import SymbolStore
package import SymbolicationModel

/// A report with what was found out of its frames: what every form of output is made from.
package struct SymbolicatedReport {
  package let source: ParsedReport
  /// The last exception's first, then those of the application, then the threads'.
  package internal(set) var backtraces: [SymbolicatedBacktrace]
  /// The symbol files in use, by the images that they are for.
  package internal(set) var symbolFiles: [ReportImage: UsedSymbolFile] = [:]
  /// Images with frames to resolve for which no symbol file was found, in the order of the report.
  package internal(set) var missingImages: [MissingImage] = []
  /// Images with frames that contradict themselves, in the order of the report.
  package internal(set) var contradictedImages: [ContradictedImage] = []
}

/// The symbol file of an image.
package struct UsedSymbolFile: Hashable, Sendable {
  package let path: String
  /// What it was chosen by.
  package let basis: SymbolMatch.Basis
}

/// One list of frames.
package struct SymbolicatedBacktrace {
  package let kind: Kind
  package internal(set) var frames: [SymbolicatedFrame]
  /// Whether it is among those to symbolicate.
  package let isSelected: Bool

  package enum Kind: Hashable, Sendable {
    case lastException
    /// A backtrace that the application or a library put into the report, by its place among them.
    case applicationSpecific(Int)
    /// A thread, by its place among the report's.
    case thread(Int)
  }
}

/// One frame: what the report says of it, and what was found out.
package struct SymbolicatedFrame {
  package let origin: Origin
  /// The address in the process, as the report gives it; nil where the report does not tell it.
  package let address: LoadAddress?
  /// The address without what is no part of it, a pointer authentication code or the thumb bit: what is
  /// looked up, and what distances are counted to.
  package let codeAddress: LoadAddress?
  package internal(set) var addressKind: FrameAddressKind
  /// As the report writes it.
  package let imageName: String
  /// Nil where the report does not tell of any image there.
  package let image: ReportImage?
  /// What the frame says of its place in an image, where that does not agree with the address.
  let contradiction: PlaceContradiction?
  /// What the report says the address is; nil where it says nothing, or that it does not tell.
  package let stated: FrameSymbol?
  /// Whether the report shows calls inlined at this address, in the frames before this one.
  package let hasStatedInlinedFrames: Bool
  /// Whether the answer of the frame that this one is inlined into takes this one's place too.
  package internal(set) var isSuperseded = false
  package internal(set) var answer: FrameAnswer?
  /// What the answer rests on, where that was asked for (`SymbolicationOptions.explains`).
  package var explanation: FrameExplanation? { explanationBox?.explanation }
  /// In a box, as few frames have one and all are copied about.
  private var explanationBox: ExplanationBox?

  private final class ExplanationBox: Sendable {
    let explanation: FrameExplanation

    init(_ explanation: FrameExplanation) { self.explanation = explanation }
  }

  mutating func explain(with explanation: FrameExplanation) {
    explanationBox = ExplanationBox(explanation)
  }

  init(
    origin: Origin, address: LoadAddress?, addressKind: FrameAddressKind, imageName: String,
    place: ImageFinder.Place?, stated: FrameSymbol?, hasStatedInlinedFrames: Bool
  ) {
    self.origin = origin
    self.address = address
    self.codeAddress = place?.codeAddress ?? address
    self.addressKind = addressKind
    self.imageName = imageName
    self.image = place?.image
    self.contradiction = place?.contradiction
    self.stated = stated
    self.hasStatedInlinedFrames = hasStatedInlinedFrames
  }

  /// Where the frame stands in the report.
  package enum Origin: Sendable {
    case text(StackFrame)
    case json(IpsFrame)
    /// In a box: it is larger than the others, and would make every frame that large.
    indirect case swiftBacktrace(SwiftBacktraceFrame)
    /// A line of a backtrace as text within JSON. The frame's ranges are those of
    /// `EmbeddedBacktrace.bytes`.
    case embedded(StackFrame)
    /// One of a list of bare addresses, by its place.
    case addressList(Int)
  }
}

/// What the symbol files say of a frame.
package struct FrameAnswer: Hashable, Sendable {
  /// The concrete function, with the line of its call site where calls are inlined.
  package internal(set) var function: FrameText
  /// The calls inlined at the address, innermost first; empty where they are not to be shown.
  package internal(set) var inlined: [FrameText]
  /// Whether the report's own name stays, and only the line is new.
  package let keepsStatedName: Bool
  package let origin: AnswerOrigin
  /// The symbol file.
  package let symbolFile: String
  /// What the file was chosen by.
  package let basis: SymbolMatch.Basis
  /// Why the code traps at the address, whether the calls inlined there are to be shown or not.
  let trapMessage: TrapMessage?

  /// What a frame shows.
  package struct FrameText: Hashable, Sendable {
    package let name: String
    /// The name as the symbol file spells it; nil where it has none.
    package let rawName: String?
    /// Bytes from the start of the function, or of the inlined body, to the frame's address.
    package let offset: UInt64
    /// With the path as it is to be shown.
    package let location: SymbolicationModel.SourceLocation?
    /// What text has of the file: its name, or the whole path.
    package let shownFile: String?
    /// Nil where no source lines are wanted, and for code that belongs to no line.
    let sourceLine: SourceLine?
    var source: SourceExcerpt?
  }
}

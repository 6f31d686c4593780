package import CrashLogParser
package import FunctionNames
package import SymbolStore
package import SymbolicationModel

/// A report with what was found out about its frames. Every output form is made from it.
package struct SymbolicatedReport: Sendable {
  package let source: Report
  /// In the order of ``Report/backtraces``.
  package internal(set) var backtraces: [SymbolicatedBacktrace]
  /// The symbol files in use, by the images that they are for.
  package internal(set) var symbolFiles: [ReportImage: UsedSymbolFile] = [:]
  /// Images with frames to resolve but without a symbol file, in the order of the report.
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

/// A backtrace with what was found out about its frames.
package struct SymbolicatedBacktrace: Sendable {
  package let source: Backtrace
  package internal(set) var frames: [SymbolicatedFrame]
  /// Whether the options ask for it.
  package let isSelected: Bool
}

/// A frame: what the report says about it, and what was found out.
///
/// A report has a great many, so what few frames have is in boxes, and frames at one address share
/// their answer.
package struct SymbolicatedFrame: Sendable {
  package let source: StackFrame
  /// The address without bits that are not part of it, a pointer authentication code or the Thumb
  /// bit. It is looked up, and distances are counted to it.
  package let codeAddress: LoadAddress?
  package internal(set) var addressKind: FrameAddressKind
  /// Whether the report shows calls inlined at this address, in the frames before this one.
  package let hasStatedInlinedFrames: Bool
  /// Whether the frame is dropped, because the answer of the frame that it is inlined into brings
  /// its own inlined calls.
  package internal(set) var isSuperseded = false
  /// What the report calls the image, if that is not the image's name.
  private let ownImageName: String?
  /// Nil if the report has no image there.
  package let image: ReportImage?
  package internal(set) var answer: FrameAnswer?
  /// What the report says about the function.
  let statement: FrameStatement
  private var rareParts: RareParts?

  /// - Parameter imageName: what the report calls the image; nil if that is the image's name, or if
  ///   it says nothing.
  init(
    source: StackFrame, addressKind: FrameAddressKind, imageName: String?,
    located: ImageFinder.LocatedAddress?, statement: FrameStatement, hasStatedInlinedFrames: Bool
  ) {
    self.source = source
    self.codeAddress = located?.codeAddress ?? source.address
    self.addressKind = addressKind
    self.ownImageName = imageName
    self.image = located?.image
    self.statement = statement
    self.hasStatedInlinedFrames = hasStatedInlinedFrames
    if let contradiction = located?.contradiction {
      rareParts = RareParts(contradiction: contradiction, explanation: nil)
    }
  }

  /// The address in the process, as the report gives it; nil if it does not.
  package var address: LoadAddress? { source.address }

  /// Bytes from the start of the image; nil for an address before that.
  package var imageOffset: UInt64? {
    guard let address = codeAddress, let image, address >= image.loadAddress else { return nil }
    return address.value - image.loadAddress.value
  }

  /// As the report writes it.
  package var imageName: String { ownImageName ?? image?.name ?? unknownImageName }

  /// The symbol that the report shows; nil if it shows none.
  package var stated: FrameSymbol? { statedSymbol?.symbol }

  /// The same, to be kept: the text may be read anew on each call.
  var statedSymbol: StatedSymbol? {
    switch statement {
    case .none: nil
    case .read(let symbol): symbol
    case .inObject: source.symbol.map { StatedSymbol($0) }
    }
  }

  /// What the frame says about its place in an image, if that does not agree with its address.
  @inline(__always)
  var contradiction: AddressContradiction? { rareParts?.contradiction }

  /// What the answer is based on, if the options ask for it (`SymbolicationOptions.explains`).
  package var explanation: FrameExplanation? { rareParts?.explanation }

  mutating func explain(with explanation: FrameExplanation) {
    rareParts = RareParts(contradiction: contradiction, explanation: explanation)
  }

  private final class RareParts: Sendable {
    let contradiction: AddressContradiction?
    let explanation: FrameExplanation?

    init(contradiction: AddressContradiction?, explanation: FrameExplanation?) {
      self.contradiction = contradiction
      self.explanation = explanation
    }
  }
}

/// What a symbol file says about a frame. Frames at the same address share it.
package final class FrameAnswer: Sendable {
  /// The function that has code of its own, with the line of the call site if calls are inlined.
  package let function: FrameText
  /// The calls inlined at the address, innermost first; empty if they are not to be shown.
  package let inlined: [FrameText]
  /// Whether the name in the report stays, and only the line is new.
  package let keepsStatedName: Bool
  package let origin: AnswerOrigin
  /// The symbol file.
  package let symbolFile: String
  /// How the file was matched.
  package let basis: SymbolMatch.Basis
  /// Why the code traps at the address, whether or not the calls inlined there are shown.
  package let trapMessage: TrapMessage?

  init(
    function: FrameText, inlined: [FrameText], keepsStatedName: Bool, origin: AnswerOrigin,
    symbolFile: String, basis: SymbolMatch.Basis, trapMessage: TrapMessage?
  ) {
    self.function = function
    self.inlined = inlined
    self.keepsStatedName = keepsStatedName
    self.origin = origin
    self.symbolFile = symbolFile
    self.basis = basis
    self.trapMessage = trapMessage
  }

  /// The same answer with other texts.
  package func with(function: FrameText, inlined: [FrameText]) -> FrameAnswer {
    FrameAnswer(
      function: function, inlined: inlined, keepsStatedName: keepsStatedName, origin: origin,
      symbolFile: symbolFile, basis: basis, trapMessage: trapMessage)
  }

  /// What a frame shows.
  package struct FrameText: Hashable, Sendable {
    package let name: String
    /// The name as the symbol file spells it; nil if it has none.
    package let rawName: String?
    /// Bytes from the start of the function, or of the inlined body, to the frame's address.
    package let offset: UInt64
    /// With the path as the options want it.
    package let location: SymbolicationModel.SourceLocation?
    /// The name of the file, without its folders.
    package let fileName: String?
    /// What text shows of the file: its name, or the whole path.
    package let shownFile: String?
    /// Nil if no source lines are wanted, and for code without a line.
    let sourceLine: SourceLine?
    package var source: SourceExcerpt?
  }
}

package import SymbolicationModel

/// The options of an `atos` invocation.
package struct AtosOptions: Hashable, Sendable {
  /// `-o`: the symbol files, in the order in which they are tried. Never empty.
  package var symbolFiles: [String]
  /// `-arch`.
  package var architecture: Architecture?
  package var addressing: Addressing
  /// `-fullPath`: print the source file's path instead of its name.
  package var showsFullPath: Bool
  /// `-i`: print inlined calls too, not only the concrete function.
  package var showsInlinedFrames: Bool
  /// `-d`: the text printed after each frame with `-i`.
  package var inlineDelimiter: String
  /// `-dwarf-reader`, which Apple's `atos` does not have.
  package var dwarfReader = DwarfReaderChoice.builtIn
  /// `-jobs`, which Apple's `atos` does not have: the largest number of threads.
  package var jobs = ParallelWork.processorCount
  /// `-no-index` and `-index-dir`, which Apple's `atos` does not have.
  package var indexUse = IndexUse.never
  /// How much is read of symbol files.
  package var limits = ResourceLimits()

  /// What the addresses given are relative to.
  package enum Addressing: Hashable, Sendable {
    /// Without an option: they are addresses in the file.
    case linked
    /// `-l`: addresses in a process that loaded the image's first segment at this address.
    case loaded(at: LoadAddress)
    /// `-textExecAddress`: addresses in a kernel that loaded the segment `__TEXT_EXEC` of the image
    /// at this address.
    case textExecLoaded(at: LoadAddress)
    /// `-s`: addresses in a process where the image has this slide.
    case slid(by: UInt64)
    /// `-offset`: offsets from the image's first segment.
    case offset

    /// Whether the addresses are in a process, and not relative to one image.
    var isOfWholeProcess: Bool {
      switch self {
      case .linked, .slid: true
      case .loaded, .textExecLoaded, .offset: false
      }
    }

    /// Whether the conversion needs the link address of the image's first segment.
    var countsFromLinkBase: Bool {
      switch self {
      case .loaded, .offset: true
      case .linked, .textExecLoaded, .slid: false
      }
    }
  }

  package init(
    symbolFiles: [String], architecture: Architecture? = nil, addressing: Addressing = .linked,
    showsFullPath: Bool = false, showsInlinedFrames: Bool = false, inlineDelimiter: String = "\n"
  ) {
    self.symbolFiles = symbolFiles
    self.architecture = architecture
    self.addressing = addressing
    self.showsFullPath = showsFullPath
    self.showsInlinedFrames = showsInlinedFrames
    self.inlineDelimiter = inlineDelimiter
  }
}

package import SymbolicationModel

/// What an invocation of `atos` asks for, apart from the addresses.
package struct AtosOptions: Hashable, Sendable {
  /// `-o`: symbol files, asked in this order. Never empty.
  package var symbolFiles: [String]
  /// `-arch`.
  package var architecture: Architecture?
  package var addressing: Addressing
  /// `-fullPath`: the source file's path instead of its name.
  package var showsFullPath: Bool
  /// `-i`: every inlined frame instead of the concrete function alone.
  package var showsInlinedFrames: Bool
  /// `-d`: what follows each frame under `-i`.
  package var inlineDelimiter: String
  /// `-dwarf-reader`, which Apple's program does not have.
  package var dwarfReader = DwarfReaderChoice.builtIn
  /// `-jobs`, which Apple's program does not have: how many threads may work at a time.
  package var jobs = ParallelWork.processorCount
  /// `-no-index` and `-index-dir`, which Apple's program does not have.
  package var indexUse = IndexUse.never

  /// What the addresses given are.
  package enum Addressing: Hashable, Sendable {
    /// Addresses in the file: none of the options.
    case linked
    /// `-l`: addresses in a process where the image's first segment lies at `loadAddress`.
    case loaded(at: LoadAddress)
    /// `-textExecAddress`: the same for the segment `__TEXT_EXEC` of a kernel or kernel extension.
    case textExecLoaded(at: LoadAddress)
    /// `-s`: addresses in a process where the image was moved by `value`.
    case slid(by: UInt64)
    /// `-offset`: distances from the image's first segment.
    case offset

    /// Whether it takes knowing where the image is linked to begin.
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

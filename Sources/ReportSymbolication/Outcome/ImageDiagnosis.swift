package import SymbolStore
package import SymbolicationModel

/// Why the frames of an image have names and lines, or why not.
package struct ImageDiagnosis: Hashable, Sendable {
  package let image: ReportImage
  package let cause: Cause
  /// All frames in it.
  package let frameCount: Int
  /// Frames to which the report itself gives a name.
  package let namedCount: Int
  /// Frames without a name in the report that got one.
  package let resolvedCount: Int
  /// Frames that have a line now.
  package let lineCount: Int

  package init(
    image: ReportImage, cause: Cause, frameCount: Int, namedCount: Int, resolvedCount: Int,
    lineCount: Int
  ) {
    self.image = image
    self.cause = cause
    self.frameCount = frameCount
    self.namedCount = namedCount
    self.resolvedCount = resolvedCount
    self.lineCount = lineCount
  }

  /// Frames without a name.
  package var unresolvedCount: Int { frameCount - namedCount - resolvedCount }

  package enum Cause: Hashable, Sendable {
    /// There is a symbol file for it.
    case found(FoundSymbols)
    /// No place has a file of its UUID or its name.
    case noCandidate
    /// Files of its name are from other builds. Never empty.
    case otherBuilds([DiagnosedCandidate])
    /// The file of its name has only other slices.
    case otherSlices(path: String, found: [Architecture])
    /// The dSYM of its name has no DWARF file, or an empty one.
    case emptyDsym(path: String)
    /// The file of its name cannot be read.
    case unreadable(SymbolFileProblem)
    /// The file at a path that follows from its identity is refused.
    case refused(path: String, DebugFileSearch.Finding)
    /// It is part of the operating system, and no place has its symbols.
    case systemLibrary(System)
    /// The report does not state its UUID or build-id, and no file that was given by name has its
    /// name.
    case unknownIdentity
  }

  package enum System: Hashable, CaseIterable, Sendable {
    case apple
    case linux
  }

  /// Whether something is missing that its developer can provide. Developers of apps have nothing
  /// for the libraries of the operating system.
  package var isIncomplete: Bool {
    guard !image.belongsToSystem else { return false }
    return switch cause {
    case .found(let found):
      unresolvedCount > 0 || found.missingSymbolMap != nil
        || [.symbols, .nothing, .debugInformationWithoutLines].contains(found.content)
    case .systemLibrary: false
    case .noCandidate, .otherBuilds, .otherSlices, .emptyDsym, .unreadable, .refused,
      .unknownIdentity:
      unresolvedCount > 0
    }
  }
}

/// The symbol file of an image.
package struct FoundSymbols: Hashable, Sendable {
  package let path: String
  package let basis: SymbolMatch.Basis
  /// Nil if it is not known.
  package let place: SymbolPlace?
  package let content: Content
  /// The separate file with the debug information, if it is not in the file itself.
  package let debugFilePath: String?
  /// Why the hidden names of the file are not replaced; nil if names are not hidden, or are.
  package let missingSymbolMap: SymbolMapFinding?
  package let origin: BuildOrigin?
  /// If there is no debug information: why the xcframework that the image comes from has no dSYM.
  package let xcframeworkGap: XcframeworkGap?

  package init(
    path: String, basis: SymbolMatch.Basis, place: SymbolPlace?, content: Content,
    debugFilePath: String?, missingSymbolMap: SymbolMapFinding?, origin: BuildOrigin?,
    xcframeworkGap: XcframeworkGap?
  ) {
    self.path = path
    self.basis = basis
    self.place = place
    self.content = content
    self.debugFilePath = debugFilePath
    self.missingSymbolMap = missingSymbolMap
    self.origin = origin
    self.xcframeworkGap = xcframeworkGap
  }

  package enum Content: Hashable, Sendable {
    /// DWARF with line rows, in the file or beside it.
    case debugInformation
    case debugInformationWithoutLines
    /// Functions and lines in a format that answers alone.
    case standalone(StandaloneFormat)
    /// A symbol table alone.
    case symbols
    case nothing
  }
}

/// A symbol file of an image's name that is not its own.
package struct DiagnosedCandidate: Hashable, Sendable {
  package let candidate: SymbolCandidate
  package let place: SymbolPlace
  package let origin: BuildOrigin?

  package init(candidate: SymbolCandidate, place: SymbolPlace, origin: BuildOrigin?) {
    self.candidate = candidate
    self.place = place
    self.origin = origin
  }
}

extension SymbolFileProblem {
  /// How much of the file a problem leaves usable. Exit statuses follow from it.
  package enum Severity: Hashable, Sendable {
    /// The file is used; a part of it, or another file that belongs to it, is not.
    case partial
    /// The file or directory is sound, and has no symbols in it.
    case noSymbols
    /// It is not a symbol file.
    case notASymbolFile
    /// It cannot be read, or is damaged, or lacks what was asked of it.
    case unusable
  }

  /// The severity of `kind`. A fat file without a usable slice has that of its first slice.
  package var severity: Severity {
    switch kind {
    case .unreadableDebugInformation, .unusableDebugFile, .unusableDebugMapObjects,
      .mislabelledSlice, .missingSegment, .unusableIndex, .assumedLinkBase, .ambiguousIdentity,
      .hiddenNames, .unusablePropertyList, .exceedsLimit:
      .partial
    case .noSymbols, .noSymbolFiles, .notIndexed: .noSymbols
    case .notASymbolFile, .empty, .emptyBundle: .notASymbolFile
    case .noUsableSlice(let slices): slices.first?.severity ?? .unusable
    case .inaccessible, .truncated, .malformed, .damaged, .namesOutsideStringTable,
      .overlappingSlice, .refusedByLibelf, .unsupported, .unsupportedIndexVersion,
      .damagedCompression, .needsRelocation, .missingArchitecture, .directory, .specialFile,
      .otherImage, .unusableArchive:
      .unusable
    }
  }
}

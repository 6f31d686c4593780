import DwarfReader

/// Other files of the image, whose sections a test built.
final class ReferencedFiles: DwarfReferencedFiles {
  private let supplementary: DwarfSections?
  private let splitFiles: [DwarfSplitUnitReference: DwarfSections]

  /// - Parameter splitFiles: by the exact reference of the skeleton; any other reference finds
  /// nothing.
  init(
    supplementary: DwarfSections? = nil, splitFiles: [DwarfSplitUnitReference: DwarfSections] = [:]
  ) {
    self.supplementary = supplementary
    self.splitFiles = splitFiles
  }

  func supplementarySections() -> DwarfSections? { supplementary }

  func splitFile(for unit: DwarfSplitUnitReference) -> DwarfSplitFile? {
    splitFiles[unit].map { DwarfSplitFile(sections: $0) }
  }
}

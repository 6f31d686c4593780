import DwarfReader

/// Files beside the image, whose sections a test built.
final class SupplementaryFiles: DwarfSupplementaryFiles {
  private let alternate: DwarfSections?
  private let splitFiles: [DwarfSplitUnitReference: DwarfSections]

  /// - Parameter splitFiles: by what the skeleton must say; any other reference finds nothing.
  init(
    alternate: DwarfSections? = nil, splitFiles: [DwarfSplitUnitReference: DwarfSections] = [:]
  ) {
    self.alternate = alternate
    self.splitFiles = splitFiles
  }

  func alternateSections() -> DwarfSections? { alternate }

  func splitFile(for unit: DwarfSplitUnitReference) -> DwarfSplitFile? {
    splitFiles[unit].map { DwarfSplitFile(sections: $0) }
  }
}

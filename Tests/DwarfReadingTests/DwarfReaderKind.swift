import DwarfReader
import LibDwarfReader

/// The readers that are asked.
enum DwarfReaderKind: CaseIterable, Sendable {
  case libDwarf

  /// Those that any bytes may be given to. libdwarf is C: some damaged files make it read outside its
  /// memory or free it twice, which would end the tests.
  static let safe: [DwarfReaderKind] = []
  /// Those that look into files beside the image.
  static let withSupplementaryFiles: [DwarfReaderKind] = []

  func open(
    _ sections: DwarfSections, supplementaryFiles: (any DwarfSupplementaryFiles)? = nil
  ) throws(DwarfReadError) -> any DwarfReading {
    switch self {
    case .libDwarf: try LibDwarfReader(sections: sections)
    }
  }

  func open(_ image: DwarfImageBuilder) throws(DwarfReadError) -> any DwarfReading {
    try open(image.sections())
  }
}

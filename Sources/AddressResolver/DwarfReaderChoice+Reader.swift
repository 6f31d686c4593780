import DwarfReader
import LibDwarfReader
import SymbolicationModel

extension DwarfReaderChoice {
  /// A reader of `sections`. libdwarf reads no other files.
  func reader(
    of sections: DwarfSections, referencedFiles: ImageReferencedFiles?
  ) throws(DwarfReadError) -> any DwarfReading {
    switch self {
    case .builtIn:
      try BuiltInDwarfReader(sections: sections, referencedFiles: referencedFiles)
    case .libdwarf: try LibDwarfReader(sections: sections)
    }
  }
}

package import BinaryInput

/// Why a part of the debug information could not be read.
package enum DwarfReadError: Error, Hashable, Sendable {
  /// There is no such section, and nothing can be said without it.
  case missingSection(DwarfSectionName)
  /// Bytes of `section` could not be read.
  case unreadable(section: DwarfSectionName, ByteReadError)
  /// What begins at `offset` of `section` contradicts itself or passes the section's end.
  case malformed(section: DwarfSectionName, offset: UInt64)
  /// The unit at `unitOffset` of `.debug_info` has a version that is not known.
  case unsupportedVersion(UInt16, unitOffset: UInt64)
  /// The line table at `offset` of `.debug_line` has a version that is not known.
  case unsupportedLineTableVersion(UInt16, offset: UInt64)
  /// The file that should hold a split unit has none with the identifier: it belongs to another build.
  /// The name is what the image calls the file; nil where it is a package.
  case splitUnitNotFound(name: String?, identifier: UInt64)
  /// libdwarf refused: its error number and text, and the offset in `.debug_info` of the unit asked
  /// about (0 where it was the whole file).
  case libdwarf(code: UInt64, message: String, unitOffset: UInt64)
  /// The libdwarf that is loaded is not of the kind whose headers the program was built with; their
  /// structures differ, so it is not called. The version is what the loaded one says of itself.
  case libdwarfMismatch(loadedVersion: String)
  /// A chain of references (`DW_AT_abstract_origin`, `DW_AT_specification`) that begins at the DIE at
  /// `offset` of `.debug_info` does not end.
  case endlessReferences(offset: UInt64)
  /// What units or entries share in `section`, or lies in each other there, was decoded many times over:
  /// no more of it is. No file is known that a tool wrote and that comes near this limit.
  case decodingLimit(section: DwarfSectionName)
  /// More units than any real file has in one place claim the code at this address; some were not asked.
  case tooManyUnits(address: UInt64)
}

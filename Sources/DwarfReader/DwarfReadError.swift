package import BinaryInput

/// Why a part of the debug information could not be read.
package enum DwarfReadError: Error, Hashable, Sendable {
  /// There is no such section, and nothing can be said without it.
  case missingSection(DwarfSectionName)
  /// Bytes of `section` could not be read.
  case unreadable(section: DwarfSectionName, ByteReadError)
  /// The unit at `offset` of `.debug_info` has a version that is not known.
  case unsupportedVersion(UInt16, unitOffset: UInt64)
  /// libdwarf refused: its error number and text, and the offset in `.debug_info` of the unit asked
  /// about (0 where it was the whole file).
  case libdwarf(code: UInt64, message: String, unitOffset: UInt64)
  /// A chain of references (`DW_AT_abstract_origin`, `DW_AT_specification`) that begins at the DIE at
  /// `offset` of `.debug_info` does not end.
  case endlessReferences(offset: UInt64)
}

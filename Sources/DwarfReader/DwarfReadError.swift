package import BinaryInput

/// Why a part of the debug information cannot be read.
package enum DwarfReadError: Error, Hashable, Sendable {
  /// The image lacks a section without which nothing can be read.
  case missingSection(DwarfSectionName)
  /// A read from `section` failed.
  case unreadable(section: DwarfSectionName, ByteReadError)
  /// The data at `offset` of `section` contradicts itself or extends past the end of the section.
  case malformed(section: DwarfSectionName, offset: UInt64)
  /// The unit at `unitOffset` of `.debug_info` has an unknown version.
  case unsupportedVersion(UInt16, unitOffset: UInt64)
  /// The line table at `offset` of `.debug_line` has an unknown version.
  case unsupportedLineTableVersion(UInt16, offset: UInt64)
  /// The file that should contain a split unit has no unit with this identifier: it belongs to
  /// another build. `name` is the file's name in the image; nil for a package (`.dwp`).
  case splitUnitNotFound(name: String?, identifier: UInt64)
  /// libdwarf reported an error: its number and text. `unitOffset` is the offset in `.debug_info`
  /// of the unit being read; 0 if it was the whole file.
  case libdwarf(code: UInt64, message: String, unitOffset: UInt64)
  /// The loaded libdwarf has another interface than the headers that the program was built with.
  /// Their structures differ, so it is not called. `loadedVersion` is what the library states.
  case libdwarfMismatch(loadedVersion: String)
  /// The chain of references (`DW_AT_abstract_origin`, `DW_AT_specification`) from the DIE at
  /// `offset` of `.debug_info` is too long: it is probably circular.
  case endlessReferences(offset: UInt64)
  /// Data in `section` that units or DIEs share, or that overlaps, was decoded so many times that
  /// decoding stopped (`DecodingLimits`). No file written by a known tool comes near this limit.
  case decodingLimit(section: DwarfSectionName)
  /// `.debug_info` has more units than are read; those from `offset` on are left out.
  case unitLimit(UInt64, offset: UInt64)
  /// More units claim the code at this address than in any real file; some were not asked.
  case tooManyUnits(address: UInt64)
}

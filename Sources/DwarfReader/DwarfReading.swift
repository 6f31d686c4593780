package import BinaryInput
package import SymbolicationModel

/// Finds the function, the inlined calls and the source line of an address.
///
/// Two readers implement it: `BuiltInDwarfReader`, written in Swift, is the default;
/// `LibDwarfReader` uses libdwarf and serves as the reference. A reader keeps everything that it
/// has decoded.
///
/// One thread at a time may use a reader.
package protocol DwarfReading: AnyObject {
  /// The functions and the source location at `address`; nil if no unit covers the address. That is
  /// a gap, or code compiled without debug information.
  ///
  /// Throws if the unit that contains the address cannot be read. The error is kept: asking again
  /// throws it without reading anything.
  ///
  /// Cost: the first question about a unit decodes that unit and the units that the answer refers
  /// to; later questions are binary searches. If the file's own table of unit ranges
  /// (`.debug_aranges`) does not lead to the address, the ranges of all units are read once.
  func answer(at address: LinkAddress) throws(DwarfReadError) -> DwarfAnswer?

  /// Decodes what the following `answer` calls need, on up to `jobs` threads. This changes neither
  /// the answers nor the faults.
  ///
  /// - Parameter addresses: ascending, without duplicates.
  func prepare(for addresses: [LinkAddress], jobs: Int)

  /// Answers many addresses in numbers, on up to `jobs` threads, and keeps what it decoded. Ask
  /// `answer(at:)` about those that are left out: what no function covers, what the first unit
  /// asked does not know, and, for a reader without such a way, everything.
  ///
  /// - Parameters:
  ///   - questions: ascending by address, no address twice.
  ///   - take: gets the answers of each unit, on the thread that found them. They are the same as
  ///     those of `answer(at:)`.
  func answer(
    _ questions: [NumberedAddress], jobs: Int, _ take: @Sendable (DwarfUnitAnswers) -> Void)

  /// What was skipped so far because it could not be read, in the order of discovery, without
  /// duplicates. `BuiltInDwarfReader` keeps the first 4,096.
  var faults: [DwarfReadError] { get }
}

extension DwarfReading {
  /// Does nothing: preparing is optional.
  package func prepare(for addresses: [LinkAddress], jobs: Int) {}

  /// Prepares for the questions and answers none.
  package func answer(
    _ questions: [NumberedAddress], jobs: Int, _ take: @Sendable (DwarfUnitAnswers) -> Void
  ) {
    prepare(for: questions.map(\.address), jobs: jobs)
  }
}

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

/// Collects the units of an image for a GSYM file.
///
/// The same units in the same order always give the same bytes.
package struct GsymWriter: Sendable {
  private let uuid: [UInt8]
  private var strings = GsymStringTable()
  private var files = GsymFileTable()
  private var units: [NumberedUnit] = []

  /// A unit with the final numbers of its strings and files.
  struct NumberedUnit: Sendable {
    let functions: [GsymUnit.EncodedFunction]
    let bytes: [UInt8]
    let holes: [GsymUnit.Hole]
    let marks: [GsymUnit.Mark]
    /// By the unit's string number: the offset in the final string table.
    let stringOffsets: [UInt32]
    /// By the unit's file number: the index in the final file table.
    let fileNumbers: [UInt32]
  }

  /// - Parameter uuid: the image's UUID or build-id; empty if it has none.
  ///
  /// Throws `uuidTooLong` if the UUID has more than 20 bytes.
  package init(uuid: [UInt8]) throws(GsymLimitError) {
    guard uuid.count <= GsymFormat.maximumUuidSize else { throw .uuidTooLong(count: uuid.count) }
    self.uuid = uuid
  }

  /// Adds the functions of `unit`. Of two functions with the same range and equally much debug
  /// information, the one added later is kept.
  ///
  /// Cost: a hash table lookup for each string and file of the unit; for the first unit's strings
  /// none.
  package mutating func add(_ unit: consuming GsymUnit) {
    let stringOffsets = add(unit.strings)
    let fileNumbers = unit.files.files.map { file in
      files.number(
        of: GsymSourceFile(
          directory: UInt64(stringOffsets[Int(file.directory)]),
          name: UInt64(stringOffsets[Int(file.name)])))
    }
    units.append(
      NumberedUnit(
        functions: unit.functions, bytes: unit.bytes, holes: unit.holes, marks: unit.marks,
        stringOffsets: stringOffsets, fileNumbers: fileNumbers))
  }

  /// Adds the strings of a unit, and returns their offsets by their number in the unit.
  private mutating func add(_ added: consuming GsymStringTable) -> [UInt32] {
    // `layout` checks that all offsets fit.
    if strings.entries.count == 1 {
      // Nothing is here yet, as in a file with symbols only: no string needs to be looked up.
      strings = added
      return strings.entries.map { UInt32(truncatingIfNeeded: $0.offset) }
    }
    var offsets: [UInt32] = []
    offsets.reserveCapacity(added.entries.count)
    for entry in added.entries {
      let number = strings.number(of: entry, in: added)
      offsets.append(UInt32(truncatingIfNeeded: strings.entries[Int(number)].offset))
    }
    return offsets
  }

  /// Puts the functions in the order of the file, without duplicates (`GsymFunctionOrder`).
  ///
  /// - Parameters:
  ///   - omitsOverlaps: whether to leave out all functions with debug information that overlap each
  ///     other: only the debug information itself can tell which of them an address belongs to.
  ///   - codeEnd: returns the end of the code that contains an address. It is asked about the start
  ///     of the last function if that has no known size, and would otherwise extend to the highest
  ///     address.
  ///
  /// Throws `stringTableTooLarge`, `tooManyFiles` or `tooManyFunctions` at a limit of the format.
  ///
  /// Cost: a sort of the functions.
  package consuming func layout(
    omitsOverlaps: Bool = false,
    codeEnd: (UInt64) -> UInt64? = { _ in nil }
  ) throws(GsymLimitError) -> GsymLayout {
    guard strings.bytes.count <= Int(UInt32.max) else {
      throw .stringTableTooLarge(count: strings.bytes.count)
    }
    guard files.files.count <= Int(UInt32.max) else {
      throw .tooManyFiles(count: files.files.count)
    }
    let functions = GsymFunctionOrder(
      units, omitsOverlaps: omitsOverlaps, codeEnd: codeEnd
    ).functions
    guard functions.count <= Int(UInt32.max) else {
      throw .tooManyFunctions(count: functions.count)
    }
    return GsymLayout(
      uuid: uuid, strings: strings.bytes, files: files.files, units: units, functions: functions)
  }

  /// Encodes the whole file in the calling thread. Throws as `layout` and `GsymLayout.assemble` do.
  package consuming func encode(
    codeEnd: (UInt64) -> UInt64? = { _ in nil }
  ) throws(GsymLimitError) -> [UInt8] {
    let layout = try layout(codeEnd: codeEnd)
    let parts = (0..<layout.partCount).map { layout.encodePart($0) }
    return Array(try layout.assemble(parts).joined())
  }
}

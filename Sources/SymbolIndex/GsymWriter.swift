/// Gathers the units of an image for a GSYM file.
///
/// The same units in the same order give the same file.
package struct GsymWriter: Sendable {
  private let uuid: [UInt8]
  private var strings = GsymStringTable()
  private var files = GsymFileTable()
  private var units: [NumberedUnit] = []

  /// A unit whose numbers are known.
  struct NumberedUnit: Sendable {
    let functions: [GsymUnit.EncodedFunction]
    let bytes: [UInt8]
    let holes: [GsymUnit.Hole]
    let marks: [GsymUnit.Mark]
    /// For each string of the unit its offset in the string table.
    let stringOffsets: [UInt32]
    /// For each file of the unit its number in the file table.
    let fileNumbers: [UInt32]
  }

  /// - Parameter uuid: the image's UUID or build-id; empty where it has none.
  ///
  /// Throws where the UUID has more than 20 bytes.
  package init(uuid: [UInt8]) throws(GsymLimitError) {
    guard uuid.count <= GsymFormat.maximumUuidSize else { throw .uuidTooLong(count: uuid.count) }
    self.uuid = uuid
  }

  /// Adds the functions of `unit`. Of two that have the same range and know as much of it, the one
  /// added later is kept.
  ///
  /// Cost: a look into a hash table for each string and file of the unit.
  package mutating func add(_ unit: consuming GsymUnit) {
    var stringOffsets: [UInt32] = []
    stringOffsets.reserveCapacity(unit.strings.entries.count)
    for entry in unit.strings.entries {
      let number = strings.number(of: entry, in: unit.strings)
      // An offset that does not fit is found when the whole table is measured.
      stringOffsets.append(UInt32(truncatingIfNeeded: strings.entries[Int(number)].offset))
    }
    let fileNumbers = unit.files.files.map { file in
      files.number(
        of: GsymSourceFile(
          directory: stringOffsets[Int(file.directory)], name: stringOffsets[Int(file.name)]))
    }
    units.append(
      NumberedUnit(
        functions: unit.functions, bytes: unit.bytes, holes: unit.holes, marks: unit.marks,
        stringOffsets: stringOffsets, fileNumbers: fileNumbers))
  }

  /// The order of the functions in the file.
  ///
  /// - Parameter omitsOverlaps: whether functions with debug information whose ranges overlap are left
  ///   out, both: which of them an address belongs to is for the debug information to say.
  /// - Parameter codeEnd: where the code ends in which the last function lies, for one of unknown
  ///   size (which would else reach up to the highest address).
  ///
  /// Throws where there are more functions, files or strings than the format can number.
  ///
  /// Cost: the functions are sorted.
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

  /// The whole file, encoded in this thread.
  package consuming func encode(
    codeEnd: (UInt64) -> UInt64? = { _ in nil }
  ) throws(GsymLimitError) -> [UInt8] {
    let layout = try layout(codeEnd: codeEnd)
    let parts = (0..<layout.partCount).map { layout.encodePart($0) }
    return Array(try layout.assemble(parts).joined())
  }
}

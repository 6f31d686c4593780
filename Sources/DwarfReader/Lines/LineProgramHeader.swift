import BinaryInput

/// The header of a line number program, versions 2 to 5 (section 6.2.4 of DWARF 4 and DWARF 5).
struct LineProgramHeader {
  /// The version of the line table, which may differ from that of the unit.
  let version: UInt16
  let minimumInstructionLength: UInt64
  let maximumOperationsPerInstruction: UInt64
  let lineBase: Int64
  let lineRange: UInt64
  let opcodeBase: UInt8
  /// The number of LEB128 operands of each standard opcode, from opcode 1 on.
  let operandCounts: [UInt8]
  /// The first has number 0 in version 5, and number 1 before.
  let directories: [StringReference?]
  var files: [LineFileTable.File]
  /// A cursor at the first opcode that ends where the program ends.
  let program: ByteCursor
  let addressSize: Int
  let offsetSize: Int
  /// The size of the whole table in bytes, including its program.
  let size: Int

  /// Reads the header at `offset` of `.debug_line`, for `unit`.
  ///
  /// Throws `missingSection`, `unsupportedLineTableVersion`, and `malformed` if the header
  /// contradicts itself or does not fit in the section.
  init(at offset: UInt64, of unit: DwarfUnit) throws(DwarfReadError) {
    guard let section = unit.file.sections[.line] else { throw .missingSection(.line) }
    let malformed = DwarfReadError.malformed(section: .line, offset: offset)
    var cursor = section.cursor(at: offset, byteOrder: unit.file.byteOrder)
    let short = cursor.readUInt32()
    let is64Bit = short == 0xffff_ffff
    let length = is64Bit ? cursor.readUInt64() : UInt64(short)
    guard !cursor.hasFailed, length <= UInt64(cursor.remaining) else { throw malformed }
    let end = UInt64(cursor.position) + length
    cursor = section.cursor(
      at: UInt64(cursor.position), end: end, byteOrder: unit.file.byteOrder)

    let version = cursor.readUInt16()
    guard (2...5).contains(version) else {
      throw .unsupportedLineTableVersion(version, offset: offset)
    }
    var addressSize = unit.format.addressSize
    if version >= 5 {
      addressSize = Int(cursor.readUInt8())
      cursor.skip(1)  // segment_selector_size
    }
    let offsetSize = is64Bit ? 8 : 4
    let headerLength = cursor.readUnsigned(size: offsetSize)
    let headerStart = UInt64(cursor.position)
    guard !cursor.hasFailed, headerLength <= UInt64(cursor.remaining) else { throw malformed }
    let programStart = headerStart + headerLength
    self.program = section.cursor(at: programStart, end: end, byteOrder: unit.file.byteOrder)
    cursor = section.cursor(at: headerStart, end: programStart, byteOrder: unit.file.byteOrder)

    self.size = Int(clamping: end - offset)
    self.version = version
    self.minimumInstructionLength = UInt64(cursor.readUInt8())
    self.maximumOperationsPerInstruction = version >= 4 ? UInt64(max(cursor.readUInt8(), 1)) : 1
    cursor.skip(1)  // default_is_stmt
    self.lineBase = Int64(cursor.readInt8())
    self.lineRange = UInt64(cursor.readUInt8())
    let opcodeBase = cursor.readUInt8()
    self.opcodeBase = opcodeBase
    var counts: [UInt8] = []
    for _ in 1..<max(opcodeBase, 1) { counts.append(cursor.readUInt8()) }
    self.operandCounts = counts
    self.addressSize = addressSize
    self.offsetSize = offsetSize
    // `lineRange` is a divisor in special opcodes.
    guard !cursor.hasFailed, opcodeBase > 0, lineRange > 0, (1...8).contains(addressSize) else {
      throw malformed
    }
    if version >= 5 {
      let format = DwarfUnitFormat(
        addressSize: addressSize, offsetSize: offsetSize, version: version)
      let directories = Self.readEntries(&cursor, format, of: unit)
      let files = Self.readEntries(&cursor, format, of: unit)
      self.directories = directories.map(\.name)
      self.files = files
    } else {
      self.directories = Self.readDirectories(&cursor)
      self.files = Self.readFiles(&cursor)
    }
    guard !cursor.hasFailed else { throw malformed }
  }

  // MARK: - Version 5

  /// Reads `directories` or `file_names`: a description of the fields of an entry, the number of
  /// entries, and the entries.
  private static func readEntries(
    _ cursor: inout ByteCursor, _ format: DwarfUnitFormat, of unit: DwarfUnit
  ) -> [LineFileTable.File] {
    var fields: [(content: UInt64, form: UInt16)] = []
    for _ in 0..<cursor.readUInt8() {
      let content = cursor.readUleb128()
      let form = UInt16(exactly: cursor.readUleb128()) ?? 0xffff
      // No allowed form has a size of 0 (section 6.2.4.1), so the data limits the number of
      // entries.
      if case .fixed(0) = DwarfForm.layout(of: form, in: format) { cursor.fail() }
      fields.append((content, form))
    }
    let count = cursor.readUleb128()
    if count == 0 { return [] }
    // Every field has at least one byte, so no greater number is possible.
    guard !fields.isEmpty, count <= UInt64(cursor.remaining / fields.count) else {
      cursor.fail()
      return []
    }
    var entries: [LineFileTable.File] = []
    entries.reserveCapacity(Int(count))
    for _ in 0..<count {
      var name: StringReference?
      var directory: UInt64 = 0
      for field in fields {
        let value = DwarfValue(field.form, &cursor, in: format)
        switch field.content {
        case 0x1:  // DW_LNCT_path
          // An inline string is in `.debug_line`, not in `.debug_info`.
          name =
            value.form == DwarfForm.string
            ? StringReference(section: .line, offset: value.number) : unit.stringReference(value)
        case 0x2:  // DW_LNCT_directory_index
          directory = value.number
        default:
          break
        }
      }
      if cursor.hasFailed { return entries }
      entries.append(LineFileTable.File(name: name, directory: directory))
    }
    return entries
  }

  // MARK: - Versions 2 to 4

  private static func readDirectories(_ cursor: inout ByteCursor) -> [StringReference?] {
    var directories: [StringReference?] = []
    while let name = readName(&cursor) { directories.append(name) }
    return directories
  }

  private static func readFiles(_ cursor: inout ByteCursor) -> [LineFileTable.File] {
    var files: [LineFileTable.File] = []
    while let name = readName(&cursor) { files.append(readFile(name, &cursor)) }
    return files
  }

  /// Reads what follows the name of a file: the number of its directory, its time and its size.
  static func readFile(_ name: StringReference?, _ cursor: inout ByteCursor) -> LineFileTable.File {
    let directory = cursor.readUleb128()
    cursor.skipLeb128()
    cursor.skipLeb128()
    return LineFileTable.File(name: name, directory: directory)
  }

  /// Reads a name; nil at the empty string that ends a list.
  private static func readName(_ cursor: inout ByteCursor) -> StringReference? {
    let start = cursor.position
    cursor.skipCString()
    guard !cursor.hasFailed, cursor.position > start + 1 else { return nil }
    return StringReference(section: .line, offset: UInt64(start))
  }
}

import DwarfReader
import TestSupport

/// The parameters in the header of a line table (DWARF 5, section 6.2.4).
struct LineProgramParameters {
  var minimumInstructionLength: UInt8 = 1
  /// Written since version 4.
  var maximumOperationsPerInstruction: UInt8 = 1
  var lineBase: Int8 = -3
  var lineRange: UInt8 = 12
  /// The number of LEB128 operands of each standard opcode. The count is `opcode_base` - 1; version
  /// 2 has 9.
  var operandCounts: [UInt8] = [0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]

  var opcodeBase: UInt8 { UInt8(operandCounts.count + 1) }
}

/// Builds a line table of any version.
struct LineProgramBuilder {
  private let format: DwarfFormat
  private let parameters: LineProgramParameters
  private let tables: BinaryBuilder
  private(set) var program: BinaryBuilder

  /// - Parameter tables: the bytes of the directories and files in the header.
  init(
    _ format: DwarfFormat = DwarfFormat(),
    parameters: LineProgramParameters = LineProgramParameters(),
    tables: (inout BinaryBuilder) -> Void
  ) {
    self.format = format
    self.parameters = parameters
    program = format.bytes
    var bytes = format.bytes
    tables(&bytes)
    self.tables = bytes
  }

  /// - Parameters:
  ///   - directories: the include directories; from version 5 on the first is the compilation
  ///     directory.
  ///   - files: names with the number of their directory; where it is nil `a.c`, from version 5 on
  ///     as file 0 and 1 as compilers write it.
  init(
    _ format: DwarfFormat = DwarfFormat(),
    parameters: LineProgramParameters = LineProgramParameters(), directories: [String] = [],
    files: [(name: String, directory: UInt64)]? = nil
  ) {
    let files = files ?? (format.version >= 5 ? [("a.c", 0), ("a.c", 0)] : [("a.c", 0)])
    self.init(format, parameters: parameters) { bytes in
      if format.version >= 5 {
        // One format for directories: DW_LNCT_path as DW_FORM_string.
        bytes.append([1, 0x01, 0x08])
        bytes.uleb128(UInt64(directories.count))
        directories.forEach { bytes.cString($0) }
        // And for files with DW_LNCT_directory_index as DW_FORM_udata.
        bytes.append([2, 0x01, 0x08, 0x02, 0x0f])
        bytes.uleb128(UInt64(files.count))
        for file in files {
          bytes.cString(file.name)
          bytes.uleb128(file.directory)
        }
      } else {
        directories.forEach { bytes.cString($0) }
        bytes.u8(0)
        for file in files {
          bytes.cString(file.name)
          bytes.uleb128(file.directory)
          bytes.append([0, 0])
        }
        bytes.u8(0)
      }
    }
  }

  // MARK: - Opcodes

  /// Bytes of the program.
  mutating func append(_ opcodes: [UInt8]) { program.append(opcodes) }

  mutating func number(_ value: UInt16) { program.u16(value) }

  /// An extended opcode.
  mutating func extended(_ code: UInt8, _ operands: [UInt8]) {
    program.u8(0)
    program.uleb128(UInt64(operands.count + 1))
    program.u8(code)
    program.append(operands)
  }

  mutating func setAddress(_ address: UInt64) {
    program.append([0, format.addressSize + 1, 2])
    program.address(address, format)
  }

  mutating func setFile(_ file: UInt64) {
    program.u8(4)
    program.uleb128(file)
  }

  mutating func setColumn(_ column: UInt64) {
    program.u8(5)
    program.uleb128(column)
  }

  mutating func advanceLine(_ delta: Int64) {
    program.u8(3)
    program.sleb128(delta)
  }

  /// `DW_LNS_advance_pc`, in operations, which are bytes unless the header states otherwise.
  mutating func advance(_ operations: UInt64) {
    program.u8(2)
    program.uleb128(operations)
  }

  mutating func copy() { program.u8(1) }

  mutating func beginEpilogue() { program.u8(11) }

  /// Appends a row with a special opcode (DWARF 5, section 6.2.5.1).
  mutating func specialRow(addressDelta: Int, lineDelta: Int) {
    program.u8(
      UInt8(
        lineDelta - Int(parameters.lineBase) + Int(parameters.lineRange) * addressDelta
          + Int(parameters.opcodeBase)))
  }

  /// Appends a row with `DW_LNS_advance_pc`, `DW_LNS_advance_line` and `DW_LNS_copy`.
  mutating func row(addressDelta: UInt64, lineDelta: Int64) {
    advance(addressDelta)
    advanceLine(lineDelta)
    copy()
  }

  mutating func endSequence(addressDelta: UInt64) {
    advance(addressDelta)
    program.append([0, 1, 1])
  }

  /// One row, for all of `range`.
  mutating func sequence(_ range: Range<UInt64>, line: Int64) {
    setAddress(range.lowerBound)
    row(addressDelta: 0, lineDelta: line - 1)
    endSequence(addressDelta: range.upperBound - range.lowerBound)
  }

  /// Appends the table to `.debug_line`, and returns its offset there.
  func append(to image: DwarfImageBuilder) -> UInt64 {
    let offset = UInt64(image[.line].count)
    var header = format.bytes
    header.u8(parameters.minimumInstructionLength)
    if format.version >= 4 { header.u8(parameters.maximumOperationsPerInstruction) }
    header.u8(1)
    header.append([UInt8(bitPattern: parameters.lineBase), parameters.lineRange])
    header.u8(parameters.opcodeBase)
    header.append(parameters.operandCounts)
    header.append(tables.bytes)
    var table = format.bytes
    table.u16(format.version)
    if format.version >= 5 { table.append([format.addressSize, 0]) }
    table.offset(UInt64(header.count), format)
    table.append(header.bytes)
    table.append(program.bytes)
    image[.line].table(table, format)
    return offset
  }
}

import BinaryInput

/// Runs line number programs (DWARF 5, section 6.2.5).
enum LineProgram {
  struct Result {
    var table: LineTable
    var files: LineFileTable
    /// Why the program stopped before its end. The rows before that are in the table.
    var fault: DwarfReadError?
  }

  /// The line table of `unit`; nil if it has none.
  ///
  /// Throws if the header cannot be read, and `decodingLimit`.
  ///
  /// - Parameters:
  ///   - asked: only rows that cover one of these addresses are kept; nil keeps all.
  ///   - storedRowLimit: how many rows are stored of a sequence that is not in order, if only some
  ///     are kept.
  static func run(
    for unit: DwarfUnit, asked: AskedAddresses? = nil, storedRowLimit: Int = .max
  ) throws(DwarfReadError) -> Result? {
    guard let offset = unit.root.lineTableOffset else { return nil }
    let limits = unit.file.limits
    guard limits.lines.permitsMore else { throw .decodingLimit(section: .line) }
    var header = try LineProgramHeader(at: offset, of: unit)
    limits.lines.add(header.size)
    var table = LineTable(asked: asked, storedRowLimit: storedRowLimit)
    let isSound = run(
      &header, into: &table, keepsFew: asked != nil, isCode: unit.file.isCode(_:))
    let files = LineFileTable(
      sections: unit.file.sections, version: UInt64(header.version),
      compilationDirectory: unit.root.compilationDirectory.flatMap(unit.path),
      directories: header.directories, files: header.files, limits: limits)
    let hasUnended = table.finish()
    return Result(
      table: table, files: files,
      fault: isSound && !hasUnended ? nil : .malformed(section: .line, offset: offset))
  }

  /// The line table of `unit`, as far as it can be read; nil if there is none or its header cannot
  /// be read. Passes what is wrong to `record`: the functions of the unit can be used without
  /// lines.
  static func run(
    for unit: DwarfUnit, asked: AskedAddresses? = nil, storedRowLimit: Int = .max,
    record: (DwarfReadError) -> Void
  ) -> Result? {
    do throws(DwarfReadError) {
      let result = try run(for: unit, asked: asked, storedRowLimit: storedRowLimit)
      if let fault = result?.fault { record(fault) }
      return result
    } catch {
      record(error)
      return nil
    }
  }

  /// Runs the state machine. Returns whether the program was read to its end without errors.
  private static func run(
    _ header: inout LineProgramHeader, into table: inout LineTable, keepsFew: Bool,
    isCode: (UInt64) -> Bool
  ) -> Bool {
    var cursor = header.program
    // Compilers use about three bytes for a row.
    if !keepsFew { table.reserve(rowCount: cursor.remaining / 3 + 16) }
    let opcodeBase = header.opcodeBase
    let lineBase = header.lineBase
    let lineRange = UInt8(truncatingIfNeeded: header.lineRange)
    let constAdvance = UInt64((255 - opcodeBase) / lineRange)
    var isSound = true

    var state = LineRegisters(
      minimumLength: header.minimumInstructionLength,
      maximumOperations: header.maximumOperationsPerInstruction)
    // Where the current sequence begins.
    var sequenceStart = (position: cursor.position, fileCount: header.files.count)
    while !cursor.isAtEnd {
      let opcode = cursor.readUInt8()
      if opcode >= opcodeBase {
        let adjusted = opcode - opcodeBase
        state.advance(UInt64(adjusted / lineRange))
        state.line =
          state.line &+ UInt32(truncatingIfNeeded: lineBase + Int64(adjusted % lineRange))
        state.appendRow(to: &table)
        continue
      }
      switch opcode {
      case 0x00:
        let length = cursor.readUleb128()
        let next = UInt64(cursor.position).addingReportingOverflow(length)
        guard !cursor.hasFailed, length > 0, !next.overflow, next.partialValue <= cursor.end
        else {
          // An empty extended opcode does nothing.
          if length > 0 || cursor.hasFailed { cursor.fail() }
          continue
        }
        switch cursor.readUInt8() {
        case 0x01 where table.mustBeReadAgain:
          table.store()
          state.reset()
          header.files.removeSubrange(sequenceStart.fileCount...)
          cursor.seek(to: UInt64(sequenceStart.position))
          continue
        case 0x01:  // DW_LNE_end_sequence
          if !table.endSequence(at: state.address, isCode: isCode) {
            isSound = false
          }
          state.reset()
          if !cursor.hasFailed { cursor.seek(to: next.partialValue) }
          sequenceStart = (cursor.position, header.files.count)
          continue
        case 0x02:  // DW_LNE_set_address
          state.address = cursor.readUnsigned(size: Int(truncatingIfNeeded: min(length - 1, 8)))
          state.operationIndex = 0
        case 0x03:  // DW_LNE_define_file, up to version 4
          let start = UInt64(cursor.position)
          cursor.skipCString()
          header.files.append(
            LineProgramHeader.readFile(StringReference(section: .line, offset: start), &cursor))
        default:
          break
        }
        if !cursor.hasFailed { cursor.seek(to: next.partialValue) }
      case 0x01:  // DW_LNS_copy
        state.appendRow(to: &table)
      case 0x02:  // DW_LNS_advance_pc
        state.advance(cursor.readUleb128())
      case 0x03:  // DW_LNS_advance_line
        state.line = state.line &+ UInt32(truncatingIfNeeded: cursor.readSleb128())
      case 0x04:  // DW_LNS_set_file
        state.file = UInt32(clamping: cursor.readUleb128())
      case 0x05:  // DW_LNS_set_column
        state.column = UInt32(clamping: cursor.readUleb128())
      case 0x08:  // DW_LNS_const_add_pc
        state.advance(constAdvance)
      case 0x09:  // DW_LNS_fixed_advance_pc
        state.address = state.address &+ UInt64(cursor.readUInt16())
        state.operationIndex = 0
      case 0x06, 0x07, 0x0a, 0x0b:
        // DW_LNS_negate_stmt, set_basic_block, set_prologue_end, set_epilogue_begin
        break
      default:
        // DW_LNS_set_isa and vendor opcodes: the header states their number of operands.
        for _ in 0..<header.operandCounts[Int(opcode) - 1] { cursor.skipLeb128() }
      }
    }
    return isSound && !cursor.hasFailed
  }
}

/// The registers of the state machine that a row is made from.
private struct LineRegisters {
  let minimumLength: UInt64
  let maximumOperations: UInt64
  var address: UInt64 = 0
  var operationIndex: UInt64 = 0
  /// Initially 1 even in version 5, where the first file has number 0 (section 6.2.2).
  var file: UInt32 = 1
  var line: UInt32 = 1
  var column: UInt32 = 0

  /// Advances the address. An instruction is one operation, except on VLIW machines (section
  /// 6.2.5.1).
  @inline(__always)
  mutating func advance(_ operations: UInt64) {
    if maximumOperations == 1 {
      address = address &+ minimumLength &* operations
    } else {
      let sum = operationIndex &+ operations
      address = address &+ minimumLength &* (sum / maximumOperations)
      operationIndex = sum % maximumOperations
    }
  }

  @inline(__always)
  func appendRow(to table: inout LineTable) {
    table.append(address: address, file: file, line: line, column: column)
  }

  mutating func reset() {
    self = LineRegisters(minimumLength: minimumLength, maximumOperations: maximumOperations)
  }
}

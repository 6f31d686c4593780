import CLibDwarf
import DwarfReader
import SymbolicationModel

extension DieCursor {
  /// A line table, as far as it can be read.
  struct LineTableResult {
    var table: LineTable
    var files: LineFileTable
    var fault: DwarfReadError?
  }

  /// The line table of the unit; nil if it has none. The cursor must stand on the unit's first DIE.
  ///
  /// This corrects two errors of libdwarf 20210528:
  /// - It marks every row that a special opcode makes while `epilogue_begin` is set as the end of a
  ///   sequence. A real end never has `epilogue_begin` set.
  /// - It gives rows before the first `DW_LNS_set_file` of a sequence the wrong file
  ///   (`LineFileRegister`).
  ///
  /// Throws if the header cannot be read.
  func lineTable(_ sections: DwarfSections) throws(DwarfReadError) -> LineTableResult? {
    var error: Dwarf_Error?
    var version: Dwarf_Unsigned = 0
    var tableCount: Dwarf_Small = 0
    var context: Dwarf_Line_Context?
    let result = unsafe dwarf_srclines_b(die, &version, &tableCount, &context, &error)
    guard try unsafe handle.check(result, &error), let context = unsafe context else { return nil }
    defer { unsafe dwarf_srclines_dealloc_b(context) }

    let files = try unsafe fileTable(context, version: version, sections)
    var table = LineTable()
    var fault: DwarfReadError?
    do throws(DwarfReadError) {
      // 2 is the experimental two-level line table, which no compiler writes; 0 means no rows.
      if tableCount == 1 { fault = try unsafe readRows(context, into: &table, sections) }
    } catch {
      fault = error
    }
    if table.finish(), fault == nil { fault = try malformedLineTable() }
    return LineTableResult(table: table, files: files, fault: fault)
  }

  private func readRows(
    _ context: Dwarf_Line_Context, into table: inout LineTable, _ sections: DwarfSections
  ) throws(DwarfReadError) -> DwarfReadError? {
    var error: Dwarf_Error?
    var lines: UnsafeMutablePointer<Dwarf_Line?>?
    var count: Dwarf_Signed = 0
    let result = unsafe dwarf_srclines_from_linecontext(context, &lines, &count, &error)
    guard try unsafe handle.check(result, &error), let lines = unsafe lines else { return nil }
    table.reserve(rowCount: Int(count))
    let rowsBeforeSetFile =
      try sectionOffset(DW_AT_stmt_list).flatMap {
        LineFileRegister(sections, tableAt: $0)?.rowsBeforeSetFile
      } ?? []
    var sequenceIndex = 0
    var rowInSequence = 0
    var isSound = true
    for index in 0..<Int(count) {
      guard let line = unsafe lines[index] else { continue }
      var address: Dwarf_Addr = 0
      var isEnd: Dwarf_Bool = 0
      var result = unsafe dwarf_lineaddr(line, &address, &error)
      _ = try unsafe handle.check(result, &error)
      result = unsafe dwarf_lineendsequence(line, &isEnd, &error)
      _ = try unsafe handle.check(result, &error)
      if isEnd != 0, try unsafe !beginsEpilogue(line) {
        if !table.endSequence(at: address, isCode: { sections.isCode(LinkAddress($0)) }) {
          isSound = false
        }
        sequenceIndex += 1
        rowInSequence = 0
        continue
      }
      var file: Dwarf_Unsigned = 0
      var number: Dwarf_Unsigned = 0
      var column: Dwarf_Unsigned = 0
      result = unsafe dwarf_line_srcfileno(line, &file, &error)
      _ = try unsafe handle.check(result, &error)
      if file == 0, sequenceIndex < rowsBeforeSetFile.count,
        rowInSequence < rowsBeforeSetFile[sequenceIndex]
      {
        file = 1
      }
      rowInSequence += 1
      result = unsafe dwarf_lineno(line, &number, &error)
      _ = try unsafe handle.check(result, &error)
      result = unsafe dwarf_lineoff_b(line, &column, &error)
      _ = try unsafe handle.check(result, &error)
      table.append(
        LineRow(
          address: address, file: UInt32(clamping: file), line: UInt32(clamping: number),
          column: UInt32(clamping: column)))
    }
    return isSound ? nil : try malformedLineTable()
  }

  private func malformedLineTable() throws(DwarfReadError) -> DwarfReadError {
    .malformed(section: .line, offset: try sectionOffset(DW_AT_stmt_list) ?? 0)
  }

  private func beginsEpilogue(_ line: Dwarf_Line) throws(DwarfReadError) -> Bool {
    var error: Dwarf_Error?
    var isPrologueEnd: Dwarf_Bool = 0
    var isEpilogueBegin: Dwarf_Bool = 0
    var isa: Dwarf_Unsigned = 0
    var discriminator: Dwarf_Unsigned = 0
    let result = unsafe dwarf_prologue_end_etc(
      line, &isPrologueEnd, &isEpilogueBegin, &isa, &discriminator, &error)
    return try unsafe handle.check(result, &error) && isEpilogueBegin != 0
  }

  private func fileTable(
    _ context: Dwarf_Line_Context, version: UInt64, _ sections: DwarfSections
  ) throws(DwarfReadError) -> LineFileTable {
    var error: Dwarf_Error?
    var count: Dwarf_Signed = 0
    var result = unsafe dwarf_srclines_include_dir_count(context, &count, &error)
    _ = try unsafe handle.check(result, &error)
    var directories: [StringReference?] = []
    let firstDirectory: Dwarf_Signed = version >= 5 ? 0 : 1
    for index in firstDirectory..<(firstDirectory + max(count, 0)) {
      var name: UnsafePointer<CChar>?
      let result = unsafe dwarf_srclines_include_dir_data(context, index, &name, &error)
      _ = try unsafe handle.check(result, &error)
      directories.append(unsafe name.flatMap { unsafe handle.provider.stringReference($0) })
    }
    var first: Dwarf_Signed = 0
    var end: Dwarf_Signed = 0
    result = unsafe dwarf_srclines_files_indexes(context, &first, &count, &end, &error)
    _ = try unsafe handle.check(result, &error)
    var files: [LineFileTable.File] = []
    for index in first..<max(first, end) {
      var name: UnsafePointer<CChar>?
      var directory: Dwarf_Unsigned = 0
      var time: Dwarf_Unsigned = 0
      var length: Dwarf_Unsigned = 0
      var hash: UnsafeMutablePointer<Dwarf_Form_Data16>?
      let result = unsafe dwarf_srclines_files_data_b(
        context, index, &name, &directory, &time, &length, &hash, &error)
      _ = try unsafe handle.check(result, &error)
      files.append(
        LineFileTable.File(
          name: unsafe name.flatMap { unsafe handle.provider.stringReference($0) },
          directory: directory))
    }
    return LineFileTable(
      sections: sections, version: version,
      compilationDirectory: try? path(DW_AT_comp_dir, in: sections), directories: directories,
      files: files)
  }
}

import BinaryInput

/// Skips DIEs and their descendants.
enum DieSkipping {
  /// Moves to the DIE at offset `sibling` from the start of the unit. Fails the cursor if the DIE
  /// is not behind it: a walk that goes back might never end.
  @inline(__always)
  static func seek(to sibling: UInt64, of unit: DwarfUnit, _ cursor: inout ByteCursor) {
    let (offset, overflow) = unit.header.offset.addingReportingOverflow(sibling)
    if overflow || offset < UInt64(cursor.position) {
      cursor.fail()
    } else {
      cursor.seek(to: offset)
    }
  }

  /// Skips a DIE and its descendants. The cursor must stand behind the abbreviation code of the
  /// DIE.
  static func skip(
    _ abbreviation: Abbreviation, _ cursor: inout ByteCursor, _ table: AbbreviationTable,
    _ unit: DwarfUnit
  ) {
    if abbreviation.hasChildren {
      leave(abbreviation, &cursor, table, unit)
    } else {
      table.skip(abbreviation, &cursor, in: unit.format)
    }
  }

  /// Skips a DIE that has children, and its descendants. The cursor must stand behind the
  /// abbreviation code of the DIE.
  @inline(__always)
  static func leave(
    _ abbreviation: Abbreviation, _ cursor: inout ByteCursor, _ table: AbbreviationTable,
    _ unit: DwarfUnit
  ) {
    let sibling = table.sibling(abbreviation, &cursor, in: unit.format)
    if sibling > 0 { return seek(to: sibling, of: unit, &cursor) }
    let next = endOfChildren(at: cursor, table, unit)
    if next < 0 { cursor.fail() } else { cursor.seek(to: UInt64(next)) }
  }

  /// The position behind a DIE that has children, and behind its descendants; −1 if they cannot be
  /// read. The cursor must stand behind the abbreviation code, which has `index` in the table. (It
  /// is passed by value: a function that changed it would keep it out of the caller's registers.)
  @inline(never)
  static func end(
    ofDieWith index: Int, at cursor: ByteCursor, _ table: AbbreviationTable, _ unit: DwarfUnit
  ) -> Int {
    var cursor = cursor
    leave(table.abbreviations[index], &cursor, table, unit)
    return cursor.hasFailed ? -1 : cursor.position
  }

  /// The position behind the children of a DIE and their end mark; −1 if they cannot be read. The
  /// cursor must stand at the first child. (It is passed by value, as above.)
  private static func endOfChildren(
    at cursor: ByteCursor, _ table: AbbreviationTable, _ unit: DwarfUnit
  ) -> Int {
    var cursor = cursor
    let format = unit.format
    let layouts = table.layouts
    var depth = 1
    while depth > 0, !cursor.isAtEnd {
      let code = cursor.readUleb128()
      if code == 0 {
        depth -= 1
        continue
      }
      guard let index = table.index(of: code) else { return -1 }
      let layout = layouts[index]
      if layout.hasSibling {
        let next = endByItsSibling(index, at: cursor, table, unit)
        if next.isEnd {
          if next.position < 0 { cursor.fail() } else { cursor.seek(to: UInt64(next.position)) }
          continue
        }
      }
      if !layout.skip(&cursor) {
        let next = table.endOfSteps(index, at: cursor, in: format)
        if next < 0 { cursor.fail() } else { cursor.seek(to: UInt64(next)) }
      }
      if layout.hasChildren { depth += 1 }
    }
    return cursor.hasFailed ? -1 : cursor.position
  }

  /// The position of the sibling that a DIE states, −1 if it cannot be read. `isEnd` is false if the
  /// DIE states 0, which is none.
  @inline(never)
  private static func endByItsSibling(
    _ index: Int, at cursor: ByteCursor, _ table: AbbreviationTable, _ unit: DwarfUnit
  ) -> (position: Int, isEnd: Bool) {
    var cursor = cursor
    let sibling = table.sibling(table.abbreviations[index], &cursor, in: unit.format)
    if sibling == 0, !cursor.hasFailed { return (cursor.position, false) }
    if !cursor.hasFailed { seek(to: sibling, of: unit, &cursor) }
    return (cursor.hasFailed ? -1 : cursor.position, true)
  }
}

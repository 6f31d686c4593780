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
  /// DIE, which has `index` in the table.
  static func skip(
    _ index: Int, _ cursor: inout ByteCursor, _ table: AbbreviationTable, _ unit: DwarfUnit
  ) {
    if table.abbreviations[index].hasChildren {
      move(&cursor, to: end(ofDieWith: index, at: cursor, table, unit))
    } else {
      table.skip(table.abbreviations[index], &cursor, in: unit.format)
    }
  }

  /// The position behind a DIE that has children, and behind its descendants; −1 if they cannot be
  /// read. The cursor must stand behind the abbreviation code, which has `index` in the table. (It
  /// is passed by value: a function that changed it would keep it out of the caller's registers.)
  @inline(never)
  static func end(
    ofDieWith index: Int, at cursor: ByteCursor, _ table: AbbreviationTable, _ unit: DwarfUnit
  ) -> Int {
    let next = endOfAttributes(index, at: cursor, table, unit)
    if next.isEnd { return next.position }
    return endOfChildren(at: cursor, movedTo: next.position, table, unit)
  }

  /// The position behind the children of a DIE and their end mark; −1 if they cannot be read.
  /// `start` is the position of the first child. (The cursor is passed by value, as above.)
  private static func endOfChildren(
    at cursor: ByteCursor, movedTo start: Int, _ table: AbbreviationTable, _ unit: DwarfUnit
  ) -> Int {
    var cursor = cursor
    move(&cursor, to: start)
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
        let next = endOfAttributes(index, at: cursor, table, unit)
        move(&cursor, to: next.position)
        if next.isEnd { continue }
      } else if !layout.skip(&cursor) {
        move(&cursor, to: table.endOfSteps(index, at: cursor, in: format))
      }
      if layout.hasChildren { depth += 1 }
    }
    return cursor.hasFailed ? -1 : cursor.position
  }

  /// The position behind the attributes of a DIE, or, with `isEnd`, behind all of it, if it has
  /// children and states where they end; −1 if it cannot be read.
  @inline(__always)
  private static func endOfAttributes(
    _ index: Int, at cursor: ByteCursor, _ table: AbbreviationTable, _ unit: DwarfUnit
  ) -> (position: Int, isEnd: Bool) {
    var cursor = cursor
    let sibling =
      table.layouts[index].readSibling(&cursor)
      ?? table.sibling(table.abbreviations[index], &cursor, in: unit.format)
    if sibling > 0 { seek(to: sibling, of: unit, &cursor) }
    return (cursor.hasFailed ? -1 : cursor.position, sibling > 0)
  }

  /// Moves to a position that one of these functions returned.
  @inline(__always)
  static func move(_ cursor: inout ByteCursor, to position: Int) {
    if position < 0 { cursor.fail() } else { cursor.seek(to: UInt64(position)) }
  }
}

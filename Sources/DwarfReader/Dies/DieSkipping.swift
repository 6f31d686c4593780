import BinaryInput

/// Passing over entries and all that stands below them.
enum DieSkipping {
  /// Moves to the entry that `sibling`, counted from the start of the unit, says. It must stand behind
  /// `cursor`: what leads back never ends.
  @inline(__always)
  static func seek(to sibling: UInt64, of unit: DwarfUnit, _ cursor: inout ByteCursor) {
    let (offset, overflow) = unit.header.offset.addingReportingOverflow(sibling)
    if overflow || offset < UInt64(cursor.position) {
      cursor.fail()
    } else {
      cursor.seek(to: offset)
    }
  }

  /// Passes over an entry on which `cursor` stands behind the code, and over what stands below it.
  static func pass(
    _ abbreviation: Abbreviation, _ cursor: inout ByteCursor, _ table: AbbreviationTable,
    _ unit: DwarfUnit
  ) {
    if abbreviation.hasChildren {
      leave(abbreviation, &cursor, table, unit)
    } else {
      table.skip(abbreviation, &cursor, in: unit.format)
    }
  }

  /// Passes over the attributes of an entry with children, on which `cursor` stands behind the code,
  /// and over its subtree.
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

  /// The place behind the children among which `cursor` stands and their end mark; −1 where they cannot
  /// be read. (A call that changed the cursor itself would keep it out of the registers.)
  private static func endOfChildren(
    at cursor: ByteCursor, _ table: AbbreviationTable, _ unit: DwarfUnit
  ) -> Int {
    var cursor = cursor
    let format = unit.format
    var depth = 1
    while depth > 0, !cursor.isAtEnd {
      let code = cursor.readUleb128()
      if code == 0 {
        depth -= 1
        continue
      }
      guard let index = table.index(of: code) else { return -1 }
      let abbreviation = table.abbreviations[index]
      guard abbreviation.hasChildren else {
        table.skip(abbreviation, &cursor, in: format)
        continue
      }
      let sibling = table.sibling(abbreviation, &cursor, in: format)
      if sibling > 0 { seek(to: sibling, of: unit, &cursor) } else { depth += 1 }
    }
    return cursor.hasFailed ? -1 : cursor.position
  }
}

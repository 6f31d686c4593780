import BinaryInput
import SymbolicationModel

extension GsymFile {
  /// Reads the parts of a record, at whose first part the cursor stands. Sets the location of the
  /// function in `frames` and adds the inlined calls. Returns false if they cannot be read.
  func decode(
    _ cursor: inout ByteCursor, address: UInt64, into frames: inout [GsymFrame]
  ) -> Bool {
    guard let parts = GsymRecordParts(&cursor) else { return false }
    let start = frames[0].start.value
    var location: GsymLocation?
    if let part = parts.lineTable {
      guard let row = row(in: part, covering: address, from: start), row.file < fileCount else {
        return false
      }
      location = GsymLocation(known: row.file, line: row.line)
    }
    if let part = parts.inlineInfo {
      guard appendInlinedCalls(in: part, holding: address, from: start, to: &frames) else {
        return false
      }
    }
    // So far the frames are outermost first, each with its own call site, and the function with
    // none. The location of a frame is the call site of the frame inside it.
    for index in frames.indices.dropLast() { frames[index].location = frames[index + 1].location }
    frames[frames.count - 1].location = location
    frames.reverse()
    return true
  }

  /// The row that covers `address` in the line table of a function that begins at `start`; a row
  /// without a file if none does. Nil if the table cannot be read that far.
  private func row(
    in part: Range<UInt64>, covering address: UInt64, from start: UInt64
  ) -> GsymLineRow? {
    // The table holds only LEB128 numbers, so the byte order can be that of the marks.
    var cursor = region.cursor(at: part.lowerBound, end: part.upperBound, byteOrder: .little)
    guard var program = GsymLineProgram(&cursor, from: start) else { return nil }
    var covering = GsymLineRow(address: LinkAddress(start), file: 0, line: 0)
    let firstOperation = UInt64(cursor.position)
    if case .found(let found) = GsymMarks.find(
      address &- start, in: part, entrySize: GsymMarks.lineEntrySize, &cursor)
    {
      let position = UInt64(cursor.readUInt32())
      covering = GsymLineRow(
        address: LinkAddress(start &+ found), file: cursor.readUInt32(),
        line: cursor.readUInt32())
      program.resume(behind: covering)
      cursor.seek(to: part.lowerBound + position)
    } else {
      cursor.seek(to: firstOperation)
    }
    let isRead = program.forEachRow(&cursor) { row in
      guard row.address.value <= address else { return false }
      covering = row
      return true
    }
    return isRead ? covering : nil
  }
}

/// The byte ranges, from the start of the file, of the parts of a record that are read.
struct GsymRecordParts {
  var lineTable: Range<UInt64>?
  var inlineInfo: Range<UInt64>?

  /// Finds the parts of the record whose list of parts begins at the cursor. Skips parts of other
  /// kinds. Nil if the list extends past the end of the file.
  init?(_ cursor: inout ByteCursor) {
    while true {
      let type = cursor.readUInt32()
      let length = cursor.readUInt32()
      let start = UInt64(cursor.position)
      cursor.skip(UInt64(length))
      guard !cursor.hasFailed else { return nil }
      switch type {
      case GsymFormat.InfoType.endOfList: return
      case GsymFormat.InfoType.lineTable: lineTable = start..<(start + UInt64(length))
      case GsymFormat.InfoType.inlineInfo: inlineInfo = start..<(start + UInt64(length))
      default: break
      }
      // Nothing else is wanted. Not looking for the end of the list can save reading another page.
      if lineTable != nil, inlineInfo != nil { return }
    }
  }
}

/// The range from `start` to `end`, which must not be below `start`.
func gsymRange(_ start: UInt64, _ end: UInt64) -> Range<LinkAddress> {
  LinkAddress(start)..<LinkAddress(end)
}

import BinaryInput
import SymbolicationModel

extension GsymFile {
  /// Reads the parts of a record that the cursor stands at, and puts location and inlined calls into
  /// `frames`, which hold the function. False where they cannot be read.
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
    // Each frame holds its own call site so far, outermost first, and the function none. A frame's
    // location is the call site of the one inside it.
    for index in frames.indices.dropLast() { frames[index].location = frames[index + 1].location }
    frames[frames.count - 1].location = location
    frames.reverse()
    return true
  }

  /// The row of a line table that covers `address`, of a function that begins at `start`; one without
  /// file where none does. Nil where the table cannot be read up to there.
  private func row(
    in part: Range<UInt64>, covering address: UInt64, from start: UInt64
  ) -> GsymLineRow? {
    // There are no numbers in it but LEB128, so the byte order is that of the marks.
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

/// Where the parts of a record that are read lie, in bytes from the start of the file.
struct GsymRecordParts {
  var lineTable: Range<UInt64>?
  var inlineInfo: Range<UInt64>?

  /// Those of the record whose list of parts begins at the cursor; nil where the list passes the end
  /// of the file. Parts of other kinds are passed over.
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
      // What follows is none of the two: the end of the list is another page that need not be read.
      if lineTable != nil, inlineInfo != nil { return }
    }
  }
}

/// The range from `start` up to `end`, which is not below it.
func gsymRange(_ start: UInt64, _ end: UInt64) -> Range<LinkAddress> {
  LinkAddress(start)..<LinkAddress(end)
}

import BinaryInput
package import SymbolicationModel

extension GsymFile {
  /// What the file says of `address`; nil where no function holds it.
  ///
  /// Throws where the function's record cannot be read. For the cost see `lookup(_:into:)`.
  package func lookup(_ address: LinkAddress) throws(GsymError) -> GsymAnswer? {
    var answer = GsymAnswer()
    return try lookup(address, into: &answer) ? answer : nil
  }

  /// Looks `address` up. True where a function holds it; `answer` then is the file's, and undefined
  /// otherwise. Answers are those of llvm-gsymutil 19, except that
  /// - a function without a row for the address, which llvm-gsymutil refuses to name, is named;
  /// - an inlined call whose call site the file does not know, which llvm-gsymutil leaves out, is a
  ///   frame, and the one around it has no location.
  ///
  /// Where functions overlap, those with the greatest start that is not above the address count, in
  /// the order of the file.
  ///
  /// Throws where the function's record cannot be read.
  ///
  /// Cost: a binary search, and the record is decoded up to the row and the inlined call asked for.
  /// Nothing is allocated where `answer` has held as many frames before.
  package func lookup(
    _ address: LinkAddress, into answer: inout GsymAnswer
  ) throws(GsymError) -> Bool {
    var cursor = region.cursor(byteOrder: header.byteOrder)
    guard let first = firstFunction(before: address.value, &cursor) else { return false }
    // That many functions at one address are no file of a compiler's making.
    for index in first..<min(first + 1024, functionCount) {
      let start = functionStart(at: index, &cursor)
      guard start <= address.value else { return false }
      let offset = recordOffset(at: index, &cursor)
      cursor.seek(to: UInt64(offset))
      let size = cursor.readUInt32()
      let name = cursor.readUInt32()
      guard !cursor.hasFailed else { throw malformed(index, offset) }
      // A function of unknown size ends where the next one begins.
      guard size == 0 || address.value &- start < UInt64(size) else { continue }
      guard name != 0, !start.addingReportingOverflow(UInt64(size)).overflow else {
        throw malformed(index, offset)
      }
      let range = gsymRange(start, start + UInt64(size))
      answer.frames.removeAll(keepingCapacity: true)
      answer.frames.append(
        GsymFrame(name: name, range: range, start: LinkAddress(start), location: nil))
      guard decode(&cursor, address: address.value, into: &answer.frames) else {
        throw malformed(index, offset)
      }
      return true
    }
    return false
  }

  func malformed(_ index: Int, _ offset: UInt32) -> GsymError {
    .malformedFunction(index: index, offset: UInt64(offset))
  }

  /// The start of the function with this index, which is in the file.
  func functionStart(at index: Int, _ cursor: inout ByteCursor) -> UInt64 {
    header.baseAddress.value &+ addressOffset(at: index, &cursor)
  }

  private func addressOffset(at index: Int, _ cursor: inout ByteCursor) -> UInt64 {
    cursor.seek(to: UInt64(GsymFormat.headerSize + index * header.addressOffsetSize))
    return cursor.readUnsigned(size: header.addressOffsetSize)
  }

  /// Where the record of the function with this index, which is in the file, begins.
  func recordOffset(at index: Int, _ cursor: inout ByteCursor) -> UInt32 {
    cursor.seek(to: recordOffsetsStart + UInt64(index) * 4)
    return cursor.readUInt32()
  }

  /// The first of the functions that have the greatest start not above `address`.
  private func firstFunction(before address: UInt64, _ cursor: inout ByteCursor) -> Int? {
    guard address >= header.baseAddress.value else { return nil }
    let offset = address - header.baseAddress.value
    let above = partition(offset, orEqual: false, below: functionCount, &cursor)
    guard above > 0 else { return nil }
    let last = above - 1
    let greatest = addressOffset(at: last, &cursor)
    guard last > 0, addressOffset(at: last - 1, &cursor) == greatest else { return last }
    return min(last, partition(greatest, orEqual: true, below: last, &cursor))
  }

  /// The first index below `end` whose address offset is above `offset` (or equal to it); `end` where
  /// there is none.
  private func partition(
    _ offset: UInt64, orEqual: Bool, below end: Int, _ cursor: inout ByteCursor
  ) -> Int {
    var low = 0
    var high = end
    while low < high {
      let middle = (low + high) / 2
      let value = addressOffset(at: middle, &cursor)
      if value > offset || (orEqual && value == offset) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Reads the parts of a record that the cursor stands at, and puts location and inlined calls into
  /// `frames`, which hold the function. False where they cannot be read.
  private func decode(
    _ cursor: inout ByteCursor, address: UInt64, into frames: inout [GsymFrame]
  ) -> Bool {
    guard let parts = GsymRecordParts(&cursor) else { return false }
    let start = frames[0].start.value
    var location: GsymLocation?
    if let part = parts.lineTable {
      var lines = region.cursor(
        at: part.lowerBound, end: part.upperBound, byteOrder: header.byteOrder)
      var covering = GsymLineRow(address: LinkAddress(start), file: 0, line: 0)
      let isRead = forEachGsymRow(&lines, from: start) { row in
        guard row.address.value <= address else { return false }
        covering = row
        return true
      }
      guard isRead, covering.file < fileCount else { return false }
      location = GsymLocation(known: covering.file, line: covering.line)
    }
    if let part = parts.inlineInfo {
      var inlines = region.cursor(
        at: part.lowerBound, end: part.upperBound, byteOrder: header.byteOrder)
      guard appendInlinedCalls(&inlines, holding: address, from: start, to: &frames) else {
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
    }
  }
}

/// The range from `start` up to `end`, which is not below it.
func gsymRange(_ start: UInt64, _ end: UInt64) -> Range<LinkAddress> {
  LinkAddress(start)..<LinkAddress(end)
}

extension GsymWriter.NumberedUnit {
  /// Appends the record of a function of this unit (FunctionInfo.h, "ENCODING").
  func appendRecord(of function: GsymFunctionOrder.Function, to record: inout [UInt8]) {
    let encoded = functions[Int(function.index)]
    record.appendNumber(UInt32(truncatingIfNeeded: function.end - function.start))
    record.appendNumber(stringOffsets[Int(encoded.name)])
    let bytesStart = encoded.bytes.lineTable.lowerBound
    if !encoded.bytes.lineTable.isEmpty {
      let start = record.beginInfo(GsymFormat.InfoType.lineTable)
      let entries = appendContent(
        encoded.bytes.lineTable, holes: encoded.holes.lineTable, marks: encoded.marks.lineTable,
        bytesStart: bytesStart, to: &record)
      for entry in entries {
        record.appendNumber(entry.address)
        record.appendNumber(entry.position)
        record.appendNumber(entry.file)
        record.appendNumber(entry.line)
      }
      record.endInfo(start, markCount: entries.count)
    }
    if !encoded.bytes.inlineInfo.isEmpty {
      let start = record.beginInfo(GsymFormat.InfoType.inlineInfo)
      let entries = appendContent(
        encoded.bytes.inlineInfo, holes: encoded.holes.inlineInfo, marks: encoded.marks.inlineInfo,
        bytesStart: bytesStart, to: &record)
      for entry in entries.sorted(by: { $0.address < $1.address }) {
        record.appendNumber(entry.address)
        record.appendNumber(entry.position)
      }
      record.endInfo(start, markCount: entries.count)
    }
    record.appendNumber(GsymFormat.InfoType.endOfList)
    record.appendNumber(UInt32(0))
  }

  /// A mark whose final position is known: see `GsymMarks`.
  private struct MarkEntry {
    /// Relative to the start of the function.
    let address: UInt32
    /// Relative to the start of the part.
    let position: UInt32
    /// The file of the row in front of the mark.
    let file: UInt32
    /// The line of the row in front of the mark.
    let line: UInt32
  }

  /// Appends the bytes of a part and fills its holes.
  /// - Returns: the marks in the part.
  private func appendContent(
    _ part: Range<Int>, holes: Range<Int>, marks: Range<Int>, bytesStart: Int,
    to record: inout [UInt8]
  ) -> [MarkEntry] {
    let content = bytes.span
    let start = record.count
    var done = part.lowerBound
    // The first file of a line table is 1 (LineTable.h).
    var currentFile: UInt32 = 1
    var entries: [MarkEntry] = []
    var nextMark = marks.lowerBound
    func appendBytes(to end: Int, _ record: inout [UInt8]) {
      while nextMark < marks.upperBound, bytesStart + Int(self.marks[nextMark].offset) <= end {
        let mark = self.marks[nextMark]
        let position = record.count - start + (bytesStart + Int(mark.offset) - done)
        entries.append(
          MarkEntry(
            address: mark.address, position: UInt32(truncatingIfNeeded: position),
            file: currentFile, line: mark.line))
        nextMark += 1
      }
      // A piece between holes has a few bytes, and appending it as a slice costs more.
      while done < end {
        record.append(content[done])
        done += 1
      }
    }
    for index in holes {
      let hole = self.holes[index]
      appendBytes(to: bytesStart + Int(hole.offset), &record)
      switch hole.kind {
      case .string:
        record.appendNumber(stringOffsets[Int(hole.number)])
      case .file:
        record.appendUleb128(UInt64(fileNumbers[Int(hole.number)]))
      case .setFile:
        let file = fileNumbers[Int(hole.number)]
        guard file != currentFile else { continue }
        currentFile = file
        record.append(GsymFormat.LineOperation.setFile)
        record.appendUleb128(UInt64(file))
      }
    }
    appendBytes(to: part.upperBound, &record)
    return entries
  }
}

extension [UInt8] {
  /// Appends the head of a part of a record, with 0 for its length.
  /// - Returns: the offset at which the content of the part begins.
  fileprivate mutating func beginInfo(_ type: UInt32) -> Int {
    appendNumber(type)
    appendNumber(UInt32(0))
    return count
  }

  /// Ends the part whose content begins at `start`: appends the end of its marks, if it has any,
  /// and sets its length.
  fileprivate mutating func endInfo(_ start: Int, markCount: Int) {
    if markCount > 0 {
      appendNumber(UInt32(truncatingIfNeeded: markCount))
      appendNumber(GsymMarks.marker)
    }
    setNumber(UInt32(truncatingIfNeeded: count - start), at: start - 4)
  }
}

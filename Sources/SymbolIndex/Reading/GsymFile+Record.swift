import BinaryInput
import SymbolicationModel

extension GsymFile {
  /// Reads the parts of a record. Completes the last one of `frames`, which is the function, and
  /// puts the calls inlined into it before it. Returns false if they cannot be read.
  func decode(
    _ parts: GsymRecordParts, in bytes: RawSpan, address: UInt64, from start: UInt64,
    into frames: inout [GsymFrame]
  ) -> Bool {
    let function = frames.count - 1
    var location: GsymLocation?
    if let part = parts.lineTable {
      guard let row = row(in: part, of: bytes, covering: address, from: start),
        row.file < fileCount
      else { return false }
      location = GsymLocation(known: row.file, line: row.line)
    }
    if let part = parts.inlineInfo {
      guard
        appendInlinedCalls(
          in: part, of: bytes, holding: address, from: start, to: &frames)
      else { return false }
    }
    // So far, the frames are outermost first.
    frames[frames.count - 1].location = location
    var (first, last) = (function, frames.count - 1)
    while first < last {
      frames.swapAt(first, last)
      (first, last) = (first + 1, last - 1)
    }
    return true
  }

  /// The row that covers `address` in the line table of a function that begins at `start`; a row
  /// without a file if none does. Nil if the table cannot be read that far.
  ///
  /// What the table holds is read up to the end of the file, where reading is faster than close to
  /// the end of the part, and the end of the part is checked afterwards.
  private func row(
    in range: Range<Int>, of bytes: RawSpan, covering address: UInt64, from start: UInt64
  ) -> (file: UInt32, line: UInt32)? {
    let part = bytes.extracting(range)
    var position = SpanPosition(UInt64(range.lowerBound))
    guard let head = GsymLineTableHead(&position, in: bytes) else { return nil }
    var state = GsymLineState(address: start, line: head.firstLine)
    if case .found(let entry) = GsymMarks.find(
      address &- start, in: part, entrySize: GsymMarks.lineEntrySize)
    {
      var mark = SpanPosition(UInt64(entry))
      state.address = start &+ UInt64(UInt32(littleEndian: mark.read(UInt32.self, in: part)))
      let next = UInt32(littleEndian: mark.read(UInt32.self, in: part))
      position = SpanPosition(UInt64(range.lowerBound) &+ UInt64(next))
      state.file = UInt32(littleEndian: mark.read(UInt32.self, in: part))
      state.line = UInt32(littleEndian: mark.read(UInt32.self, in: part))
      state.row = (state.file, state.line)
    }
    while position.value < range.upperBound {
      let row = state.row
      if position.remaining(in: bytes) >= 8 {
        let word = Leb128Word(littleEndian: position.peek(UInt64.self, ahead: 0, in: bytes))
        if word.firstByte == GsymFormat.LineOperation.endSequence { return row }
        let operand = word.dropping(1)
        if operand.size <= 3 {
          let number = operand.shortUnsigned
          let operandSize = state.perform(
            word.firstByte, UInt64(number), operand.shortSigned(number), size: operand.size, head)
          position.skip(1 &+ operandSize, in: bytes)
          if state.address > address { return position.value <= range.upperBound ? row : nil }
          continue
        }
      }
      let operation = position.read(UInt8.self, in: bytes)
      switch operation {
      case GsymFormat.LineOperation.endSequence: return row
      case GsymFormat.LineOperation.setFile, GsymFormat.LineOperation.advanceAddress:
        _ = state.perform(operation, position.readUleb128(in: bytes), 0, size: 0, head)
      case GsymFormat.LineOperation.advanceLine:
        let delta = Int32(truncatingIfNeeded: position.readSleb128(in: bytes))
        _ = state.perform(operation, 0, delta, size: 0, head)
      default: _ = state.perform(operation, 0, 0, size: 0, head)
      }
      if state.address > address { return position.value <= range.upperBound ? row : nil }
    }
    return nil
  }
}

/// The state of a line table that is decoded up to one address.
private struct GsymLineState {
  var address: UInt64
  var file: UInt32 = 1
  var line: UInt32
  /// The last row; no file before the first.
  var row: (file: UInt32, line: UInt32) = (0, 0)

  /// Performs an operation other than the end. Returns the size of its operand: `size`, or 0 if it
  /// has none.
  ///
  /// It has no branches: of a row, its file and its line, any may or may not change, and the
  /// processor would mispredict every third operation.
  @inline(__always)
  mutating func perform(
    _ operation: UInt8, _ number: UInt64, _ signed: Int32, size: Int, _ head: GsymLineTableHead
  ) -> Int {
    let operation = UInt32(operation)
    // All bits are set if the condition holds.
    let isSpecial = 0 &- (operation &+ (256 &- 4)) &>> 8
    let kind = UInt32(1) &<< (operation | isSpecial)
    let setsFile = 0 &- (kind &>> 1 & 1)
    let advancesAddress = 0 &- (kind &>> 2 & 1)
    let advancesLine = 0 &- (kind &>> 3 & 1)
    let makesRow = isSpecial | advancesAddress

    let adjusted = (operation &- 4) & isSpecial
    let quotient = (adjusted &* head.reciprocal) &>> 16
    let addressMask = UInt64(bitPattern: Int64(Int32(bitPattern: advancesAddress)))
    address &+= UInt64(quotient) &+ (number & addressMask)
    line &+= (head.minimumDelta &+ (adjusted &- quotient &* head.divisor)) & isSpecial
    line &+= UInt32(bitPattern: signed) & advancesLine
    file ^= (file ^ UInt32(truncatingIfNeeded: number)) & setsFile
    row.file ^= (row.file ^ file) & makesRow
    row.line ^= (row.line ^ line) & makesRow
    return size & Int(Int32(bitPattern: ~isSpecial))
  }
}

/// The byte ranges, from the start of the file, of the parts of a record that are read.
struct GsymRecordParts {
  var lineTable: Range<Int>?
  var inlineInfo: Range<Int>?

  /// No parts.
  init() {}

  /// Finds the parts of the record whose list of parts begins at the position. Skips parts of other
  /// kinds. Nil if the list extends past the end of the file.
  @inline(__always)
  init?(_ position: inout SpanPosition, in bytes: RawSpan, _ file: borrowing GsymFile) {
    while true {
      let type = file.ordered(position.read(UInt32.self, in: bytes))
      let length = file.ordered(position.read(UInt32.self, in: bytes))
      let start = position.value
      position.skip(Int(length), in: bytes)
      guard !position.hasFailed else { return nil }
      switch type {
      case GsymFormat.InfoType.endOfList: return
      case GsymFormat.InfoType.lineTable: lineTable = start..<position.value
      case GsymFormat.InfoType.inlineInfo: inlineInfo = start..<position.value
      default: break
      }
      // Nothing else is wanted. Not looking for the end of the list can save reading another page.
      if lineTable != nil, inlineInfo != nil { return }
    }
  }
}

/// The head of a function's line table (LineTable.h, "ENCODING").
struct GsymLineTableHead {
  /// The least line delta, as a number modulo 2^32 like lines.
  let minimumDelta: UInt32
  // Special operations divide a number below 252 by the range of line deltas. Multiplying by the
  // reciprocal gives the exact quotient for divisors up to 256. For any greater divisor the
  // quotient is 0, as for 256.
  let divisor: UInt32
  let reciprocal: UInt32
  let firstLine: UInt32

  /// Nil if the greatest line delta is less than the least. Numbers that cannot be read make the
  /// position fail.
  @inline(__always)
  init?(_ position: inout SpanPosition, in part: RawSpan) {
    let minimum = position.readSleb128(in: part)
    let maximum = position.readSleb128(in: part)
    firstLine = UInt32(truncatingIfNeeded: position.readUleb128(in: part))
    let (span, overflow) = maximum.subtractingReportingOverflow(minimum)
    guard !overflow, span >= 0 else { return nil }
    minimumDelta = UInt32(truncatingIfNeeded: minimum)
    divisor = UInt32(truncatingIfNeeded: min(span, 255) + 1)
    reciprocal = 65536 / divisor + 1
  }

}

/// The range from `start` to `end`, which must not be below `start`.
@inline(__always)
func gsymRange(_ start: UInt64, _ end: UInt64) -> Range<LinkAddress> {
  LinkAddress(start)..<LinkAddress(end)
}

import BinaryInput
package import SymbolicationModel

/// A row of a function's line table: it covers the addresses up to the next row.
package struct GsymLineRow: Hashable, Sendable {
  package let address: LinkAddress
  /// A number of the file table; 0 stands for no file.
  package let file: UInt32
  /// 1-based; 0 where the compiler says that the code belongs to no line.
  package let line: UInt32

  package init(address: LinkAddress, file: UInt32, line: UInt32) {
    self.address = address
    self.file = file
    self.line = line
  }
}

/// A line table that is being read (LineTable.h, "ENCODING").
struct GsymLineProgram {
  private let minimumDelta: Int64
  // Special operations divide a number below 252 by the range of lines. That is done by multiplying,
  // exactly for divisors up to 256; a greater one gives the same quotient, which is 0.
  private let divisor: UInt32
  private let reciprocal: UInt32
  /// The row made last.
  private var address: UInt64
  private var file: UInt32 = 1
  private var line: UInt32

  /// Reads the head of a table, of a function that begins at `start`. Nil where it makes no sense.
  @inline(__always)
  init?(_ cursor: inout ByteCursor, from start: UInt64) {
    minimumDelta = cursor.readSleb128()
    let maximumDelta = cursor.readSleb128()
    address = start
    line = UInt32(truncatingIfNeeded: cursor.readUleb128())
    let (span, overflow) = maximumDelta.subtractingReportingOverflow(minimumDelta)
    guard !overflow, span >= 0 else { return nil }
    divisor = UInt32(min(span, 255) + 1)
    reciprocal = 65536 / divisor + 1
  }

  /// Goes on behind `row`, where the cursor stands.
  mutating func resume(behind row: GsymLineRow) {
    address = row.address.value
    file = row.file
    line = row.line
  }

  /// Calls `body` with each row until it returns false. Addresses, files and lines are those the
  /// bytes give, whatever sense they make. False where the table cannot be read up to there.
  @inline(__always)
  mutating func forEachRow(_ cursor: inout ByteCursor, _ body: (GsymLineRow) -> Bool) -> Bool {
    while true {
      let operation = cursor.readUInt8()
      switch operation {
      case GsymFormat.LineOperation.endSequence:
        // What a failed read gives, too.
        return !cursor.hasFailed
      case GsymFormat.LineOperation.setFile:
        file = UInt32(truncatingIfNeeded: cursor.readUleb128())
        continue
      case GsymFormat.LineOperation.advanceAddress:
        address &+= cursor.readUleb128()
      case GsymFormat.LineOperation.advanceLine:
        line &+= UInt32(truncatingIfNeeded: cursor.readSleb128())
        continue
      default:
        let adjusted = UInt32(operation &- GsymFormat.LineOperation.firstSpecial)
        let quotient = (adjusted &* reciprocal) >> 16
        address &+= UInt64(quotient)
        let delta = minimumDelta &+ Int64(adjusted &- quotient &* divisor)
        line &+= UInt32(truncatingIfNeeded: delta)
      }
      guard !cursor.hasFailed else { return false }
      guard body(GsymLineRow(address: LinkAddress(address), file: file, line: line)) else {
        return true
      }
    }
  }
}

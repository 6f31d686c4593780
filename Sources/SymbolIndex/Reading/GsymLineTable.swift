import BinaryInput
package import SymbolicationModel

/// A row of a function's line table. It covers the addresses up to the next row.
package struct GsymLineRow: Hashable, Sendable {
  package let address: LinkAddress
  /// An index in the file table; 0 means "no file".
  package let file: UInt32
  /// 1-based; 0 if the compiler states that the code belongs to no line.
  package let line: UInt32

  package init(address: LinkAddress, file: UInt32, line: UInt32) {
    self.address = address
    self.file = file
    self.line = line
  }
}

/// Decodes the line table of a function (LineTable.h, "ENCODING").
struct GsymLineProgram {
  private let minimumDelta: Int64
  // Special operations divide a number below 252 by the range of line deltas. Multiplying by the
  // reciprocal gives the exact quotient for divisors up to 256. For any greater divisor the
  // quotient is 0, as for 256.
  private let divisor: UInt32
  private let reciprocal: UInt32
  // The row that was made last.
  private var address: UInt64
  private var file: UInt32 = 1
  private var line: UInt32

  /// Reads the head of the table of a function that begins at `start`. Nil if the greatest line
  /// delta is less than the least.
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

  /// Calls `body` with each row until it returns false. Addresses, files and lines are not checked.
  /// Returns false if the table cannot be read that far.
  @inline(__always)
  mutating func forEachRow(_ cursor: inout ByteCursor, _ body: (GsymLineRow) -> Bool) -> Bool {
    while true {
      let operation = cursor.readUInt8()
      switch operation {
      case GsymFormat.LineOperation.endSequence:
        // A failed read also gives 0.
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

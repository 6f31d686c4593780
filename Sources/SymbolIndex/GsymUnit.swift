package import BinaryInput
import SymbolicationModel

/// The functions of one unit of debug information (or of a symbol table), encoded, with strings and
/// files numbered within the unit. Units are made in any thread, one thread for each.
package struct GsymUnit: Sendable {
  private(set) var strings = GsymStringTable()
  private(set) var files = GsymFileTable()
  private(set) var functions: [EncodedFunction] = []
  /// The parts of all functions' records, without what stands in the holes.
  var bytes: [UInt8] = []
  /// Ascending by place.
  var holes: [Hole] = []
  /// Ascending by place in each part.
  var marks: [Mark] = []
  /// Used while a function is encoded, and kept for the next.
  var scratchRows: [GsymLineRow] = []
  var scratchRanges: [Range<UInt64>] = []

  /// A place in the bytes where a number of the final tables is wanted.
  struct Hole {
    /// From the start of the function's bytes.
    let place: UInt32
    let kind: Kind
    /// Of the unit's tables.
    let number: UInt32

    enum Kind: UInt8 {
      /// A string's offset, in four bytes.
      case string
      /// A file's number, LEB128.
      case file
      /// The operation of a line table that sets the file, and its number.
      case setFile
    }
  }

  /// A place in the bytes that `GsymMarks` lead to.
  struct Mark {
    /// From the start of the function's bytes. A hole at the same place is behind the mark.
    let place: UInt32
    /// From the function's start.
    let address: UInt32
    /// The line of the row before; 0 for calls.
    let line: UInt32
  }

  struct EncodedFunction {
    let start: UInt64
    let end: UInt64
    let name: UInt32
    let rowCount: UInt32
    let inlinedCallCount: UInt32
    /// In the unit's `bytes`.
    let lineTable: Range<Int>
    let inlineInfo: Range<Int>
    /// In the unit's `holes`: those of the line table, then those of the inlined calls.
    let lineHoles: Range<Int>
    let inlineHoles: Range<Int>
    /// In the unit's `marks`.
    let lineMarks: Range<Int>
    let callMarks: Range<Int>
  }

  package init() {}

  /// The number of a string; 0 for the empty one. A string ends at its first zero byte.
  ///
  /// Cost: the string is hashed. Who meets a string often keeps its number.
  package mutating func name(_ text: String) -> UInt32 {
    strings.number(of: text.utf8.span)
  }

  package mutating func name(_ text: Span<UInt8>) -> UInt32 { strings.number(of: text) }

  package mutating func name(_ text: ByteRegion) -> UInt32 { strings.number(of: text) }

  /// The number of a source file; 0 for an empty path. The format holds folder and name apart: they
  /// are parted at the last slash, and `GsymFile.path(ofFile:)` gives the same path back.
  package mutating func file(path: String) -> UInt32 { file(path: path.utf8.span) }

  package mutating func file(path: Span<UInt8>) -> UInt32 {
    var nameStart = path.count
    while nameStart > 0, path[nameStart - 1] != UInt8(ascii: "/") { nameStart -= 1 }
    // The slash between the two is left out, unless it is that of the root or stands behind another.
    var directoryEnd = nameStart
    if nameStart > 1, path[nameStart - 2] != UInt8(ascii: "/") { directoryEnd -= 1 }
    return files.number(
      of: GsymSourceFile(
        directory: strings.number(of: path.extracting(first: directoryEnd)),
        name: strings.number(of: path.extracting(droppingFirst: nameStart))))
  }

  /// Adds a function, whose numbers are those of this unit.
  ///
  /// A function without a name, which the format does not hold, is left out. A row before the
  /// function's start counts from there; rows that are at its end or beyond, that are not in order, or
  /// that change nothing are left out. Ranges of inlined calls are cut to what lies in the range
  /// around them; calls of which nothing is left are left out, with those in them.
  ///
  /// Throws, and adds nothing, where the function is too large for the format.
  package mutating func add(_ function: GsymFunction) throws(GsymLimitError) {
    guard function.name != 0, Int(function.name) < strings.entries.count else { return }
    let start = function.range.lowerBound.value
    let end = function.range.upperBound.value
    let bytesStart = bytes.count
    let holesStart = holes.count
    let marksStart = marks.count
    let rowCount = encodeRows(of: function, bytesStart: bytesStart)
    let linesEnd = bytes.count
    let lineHolesEnd = holes.count
    let lineMarksEnd = marks.count
    let callCount = encodeInlinedCalls(of: function, bytesStart: bytesStart)
    // With the holes filled, and the marks behind, a part grows by less than twenty bytes for each.
    let growth =
      (bytes.count - bytesStart) + 20 * (holes.count - holesStart + marks.count - marksStart)
    guard end - start <= UInt64(UInt32.max), growth <= Int(UInt32.max) else {
      bytes.removeLast(bytes.count - bytesStart)
      holes.removeLast(holes.count - holesStart)
      marks.removeLast(marks.count - marksStart)
      throw .functionTooLarge(start: start, end: end)
    }
    functions.append(
      EncodedFunction(
        start: start, end: end, name: function.name, rowCount: UInt32(truncatingIfNeeded: rowCount),
        inlinedCallCount: UInt32(truncatingIfNeeded: callCount),
        lineTable: bytesStart..<linesEnd, inlineInfo: linesEnd..<bytes.count,
        lineHoles: holesStart..<lineHolesEnd, inlineHoles: lineHolesEnd..<holes.count,
        lineMarks: marksStart..<lineMarksEnd, callMarks: lineMarksEnd..<marks.count))
  }

  /// Leaves a hole at the end of the bytes. A number that the unit has not given out counts as none.
  mutating func appendHole(_ kind: Hole.Kind, _ number: UInt32, bytesStart: Int) {
    let count = kind == .string ? strings.entries.count : files.files.count
    holes.append(
      Hole(
        place: UInt32(truncatingIfNeeded: bytes.count - bytesStart), kind: kind,
        number: Int(number) < count ? number : 0))
  }

  mutating func appendMark(address: UInt32, line: UInt32, bytesStart: Int) {
    marks.append(
      Mark(
        place: UInt32(truncatingIfNeeded: bytes.count - bytesStart), address: address, line: line))
  }
}

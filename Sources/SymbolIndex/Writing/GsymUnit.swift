package import BinaryInput
import FileSystem
import SymbolicationModel

/// The encoded functions of one unit of debug information, or of a symbol table. Strings and files
/// are numbered within the unit.
///
/// Different units can be made in different threads.
package struct GsymUnit: Sendable {
  private(set) var strings = GsymStringTable()
  private(set) var files = GsymFileTable()
  private(set) var functions: [EncodedFunction] = []
  /// The parts of the records of all functions, without the contents of the holes.
  var bytes: [UInt8] = []
  /// Ascending by offset in each function.
  var holes: [Hole] = []
  /// Ascending by offset in each part.
  var marks: [Mark] = []
  // Used while a function is encoded, and kept to reuse their memory.
  var scratchRows: [GsymLineRow] = []
  var scratchRanges: [Range<UInt64>] = []
  var scratchOuterRanges: [Range<UInt64>] = []
  var scratchEntries: [OpenEntry] = []

  /// A position in the bytes where a number of the final tables has to be inserted.
  struct Hole {
    /// From the start of the function's bytes.
    let offset: UInt32
    let kind: Kind
    /// In the unit's string or file table.
    let number: UInt32

    enum Kind: UInt8 {
      /// The offset of a string, in four bytes.
      case string
      /// The number of a file, in LEB128.
      case file
      /// The operation of a line table that sets the file, with the number of the file.
      case setFile
    }
  }

  /// A position in the bytes that gets an entry in the `GsymMarks`.
  struct Mark {
    /// From the start of the function's bytes. A hole at the same offset comes after the mark.
    let offset: UInt32
    /// Relative to the start of the function.
    let address: UInt32
    /// The line of the row in front of the mark; 0 for calls.
    let line: UInt32
  }

  package init() {}

  /// An empty unit with room for `functionCount` functions, each with a name of its own. Arrays
  /// that grow to millions of functions would be copied again and again.
  package init(functionCount: Int) {
    functions.reserveCapacity(functionCount)
    strings = GsymStringTable(capacity: functionCount)
  }

  /// The number of a string in this unit; 0 for the empty string. A string ends at its first zero
  /// byte.
  ///
  /// Cost: hashes the string. A caller that meets the same string often should keep its number.
  package mutating func name(_ text: String) -> UInt64 {
    UInt64(strings.number(of: text.utf8.span))
  }

  /// The number of a string in this unit; 0 for the empty string. A string ends at its first zero
  /// byte.
  package mutating func name(_ text: Span<UInt8>) -> UInt64 {
    UInt64(strings.number(of: text))
  }

  /// The number of a string in this unit; 0 for the empty string. A string ends at its first zero
  /// byte.
  package mutating func name(_ text: ByteRegion) -> UInt64 {
    UInt64(strings.number(of: text))
  }

  /// The number of a source file in this unit; 0 for an empty path.
  ///
  /// The format stores the directory and the name separately. They are split at the last slash, so
  /// that `GsymFile.path(ofFile:)` returns the same path.
  package mutating func file(path: String) -> UInt32 {
    path.hasPathBytes ? file(path: path.pathBytes.span) : file(path: path.utf8.span)
  }

  /// The number in this unit of the source file with the path of these bytes; 0 for an empty path.
  package mutating func file(path: Span<UInt8>) -> UInt32 {
    var nameStart = path.count
    while nameStart > 0, path[nameStart - 1] != UInt8(ascii: "/") { nameStart -= 1 }
    // The slash between the two is left out, unless it is the root or follows another slash.
    var directoryEnd = nameStart
    if nameStart > 1, path[nameStart - 2] != UInt8(ascii: "/") { directoryEnd -= 1 }
    return files.number(
      of: GsymSourceFile(
        directory: name(path.extracting(first: directoryEnd)),
        name: name(path.extracting(droppingFirst: nameStart))))
  }

  /// Adds a function. Its names and files must be numbers that this unit gave out.
  ///
  /// - A function without a name is left out: the format cannot store it.
  /// - A row before the start of the function is moved to the start. Rows at or beyond its end,
  ///   rows that are not in ascending order, and rows that change nothing are left out.
  /// - The ranges of inlined calls are cut to those of the call around them, or of the function. A
  ///   call without a range is left out, and so are the calls inlined into it.
  ///
  /// Throws `functionTooLarge`, and adds nothing, if the function is too large for the format.
  package mutating func add(_ function: GsymFunction) throws(GsymLimitError) {
    guard function.name != 0, function.name < UInt64(strings.entries.count) else { return }
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
    // Filling a hole and appending a mark each add less than 20 bytes to a part.
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
        start: start, end: end, name: UInt32(truncatingIfNeeded: function.name),
        rowCount: UInt32(truncatingIfNeeded: rowCount),
        inlinedCallCount: UInt32(truncatingIfNeeded: callCount),
        bytes: EncodedParts(bytesStart, linesEnd, bytes.count),
        holes: EncodedParts(holesStart, lineHolesEnd, holes.count),
        marks: EncodedParts(marksStart, lineMarksEnd, marks.count)))
  }

  /// Gives back the memory beyond what the functions need. Units are kept until all are made, and
  /// growing arrays would leave each with a third more.
  package mutating func trim() {
    functions.trim()
    bytes.trim()
    holes.trim()
    marks.trim()
    scratchRows = []
    scratchRanges = []
    scratchOuterRanges = []
    scratchEntries = []
  }

  /// Adds a hole at the end of the bytes. A number that this unit has not given out is replaced by
  /// 0.
  mutating func appendHole(_ kind: Hole.Kind, _ number: UInt32, bytesStart: Int) {
    let count = kind == .string ? strings.entries.count : files.files.count
    holes.append(
      Hole(
        offset: UInt32(truncatingIfNeeded: bytes.count - bytesStart), kind: kind,
        number: Int(number) < count ? number : 0))
  }

  /// Adds a mark at the end of the bytes.
  mutating func appendMark(address: UInt32, line: UInt32, bytesStart: Int) {
    marks.append(
      Mark(
        offset: UInt32(truncatingIfNeeded: bytes.count - bytesStart), address: address, line: line))
  }
}

extension Array {
  /// Moves the elements to a buffer of their size.
  fileprivate mutating func trim() {
    var exact: [Element] = []
    exact.reserveCapacity(count)
    exact.append(contentsOf: self)
    self = exact
  }
}

extension GsymUnit {
  /// Where the parts of a function's record lie in the arrays of its unit.
  ///
  /// There is one for each function and symbol of a file, often millions, so it is kept small.
  struct EncodedFunction {
    let start: UInt64
    let end: UInt64
    let name: UInt32
    let rowCount: UInt32
    let inlinedCallCount: UInt32
    /// In the unit's `bytes`.
    let bytes: EncodedParts
    /// In the unit's `holes`.
    let holes: EncodedParts
    /// In the unit's `marks`.
    let marks: EncodedParts
  }

  /// The indices of what belongs to a function's line table, and of what belongs to its inlined
  /// calls, which follows.
  struct EncodedParts {
    private let start: Int
    private let lineTableCount: UInt32
    private let inlineInfoCount: UInt32

    /// The line table has the indices from `start` up to `middle`, the inlined calls those from
    /// there up to `end`. `add` checks that `end - start` fits 32 bits.
    init(_ start: Int, _ middle: Int, _ end: Int) {
      self.start = start
      lineTableCount = UInt32(truncatingIfNeeded: middle - start)
      inlineInfoCount = UInt32(truncatingIfNeeded: end - middle)
    }

    var lineTable: Range<Int> { start..<(start + Int(lineTableCount)) }

    var inlineInfo: Range<Int> {
      lineTable.upperBound..<(lineTable.upperBound + Int(inlineInfoCount))
    }
  }
}

/// Source files without duplicates, numbered in the order in which they were added. Number 0 means
/// "no file".
struct GsymFileTable: Sendable {
  /// By file number. The strings are numbers of a `GsymStringTable` while a unit is encoded, and
  /// offsets in the final string table.
  private(set) var files: [GsymSourceFile] = [GsymSourceFile(directory: 0, name: 0)]
  private var numbers: [GsymSourceFile: UInt32] = [GsymSourceFile(directory: 0, name: 0): 0]

  /// The number of `file`, which is added if it is new.
  mutating func number(of file: GsymSourceFile) -> UInt32 {
    if let number = numbers[file] { return number }
    let number = UInt32(truncatingIfNeeded: files.count)
    files.append(file)
    numbers[file] = number
    return number
  }
}

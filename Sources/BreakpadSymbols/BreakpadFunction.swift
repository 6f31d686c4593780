import BinaryInput
package import SymbolicationModel

/// The lines and inlined calls of one function.
package struct BreakpadFunction: Sendable {
  /// The code of the function (half-open).
  package let range: Range<LinkAddress>
  /// What could not be read of it.
  package private(set) var faults: [BreakpadFault] = []
  /// Of the `FUNC` record.
  private let offset: UInt64
  /// In ascending order of their starts.
  private var rows: [Row] = []
  /// In the order of the file.
  private var calls: [Call] = []
  /// By depth, then in ascending order of their starts.
  private var callRanges: [CallRange] = []

  /// The records of a function may have this many bytes. The largest functions of browsers have
  /// some megabytes. A decoded function takes up to 6 times as much memory.
  package static let sizeLimit: UInt64 = 32 << 20
  /// A chain of inlined calls is followed this far. Compilers write less than a hundred.
  private static let depthLimit = 512
  /// How many rows or ranges before an address are looked at, in case that they overlap.
  private static let overlapLimit = 64

  private struct Row {
    let start: UInt64
    let end: UInt64
    let line: UInt32
    let file: UInt32
  }

  private struct Call {
    let line: UInt32
    /// The file of the call site; nil in the older form of the record.
    let file: UInt32?
    let origin: UInt32
  }

  private struct CallRange {
    let start: UInt64
    let end: UInt64
    let depth: UInt32
    let call: UInt32
  }

  /// Decodes the records after `function`.
  init(_ function: BreakpadScan.Function, in region: ByteRegion, sizeLimit: UInt64) {
    range = LinkAddress(function.start)..<LinkAddress(function.end)
    offset = function.offset
    var fields = BreakpadFields(region, at: function.offset)
    fields.skipLine()
    let start = fields.position
    var malformed: [BreakpadFault.Record: (count: Int, offset: UInt64)] = [:]
    func note(_ record: BreakpadFault.Record, at offset: UInt64) {
      let known = malformed[record]
      malformed[record] = ((known?.count ?? 0) + 1, known?.offset ?? offset)
    }
    while !fields.isAtEndOfFile {
      let record = fields.position
      guard record - start <= sizeLimit else {
        (rows, calls, callRanges) = ([], [], [])
        faults = [
          .oversizedFunction(
            offset: offset, count: record - start, limit: sizeLimit)
        ]
        return
      }
      if fields.isAtCapital, fields.skip(.inlinedCall) {
        if !readCall(&fields) { note(.inlinedCall, at: record) }
      } else if fields.isAtWordThatEndsFunction {
        break
      } else if fields.isAtRow {
        if !readRow(&fields) { note(.line, at: record) }
      }
      fields.skipLine()
    }
    faults = BreakpadFault.Record.allCases.compactMap { record in
      malformed[record].map { .malformedRecords(record, count: $0.count, offset: $0.offset) }
    }
    rows.sort { $0.start < $1.start }
    callRanges.sort { ($0.depth, $0.start, $0.call) < ($1.depth, $1.start, $1.call) }
  }

  private mutating func readRow(_ fields: inout BreakpadFields) -> Bool {
    guard let start = fields.readHexadecimal(), let size = fields.readHexadecimal(),
      let line = fields.readDecimal(), let file = fields.readDecimal(), fields.isAtEnd
    else { return false }
    let (end, overflow) = start.addingReportingOverflow(size)
    guard !overflow else { return false }
    if size > 0 { rows.append(Row(start: start, end: end, line: line, file: file)) }
    return true
  }

  /// Reads `INLINE depth line [file] origin [address size]+`. The older form has no file, so its
  /// number of fields is odd.
  private mutating func readCall(_ fields: inout BreakpadFields) -> Bool {
    let start = fields.position
    var fieldCount = 0
    while fields.skipField() { fieldCount += 1 }
    fields.seek(to: start)
    guard fieldCount >= 5, let depth = fields.readDecimal(), let line = fields.readDecimal() else {
      return false
    }
    var file: UInt32?
    if fieldCount.isMultiple(of: 2) {
      guard let number = fields.readDecimal() else { return false }
      file = number
    }
    guard let origin = fields.readDecimal() else { return false }
    let call = UInt32(truncatingIfNeeded: calls.count)
    let firstRange = callRanges.count
    while !fields.isAtEnd {
      guard let start = fields.readHexadecimal(), let size = fields.readHexadecimal(),
        !start.addingReportingOverflow(size).overflow
      else {
        callRanges.removeLast(callRanges.count - firstRange)
        return false
      }
      guard size > 0 else { continue }
      callRanges.append(CallRange(start: start, end: start + size, depth: depth, call: call))
    }
    calls.append(Call(line: line, file: file, origin: origin))
    return true
  }

  // MARK: - Questions

  /// The row that covers `address`. Of rows that overlap, the one with the greatest start counts.
  private func row(at address: UInt64) -> Row? {
    let next = rows.partitionPoint { $0.start > address }
    return rows[max(0, next - Self.overlapLimit)..<next].last { $0.end > address }
  }

  /// The range at `address` of a call at this depth.
  private func callRange(at address: UInt64, depth: UInt32) -> CallRange? {
    let next = callRanges.partitionPoint { ($0.depth, $0.start) > (depth, address) }
    return callRanges[max(0, next - Self.overlapLimit)..<next].last {
      $0.depth == depth && $0.end > address
    }
  }

  /// The functions at `address`, innermost first: the inlined calls, then the function itself.
  ///
  /// - Parameters:
  ///   - file: the file that the function is from.
  ///   - texts: keeps the names and paths for further answers from this file.
  ///   - faults: references to records that do not exist are added to it.
  package func frames(
    at address: LinkAddress, in file: BreakpadFile, texts: inout BreakpadTexts,
    faults: inout [BreakpadFault]
  ) -> [BreakpadFrame] {
    func location(_ number: UInt32?, _ line: UInt32) -> SourceLocation? {
      guard let number else { return nil }
      guard let path = texts.path(ofFile: number, in: file) else {
        faults.append(.unknownFile(number, offset: offset))
        return nil
      }
      return SourceLocation(path: path, line: line)
    }
    // Outermost first, each with the call to the next inner one as its location.
    var frames = [
      BreakpadFrame(
        name: texts.name(ofRecordAt: offset) { file.name(ofRecordAt: offset) }, record: offset,
        start: range.lowerBound, location: nil)
    ]
    // In the older form, the call is in the file of the function around it.
    var fileOfFrame: UInt32?
    while frames.count <= Self.depthLimit,
      let range = callRange(at: address.value, depth: UInt32(frames.count - 1))
    {
      let call = calls[Int(range.call)]
      let origin = file.origin(call.origin, &texts)
      if origin == nil { faults.append(.unknownOrigin(call.origin, offset: offset)) }
      frames[frames.count - 1].location = location(call.file ?? fileOfFrame, call.line)
      fileOfFrame = origin?.file
      frames.append(
        BreakpadFrame(
          name: origin?.name ?? "", record: origin?.record, start: LinkAddress(range.start),
          location: nil))
    }
    if let row = row(at: address.value) {
      frames[frames.count - 1].location = location(row.file, row.line)
    }
    return frames.reversed()
  }
}

/// One function at an address.
package struct BreakpadFrame: Hashable, Sendable {
  /// As the file has it: for people, or mangled. Empty if the file has none.
  package let name: String
  /// The offset of the record that states the name. Frames with one record have one name.
  package let record: UInt64?
  /// The start of the function, or of the range of the inlined code that holds the address.
  package let start: LinkAddress
  /// For the innermost frame, the row that covers the address; for every other, the call of the
  /// frame before it. Nil if the file does not state it.
  package fileprivate(set) var location: SourceLocation?
}

extension BreakpadFile {
  /// The function with this index, decoded. Cost: reads its records once.
  ///
  /// - Parameter sizeLimit: how many bytes of records are decoded.
  package func function(
    _ index: Int, sizeLimit: UInt64 = BreakpadFunction.sizeLimit
  ) -> BreakpadFunction {
    BreakpadFunction(tables.functions[index], in: region, sizeLimit: sizeLimit)
  }
}

extension BreakpadFields {
  /// Whether a record begins here after which line rows belong to no function before it. Breakpad
  /// itself skips unwinding records between line rows; no program writes them there.
  fileprivate var isAtWordThatEndsFunction: Bool {
    switch next {
    case UInt8(ascii: "F"): begins(with: "FUNC ")
    case UInt8(ascii: "P"): begins(with: "PUBLIC ")
    case UInt8(ascii: "S"): begins(with: "STACK ")
    case UInt8(ascii: "M"): begins(with: "MODULE ")
    default: false
    }
  }

  /// Whether a line row begins here. `F` is a digit, and a `FILE` record may stand anywhere.
  fileprivate var isAtRow: Bool {
    isAtHexadecimalDigit && (next != UInt8(ascii: "F") || !begins(with: "FILE "))
  }

  private func begins(with word: StaticString) -> Bool {
    var copy = self
    return word.description.utf8.allSatisfy { copy.skipByte($0) }
  }
}

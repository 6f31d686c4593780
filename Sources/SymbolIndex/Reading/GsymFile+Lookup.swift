import BinaryInput
package import SymbolicationModel

extension GsymFile {
  /// The function at `address` and the calls inlined there; nil if no function contains the
  /// address.
  ///
  /// Throws `malformedFunction` if the function's record cannot be read, and `changed`. For the
  /// cost, see `lookup(_:into:)`.
  package func lookup(_ address: LinkAddress) throws(GsymError) -> GsymAnswer? {
    var answer = GsymAnswer()
    return try lookup(address, into: &answer) ? answer : nil
  }

  /// Looks up `address` and fills `answer`. Returns false if no function contains the address;
  /// `answer` is then undefined.
  ///
  /// The answers are those of llvm-gsymutil 19, with two exceptions:
  /// - A function without a line row for the address is named. llvm-gsymutil reports an error.
  /// - An inlined call without a call site in the file is a frame, and the frame around it has no
  ///   location. llvm-gsymutil leaves the call out.
  ///
  /// If functions overlap, only those with the greatest start at or below the address are
  /// considered, in the order of the file.
  ///
  /// Throws `malformedFunction` if the function's record cannot be read, and `changed` if bytes
  /// that the answer depends on are not those that were written.
  ///
  /// Cost: a binary search; the record is then decoded up to the row and the inlined call that
  /// contain the address. Allocates nothing if `answer` has held as many frames before.
  package func lookup(
    _ address: LinkAddress, into answer: inout GsymAnswer
  ) throws(GsymError) -> Bool {
    // `removeAll(keepingCapacity:)` costs more than removing the few frames.
    while !answer.frames.isEmpty { answer.frames.removeLast() }
    let found = region.withRawSpan { bytes in
      let first = firstFunction(before: address.value, in: bytes)
      return search(for: address.value, from: first, in: bytes, &answer.frames)
    }
    switch found {
    case .found: return true
    case .nothing: return false
    case .malformed(let index, let offset): throw malformed(index, offset)
    case .changed(let offset): throw .changed(offset: offset)
    }
  }

  func malformed(_ index: Int, _ offset: UInt64) -> GsymError {
    .malformedFunction(index: index, offset: offset)
  }

  /// The start of the function with this index, which must be below `functionCount`.
  func functionStart(at index: Int, _ cursor: inout ByteCursor) -> UInt64 {
    cursor.seek(to: tables.addressOffsetsStart + UInt64(index * header.addressOffsetSize))
    return header.baseAddress.value &+ cursor.readUnsigned(size: header.addressOffsetSize)
  }

  /// The offset in the file of the record of the function with this index, which must be below
  /// `functionCount`. What is beyond 64 bits becomes the greatest offset, at which no file has
  /// anything.
  func recordOffset(at index: Int, _ cursor: inout ByteCursor) -> UInt64 {
    let size = tables.recordOffsetSize
    cursor.seek(to: tables.recordOffsetsStart + UInt64(index * size))
    let stated = size == 4 ? UInt64(cursor.readUInt32()) : cursor.readUInt64()
    let (offset, overflow) = stated.addingReportingOverflow(tables.recordsBase)
    return overflow ? .max : offset
  }
}

extension GsymFile {
  /// The addresses from the start of the first function to the end of the last (half-open). A
  /// function of unknown size counts as one byte. Nil if the file has no functions, or the bytes
  /// that state them are not those that were written.
  ///
  /// Cost: reads two entries of the address table and the size of one function.
  package var extent: Range<LinkAddress>? {
    guard functionCount > 0 else { return nil }
    var cursor = region.cursor(byteOrder: header.byteOrder)
    let first = functionStart(at: 0, &cursor)
    let last = max(first, functionStart(at: functionCount - 1, &cursor))
    let record = recordOffset(at: functionCount - 1, &cursor)
    cursor.seek(to: record)
    let (end, overflow) = last.addingReportingOverflow(UInt64(max(1, cursor.readUInt32())))
    guard isIntactAddress(0), isIntactAddress(functionCount - 1),
      isIntactRecordOffset(functionCount - 1),
      areIntact(from: Int(clamping: record), to: Int(clamping: record) &+ 4)
    else { return nil }
    return gsymRange(first, overflow ? .max : end)
  }
}

import BinaryInput
package import SymbolicationModel

extension GsymFile {
  /// The function at `address` and the calls inlined there; nil if no function contains the
  /// address.
  ///
  /// Throws `malformedFunction` if the function's record cannot be read. For the cost, see
  /// `lookup(_:into:)`.
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
  /// Throws `malformedFunction` if the function's record cannot be read.
  ///
  /// Cost: a binary search; the record is then decoded up to the row and the inlined call that
  /// contain the address. Allocates nothing if `answer` has held as many frames before.
  package func lookup(
    _ address: LinkAddress, into answer: inout GsymAnswer
  ) throws(GsymError) -> Bool {
    var cursor = region.cursor(byteOrder: header.byteOrder)
    guard let first = firstFunction(before: address.value, &cursor) else { return false }
    // No compiler writes so many functions at one address.
    for index in first..<min(first + 1024, functionCount) {
      let start = functionStart(at: index, &cursor)
      guard start <= address.value else { return false }
      let offset = recordOffset(at: index, &cursor)
      cursor.seek(to: offset)
      let size = cursor.readUInt32()
      let name = readStringOffset(&cursor)
      guard !cursor.hasFailed else { throw malformed(index, offset) }
      // A function of unknown size extends to the next one.
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

  func malformed(_ index: Int, _ offset: UInt64) -> GsymError {
    .malformedFunction(index: index, offset: offset)
  }

  /// The start of the function with this index, which must be below `functionCount`.
  func functionStart(at index: Int, _ cursor: inout ByteCursor) -> UInt64 {
    header.baseAddress.value &+ addressOffset(at: index, &cursor)
  }

  private func addressOffset(at index: Int, _ cursor: inout ByteCursor) -> UInt64 {
    cursor.seek(to: tables.addressOffsetsStart + UInt64(index * header.addressOffsetSize))
    return cursor.readUnsigned(size: header.addressOffsetSize)
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

  /// The index of the first function among those with the greatest start at or below `address`.
  private func firstFunction(before address: UInt64, _ cursor: inout ByteCursor) -> Int? {
    guard functionCount > 0, address >= header.baseAddress.value else { return nil }
    let offset = address - header.baseAddress.value
    guard addressOffset(at: 0, &cursor) <= offset else { return nil }
    let last = lastFunction(&cursor) { $0 <= offset }
    guard last > 0 else { return last }
    let greatest = addressOffset(at: last, &cursor)
    guard addressOffset(at: last - 1, &cursor) == greatest else { return last }
    guard addressOffset(at: 0, &cursor) < greatest else { return 0 }
    return min(last, lastFunction(&cursor) { $0 < greatest } + 1)
  }

  /// The index of the last function whose address offset satisfies `isBefore`. That of the first
  /// function must satisfy it, and so must all before one that does.
  @inline(__always)
  private func lastFunction(
    _ cursor: inout ByteCursor, where isBefore: (UInt64) -> Bool
  ) -> Int {
    // Switching on the size here keeps that out of the loop.
    switch header.addressOffsetSize {
    case 1: lastFunction(&cursor, size: 1, { UInt64($0.readUInt8()) }, where: isBefore)
    case 2: lastFunction(&cursor, size: 2, { UInt64($0.readUInt16()) }, where: isBefore)
    case 4: lastFunction(&cursor, size: 4, { UInt64($0.readUInt32()) }, where: isBefore)
    default: lastFunction(&cursor, size: 8, { $0.readUInt64() }, where: isBefore)
    }
  }

  @inline(__always)
  private func lastFunction(
    _ cursor: inout ByteCursor, size: Int, _ read: (inout ByteCursor) -> UInt64,
    where isBefore: (UInt64) -> Bool
  ) -> Int {
    let start = tables.addressOffsetsStart
    return lastIndex(of: functionCount) {
      cursor.seek(to: start + UInt64($0 * size))
      return isBefore(read(&cursor))
    }
  }
}

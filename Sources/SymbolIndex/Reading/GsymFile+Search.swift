import BinaryInput
import SymbolicationModel

// A lookup reads a span of the whole file at positions that it keeps in local variables, because
// it reads some dozens of small numbers in less than a microsecond. `bytes` is that span in every
// function here.

enum GsymSearchResult {
  case found
  case nothing
  /// The record of the function with this index, at `offset` of the file, cannot be read.
  case malformed(index: Int, offset: UInt64)
  /// Bytes at `offset` of the file are not those that were written.
  case changed(offset: UInt64)
}

extension GsymFile {
  /// Appends the frames of the answer for `address` to `frames`.
  ///
  /// - Parameter first: the index of the first function to consider (`firstFunction`).
  func search(
    for address: UInt64, from first: Int?, in bytes: RawSpan, _ frames: inout [GsymFrame]
  ) -> GsymSearchResult {
    guard isCertain(first, for: address, in: bytes) else {
      return .changed(
        offset: tables.addressOffsetsStart + UInt64((first ?? 0) * header.addressOffsetSize))
    }
    guard let first else { return .nothing }
    for index in first..<min(first + Self.functionsAtOneAddress, functionCount) {
      let start = header.baseAddress.value &+ addressOffset(at: index, in: bytes)
      guard start <= address else { return .nothing }
      let offset = recordOffset(at: index, in: bytes)
      var position = SpanPosition(offset)
      let size = ordered(position.read(UInt32.self, in: bytes))
      let name = readStringOffset(&position, in: bytes)
      guard !position.hasFailed else { return .malformed(index: index, offset: offset) }
      // A function of unknown size extends to the next one.
      guard size == 0 || address &- start < UInt64(size) else {
        if isIntactRecord(index, from: offset, to: position) { continue }
        return .changed(offset: offset)
      }
      guard name != 0, !start.addingReportingOverflow(UInt64(size)).overflow,
        let parts = GsymRecordParts(&position, in: bytes, self)
      else {
        return .malformed(index: index, offset: offset)
      }
      guard isIntactRecord(index, from: offset, to: position) else {
        return .changed(offset: offset)
      }
      frames.append(
        GsymFrame(
          name: name, range: gsymRange(start, start &+ UInt64(size)), start: LinkAddress(start),
          location: nil))
      guard decode(parts, in: bytes, address: address, from: start, into: &frames) else {
        return .malformed(index: index, offset: offset)
      }
      return .found
    }
    return .nothing
  }

  /// No compiler writes more functions at one address.
  private static let functionsAtOneAddress = 1024

  /// A number of a fixed size, as it was read, in the byte order of this machine.
  @inline(__always)
  func ordered<Number: FixedWidthInteger>(_ number: Number) -> Number {
    isSwapped ? number.byteSwapped : number
  }

  /// Reads an offset in the string table.
  @inline(__always)
  func readStringOffset(_ position: inout SpanPosition, in bytes: RawSpan) -> UInt64 {
    tables.stringOffsetSize == 4
      ? UInt64(ordered(position.read(UInt32.self, in: bytes)))
      : ordered(position.read(UInt64.self, in: bytes))
  }

  /// Where the number with `index` is in a table of numbers of `size` bytes.
  @inline(__always)
  private func position(of index: Int, _ size: Int, in tableStart: UInt64) -> SpanPosition {
    SpanPosition(tableStart &+ UInt64(truncatingIfNeeded: index &* size))
  }

  func addressOffset(at index: Int, in bytes: RawSpan) -> UInt64 {
    let size = header.addressOffsetSize
    var position = self.position(of: index, size, in: tables.addressOffsetsStart)
    switch size {
    case 1: return UInt64(position.read(UInt8.self, in: bytes))
    case 2: return UInt64(ordered(position.read(UInt16.self, in: bytes)))
    case 4: return UInt64(ordered(position.read(UInt32.self, in: bytes)))
    default: return ordered(position.read(UInt64.self, in: bytes))
    }
  }

  func recordOffset(at index: Int, in bytes: RawSpan) -> UInt64 {
    let size = tables.recordOffsetSize
    var position = self.position(of: index, size, in: tables.recordOffsetsStart)
    let stated =
      size == 4
      ? UInt64(ordered(position.read(UInt32.self, in: bytes)))
      : ordered(position.read(UInt64.self, in: bytes))
    let (offset, overflow) = stated.addingReportingOverflow(tables.recordsBase)
    return overflow ? .max : offset
  }

  /// Whether `first` is certainly what `firstFunction` finds in the table that was written.
  ///
  /// That table ascends. So it is proved by the entries around the one found, if these are as they
  /// were written, whatever led the search there.
  private func isCertain(_ first: Int?, for address: UInt64, in bytes: RawSpan) -> Bool {
    guard blocks != nil, functionCount > 0, address >= header.baseAddress.value else { return true }
    let offset = address - header.baseAddress.value
    guard let first else { return isIntactAddress(0) && addressOffset(at: 0, in: bytes) > offset }
    let found = addressOffset(at: first, in: bytes)
    var behind = first + 1
    let end = min(functionCount, first + Self.functionsAtOneAddress)
    while behind < end, addressOffset(at: behind, in: bytes) == found { behind += 1 }
    let isFirst = first == 0 || addressOffset(at: first - 1, in: bytes) < found
    let isLast =
      behind == functionCount || behind >= first + Self.functionsAtOneAddress
      || addressOffset(at: behind, in: bytes) > offset
    return isFirst && isLast && found <= offset
      && areIntactAddresses(from: max(first, 1) - 1, to: min(behind, functionCount - 1))
  }

  func isIntactAddress(_ index: Int) -> Bool { areIntactAddresses(from: index, to: index) }

  @inline(__always)
  private func areIntactAddresses(from first: Int, to last: Int) -> Bool {
    let start = Int(tables.addressOffsetsStart)
    let size = header.addressOffsetSize
    return areIntact(from: start &+ first &* size, to: start &+ (last &+ 1) &* size)
  }

  /// Whether the place of a record, and its bytes up to `end`, are as they were written.
  @inline(__always)
  private func isIntactRecord(_ index: Int, from start: UInt64, to end: SpanPosition) -> Bool {
    isIntactRecordOffset(index) && areIntact(from: Int(start), to: end.value)
  }

  @inline(__always)
  func isIntactRecordOffset(_ index: Int) -> Bool {
    let size = tables.recordOffsetSize
    let start = Int(tables.recordOffsetsStart) &+ index &* size
    return areIntact(from: start, to: start &+ size)
  }

  /// The index of the first function among those with the greatest start at or below `address`.
  func firstFunction(before address: UInt64, in bytes: RawSpan) -> Int? {
    guard functionCount > 0, address >= header.baseAddress.value else { return nil }
    let offset = address - header.baseAddress.value
    let last = lastFunction(notAbove: offset, in: bytes)
    let greatest = addressOffset(at: last, in: bytes)
    guard greatest <= offset else { return nil }
    guard last > 0, addressOffset(at: last - 1, in: bytes) == greatest else { return last }
    guard greatest > 0 else { return 0 }
    let before = lastFunction(notAbove: greatest - 1, in: bytes)
    return addressOffset(at: before, in: bytes) < greatest ? min(last, before + 1) : before
  }

  /// The index of the last function whose address offset is not above `offset`; 0 if there is none.
  @inline(__always)
  private func lastFunction(notAbove offset: UInt64, in bytes: RawSpan) -> Int {
    // Switching on the size and the byte order here keeps them out of the loop.
    switch header.addressOffsetSize {
    case 4 where !isSwapped:
      let start = tables.addressOffsetsStart
      return lastIndex(of: functionCount, notAbove: min(offset, UInt64(UInt32.max))) {
        var position = position(of: $0, 4, in: start)
        return UInt64(position.read(UInt32.self, in: bytes))
      }
    default:
      return lastIndex(of: functionCount) { addressOffset(at: $0, in: bytes) <= offset }
    }
  }
}

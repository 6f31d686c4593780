import Glibc

/// A cursor for decoding in bulk: where `ByteReader` throws, this one remembers.
///
/// Every read is checked against the end. One that would pass it (or meets a LEB128 number that does
/// not fit in 64 bits) returns 0, moves the cursor to its end and sets `hasFailed`, for good. A loop
/// may so read a whole entry and look once; as the end is reached, it ends.
///
/// It is public, and its code visible to other modules, because Swift 6.3 inlines no `package`
/// function into another module, and these are called for every byte of debug information.
///
/// Soundness of the unsafe reads: `owner` keeps the bytes alive for as long as the cursor exists, and
/// `0 <= place <= end` holds always: each read compares what it wants with `end - place`.
@safe public struct ByteCursor {
  @usableFromInline let owner: AnyObject
  @usableFromInline let base: UnsafeRawPointer
  @usableFromInline var place: Int
  /// The first byte that is not read; at most the size of the region.
  public let end: Int
  @usableFromInline let isSwapped: Bool
  @usableFromInline var failed: Bool

  /// Where an empty region's cursor points to; never read.
  private nonisolated(unsafe) static let nowhere = UnsafeRawPointer(
    UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

  /// A cursor at `offset` that ends at `end`, both from the start of `region`. Where they do not lie
  /// in the region in that order, the cursor is at its end and has failed.
  package init(
    _ region: ByteRegion, at offset: UInt64 = 0, end: UInt64 = .max, byteOrder: ByteOrder
  ) {
    let bytes = unsafe region.unsafeBytes
    let count = UInt64(bytes.count)
    let limit = min(end, count)
    self.owner = region.storage
    unsafe self.base = bytes.baseAddress ?? Self.nowhere
    self.end = Int(limit)
    self.place = Int(min(offset, limit))
    self.failed = offset > limit
    self.isSwapped = byteOrder != .native
  }

  /// In bytes from the start of the region that the cursor was made for.
  @inlinable public var position: Int { place }
  /// Whether a read passed the end or met a number that is none.
  @inlinable public var hasFailed: Bool { failed }
  @inlinable public var isAtEnd: Bool { place == end }
  @inlinable public var remaining: Int { end &- place }

  /// Ends the cursor as a failed read does.
  @inlinable public mutating func fail() {
    place = end
    failed = true
  }

  /// Moves to `offset` from the start of the region; `end` is allowed.
  @inlinable public mutating func seek(to offset: UInt64) {
    if offset <= UInt64(end) { place = Int(offset) } else { fail() }
  }

  @inlinable public mutating func skip(_ count: Int) {
    if count >= 0, count <= remaining { place &+= count } else { fail() }
  }

  @inlinable public mutating func skip(_ count: UInt64) {
    if count <= UInt64(remaining) { place &+= Int(count) } else { fail() }
  }

  @inlinable @inline(__always)
  mutating func load<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type) -> Number {
    guard MemoryLayout<Number>.size <= end &- place else {
      fail()
      return 0
    }
    let number = unsafe base.loadUnaligned(fromByteOffset: place, as: type)
    place &+= MemoryLayout<Number>.size
    return isSwapped ? number.byteSwapped : number
  }

  @inlinable @inline(__always) public mutating func readUInt8() -> UInt8 { load(UInt8.self) }
  @inlinable @inline(__always) public mutating func readInt8() -> Int8 { load(Int8.self) }
  @inlinable @inline(__always) public mutating func readUInt16() -> UInt16 { load(UInt16.self) }
  @inlinable @inline(__always) public mutating func readUInt32() -> UInt32 { load(UInt32.self) }
  @inlinable @inline(__always) public mutating func readUInt64() -> UInt64 { load(UInt64.self) }

  /// An unsigned number of 3 bytes, such as `DW_FORM_strx3`.
  @inlinable public mutating func readUInt24() -> UInt32 {
    guard remaining >= 3 else {
      fail()
      return 0
    }
    let first = UInt32(readUInt8())
    let second = UInt32(readUInt8())
    let third = UInt32(readUInt8())
    let isLittle = (1.littleEndian == 1) != isSwapped
    return isLittle ? first | second << 8 | third << 16 : third | second << 8 | first << 16
  }

  /// An unsigned number of `size` bytes: 1 to 4 or 8. Any other size fails.
  @inlinable public mutating func readUnsigned(size: Int) -> UInt64 {
    switch size {
    case 8: return readUInt64()
    case 4: return UInt64(readUInt32())
    case 2: return UInt64(readUInt16())
    case 1: return UInt64(readUInt8())
    case 3: return UInt64(readUInt24())
    default:
      fail()
      return 0
    }
  }

  /// An unsigned LEB128 number (DWARF 5, section 7.6). Most have one byte.
  @inlinable @inline(__always) public mutating func readUleb128() -> UInt64 {
    if place < end {
      let byte = unsafe base.load(fromByteOffset: place, as: UInt8.self)
      if byte < 0x80 {
        place &+= 1
        return UInt64(byte)
      }
    }
    return readLongUleb128()
  }

  @inlinable mutating func readLongUleb128() -> UInt64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while place < end {
      let byte = unsafe base.load(fromByteOffset: place, as: UInt8.self)
      place &+= 1
      let bits = UInt64(byte & 0x7f)
      if shift >= 63 {
        // Padding groups of zero bits may follow without end; set bits beyond 64 may not.
        if shift == 63 ? bits > 1 : bits != 0 { break }
        if shift == 63 { number |= bits << 63 }
      } else {
        number |= bits << shift
      }
      if byte < 0x80 { return number }
      shift = min(shift &+ 7, 64)
    }
    fail()
    return 0
  }

  /// A signed LEB128 number (DWARF 5, section 7.6).
  @inlinable public mutating func readSleb128() -> Int64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while place < end {
      let byte = unsafe base.load(fromByteOffset: place, as: UInt8.self)
      place &+= 1
      let bits = UInt64(byte & 0x7f)
      if shift >= 63 {
        // From the last bit of the 64 on, every bit repeats the sign.
        let filler: UInt64 = (shift == 63 ? bits & 1 : number >> 63) == 0 ? 0 : 0x7f
        if bits != filler { break }
        if shift == 63 { number |= bits << 63 }
      } else {
        number |= bits << shift
      }
      shift = min(shift &+ 7, 64)
      if byte < 0x80 {
        if shift < 64, byte & 0x40 != 0 { number |= UInt64.max << shift }
        return Int64(bitPattern: number)
      }
    }
    fail()
    return 0
  }

  /// Passes over a LEB128 number of any length, signed or not.
  @inlinable @inline(__always) public mutating func skipLeb128() {
    while place < end {
      let byte = unsafe base.load(fromByteOffset: place, as: UInt8.self)
      place &+= 1
      if byte < 0x80 { return }
    }
    fail()
  }

  /// Passes over a zero-terminated string and its zero; fails where nothing ends it.
  public mutating func skipCString() {
    let start = unsafe base + place
    if remaining > 0, let zero = unsafe memchr(start, 0, remaining) {
      place += unsafe UnsafeRawPointer(zero) - start + 1
    } else {
      fail()
    }
  }
}

extension ByteRegion {
  /// A cursor at `offset` that ends at `end`, both from the start of the region.
  package func cursor(
    at offset: UInt64 = 0, end: UInt64 = .max, byteOrder: ByteOrder
  ) -> ByteCursor {
    ByteCursor(self, at: offset, end: end, byteOrder: byteOrder)
  }
}

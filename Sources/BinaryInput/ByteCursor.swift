import Platform

/// A cursor for decoding in bulk. Where `ByteReader` throws, this one records the failure.
///
/// Every read is checked against the end. A read that would pass the end, or that meets a LEB128
/// number of more than 64 bits, returns 0, moves the cursor to its end and sets `hasFailed` for
/// good. A loop can therefore read a whole entry and check once, and it ends because the cursor is
/// at its end.
///
/// It is public and inlinable because Swift 6.3 does not inline `package` functions into other
/// modules, and these are called for every byte of debug information.
///
/// Soundness of the unsafe reads: `owner` keeps the bytes alive as long as the cursor exists, and
/// `0 <= offset <= end` always holds: each read compares its size with `end - offset`.
@safe public struct ByteCursor {
  @usableFromInline let owner: AnyObject
  @usableFromInline let base: UnsafeRawPointer
  @usableFromInline var offset: Int
  /// The first byte that is not read; at most the size of the region.
  public let end: Int
  @usableFromInline let isSwapped: Bool
  @usableFromInline var failed: Bool

  /// What the cursor of an empty region points to; never read.
  private nonisolated(unsafe) static let nowhere = UnsafeRawPointer(
    UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

  /// A cursor at `offset` that ends at `end`, both counted from the start of `region`. If `offset`
  /// is beyond `end` or the region, the cursor is at its end and has failed.
  package init(
    _ region: ByteRegion, at offset: UInt64 = 0, end: UInt64 = .max, byteOrder: ByteOrder
  ) {
    let bytes = unsafe region.unsafeBytes
    let count = UInt64(bytes.count)
    let limit = min(end, count)
    self.owner = region.storage
    unsafe self.base = bytes.baseAddress ?? Self.nowhere
    self.end = Int(limit)
    self.offset = Int(min(offset, limit))
    self.failed = offset > limit
    self.isSwapped = byteOrder != .native
  }

  /// The number of bytes from the start of the region that the cursor was made for.
  @inlinable public var position: Int { offset }
  /// Whether a read passed the end or met a number that cannot be read.
  @inlinable public var hasFailed: Bool { failed }
  /// Whether no bytes are left to read; also true after a failure.
  @inlinable public var isAtEnd: Bool { offset == end }
  /// The number of bytes from the cursor to its end.
  @inlinable public var remaining: Int { end &- offset }

  /// The byte at the cursor, which stays where it is; nil at the end.
  @inlinable @inline(__always) public var nextByte: UInt8? {
    offset < end ? unsafe base.load(fromByteOffset: offset, as: UInt8.self) : nil
  }

  /// Moves to the end and records a failure, as a failed read does.
  @inlinable @inline(__always) public mutating func fail() {
    offset = end
    failed = true
  }

  /// Moves to `offset`, counted from the start of the region; `end` is allowed, and more is a
  /// failure.
  @inlinable @inline(__always) public mutating func seek(to offset: UInt64) {
    if offset <= UInt64(end) { self.offset = Int(offset) } else { fail() }
  }

  /// Skips `count` bytes; fails if there are fewer or `count` is negative.
  @inlinable @inline(__always) public mutating func skip(_ count: Int) {
    if count >= 0, count <= remaining { offset &+= count } else { fail() }
  }

  /// Skips `count` bytes; fails if there are fewer.
  @inlinable @inline(__always) public mutating func skip(_ count: UInt64) {
    if count <= UInt64(remaining) { offset &+= Int(count) } else { fail() }
  }

  @inlinable @inline(__always)
  mutating func load<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type) -> Number {
    guard MemoryLayout<Number>.size <= end &- offset else {
      fail()
      return 0
    }
    let number = unsafe base.loadUnaligned(fromByteOffset: offset, as: type)
    offset &+= MemoryLayout<Number>.size
    return isSwapped ? number.byteSwapped : number
  }

  // Numbers of a fixed size are read in the cursor's byte order.

  /// An unsigned number of 1 byte.
  @inlinable @inline(__always) public mutating func readUInt8() -> UInt8 { load(UInt8.self) }
  /// A signed number of 1 byte.
  @inlinable @inline(__always) public mutating func readInt8() -> Int8 { load(Int8.self) }
  /// An unsigned number of 2 bytes.
  @inlinable @inline(__always) public mutating func readUInt16() -> UInt16 { load(UInt16.self) }
  /// An unsigned number of 4 bytes.
  @inlinable @inline(__always) public mutating func readUInt32() -> UInt32 { load(UInt32.self) }
  /// An unsigned number of 8 bytes.
  @inlinable @inline(__always) public mutating func readUInt64() -> UInt64 { load(UInt64.self) }

  /// An unsigned number of 3 bytes, such as `DW_FORM_strx3`.
  @inlinable @inline(__always) public mutating func readUInt24() -> UInt32 {
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
  @inlinable @inline(__always) public mutating func readUnsigned(size: Int) -> UInt64 {
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

  // Longer numbers are read by functions that take an offset and return the next one. A call that
  // took the cursor itself would keep it out of the registers in every loop that reads numbers.

  /// An unsigned LEB128 number (DWARF 5, section 7.6). The path for one byte is inlined: most
  /// numbers have one.
  @inlinable @inline(__always) public mutating func readUleb128() -> UInt64 {
    if offset < end {
      let byte = unsafe base.load(fromByteOffset: offset, as: UInt8.self)
      if byte < 0x80 {
        offset &+= 1
        return UInt64(byte)
      }
    }
    let (number, next) = unsafe Self.longUleb128(base, at: offset, end: end)
    if next < 0 { fail() } else { offset = next }
    return number
  }

  /// A signed LEB128 number (DWARF 5, section 7.6).
  @inlinable @inline(__always) public mutating func readSleb128() -> Int64 {
    if offset < end {
      let byte = unsafe base.load(fromByteOffset: offset, as: UInt8.self)
      if byte < 0x80 {
        offset &+= 1
        return Int64(byte) - Int64((byte & 0x40) << 1)
      }
    }
    let (number, next) = unsafe Self.longSleb128(base, at: offset, end: end)
    if next < 0 { fail() } else { offset = next }
    return number
  }

  /// The unsigned number at `start`, and the offset after it; 0 and −1 if it passes `end` or does
  /// not fit in 64 bits. Any number of padding groups may follow, but no set bit beyond the 64th.
  @usableFromInline static func longUleb128(
    _ base: UnsafeRawPointer, at start: Int, end: Int
  ) -> (number: UInt64, next: Int) {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    var offset = start
    while offset < end {
      let byte = unsafe base.load(fromByteOffset: offset, as: UInt8.self)
      offset &+= 1
      let bits = UInt64(byte & 0x7f)
      if shift >= 63 {
        if shift == 63 ? bits > 1 : bits != 0 { break }
        if shift == 63 { number |= bits << 63 }
      } else {
        number |= bits << shift
      }
      if byte < 0x80 { return (number, offset) }
      shift = min(shift &+ 7, 64)
    }
    return (0, -1)
  }

  /// The signed number at `start`, and the offset after it; 0 and −1 as for `longUleb128`. From the
  /// 64th bit on, every bit repeats the sign.
  @usableFromInline static func longSleb128(
    _ base: UnsafeRawPointer, at start: Int, end: Int
  ) -> (number: Int64, next: Int) {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    var offset = start
    while offset < end {
      let byte = unsafe base.load(fromByteOffset: offset, as: UInt8.self)
      offset &+= 1
      let bits = UInt64(byte & 0x7f)
      if shift >= 63 {
        let filler: UInt64 = (shift == 63 ? bits & 1 : number >> 63) == 0 ? 0 : 0x7f
        if bits != filler { break }
        if shift == 63 { number |= bits << 63 }
      } else {
        number |= bits << shift
      }
      shift = min(shift &+ 7, 64)
      if byte < 0x80 {
        if shift < 64, byte & 0x40 != 0 { number |= UInt64.max << shift }
        return (Int64(bitPattern: number), offset)
      }
    }
    return (0, -1)
  }

  /// Skips a LEB128 number of any length, signed or not.
  @inlinable @inline(__always) public mutating func skipLeb128() {
    while offset < end {
      let byte = unsafe base.load(fromByteOffset: offset, as: UInt8.self)
      offset &+= 1
      if byte < 0x80 { return }
    }
    fail()
  }

  /// Skips a zero-terminated string and its zero; fails if there is no zero.
  @inlinable @inline(__always) public mutating func skipCString() {
    let next = unsafe Self.endOfCString(base, at: offset, end: end)
    if next < 0 { fail() } else { offset = next }
  }

  /// Moves after the next line feed, or to the end if there is none, which is not a failure.
  @inlinable @inline(__always) public mutating func skipLine() {
    offset = unsafe Self.endOfLine(base, at: offset, end: end)
  }

  /// The offset after the first line feed from `start` on; `end` if there is none.
  @usableFromInline static func endOfLine(
    _ base: UnsafeRawPointer, at start: Int, end: Int
  ) -> Int {
    guard start < end, let feed = unsafe memchr(base + start, 10, end - start) else { return end }
    return unsafe UnsafeRawPointer(feed) - base + 1
  }

  /// The offset after the zero byte that ends the string at `start`; −1 if there is none before
  /// `end`.
  @usableFromInline static func endOfCString(
    _ base: UnsafeRawPointer, at start: Int, end: Int
  ) -> Int {
    guard start < end, let zero = unsafe memchr(base + start, 0, end - start) else { return -1 }
    return unsafe UnsafeRawPointer(zero) - base + 1
  }
}

extension ByteRegion {
  /// A cursor at `offset` that ends at `end`, both counted from the start of the region.
  package func cursor(
    at offset: UInt64 = 0, end: UInt64 = .max, byteOrder: ByteOrder
  ) -> ByteCursor {
    ByteCursor(self, at: offset, end: end, byteOrder: byteOrder)
  }
}

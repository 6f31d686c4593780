/// Eight bytes that begin with a LEB128 number (DWARF 5, section 7.6).
///
/// The last byte of a number has its highest bit clear. The number is taken out of all bytes at
/// once: a branch on its length would be mispredicted for every second number.
///
/// It is public and inlinable for the same reason as `ByteCursor`.
public struct Leb128Word {
  @usableFromInline let word: UInt64
  /// The highest bit of each byte that ends a number.
  @usableFromInline let ends: UInt64

  /// - Parameter loaded: the bytes as they are in memory.
  @inlinable @inline(__always) public init(littleEndian loaded: UInt64) {
    word = UInt64(littleEndian: loaded)
    ends = ~word & 0x8080_8080_8080_8080
  }

  /// The bytes behind the first `count`, which must be below 8, and zeros at the end.
  @inlinable @inline(__always) public func dropping(_ count: Int) -> Leb128Word {
    Leb128Word(littleEndian: (word &>> UInt64(truncatingIfNeeded: count &* 8)).littleEndian)
  }

  /// The first byte.
  @inlinable @inline(__always) public var firstByte: UInt8 { UInt8(truncatingIfNeeded: word) }

  /// Whether the number ends in these bytes.
  @inlinable @inline(__always) public var isComplete: Bool { ends != 0 }

  /// The number of bytes of the number; 9 if it does not end in these.
  @inlinable @inline(__always) public var size: Int { ends.trailingZeroBitCount &>> 3 &+ 1 }

  /// The number of bytes of this number and the next; 9 if that does not end in these bytes.
  @inlinable @inline(__always) public var sizeOfTwo: Int {
    (ends & (ends &- 1)).trailingZeroBitCount &>> 3 &+ 1
  }

  /// The number, if it is complete.
  @inlinable @inline(__always) public var unsigned: UInt64 {
    // The groups of seven bits are moved together.
    var bits = word & (ends ^ (ends &- 1)) & 0x7f7f_7f7f_7f7f_7f7f
    bits = bits & 0x007f_007f_007f_007f | (bits & 0x7f00_7f00_7f00_7f00) &>> 1
    bits = bits & 0x0000_3fff_0000_3fff | (bits & 0x3fff_0000_3fff_0000) &>> 2
    return bits & 0x0000_0000_0fff_ffff | (bits & 0x0fff_ffff_0000_0000) &>> 4
  }

  /// The number as a signed one, if it is complete.
  @inlinable @inline(__always) public var signed: Int64 {
    let unused = Int64(truncatingIfNeeded: 64 &- 7 &* size)
    return (Int64(bitPattern: unsigned) &<< unused) &>> unused
  }

  // Numbers of up to three bytes take fewer steps.

  /// The number, if it has up to three bytes.
  @inlinable @inline(__always) public var shortUnsigned: UInt32 {
    let bits = UInt32(truncatingIfNeeded: word & (ends ^ (ends &- 1)))
    return bits & 0x7f | (bits &>> 1) & 0x3f80 | (bits &>> 2) & 0x1f_c000
  }

  /// `number`, which is `shortUnsigned`, as a signed one.
  @inlinable @inline(__always) public func shortSigned(_ number: UInt32) -> Int32 {
    let unused = Int32(truncatingIfNeeded: 32 &- 7 &* size)
    return (Int32(bitPattern: number) &<< unused) &>> unused
  }
}

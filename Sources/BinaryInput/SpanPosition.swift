import Platform

/// A place in a span, for decoding many small pieces of a mapped file.
///
/// It works like `ByteCursor`, but holds neither the bytes nor their owner: nothing is retained,
/// and the few numbers of a lookup stay in registers. Every read gets the span and is checked
/// against its end. A read that would pass the end, or that meets a LEB128 number of more than 64
/// bits, returns 0 and fails for good, because the position is then beyond the end of any span.
///
/// It is public and inlinable for the same reason as `ByteCursor`.
///
/// Soundness of the unsafe reads: `offset` is never negative, and each read compares its size with
/// the bytes from there to the end of the span.
public struct SpanPosition {
  @usableFromInline var offset: Int

  /// The position at `offset`, which may be beyond the end: the first read then fails.
  @inlinable @inline(__always) public init(_ offset: UInt64) {
    self.offset = Int(truncatingIfNeeded: min(offset, UInt64(Int.max)))
  }

  /// The number of bytes from the start of the span; `Int.max` after a failure.
  @inlinable @inline(__always) public var value: Int { offset }

  /// Whether a read passed the end or met a number that cannot be read.
  @inlinable @inline(__always) public var hasFailed: Bool { offset == .max }

  /// Fails, as a read beyond the end does.
  @inlinable @inline(__always) public mutating func fail() { offset = .max }

  /// The number of bytes to the end of `bytes`; not above 0 at or beyond it.
  @inlinable @inline(__always) public func remaining(in bytes: RawSpan) -> Int {
    bytes.byteCount &- offset
  }

  /// Skips `count` bytes; fails if there are fewer.
  @inlinable @inline(__always) public mutating func skip(_ count: Int, in bytes: RawSpan) {
    if count >= 0, count <= remaining(in: bytes) { offset &+= count } else { fail() }
  }

  /// Reads a number of a fixed size in the byte order of this machine.
  @inlinable @inline(__always)
  public mutating func read<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type, in bytes: RawSpan
  ) -> Number {
    guard MemoryLayout<Number>.size <= bytes.byteCount &- offset else {
      fail()
      return 0
    }
    let number = unsafe bytes.unsafeLoadUnaligned(
      fromUncheckedByteOffset: offset, as: type)
    offset &+= MemoryLayout<Number>.size
    return number
  }

  /// The number of a fixed size that is `distance` bytes ahead, in the byte order of this machine;
  /// 0 if it passes the end, or if `distance` is not from 0 to 63. The position stays where it is.
  @inlinable @inline(__always)
  public func peek<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type, ahead distance: Int, in bytes: RawSpan
  ) -> Number {
    guard distance >= 0, distance < 64,
      MemoryLayout<Number>.size &+ distance <= bytes.byteCount &- offset
    else { return 0 }
    return unsafe bytes.unsafeLoadUnaligned(
      fromUncheckedByteOffset: offset &+ distance, as: type)
  }

  // Numbers of up to eight bytes are read without a branch on their length, which the processor
  // would mispredict for every second number.

  /// Reads an unsigned LEB128 number (DWARF 5, section 7.6).
  @inlinable @inline(__always) public mutating func readUleb128(in bytes: RawSpan) -> UInt64 {
    if bytes.byteCount &- offset >= 8 {
      let number = Leb128Word(littleEndian: peek(UInt64.self, ahead: 0, in: bytes))
      if number.isComplete {
        offset &+= number.size
        return number.unsigned
      }
    }
    let (number, next) = Self.longUleb128(in: bytes, at: offset)
    offset = next
    return number
  }

  /// Reads a signed LEB128 number (DWARF 5, section 7.6).
  @inlinable @inline(__always) public mutating func readSleb128(in bytes: RawSpan) -> Int64 {
    if bytes.byteCount &- offset >= 8 {
      let number = Leb128Word(littleEndian: peek(UInt64.self, ahead: 0, in: bytes))
      if number.isComplete {
        offset &+= number.size
        return number.signed
      }
    }
    let (number, next) = Self.longSleb128(in: bytes, at: offset)
    offset = next
    return number
  }

  @usableFromInline
  static func longUleb128(in bytes: RawSpan, at offset: Int) -> (number: UInt64, next: Int) {
    unsafe bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> (number: UInt64, next: Int) in
      guard let base = bytes.baseAddress else { return (0, .max) }
      let (number, next) = unsafe ByteCursor.longUleb128(base, at: offset, end: bytes.count)
      return (number, next < 0 ? .max : next)
    }
  }

  @usableFromInline
  static func longSleb128(in bytes: RawSpan, at offset: Int) -> (number: Int64, next: Int) {
    unsafe bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> (number: Int64, next: Int) in
      guard let base = bytes.baseAddress else { return (0, .max) }
      let (number, next) = unsafe ByteCursor.longSleb128(base, at: offset, end: bytes.count)
      return (number, next < 0 ? .max : next)
    }
  }

  /// Skips two LEB128 numbers of any length.
  @inlinable @inline(__always) public mutating func skipTwoLeb128(in bytes: RawSpan) {
    if bytes.byteCount &- offset >= 8 {
      let size = Leb128Word(littleEndian: peek(UInt64.self, ahead: 0, in: bytes)).sizeOfTwo
      if size <= 8 {
        offset &+= size
        return
      }
    }
    skipLeb128(in: bytes)
    skipLeb128(in: bytes)
  }

  @inlinable mutating func skipLeb128(in bytes: RawSpan) {
    while read(UInt8.self, in: bytes) >= 0x80 {}
  }
}

extension RawSpan {
  /// The number of bytes before the first zero; all of them if there is none.
  package var countBeforeZero: Int {
    unsafe withUnsafeBytes {
      guard let base = $0.baseAddress, let zero = unsafe memchr(base, 0, $0.count) else {
        return $0.count
      }
      return unsafe UnsafeRawPointer(zero) - base
    }
  }
}

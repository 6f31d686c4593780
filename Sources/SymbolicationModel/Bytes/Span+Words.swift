extension Span<UInt8> {
  // `word` and `block` check with a comparison that most callers have just made: the compiler then
  // leaves it out. Every bit pattern is a value of their types.

  /// The 8 bytes from `offset` as one number, the first one lowest: one load, after one check. Only
  /// for an offset with 8 bytes left.
  @inlinable @inline(__always)
  package func word(at offset: Int) -> UInt64 {
    precondition(offset >= 0 && count - offset >= 8)
    let word = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
    return UInt64(littleEndian: word)
  }

  /// The 16 bytes from `offset`, the first one as the first lane: one load, after one check. Only
  /// for an offset with 16 bytes left.
  @inlinable @inline(__always)
  package func block(at offset: Int) -> SIMD16<UInt8> {
    precondition(offset >= 0 && count - offset >= 16)
    return unsafe uncheckedBlock(at: offset)
  }

  /// The same without a check, for loops that have just made it.
  @unsafe @inlinable @inline(__always)
  package func uncheckedBlock(at offset: Int) -> SIMD16<UInt8> {
    unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD16<UInt8>.self)
  }

  /// The offset of the first `byte` at or after `start`; the count if there is none. Compares 16
  /// bytes at a time.
  @inlinable
  package func firstOffset(of byte: UInt8, from start: Int) -> Int {
    let pattern = SIMD16<UInt8>(repeating: byte)
    var offset = start
    while count - offset >= 32 {
      let found = unsafe uncheckedBlock(at: offset) .== pattern
      let next = unsafe uncheckedBlock(at: offset + 16) .== pattern
      if (found .| next).hasLanes {
        return offset + (found.hasLanes ? found.firstLane : 16 + next.firstLane)
      }
      offset += 32
    }
    if count - offset >= 16 {
      let found = block(at: offset) .== pattern
      if found.hasLanes { return offset + found.firstLane }
      offset += 16
    }
    // The last 16 bytes overlap those before, which have none.
    if offset < count, count - 16 >= start {
      return count - 16 + (block(at: count - 16) .== pattern).firstLane
    }
    if count - offset >= 8 {
      let found = word(at: offset).bytes(equal: byte)
      if found != 0 { return offset + found.trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < count, self[offset] != byte { offset += 1 }
    return offset
  }

  /// The offset of the first `byte` at or after `start` with `next` right behind it; the count if
  /// there is none. Compares 16 bytes at a time. In a text, two bytes are much rarer than one.
  @inlinable
  package func firstOffset(of byte: UInt8, before next: UInt8, from start: Int) -> Int {
    let (pattern, nextPattern) = (
      SIMD16<UInt8>(repeating: byte), SIMD16<UInt8>(repeating: next)
    )
    var offset = start
    while count - offset > 16 {
      let (first, second) = unsafe (uncheckedBlock(at: offset), uncheckedBlock(at: offset + 1))
      let found = (first .== pattern) .& (second .== nextPattern)
      if found.hasLanes { return offset + found.firstLane }
      offset += 16
    }
    while count - offset >= 2 {
      if self[offset] == byte, self[offset + 1] == next { return offset }
      offset += 1
    }
    return count
  }

  @inlinable
  package func holds(_ byte: UInt8) -> Bool { firstOffset(of: byte, from: 0) < count }

  /// Whether the bytes occur one after the other, in this order.
  @inlinable
  package func holds(_ wanted: Span<UInt8>) -> Bool {
    guard !wanted.isEmpty else { return true }
    var start = firstOffset(of: wanted[0], from: 0)
    while count - start >= wanted.count {
      var length = 1
      while length < wanted.count, self[start + length] == wanted[length] { length += 1 }
      if length == wanted.count { return true }
      start = firstOffset(of: wanted[0], from: start + 1)
    }
    return false
  }

  /// Whether a control character may be among the characters: true if one of ASCII is, or 0xc2,
  /// which begins the two bytes of U+0080 to U+009F. Compares 8 bytes at a time.
  @inlinable
  package var mayHoldControlCharacter: Bool {
    guard count >= 8 else {
      for index in indices where self[index] < 0x20 || self[index] == 0x7f || self[index] == 0xc2 {
        return true
      }
      return false
    }
    var offset = 0
    while true {
      let word = word(at: offset)
      if word.controlsOfAscii | word.controlsBeyondAscii != 0 { return true }
      if offset == count - 8 { return false }
      // The last 8 bytes may overlap those before.
      offset = Swift.min(offset + 8, count - 8)
    }
  }
}

extension SIMD16<UInt8> {
  // Each pattern has its full type: without it, Swift 6.3 compares lane by lane, in a loop.

  /// The bytes at which the plain text of a JSON string stops: quotes, backslashes and control
  /// characters of ASCII.
  @inlinable @inline(__always)
  package var jsonTextStops: SIMDMask<SIMD16<Int8>> {
    let quote = SIMD16<UInt8>(repeating: UInt8(ascii: "\""))
    let backslash = SIMD16<UInt8>(repeating: UInt8(ascii: "\\"))
    let space = SIMD16<UInt8>(repeating: UInt8(ascii: " "))
    return (self .== quote) .| (self .== backslash) .| (self .< space)
  }

  /// The bytes that may be a control character, or begin one, and are no `jsonTextStops`: DEL, and
  /// 0xc2 of U+0080 to U+009F.
  @inlinable @inline(__always)
  package var controlsBeyondAscii: SIMDMask<SIMD16<Int8>> {
    let (delete, lead) = (SIMD16<UInt8>(repeating: 0x7f), SIMD16<UInt8>(repeating: 0xc2))
    return (self .== delete) .| (self .== lead)
  }
}

extension SIMDMask<SIMD16<Int8>> {
  /// The lanes 0 to 7 and 8 to 15: 0xff for each that is true, the first one lowest.
  @inlinable @inline(__always)
  package var halves: (UInt64, UInt64) {
    // Both are 16 bytes, and every bit pattern is a number.
    let halves = unsafe unsafeBitCast(self, to: SIMD2<UInt64>.self)
    return (UInt64(littleEndian: halves[0]), UInt64(littleEndian: halves[1]))
  }

  /// Whether a lane is true.
  @inlinable @inline(__always)
  package var hasLanes: Bool { halves.0 | halves.1 != 0 }

  /// The index of the first lane that is true; 16 if none is.
  @inlinable @inline(__always)
  package var firstLane: Int {
    let (low, high) = halves
    return low != 0 ? low.trailingZeroBitCount / 8 : 8 + high.trailingZeroBitCount / 8
  }
}

extension UInt64 {
  /// A 1 in each byte.
  @inlinable @inline(__always)
  package static var everyByte: UInt64 { 0x0101_0101_0101_0101 }

  /// The highest bit of each byte that is 0. Bits above the lowest of these may be set wrongly.
  @inlinable @inline(__always)
  package var zeroBytes: UInt64 {
    (self &- Self.everyByte) & ~self & (Self.everyByte &* 0x80)
  }

  /// The highest bit of each byte that is `byte`. Bits above the lowest of these may be set
  /// wrongly.
  @inlinable @inline(__always)
  package func bytes(equal byte: UInt8) -> UInt64 {
    (self ^ (UInt64(byte) &* Self.everyByte)).zeroBytes
  }

  /// The highest bit of each byte at which the plain text of a JSON string stops: a quote, a
  /// backslash or a control character of ASCII. Bits above the lowest of these may be set wrongly.
  @inlinable @inline(__always)
  package var jsonTextStops: UInt64 {
    // A quote with its second bit flipped is a space, and control characters stay what they are:
    // all of these are less than 0x21, and no other character of ASCII becomes so.
    let quotesAndControls = (self ^ (Self.everyByte &* 2)) &- (Self.everyByte &* 0x21)
    let backslashes = (self ^ (Self.everyByte &* UInt64(UInt8(ascii: "\\")))) &- Self.everyByte
    return (quotesAndControls | backslashes) & ~self & (Self.everyByte &* 0x80)
  }

  /// The highest bit of each byte that is below 0x20. Bits above the lowest of these may be set
  /// wrongly.
  @inlinable @inline(__always)
  package var controlsOfAscii: UInt64 {
    (self &- Self.everyByte &* 0x20) & ~self & (Self.everyByte &* 0x80)
  }

  /// The highest bit of each byte that may be a control character, or begin one, and is no
  /// `jsonTextStops`: DEL, and 0xc2 of U+0080 to U+009F. Bits above the lowest of these may be set
  /// wrongly.
  @inlinable @inline(__always)
  package var controlsBeyondAscii: UInt64 {
    // Added to characters of ASCII, 1 makes the highest bit of DEL alone.
    let found = (self | self &+ Self.everyByte) & (Self.everyByte &* 0x80)
    return found == 0 ? 0 : bytes(equal: 0x7f) | bytes(equal: 0xc2)
  }
}

extension String {
  /// Calls `body` with the bytes of the text. They are valid until it returns.
  ///
  /// Use this in place of `utf8Span`. The span of a text of up to 15 bytes points at the caller's
  /// copy of the text, and Swift 6.3 for Linux ends the life of that copy too early if a function
  /// passes the span on in its last call: optimised code then reads what else is on the stack.
  @inlinable @inline(__always)
  package func withBytes<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    try utf8.withBytes(body)
  }
}

extension String.UTF8View {
  /// Calls `body` with the bytes. They are valid until it returns.
  ///
  /// Swift 6.3 counts a reference for the view of a string that a function takes from it, but none
  /// for a view that the function is called with. So what runs for every name takes views.
  @inlinable @inline(__always)
  package func withBytes<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    if let result = try unsafe withContiguousStorageIfAvailable({ try unsafe body($0.span) }) {
      return result
    }
    return try body(Array(self).span)
  }
}

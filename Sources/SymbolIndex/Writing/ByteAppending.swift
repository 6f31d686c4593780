extension [UInt8] {
  /// Appends a number, the least significant byte first.
  package mutating func appendNumber(_ number: some FixedWidthInteger & UnsignedInteger) {
    var rest = UInt64(number)
    for _ in 0..<(number.bitWidth / 8) {
      append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  /// Overwrites the four bytes at `offset` with a number, the least significant byte first.
  mutating func setNumber(_ number: UInt32, at offset: Int) {
    for index in 0..<4 { self[offset + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
  }

  /// Appends zeros until there are `count` bytes.
  mutating func appendZeros(to count: Int) {
    while self.count < count { append(0) }
  }

  /// Appends an unsigned LEB128 number (DWARF 5, section 7.6).
  mutating func appendUleb128(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a signed LEB128 number (DWARF 5, section 7.6).
  mutating func appendSleb128(_ number: Int64) {
    var rest = number
    while !(-0x40..<0x40 ~= rest) {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest) & 0x7f)
  }
}

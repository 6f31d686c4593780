/// A throwing cursor over a region. Numbers and strings in files are read through it or, in bulk,
/// through a ``ByteCursor``.
///
/// Every read is checked against the region's end. A read that fails throws and leaves the cursor
/// where it was. The cursor knows the byte order, so that no caller swaps bytes.
///
/// Soundness of the unsafe reads: `region` keeps the bytes alive as long as the cursor exists, and
/// each read first compares its size with `count - position`.
@safe package struct ByteReader: Sendable {
  private let region: ByteRegion
  nonisolated(unsafe) private let base: UnsafeRawBufferPointer
  /// The byte order of all numbers that are read.
  package let byteOrder: ByteOrder
  /// In bytes from the start of the region; never beyond its end.
  package private(set) var position: Int = 0

  init(region: ByteRegion, byteOrder: ByteOrder) {
    self.region = region
    unsafe self.base = region.unsafeBytes
    self.byteOrder = byteOrder
  }

  /// The size of the region in bytes.
  package var count: Int { unsafe base.count }
  /// The number of bytes from the cursor to the end.
  package var remaining: Int { count - position }
  package var isAtEnd: Bool { position == count }

  private func check(_ wanted: Int) throws(ByteReadError) {
    guard wanted <= remaining else {
      throw .outOfBounds(
        offset: UInt64(position), count: UInt64(wanted), available: UInt64(count))
    }
  }

  /// Moves to `offset` bytes from the start of the region; its end is allowed.
  package mutating func seek(to offset: UInt64) throws(ByteReadError) {
    guard offset <= UInt64(count) else {
      throw .outOfBounds(offset: offset, count: 0, available: UInt64(count))
    }
    position = Int(offset)
  }

  /// Skips `count` bytes. Throws `outOfBounds` if there are fewer.
  package mutating func skip(_ count: UInt64) throws(ByteReadError) {
    guard count <= UInt64(remaining) else {
      throw .outOfBounds(
        offset: UInt64(position), count: count, available: UInt64(self.count))
    }
    position += Int(count)
  }

  // Overload resolution prefers these four to the generic function below. Swift 6.3 specializes no
  // `package` function in another module, and unspecialized it costs twice as much to read a table.
  package mutating func read(_ type: UInt8.Type = UInt8.self) throws(ByteReadError) -> UInt8 {
    try load(type)
  }
  package mutating func read(_ type: UInt16.Type = UInt16.self) throws(ByteReadError) -> UInt16 {
    try load(type)
  }
  package mutating func read(_ type: UInt32.Type = UInt32.self) throws(ByteReadError) -> UInt32 {
    try load(type)
  }
  package mutating func read(_ type: UInt64.Type = UInt64.self) throws(ByteReadError) -> UInt64 {
    try load(type)
  }

  package mutating func read<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type = Number.self
  ) throws(ByteReadError) -> Number {
    try load(type)
  }

  @inline(__always)
  private mutating func load<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type
  ) throws(ByteReadError) -> Number {
    try check(MemoryLayout<Number>.size)
    let number = unsafe base.loadUnaligned(fromByteOffset: position, as: type)
    position += MemoryLayout<Number>.size
    return byteOrder == .little ? Number(littleEndian: number) : Number(bigEndian: number)
  }

  /// An unsigned number of `size` bytes, 1 to 8. Any other size, which a file may state, throws
  /// `unsupportedNumberSize`.
  package mutating func readUnsigned(size: Int) throws(ByteReadError) -> UInt64 {
    switch size {
    case 1: return UInt64(try read(UInt8.self))
    case 2: return UInt64(try read(UInt16.self))
    case 4: return UInt64(try read(UInt32.self))
    case 8: return try read(UInt64.self)
    default:
      guard (1...8).contains(size) else {
        throw .unsupportedNumberSize(size: size, offset: UInt64(position))
      }
      try check(size)
      var number: UInt64 = 0
      for index in 0..<size {
        let byte = UInt64(unsafe base[position + index])
        let significance = byteOrder == .little ? index : size - 1 - index
        number |= byte << (8 * UInt64(significance))
      }
      position += size
      return number
    }
  }

  /// An unsigned LEB128 number (DWARF 5, section 7.6).
  package mutating func readUleb128() throws(ByteReadError) -> UInt64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    var index = position
    while index < count {
      let byte = unsafe base[index]
      index += 1
      let bits = UInt64(byte & 0x7f)
      // Padding groups of zero bits may follow without end; set bits beyond 64 may not.
      if shift >= 64 ? bits != 0 : (shift == 63 && bits > 1) {
        throw .oversizedLeb128(offset: UInt64(position))
      }
      if shift < 64 { number |= bits << shift }
      shift += 7
      if byte & 0x80 == 0 {
        position = index
        return number
      }
    }
    throw .outOfBounds(
      offset: UInt64(position), count: UInt64(remaining + 1), available: UInt64(count))
  }

  /// The bytes of a zero-terminated string, without the zero; the cursor moves past it.
  package mutating func readCString() throws(ByteReadError) -> [UInt8] {
    let rest = unsafe base[position...]
    guard let end = unsafe rest.firstIndex(of: 0) else {
      throw .unterminatedString(offset: UInt64(position))
    }
    let text = unsafe Array(rest[..<end])
    position = end + 1
    return text
  }

  /// The next `count` bytes as a region of their own.
  package mutating func readRegion(count: UInt64) throws(ByteReadError) -> ByteRegion {
    let result = try region.subregion(offset: UInt64(position), count: count)
    position += Int(count)
    return result
  }
}

/// The order of the bytes of a number.
package enum ByteOrder: Sendable {
  case little
  case big

  /// The byte order of the machine that this program runs on.
  package static var native: ByteOrder { 1.littleEndian == 1 ? .little : .big }
}

/// Why bytes could not be read. Offsets and counts are in bytes, from the start of the region that
/// was read.
package enum ByteReadError: Error, Hashable, Sendable {
  /// `count` bytes were wanted at `offset`, in a region of `available` bytes.
  case outOfBounds(offset: UInt64, count: UInt64, available: UInt64)
  /// The LEB128 number at `offset` does not fit in 64 bits.
  case oversizedLeb128(offset: UInt64)
  /// No zero byte ends the string at `offset`.
  case unterminatedString(offset: UInt64)
  /// A number of `size` bytes was wanted at `offset`; only sizes of 1 to 8 are supported.
  case unsupportedNumberSize(size: Int, offset: UInt64)
}

/// The checksum of indexes: 64 bits, computed over the bytes as little-endian words of eight.
///
/// For each word, `state = (state ^ word) * 0x9fb2_1c65_1e98_df25`, then `state ^= state >> 32`. An
/// incomplete last word is filled up with zeros. The number of bytes follows as another word.
///
/// Every step is reversible, so a change within one word is always detected. Any other change is
/// missed once in 2^64. The checksum detects damage; it is no protection against forgery.
package struct IndexChecksum: Hashable, Sendable {
  private var state: UInt64 = 0x9e37_79b9_7f4a_7c15
  /// The bytes of an incomplete word.
  private var pending: UInt64 = 0
  private var count: UInt64 = 0

  package init() {}

  /// The checksum of all bytes added so far.
  package var value: UInt64 {
    var copy = self
    if count % 8 != 0 { copy.mix(pending) }
    copy.mix(count)
    return copy.state
  }

  /// Adds `bytes`. The result does not depend on how the bytes are divided between calls.
  package mutating func add(_ bytes: [UInt8]) {
    add(unsafe bytes.span.bytes)
  }

  /// Adds `bytes`. The result does not depend on how the bytes are divided between calls.
  ///
  /// Soundness of the unsafe reads: each reads eight bytes or one, all below `byteCount`.
  package mutating func add(_ bytes: RawSpan) {
    var offset = 0
    let end = bytes.byteCount
    while count % 8 != 0, offset < end {
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      addByte(byte)
      offset += 1
    }
    while end - offset >= 8 {
      let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
      mix(UInt64(littleEndian: word))
      offset += 8
      count &+= 8
    }
    while offset < end {
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      addByte(byte)
      offset += 1
    }
  }

  private mutating func addByte(_ byte: UInt8) {
    pending |= UInt64(byte) << (8 * (count % 8))
    count &+= 1
    if count % 8 == 0 {
      mix(pending)
      pending = 0
    }
  }

  @inline(__always)
  private mutating func mix(_ word: UInt64) {
    state = (state ^ word) &* 0x9fb2_1c65_1e98_df25
    state ^= state >> 32
  }
}

/// The checksum of indexes: 64 bits, over the bytes taken as little-endian words of eight.
///
/// For each word, `state = (state ^ word) * 0x9fb2_1c65_1e98_df25`, then `state ^= state >> 32`; a last
/// word that is not full is filled with zeros, and the number of bytes follows as a word. Each step
/// can be undone, so a change within one word always shows, and any other is missed once in 2^64.
/// It finds damage; it does not stop someone who wants to deceive.
package struct IndexChecksum: Hashable, Sendable {
  private var state: UInt64 = 0x9e37_79b9_7f4a_7c15
  /// The bytes of a word that is not full yet.
  private var pending: UInt64 = 0
  private var count: UInt64 = 0

  package init() {}

  /// The checksum of all bytes that were added.
  package var value: UInt64 {
    var copy = self
    if count % 8 != 0 { copy.mix(pending) }
    copy.mix(count)
    return copy.state
  }

  package mutating func add(_ bytes: [UInt8]) {
    add(unsafe bytes.span.bytes)
  }

  /// Goes on with `bytes`. How they are divided between calls does not matter.
  ///
  /// Soundness of the unsafe reads: each is of eight bytes, or of one, below `byteCount`.
  package mutating func add(_ bytes: RawSpan) {
    var place = 0
    let end = bytes.byteCount
    while count % 8 != 0, place < end {
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self)
      addByte(byte)
      place += 1
    }
    while end - place >= 8 {
      let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self)
      mix(UInt64(littleEndian: word))
      place += 8
      count &+= 8
    }
    while place < end {
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self)
      addByte(byte)
      place += 1
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

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
  private mutating func mix(_ word: UInt64) { state = Self.mixed(state, word) }

  @inline(__always)
  private static func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let product = (state ^ word) &* 0x9fb2_1c65_1e98_df25
    return product ^ product &>> 32
  }
}

extension IndexChecksum {
  /// The checksum of `bytes`, a block of an index, in a quarter of the time.
  ///
  /// The steps of one checksum wait for each other. So of each 32 bytes, four states take a word
  /// each: the first begins as a checksum does, the others with 2, 3 and 4 times that number. The
  /// result is the checksum of the four states, as words, followed by the bytes that are left over.
  ///
  /// Soundness of the unsafe reads: each reads eight bytes below `byteCount`.
  static func ofBlock(_ bytes: RawSpan) -> UInt64 {
    let seed = IndexChecksum().state
    var states = (seed, 2 &* seed, 3 &* seed, 4 &* seed)
    func word(_ offset: Int) -> UInt64 {
      UInt64(
        littleEndian: unsafe bytes.unsafeLoadUnaligned(
          fromUncheckedByteOffset: offset, as: UInt64.self))
    }
    var offset = 0
    while bytes.byteCount &- offset >= 32 {
      states.0 = mixed(states.0, word(offset))
      states.1 = mixed(states.1, word(offset &+ 8))
      states.2 = mixed(states.2, word(offset &+ 16))
      states.3 = mixed(states.3, word(offset &+ 24))
      offset &+= 32
    }
    var checksum = IndexChecksum()
    checksum.mix(states.0)
    checksum.mix(states.1)
    checksum.mix(states.2)
    checksum.mix(states.3)
    checksum.count = 32
    checksum.add(bytes.extracting(droppingFirst: offset))
    return checksum.value
  }
}

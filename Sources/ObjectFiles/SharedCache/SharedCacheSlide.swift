import BinaryInput

/// How the pointers of a mapping are stored in the file. The loader makes addresses of them, with
/// the help of slide information (`dyld_cache_slide_info2` to `dyld_cache_slide_info5`).
enum SharedCacheSlide: Hashable, Sendable {
  /// They are addresses.
  case none
  /// Bits of `delta` lead to the next pointer. The others are relative to `base`, unless they are
  /// 0. Versions 2, and 4 for pointers of 32 bits.
  case delta(UInt64, base: UInt64, is32Bit: Bool)
  /// Version 3: pointers that are authenticated are relative to `base`, others are addresses of 43
  /// bits.
  case authenticated(base: UInt64)
  /// Version 5: 34 bits, relative to `base`.
  case relative(base: UInt64)

  /// Reads the information at `offset`; `none` if it is not in the region, or of version 1, where
  /// pointers are addresses, or of an unknown one.
  init(_ region: ByteRegion, at offset: UInt64) {
    func number(_ field: UInt64, _ size: Int) -> UInt64 {
      guard field <= .max - offset else { return 0 }
      return region.unsigned(at: offset + field, size: size, byteOrder: .little) ?? 0
    }
    switch offset == 0 ? 0 : number(0, 4) {
    case 2: self = .delta(number(0x18, 8), base: number(0x20, 8), is32Bit: false)
    case 3: self = .authenticated(base: number(0x10, 8))
    case 4: self = .delta(number(0x18, 8), base: number(0x20, 8), is32Bit: true)
    case 5: self = .relative(base: number(0x10, 8))
    default: self = .none
    }
  }

  /// The address that the stored pointer stands for; 0 for none.
  func address(_ stored: UInt64) -> UInt64 {
    guard stored != 0 else { return 0 }
    switch self {
    case .none: return stored
    case .delta(let mask, let base, let is32Bit):
      let value = stored & ~mask
      if value == 0 { return 0 }
      return is32Bit ? (value &+ base) & 0xffff_ffff : (value &+ base) & 0x00ff_ffff_ffff_ffff
    case .authenticated(let base):
      return stored >> 63 != 0 ? (stored & 0xffff_ffff) &+ base : stored & 0x07ff_ffff_ffff
    case .relative(let base): return (stored & 0x3_ffff_ffff) &+ base
    }
  }
}

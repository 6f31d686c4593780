/// Mutants of ELF files that know the structure: fields of the file header, of section and program
/// headers, and the first words of sections (lengths of notes, units and compressed sections).
struct ElfMutant {
  private let seed: [UInt8]
  private let isWide: Bool
  private let isBigEndian: Bool
  /// Offset and size of each field, in bytes.
  private let fields: [(offset: Int, size: Int)]

  /// Nil if the file is not ELF, or too short for its header.
  init?(of seed: [UInt8]) {
    guard seed.starts(with: [0x7f, 0x45, 0x4c, 0x46]), seed.count >= 64 else { return nil }
    self.seed = seed
    isWide = seed[4] == 2
    isBigEndian = seed[5] == 2
    fields = Self.fields(of: seed, isWide: isWide, isBigEndian: isBigEndian)
  }

  /// A mutant, the same for the same state of `random`.
  func bytes(_ random: inout some RandomNumberGenerator) -> [UInt8] {
    var bytes = seed
    for _ in 0..<([1, 1, 1, 2, 3, 6].randomElement(using: &random) ?? 1) {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
      case 1:
        for _ in 0..<8 where !bytes.isEmpty {
          bytes[.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
        }
      case 2, 3:
        let (from, to) = (field(&random), field(&random))
        write(read(from, bytes) ?? 0, to, &bytes)
      default:
        let place = field(&random)
        write(value(read(place, bytes) ?? 0, &random), place, &bytes)
      }
    }
    return bytes
  }

  private func field(_ random: inout some RandomNumberGenerator) -> (offset: Int, size: Int) {
    fields.randomElement(using: &random) ?? (0, 1)
  }

  private func value(_ old: UInt64, _ random: inout some RandomNumberGenerator) -> UInt64 {
    let size = UInt64(seed.count)
    let extremes: [UInt64] = [
      0, 1, 7, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xff00, 0xffff, 0x7fff_ffff, 0x8000_0000,
      0xffff_ffff, 0x1_0000_0000, .max >> 1, 1 << 63, .max - 7, .max,
    ]
    return switch Int.random(in: 0..<8, using: &random) {
    case 0, 1: extremes.randomElement(using: &random) ?? 0
    case 2: old &+ 1
    case 3: old &- 1
    case 4: old &* 2
    case 5: [size, size &- 1, size &+ 1, size &- old].randomElement(using: &random) ?? 0
    case 6: old ^ 1 << UInt64.random(in: 0..<64, using: &random)
    default: .random(in: 0 ... .max, using: &random)
    }
  }

  private func read(_ place: (offset: Int, size: Int), _ bytes: [UInt8]) -> UInt64? {
    Self.read(place.offset, place.size, bytes, isBigEndian)
  }

  private func write(_ value: UInt64, _ place: (offset: Int, size: Int), _ bytes: inout [UInt8]) {
    guard place.offset >= 0, place.offset + place.size <= bytes.count else { return }
    for index in 0..<place.size {
      let shift = isBigEndian ? place.size - 1 - index : index
      bytes[place.offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * shift))
    }
  }

  // MARK: Fields

  private static func read(_ offset: Int, _ size: Int, _ bytes: [UInt8], _ isBigEndian: Bool)
    -> UInt64?
  {
    guard offset >= 0, offset <= bytes.count - size else { return nil }
    var value: UInt64 = 0
    for index in 0..<size {
      value = value << 8 | UInt64(bytes[offset + (isBigEndian ? index : size - 1 - index)])
    }
    return value
  }

  private static func fields(
    of seed: [UInt8], isWide: Bool, isBigEndian: Bool
  ) -> [(offset: Int, size: Int)] {
    let word = isWide ? 8 : 4
    func number(_ offset: Int, _ size: Int) -> Int {
      Int(truncatingIfNeeded: read(offset, size, seed, isBigEndian) ?? 0)
    }
    var fields: [(offset: Int, size: Int)] = []
    func add(_ offset: Int, _ layout: [Int]) {
      var offset = offset
      for size in layout {
        if offset >= 0, offset + size <= seed.count { fields.append((offset, size)) }
        offset += size
      }
    }
    // e_ident; e_type to e_version; e_entry, e_phoff, e_shoff; e_flags; six counts and sizes.
    add(4, [1, 1, 1, 1])
    let counts = 24 + 3 * word + 4
    for _ in 0..<4 { add(16, [2, 2, 4, word, word, word, 4, 2, 2, 2, 2, 2, 2]) }
    let programs = number(24 + word, word)
    for index in 0..<min(number(counts + 4, 2), 16) {
      add(
        programs + index * number(counts + 2, 2),
        isWide ? [4, 4, 8, 8, 8, 8, 8, 8] : Array(repeating: 4, count: 8))
    }
    let sections = number(24 + 2 * word, word)
    for index in 0..<min(number(counts + 8, 2), 64) {
      let header = sections + index * number(counts + 6, 2)
      add(header, [4, 4, word, word, word, word, 4, 4, word, word])
      add(number(header + 8 + 2 * word, word), [4, 4, 4, 4])
    }
    return fields
  }
}

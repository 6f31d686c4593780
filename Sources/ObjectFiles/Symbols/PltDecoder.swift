import BinaryInput
import SymbolicationModel

/// Finds the entries of a procedure linkage table by their instructions, which jump through a slot
/// of the global offset table.
struct PltDecoder {
  private let kind: Kind

  private enum Kind {
    case x86_64
    /// `globalOffsetTable` is what `ebx` holds in position-independent code: the address of
    /// `.got.plt`.
    case i386(globalOffsetTable: UInt64)
    case aarch64
    case arm
  }

  /// Nil if the entries of the file's processor are not known.
  init?(_ file: ObjectFile) {
    guard file.byteOrder == .little else { return nil }
    switch file.architecture {
    case .x86_64: kind = .x86_64
    case .arm64: kind = .aarch64
    case .armv7: kind = .arm
    case Architecture(name: "i386"):
      let table =
        file.sections.first { $0.name == ".got.plt" } ?? file.sections.first { $0.name == ".got" }
      kind = .i386(globalOffsetTable: table?.addresses.lowerBound.value ?? 0)
    default: return nil
    }
  }

  /// The entries in `code`, ascending, each with the address of the slot that it jumps through. An
  /// entry ends where the next one begins.
  ///
  /// - Parameter address: the link address of the first byte of `code`.
  /// - Complexity: one step for each 8 bytes of x86 code, and for each 4 bytes of ARM code.
  func entries(
    _ code: ByteRegion, at address: UInt64
  ) -> [(addresses: Range<UInt64>, slot: UInt64)] {
    let words = Words(code)
    var starts: [(offset: UInt64, slot: UInt64)] = []
    var offset: UInt64 = 0
    while offset < UInt64(code.count) {
      let slot =
        switch kind {
        case .x86_64: words.x86Slot(offset, at: address, globalOffsetTable: nil)
        case .i386(let table): words.x86Slot(offset, at: address, globalOffsetTable: table)
        case .aarch64: words.aarch64Slot(offset, at: address)
        case .arm: words.armSlot(offset, at: address)
        }
      if let slot { starts.append((offset, slot)) }
      offset += stride
    }
    let count = UInt64(code.count)
    return starts.indices.compactMap { index in
      let start = starts[index].offset
      let next = index + 1 < starts.count ? starts[index + 1].offset : count
      guard let range = addressRange(start: address &+ start, size: min(next - start, largestEntry))
      else { return nil }
      return (range.lowerBound.value..<range.upperBound.value, starts[index].slot)
    }
  }

  /// Entries begin at multiples of this many bytes.
  private var stride: UInt64 {
    switch kind {
    case .x86_64, .i386: 8
    case .aarch64, .arm: 4
    }
  }

  /// The size of the largest entry in bytes.
  private var largestEntry: UInt64 {
    switch kind {
    case .x86_64, .i386, .arm: 16
    case .aarch64: 24
    }
  }
}

/// Reads instructions.
private struct Words {
  let code: ByteRegion

  init(_ code: ByteRegion) { self.code = code }

  private func word(_ offset: UInt64) -> UInt32? {
    var reader = code.reader(byteOrder: .little)
    guard (try? reader.seek(to: offset)) != nil else { return nil }
    return try? reader.read(UInt32.self)
  }

  /// The slot of `jmp *slot`, which `endbr64` or `endbr32` and the prefix `bnd` may precede.
  func x86Slot(
    _ offset: UInt64, at address: UInt64, globalOffsetTable: UInt64?
  ) -> UInt64? {
    var position = offset
    // f3 0f 1e fa, f3 0f 1e fb
    if let first = word(position), first & 0xfeff_ffff == 0xfa1e_0ff3 { position += 4 }
    if code.byte(at: position) == 0xf2 { position += 1 }
    guard code.byte(at: position) == 0xff, let operand = word(position + 2) else { return nil }
    switch (code.byte(at: position + 1), globalOffsetTable) {
    // Relative to the next instruction.
    case (0x25, nil):
      return address &+ position &+ 6 &+ UInt64(bitPattern: Int64(Int32(bitPattern: operand)))
    case (0x25, _?): return UInt64(operand)
    case (0xa3, let table?):
      return UInt64(UInt32(truncatingIfNeeded: table) &+ operand)
    default: return nil
    }
  }

  /// The slot of `adrp x16, page; ldr x17, [x16, #offset]`, which `bti c` may precede.
  func aarch64Slot(_ offset: UInt64, at address: UInt64) -> UInt64? {
    var position = offset
    if word(position) == 0xd503_245f {
      position += 4
    } else if offset >= 4, word(offset - 4) == 0xd503_245f {
      // The entry begins 4 bytes earlier, with `bti c`.
      return nil
    }
    guard let adrp = word(position), adrp & 0x9f00_001f == 0x9000_0010,
      let load = word(position + 4),
      load & 0xffc0_03ff == 0xf940_0211
    else { return nil }
    // The page number has 21 bits; its lowest 2 are in another field.
    let pages = (adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3)
    let signed = Int64(Int32(bitPattern: pages << 11) >> 11) << 12
    let page = (address &+ position) & ~0xfff
    return page &+ UInt64(bitPattern: signed) &+ UInt64(load >> 10 & 0xfff) * 8
  }

  /// The slot of `add ip, pc, #a; add ip, ip, #b; ldr pc, [ip, #c]!`.
  func armSlot(_ offset: UInt64, at address: UInt64) -> UInt64? {
    guard let first = word(offset), first & 0xffff_f000 == 0xe28f_c000,
      let second = word(offset + 4), second & 0xffff_f000 == 0xe28c_c000,
      let load = word(offset + 8), load & 0xffff_f000 == 0xe5bc_f000
    else { return nil }
    // An instruction reads its own address plus 8 from pc.
    let pc = UInt32(truncatingIfNeeded: address &+ offset) &+ 8
    return UInt64(
      pc &+ Self.armImmediate(first) &+ Self.armImmediate(second) &+ (load & 0xfff))
  }

  /// The 8 lowest bits, rotated to the right by twice the number in the 4 bits above them.
  private static func armImmediate(_ instruction: UInt32) -> UInt32 {
    let value = instruction & 0xff
    let rotation = (instruction >> 8 & 0xf) * 2
    return rotation == 0 ? value : value >> rotation | value << (32 - rotation)
  }
}

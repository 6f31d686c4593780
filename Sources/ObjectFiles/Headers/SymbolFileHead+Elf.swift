import BinaryInput
import SymbolicationModel

extension SymbolFileHead {
  /// How far into a file, in bytes, program headers and notes are read. Linkers put them on the
  /// first page.
  private static let elfLimit: UInt64 = 1 << 20

  /// The head of an ELF file, with the build-id of its `PT_NOTE` segments (gABI, chapter 5).
  ///
  /// The program headers of some debug files describe the file that they were made from. If they
  /// promise notes and no build-id is there, only the section headers at the end lead to it.
  static func elf<Failure: Error>(
    _ bytes: (UInt64, Int) throws(Failure) -> ByteRegion
  ) throws(Failure) -> Finding {
    let start = try bytes(0, 64)
    guard let elfClass = start.byte(at: 4), (1...2).contains(elfClass),
      let elfData = start.byte(at: 5), (1...2).contains(elfData)
    else { return .needsWholeFile }
    let is64Bit = elfClass == 2
    let byteOrder: ByteOrder = elfData == 1 ? .little : .big
    var cursor = start.cursor(at: 18, byteOrder: byteOrder)
    let machine = cursor.readUInt16()
    cursor.skip(is64Bit ? 12 : 8)  // e_version, e_entry
    let tableOffset = cursor.readUnsigned(size: is64Bit ? 8 : 4)
    cursor.skip(is64Bit ? 14 : 10)  // from e_shoff to e_ehsize
    let entrySize = cursor.readUInt16()
    let count = cursor.readUInt16()
    guard !cursor.hasFailed, count != 0xffff else { return .needsWholeFile }  // PN_XNUM
    func head(_ identity: ImageIdentity?) -> Finding {
      .slices([
        SymbolFileHead(
          format: .elf,
          architecture: Architecture(elfMachine: machine, is64Bit: is64Bit, byteOrder: byteOrder),
          identity: identity, hasDebugInfo: nil)
      ])
    }
    // Nothing was linked, so nothing has a build-id.
    guard count > 0 else { return head(nil) }
    guard entrySize == (is64Bit ? 56 : 32), tableOffset <= elfLimit else { return .needsWholeFile }
    let table = try bytes(0, Int(tableOffset) + Int(count) * Int(entrySize))
    var notes: [(offset: UInt64, size: UInt64, alignment: UInt64)] = []
    for index in 0..<UInt64(count) {
      var entry = table.cursor(
        at: tableOffset + index * UInt64(entrySize), byteOrder: byteOrder)
      let type = entry.readUInt32()
      if is64Bit { entry.skip(4) }  // p_flags
      let wordSize = is64Bit ? 8 : 4
      let offset = entry.readUnsigned(size: wordSize)
      entry.skip(2 * wordSize)  // p_vaddr, p_paddr
      let size = entry.readUnsigned(size: wordSize)
      entry.skip(8)  // p_memsz; of 32 bits p_memsz and p_flags
      let alignment = entry.readUnsigned(size: wordSize)
      guard !entry.hasFailed else { return .needsWholeFile }
      if type == 4 { notes.append((offset, size, alignment)) }  // PT_NOTE
    }
    guard !notes.isEmpty else { return head(nil) }
    for note in notes {
      guard note.offset <= elfLimit, note.size <= elfLimit else { return .needsWholeFile }
      // From the start, so that the whole file can still be had.
      let start = try bytes(0, Int(note.offset + note.size))
      if let content = try? start.subregion(offset: note.offset, count: note.size),
        let identity = buildId(in: content, alignment: note.alignment, byteOrder: byteOrder)
      {
        return head(identity)
      }
    }
    return .needsWholeFile
  }

  private static func buildId(
    in notes: ByteRegion, alignment: UInt64, byteOrder: ByteOrder
  ) -> ImageIdentity? {
    let padding: UInt64 = alignment == 8 ? 8 : 4
    var cursor = notes.cursor(byteOrder: byteOrder)
    func padded(_ offset: UInt64) -> UInt64 { (offset + padding - 1) / padding * padding }
    while cursor.remaining >= 12 {
      let nameSize = UInt64(cursor.readUInt32())
      let size = UInt64(cursor.readUInt32())
      let type = cursor.readUInt32()
      let name = UInt64(cursor.position)
      // Nothing overflows: positions are those of memory, and sizes have 32 bits.
      let start = padded(name + nameSize)
      // NT_GNU_BUILD_ID
      if type == 3, nameSize == 4, notes.holds(Array("GNU\0".utf8), at: name) {
        return (try? notes.subregion(offset: start, count: size)).flatMap {
          ImageIdentity(bytes: $0.bytes)
        }
      }
      cursor.seek(to: padded(start + size))
    }
    return nil
  }
}

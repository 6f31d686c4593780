import BinaryInput
package import SymbolicationModel

/// The procedure linkage table of an ELF image: short pieces of code, made by the linker, that jump
/// to the functions that the image imports. No symbol of the image names them. They are in the
/// sections `.plt`, `.plt.sec`, `.plt.got`, `.iplt` and the like.
///
/// An entry jumps through a slot of the global offset table. The loader fills the slot by a
/// relocation, and the symbol of that relocation is the entry's name. Linkers order entries
/// differently, so an entry is recognised by its instructions: those for x86-64, i386, AArch64 and
/// 32-bit ARM that GNU ld and lld write.
package struct ProcedureLinkageTable: Sendable {
  /// Ascending by start.
  private let entries: [Entry]
  private let strings: ByteRegion

  private struct Entry: Sendable {
    let addresses: Range<UInt64>
    var target: Target?
  }

  private enum Target: Sendable {
    /// The offset of the import's name in the string table.
    case name(UInt64)
    /// The address of the function that chooses the target when the image is loaded (`IRELATIVE`).
    /// There is no name.
    case chooser(UInt64)
  }

  /// The entry that holds `address`: its addresses, and the raw name of the import that it jumps
  /// to. If a function of the image chooses the target (`IRELATIVE`), the name is `*ABS*+0xADDRESS`
  /// with that function's address, as GNU objdump shows it.
  ///
  /// Nil outside entries, in the code at the start of a table that calls the loader, and if no
  /// relocation names the import. Cost: a binary search; the name is copied.
  package func entry(at address: LinkAddress) -> Symbol? {
    let index = entries.partitionPoint { $0.addresses.lowerBound > address.value }
    guard index > 0, entries[index - 1].addresses.contains(address.value) else { return nil }
    let entry = entries[index - 1]
    let name: String
    switch entry.target {
    case nil: return nil
    case .name(let offset):
      name = strings.name(at: offset) ?? ""
      if name.isEmpty { return nil }
    case .chooser(let address): name = "*ABS*+" + address.hexadecimal
    }
    return Symbol(
      rawName: name,
      addresses: LinkAddress(entry.addresses.lowerBound)..<LinkAddress(entry.addresses.upperBound))
  }

  fileprivate init?(_ file: ObjectFile) throws(ObjectFileError) {
    guard let decoder = PltDecoder(file) else { return nil }
    var found: [(addresses: Range<UInt64>, slot: UInt64)] = []
    // The sections of a sound file do not share bytes. If they do, a small file with many headers
    // would take long, so no more bytes are read than the file has.
    var unreadBytes = file.region.count
    for section in file.sections where section.isSymbolStubs && !section.addresses.isEmpty {
      guard let range = section.fileRange else { continue }
      let code = try file.bytes(of: .section(section.name), at: range)
      guard code.count <= unreadBytes else { continue }
      unreadBytes -= code.count
      found += decoder.entries(code, at: section.addresses.lowerBound.value)
    }
    guard !found.isEmpty else { return nil }
    // Sections that overlap would give the same code twice.
    found.sort { $0.addresses.lowerBound < $1.addresses.lowerBound }
    var targets: [UInt64: Target] = [:]
    targets.reserveCapacity(found.count)
    let slots = Set(found.map(\.slot))
    var strings = ByteRegion(copying: [])
    unreadBytes = file.region.count
    for table in file.relocationTables {
      guard let range = file.sections[table.section].fileRange else { continue }
      let relocations = try file.bytes(of: .relocations, at: range)
      guard relocations.count <= unreadBytes else { continue }
      unreadBytes -= relocations.count
      strings = try Self.read(relocations, table, of: file, slots, &targets) ?? strings
    }
    self.strings = strings
    entries = found.map { Entry(addresses: $0.addresses, target: targets[$0.slot]) }
  }

  /// Adds the targets of those slots that are in `slots`. Returns the string table of `.dynsym`, of
  /// which an image has one; nil if `table` does not refer to it.
  private static func read(
    _ relocations: ByteRegion, _ table: ObjectFile.ElfRelocationTable, of file: ObjectFile,
    _ slots: Set<UInt64>, _ targets: inout [UInt64: Target]
  ) throws(ObjectFileError) -> ByteRegion? {
    var symbols: ByteRegion?
    var strings: ByteRegion?
    if case .elf(_, let dynamic?) = file.symbolTableSource, dynamic.section == table.symbols {
      (symbols, strings) = try file.elfSymbolTableBytes(dynamic) ?? (nil, nil)
    }
    let is64Bit = file.addressSize == 8
    let wordSize = file.addressSize
    let symbolSize: UInt64 = is64Bit ? 24 : 16
    var reader = relocations.reader(byteOrder: file.byteOrder)
    // Elf64_Rela and the like: offset, info, and in SHT_RELA the addend.
    while reader.remaining >= wordSize * (table.hasAddends ? 3 : 2) {
      guard let slot = try? reader.readUnsigned(size: wordSize),
        let info = try? reader.readUnsigned(size: wordSize),
        let addend = table.hasAddends ? try? reader.readUnsigned(size: wordSize) : 0
      else { break }
      guard slots.contains(slot), targets[slot] == nil else { continue }
      let symbol = is64Bit ? info >> 32 : info >> 8
      if symbol == 0 {
        guard table.hasAddends,
          relocationTypesOfChosenFunctions.contains(is64Bit ? info & 0xffff_ffff : info & 0xff)
        else { continue }
        targets[slot] = .chooser(addend)
      } else if let symbols {
        var entry = symbols.reader(byteOrder: file.byteOrder)
        // The symbol's index has at most 32 bits, so the product fits.
        guard (try? entry.seek(to: symbol * symbolSize)) != nil,
          let name = try? entry.read(UInt32.self)
        else { continue }
        targets[slot] = .name(UInt64(name))
      }
    }
    return strings
  }
}

/// `R_X86_64_IRELATIVE` and `R_AARCH64_IRELATIVE`. Neither processor uses the other's number for
/// another relocation.
private let relocationTypesOfChosenFunctions: Set<UInt64> = [37, 1032]

extension ObjectFile {
  /// The image's procedure linkage table. Nil if there is none, as in a debug file, or if the
  /// entries of the processor are not known.
  ///
  /// Throws `truncated` if one of its sections, the relocations or the names are beyond the end of
  /// the file, and `entrySize`. Cost: the code of the tables and the loader's relocations are read.
  package func readProcedureLinkageTable() throws(ObjectFileError) -> ProcedureLinkageTable? {
    guard format == .elf, fileType != .relocatable else { return nil }
    return try ProcedureLinkageTable(self)
  }
}

import BinaryInput
package import SymbolicationModel

/// The procedure linkage table of an ELF image: the linker's pieces of code that jump to what the image
/// imports, which no symbol of its own names. They are in the sections `.plt`, `.plt.sec`, `.plt.got`,
/// `.iplt` and the like.
///
/// An entry jumps to where a slot of the global offset table says, and the loader fills the slot as a
/// relocation tells it; the symbol of that relocation is the name. So entries are told by their
/// instructions, not by their order, which differs between linkers: those of x86-64, i386, AArch64 and
/// 32-bit ARM, in the forms that GNU ld and lld write.
///
/// Nothing is read before there is an address to look for in such a section.
package struct ProcedureLinkageTable: Sendable {
  /// Ascending by start.
  private let entries: [Entry]
  private let strings: ByteRegion

  private struct Entry: Sendable {
    let addresses: Range<UInt64>
    var target: Target?
  }

  private enum Target: Sendable {
    /// The offset of the import's name.
    case name(UInt64)
    /// The function that chooses what the entry jumps to, which has no name here.
    case chooser(UInt64)
  }

  /// The entry that holds `address`: its addresses, and the raw name of the import that it jumps to, for
  /// one whose target a function of the image chooses (`IRELATIVE`) `*ABS*+0xADDRESS` with that
  /// function's address, as GNU objdump shows it.
  ///
  /// Nil outside of entries, for the code at the start of a table that calls the loader, and where no
  /// relocation names the import. Cost: a binary search; the name is copied.
  package func entry(at address: LinkAddress) -> Symbol? {
    let place = entries.partitionPoint { $0.addresses.lowerBound > address.value }
    guard place > 0, entries[place - 1].addresses.contains(address.value) else { return nil }
    let entry = entries[place - 1]
    let name: String
    switch entry.target {
    case nil: return nil
    case .name(let offset):
      name = strings.text(at: offset) ?? ""
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
    // Sections of one file do not share bytes. Where they do, a small file with many headers would take
    // long.
    var unreadBytes = file.region.count
    for section in file.sections where section.isSymbolStubs && !section.addresses.isEmpty {
      guard let place = section.fileRange else { continue }
      let code = try file.bytes(of: .section(section.name), at: place)
      guard code.count <= unreadBytes else { continue }
      unreadBytes -= code.count
      found += decoder.entries(code, at: section.addresses.lowerBound.value)
    }
    guard !found.isEmpty else { return nil }
    // Sections that overlap would show the same code twice.
    found.sort { $0.addresses.lowerBound < $1.addresses.lowerBound }
    var targets: [UInt64: Target] = [:]
    targets.reserveCapacity(found.count)
    let slots = Set(found.map(\.slot))
    var strings = ByteRegion(copying: [])
    unreadBytes = file.region.count
    for table in file.relocationTables {
      guard let place = file.sections[table.section].fileRange else { continue }
      let relocations = try file.bytes(of: .relocations, at: place)
      guard relocations.count <= unreadBytes else { continue }
      unreadBytes -= relocations.count
      strings = try Self.read(relocations, table, of: file, slots, &targets) ?? strings
    }
    self.strings = strings
    entries = found.map { Entry(addresses: $0.addresses, target: targets[$0.slot]) }
  }

  /// Adds the targets of the slots among `slots`. Returns the names, where there are any: those of
  /// `.dynsym`, of which an image has one.
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
        // The symbol's number has at most 32 bits.
        guard (try? entry.seek(to: symbol * symbolSize)) != nil,
          let name = try? entry.read(UInt32.self)
        else { continue }
        targets[slot] = .name(UInt64(name))
      }
    }
    return strings
  }
}

/// `R_X86_64_IRELATIVE`, `R_AARCH64_IRELATIVE`; neither processor has another one of the other's number.
private let relocationTypesOfChosenFunctions: Set<UInt64> = [37, 1032]

extension ObjectFile {
  /// The image's procedure linkage table; nil where it has none, as a debug file, or is for a processor
  /// whose entries are not known here.
  ///
  /// Throws `truncated` where one of its sections, the relocations or the names lie beyond the end of the
  /// file, and `entrySize`. Cost: the code of the tables and the loader's relocations are read.
  package func readProcedureLinkageTable() throws(ObjectFileError) -> ProcedureLinkageTable? {
    guard format == .elf, fileType != .relocatable else { return nil }
    return try ProcedureLinkageTable(self)
  }
}

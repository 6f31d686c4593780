import BinaryInput
package import SymbolicationModel

/// The symbol stubs of a Mach-O image: the linker's pieces of code that jump to what the image
/// imports, which no symbol of its own names (`<mach-o/loader.h>`, `S_SYMBOL_STUBS`).
///
/// Nothing is decoded before an address is asked for.
package struct SymbolStubs: Sendable {
  private let objectFile: ObjectFile
  /// With addresses, ascending by start.
  private let sections: [Section]
  /// Numbers of symbols, of 4 bytes each.
  private let indirectSymbols: ByteRegion
  private let symbols: ByteRegion
  private let strings: ByteRegion

  /// The stub that holds `address`: its addresses, and the raw name of the symbol that it jumps to.
  ///
  /// Nil outside stubs, for what a section has beyond its last whole stub, and where the indirect
  /// symbol is local or absolute (`INDIRECT_SYMBOL_LOCAL`, `INDIRECT_SYMBOL_ABS`) or has no name.
  /// Throws `emptyStubs`, `indirectSymbolIndex`, `symbolIndex` and `namesOutsideStringTable` where the
  /// way to the name is broken. Cost: a binary search among the sections; the name is copied.
  package func stub(at address: LinkAddress) throws(ObjectFileError) -> Symbol? {
    guard let section = sections.lastStarting(upTo: address, range: \.addresses),
      section.addresses.contains(address), let layout = section.stubLayout
    else { return nil }
    let size = UInt64(layout.stubSize)
    guard size > 0 else { throw objectFile.error(.emptyStubs(section: section.name)) }
    let start = section.addresses.lowerBound.value
    let place = (address.value - start) / size
    // Below `address`, so it fits; the end may not.
    let stubStart = start + place * size
    guard section.addresses.upperBound.value - stubStart >= size else { return nil }

    let (index, overflow) = place.addingReportingOverflow(UInt64(layout.firstIndirectSymbol))
    guard !overflow, index < UInt64(indirectSymbols.count / 4) else {
      throw objectFile.error(
        .indirectSymbolIndex(
          section: section.name, index: overflow ? .max : index,
          count: UInt32(clamping: indirectSymbols.count / 4)))
    }
    guard let symbol = number(in: indirectSymbols, at: index * 4), symbol & 0xc000_0000 == 0,
      let name = try name(ofSymbol: symbol)
    else { return nil }
    return Symbol(
      rawName: name, addresses: LinkAddress(stubStart)..<LinkAddress(stubStart + size))
  }

  /// Nil where the symbol has no name; by convention the one at 0 is none.
  private func name(ofSymbol index: UInt32) throws(ObjectFileError) -> String? {
    let size = ObjectFile.machOSymbolSize(wordSize: objectFile.addressSize)
    let count = UInt64(symbols.count) / size
    guard UInt64(index) < count, let offset = number(in: symbols, at: UInt64(index) * size) else {
      throw objectFile.error(.symbolIndex(index, count: UInt32(clamping: count)))
    }
    if offset == 0 { return nil }
    guard let name = strings.text(at: UInt64(offset)) else {
      throw objectFile.error(
        .namesOutsideStringTable(.symbolTable, count: 1, first: Int(index)))
    }
    return name.isEmpty ? nil : name
  }

  private func number(in region: ByteRegion, at offset: UInt64) -> UInt32? {
    var reader = region.reader(byteOrder: objectFile.byteOrder)
    do {
      try reader.seek(to: offset)
      return try reader.read(UInt32.self)
    } catch {
      return nil
    }
  }

  fileprivate init?(_ objectFile: ObjectFile) throws(ObjectFileError) {
    guard let place = objectFile.indirectSymbols,
      case .machO(let offset, let count, let stringsOffset, let stringsSize) =
        objectFile.symbolTableSource
    else { return nil }
    let sections = objectFile.sections.filter { $0.stubLayout != nil && !$0.addresses.isEmpty }
    guard !sections.isEmpty else { return nil }
    self.objectFile = objectFile
    self.sections = sections.sorted { $0.addresses.lowerBound < $1.addresses.lowerBound }
    func bytes(
      _ structure: ObjectFileError.Structure, _ offset: UInt32, _ size: UInt64
    ) throws(ObjectFileError) -> ByteRegion {
      try objectFile.bytes(of: structure, at: UInt64(offset)..<(UInt64(offset) + size))
    }
    self.indirectSymbols = try bytes(
      .indirectSymbolTable, place.offset, UInt64(place.count) * 4)
    self.symbols = try bytes(
      .symbolTable, offset,
      UInt64(count) * ObjectFile.machOSymbolSize(wordSize: objectFile.addressSize))
    self.strings = try bytes(.stringTable, stringsOffset, UInt64(stringsSize))
  }
}

extension ObjectFile {
  /// The image's symbol stubs; nil where it has none, or no indirect symbol table to name them, as a
  /// dSYM, or is no Mach-O image.
  ///
  /// Throws `truncated` where one of the three tables lies beyond the end of the file. Cost: a walk
  /// over the sections.
  package func readSymbolStubs() throws(ObjectFileError) -> SymbolStubs? {
    try SymbolStubs(self)
  }
}

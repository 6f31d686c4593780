import BinaryInput
package import SymbolicationModel

/// The symbol stubs of a Mach-O image: short pieces of code, made by the linker, that jump to the
/// functions that the image imports (`<mach-o/loader.h>`, `S_SYMBOL_STUBS`). No symbol of the image
/// names them.
///
/// Nothing is decoded before an address is looked up.
package struct SymbolStubs: Sendable {
  private let objectFile: ObjectFile
  /// The stub sections that are not empty, ascending by start.
  private let sections: [Section]
  /// Symbol indices of 4 bytes each.
  private let indirectSymbols: ByteRegion
  private let symbols: ByteRegion
  private let strings: ByteRegion

  /// The stub that holds `address`: its addresses, and the raw name of the symbol that it jumps to.
  ///
  /// Nil outside stubs, in a section's rest after its last whole stub, and if the indirect symbol
  /// is local or absolute (`INDIRECT_SYMBOL_LOCAL`, `INDIRECT_SYMBOL_ABS`) or has no name. Throws
  /// `emptyStubs`, `indirectSymbolIndex`, `symbolIndex` and `namesOutsideStringTable` if the tables
  /// do not lead to a name. Cost: a binary search among the sections; the name is copied.
  package func stub(at address: LinkAddress) throws(ObjectFileError) -> Symbol? {
    guard let section = sections.lastStarting(upTo: address, range: \.addresses),
      section.addresses.contains(address), let layout = section.stubLayout
    else { return nil }
    let size = UInt64(layout.stubSize)
    guard size > 0 else { throw objectFile.error(.emptyStubs(section: section.name)) }
    let start = section.addresses.lowerBound.value
    let stubIndex = (address.value - start) / size
    // The start is at or before `address`, so it does not overflow; the end may.
    let stubStart = start + stubIndex * size
    guard section.addresses.upperBound.value - stubStart >= size else { return nil }

    let (index, overflow) = stubIndex.addingReportingOverflow(UInt64(layout.firstIndirectSymbol))
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

  /// Nil if the symbol has no name; by convention, string offset 0 means that there is none.
  private func name(ofSymbol index: UInt32) throws(ObjectFileError) -> String? {
    let size = ObjectFile.machOSymbolSize(wordSize: objectFile.addressSize)
    let count = UInt64(symbols.count) / size
    guard UInt64(index) < count, let offset = number(in: symbols, at: UInt64(index) * size) else {
      throw objectFile.error(.symbolIndex(index, count: UInt32(clamping: count)))
    }
    if offset == 0 { return nil }
    guard let name = strings.name(at: UInt64(offset)) else {
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
    guard let indirectTable = objectFile.indirectSymbols,
      case .machO = objectFile.symbolTableSource
    else { return nil }
    let sections = objectFile.sections.filter { $0.stubLayout != nil && !$0.addresses.isEmpty }
    guard !sections.isEmpty else { return nil }
    self.objectFile = objectFile
    self.sections = sections.sorted { $0.addresses.lowerBound < $1.addresses.lowerBound }
    let offset = UInt64(indirectTable.offset)
    self.indirectSymbols = try objectFile.bytes(
      of: .indirectSymbolTable, at: offset..<(offset + UInt64(indirectTable.count) * 4))
    guard let (symbols, strings) = try objectFile.machOSymbolBytes() else { return nil }
    self.symbols = symbols
    self.strings = strings
  }
}

extension ObjectFile {
  /// The image's symbol stubs. Nil if there are none, if no indirect symbol table names them (as in
  /// a dSYM), or if the file is not Mach-O.
  ///
  /// Throws `truncated` if the indirect symbol table, the symbol table or its names are beyond the
  /// end of the file. Cost: a walk over the sections.
  package func readSymbolStubs() throws(ObjectFileError) -> SymbolStubs? {
    try SymbolStubs(self)
  }
}

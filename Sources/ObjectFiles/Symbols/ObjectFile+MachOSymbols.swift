import BinaryInput
import SymbolicationModel

extension ObjectFile {
  /// The size of `nlist` or `nlist_64` in bytes (`<mach-o/nlist.h>`).
  static func machOSymbolSize(wordSize: Int) -> UInt64 { wordSize == 8 ? 16 : 12 }

  /// The bytes of the symbol table and of its names; nil if the file is not Mach-O or has no symbol
  /// table. Throws `truncated`.
  func machOSymbolBytes() throws(ObjectFileError) -> (table: ByteRegion, strings: ByteRegion)? {
    guard case .machO(let offset, let count, let stringsOffset, let stringsSize) = symbolTableSource
    else { return nil }
    let size = Self.machOSymbolSize(wordSize: addressSize)
    return (
      try bytes(of: .symbolTable, at: UInt64(offset)..<(UInt64(offset) + UInt64(count) * size)),
      try bytes(
        of: .stringTable, at: UInt64(stringsOffset)..<(UInt64(stringsOffset) + UInt64(stringsSize)))
    )
  }

  /// The symbols that are defined in a code section (`N_SECT`).
  ///
  /// Debugging entries (`N_STAB`), symbols without a name and the symbols of the Mach-O header are
  /// left out. So are symbols whose names the system's shared cache hides (`<redacted>`), but other
  /// symbols end where these begin. A symbol of Thumb code (`N_ARM_THUMB_DEF`) has the even address
  /// of its code.
  func machOSymbols(
    in table: ByteRegion, strings: ByteRegion, functionStarts: FunctionStarts?,
    faults: [ObjectFileError]
  ) -> SymbolTable {
    let count = table.count / Int(Self.machOSymbolSize(wordSize: addressSize))
    var reader = table.reader(byteOrder: byteOrder)
    var candidates: [SymbolTable.Candidate] = []
    candidates.reserveCapacity(count)
    var hiddenStarts: [UInt64] = []
    var misnamed = NamesOutsideStringTable()
    // Not copied out one by one: that would count references to their names for each symbol.
    let listed = sections
    let sections = listed.span
    for index in 0..<UInt32(count) {
      guard let symbol = try? MachOSymbol(&reader, wordSize: addressSize) else { break }
      guard let place = symbol.sectionIndex(amongSections: sections.count) else { continue }
      guard sections[place].holdsCode,
        sections[place].addresses.contains(LinkAddress(symbol.value))
      else { continue }
      let name = UInt64(symbol.nameOffset)
      // Few names begin like one that is left out.
      switch strings.byte(at: name) {
      case nil:
        misnamed.add(Int(index))
        continue
      case 0?:
        continue
      case UInt8(ascii: "<")? where strings.holds(redacted, at: name) && name > 0:
        hiddenStarts.append(symbol.value)
        continue
      case UInt8(ascii: "_")? where isOfHeader(name, in: strings):
        continue
      // In object files, the assembler's own label for the start of a section.
      case UInt8(ascii: "l")? where strings.holds(temporaryLabel, at: name):
        continue
      case _?:
        // By convention offset 0 means that there is no name.
        if name == 0 { continue }
      }
      candidates.append(
        SymbolTable.Candidate(
          start: symbol.value, limit: sections[place].endOfUnsizedCode(at: symbol.value),
          name: symbol.nameOffset, index: index, hasSize: false, rank: symbol.rank))
    }
    return SymbolTable(
      candidates, names: .strings(strings), boundaries: functionStarts?.all() ?? [],
      hiddenStarts: hiddenStarts,
      faults: misnamed.faults(of: .symbolTable, in: self) + faults)
  }

  private func isOfHeader(_ offset: UInt64, in strings: ByteRegion) -> Bool {
    // All names of C begin with an underscore.
    strings.byte(at: offset + 2) == UInt8(ascii: "m") && strings.holds(headerPrefix, at: offset)
      && headerNames.contains { strings.holds($0, at: offset) }
  }
}

private let temporaryLabel = Array("ltmp".utf8)
private let redacted = Array("<redacted".utf8)
private let headerPrefix = Array("__mh_".utf8)
/// The linker's names for the Mach-O header, each with the zero at its end.
private let headerNames = ["execute", "dylib", "bundle", "dylinker", "object", "preload"].map {
  Array("__mh_\($0)_header\0".utf8)
}

/// An `nlist` or `nlist_64`.
struct MachOSymbol {
  let nameOffset: UInt32
  let type: UInt8
  let section: UInt8
  let value: UInt64

  init(_ reader: inout ByteReader, wordSize: Int) throws(ByteReadError) {
    nameOffset = try reader.read()
    type = try reader.read()
    section = try reader.read()
    try reader.skip(2)  // n_desc
    value = try reader.readUnsigned(size: wordSize)
  }

  /// The place of the section in which it is defined; nil if it is in none of that many.
  @inline(__always)
  func sectionIndex(amongSections count: Int) -> Int? {
    // Not N_STAB; N_TYPE is N_SECT.
    guard type & 0xe0 == 0, type & 0x0e == 0x0e, section > 0, section <= count else { return nil }
    return Int(section) - 1
  }

  /// 0 for external symbols (`N_EXT`), 1 for private external ones (`N_PEXT`: known in the whole
  /// image), 2 for those that are known in one compilation unit.
  var rank: UInt8 {
    if type & 0x10 != 0 { return 1 }
    return type & 0x01 != 0 ? 0 : 2
  }
}

/// Counts symbols or sections whose names are outside their string table.
struct NamesOutsideStringTable {
  private var count = 0
  private var first = 0

  mutating func add(_ index: Int) {
    if count == 0 { first = index }
    count += 1
  }

  /// One fault for all of them, or none.
  func faults(
    of structure: ObjectFileError.Structure, in file: ObjectFile
  ) -> [ObjectFileError] {
    reason(structure).map { [file.error($0)] } ?? []
  }

  func reason(_ structure: ObjectFileError.Structure) -> ObjectFileError.Reason? {
    count == 0 ? nil : .namesOutsideStringTable(structure, count: count, first: first)
  }
}

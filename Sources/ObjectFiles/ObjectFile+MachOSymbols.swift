import BinaryInput
import SymbolicationModel

extension ObjectFile {
  /// The size of `nlist` or `nlist_64` (`<mach-o/nlist.h>`).
  static func machOSymbolSize(wordSize: Int) -> UInt64 { wordSize == 8 ? 16 : 12 }

  /// The symbols that are defined in a code section (`N_SECT`). Left out are debugging entries
  /// (`N_STAB`), those without a name or whose name the system's shared cache hides (`<redacted>`; other
  /// symbols end where these begin), and the symbols of the Mach-O header itself. An ARM symbol of
  /// Thumb code (`N_ARM_THUMB_DEF`) has an even address here, as its code has.
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
    for index in 0..<UInt32(count) {
      guard let symbol = try? MachOSymbol(&reader, wordSize: addressSize) else { break }
      guard symbol.isDefinedInSection, symbol.section > 0,
        Int(symbol.section) <= sections.count
      else { continue }
      let section = sections[Int(symbol.section) - 1]
      guard section.holdsCode, section.addresses.contains(LinkAddress(symbol.value)) else {
        continue
      }
      switch strings.byte(at: UInt64(symbol.nameOffset)) {
      case nil:
        misnamed.add(Int(index))
        continue
      case 0?:
        continue
      case _?:
        // By convention the name at 0 is none.
        if symbol.nameOffset == 0 { continue }
      }
      if strings.holds(redacted, at: UInt64(symbol.nameOffset)) {
        hiddenStarts.append(symbol.value)
        continue
      }
      guard !isOfHeader(UInt64(symbol.nameOffset), in: strings),
        // The assembler's own label for the start of a section, in object files.
        !strings.holds(temporaryLabel, at: UInt64(symbol.nameOffset))
      else { continue }
      candidates.append(
        SymbolTable.Candidate(
          start: symbol.value, limit: section.endOfUnsizedCode(at: symbol.value),
          name: symbol.nameOffset, index: index, hasSize: false, rank: symbol.rank))
    }
    return SymbolTable(
      candidates, names: .strings(strings), boundaries: functionStarts?.all() ?? [],
      hiddenStarts: hiddenStarts,
      faults: misnamed.faults(of: .symbolTable, in: self) + faults)
  }

  private func isOfHeader(_ offset: UInt64, in strings: ByteRegion) -> Bool {
    strings.holds(headerPrefix, at: offset)
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

  var isDefinedInSection: Bool {
    // Not N_STAB; N_TYPE is N_SECT.
    type & 0xe0 == 0 && type & 0x0e == 0x0e
  }

  /// External (`N_EXT`) before what is or was private external (`N_PEXT`, known in the whole image)
  /// before what is known in one compilation unit.
  var rank: UInt8 {
    if type & 0x10 != 0 { return 1 }
    return type & 0x01 != 0 ? 0 : 2
  }
}

/// Counts symbols or sections whose names lie outside their string table.
struct NamesOutsideStringTable {
  private var count = 0
  private var first = 0

  mutating func add(_ index: Int) {
    if count == 0 { first = index }
    count += 1
  }

  /// None, or one for all of them.
  func faults(
    of structure: ObjectFileError.Structure, in file: ObjectFile
  ) -> [ObjectFileError] {
    reason(structure).map { [file.error($0)] } ?? []
  }

  func reason(_ structure: ObjectFileError.Structure) -> ObjectFileError.Reason? {
    count == 0 ? nil : .namesOutsideStringTable(structure, count: count, first: first)
  }
}

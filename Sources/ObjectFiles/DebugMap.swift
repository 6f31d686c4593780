import BinaryInput
package import SymbolicationModel

/// The debug map of a Mach-O image: from which object files its functions come, where the linker left
/// the debug information (`<mach-o/stab.h>`; `dsymutil` reads the same).
///
/// For each object file there are, among the entries for debuggers (STABs): `N_SO` with the source file, `N_OSO`
/// with the object file, for each of its functions that were linked an `N_FUN` with name and address and
/// one without a name and with the size, and an `N_SO` without a name. Functions that the linker left
/// out, or took from another object file, have no entry. Variables (`N_GSYM`, `N_STSYM`) and the rest
/// are passed over.
package struct DebugMap: Sendable {
  /// In file order.
  private let objects: [ObjectEntry]
  /// Ascending by start; starts are distinct. Of several at one address (functions folded into one) the
  /// first of the file.
  private let entries: [Entry]
  private let strings: ByteRegion

  /// An object file, as `N_OSO` names it.
  package struct Object: Hashable, Sendable {
    /// Its path; of a member of an archive `path/to/lib.a(member.o)`. Bytes that are not UTF-8 are
    /// replaced by U+FFFD.
    package let path: String
    /// When the file, or the member, was last changed, in seconds since 1970; 0 where the linker was
    /// told to write none.
    package let modificationTime: Int64
  }

  /// A function that was linked.
  package struct Function: Hashable, Sendable {
    /// The name of its symbol, with the leading underscore.
    package let name: String
    /// In the image. Not empty.
    package let addresses: Range<LinkAddress>
    /// The number of its object file.
    package let object: Int
  }

  private struct ObjectEntry: Sendable {
    let pathOffset: UInt32
    let time: UInt64
  }

  private struct Entry: Sendable {
    let start: UInt64
    let end: UInt64
    let nameOffset: UInt32
    let object: UInt32
  }

  package var objectCount: Int { objects.count }

  /// The object file numbered `index`, from 0 to `objectCount`, in file order. Cost: its path is copied.
  package func object(_ index: Int) -> Object {
    Object(
      path: strings.text(at: UInt64(objects[index].pathOffset)) ?? "",
      modificationTime: Int64(bitPattern: objects[index].time))
  }

  /// How many functions there are.
  package var count: Int { entries.count }

  /// The function numbered `index`, from 0 to `count`, in ascending order of address. Cost: its name is
  /// copied.
  package subscript(index: Int) -> Function {
    let entry = entries[index]
    return Function(
      name: strings.text(at: UInt64(entry.nameOffset)) ?? "",
      addresses: LinkAddress(entry.start)..<LinkAddress(entry.end), object: Int(entry.object))
  }

  /// The function that holds `address`. Cost: a binary search; the name is copied.
  package func function(at address: LinkAddress) -> Function? {
    let index = entries.partitionPoint { $0.start > address.value }
    guard index > 0, address.value < entries[index - 1].end else { return nil }
    return self[index - 1]
  }

  fileprivate init?(table: ByteRegion, strings: ByteRegion, of file: ObjectFile) {
    var objects: [ObjectEntry] = []
    var entries: [Entry] = []
    var hasObject = false
    var start: (address: UInt64, nameOffset: UInt32)?
    var reader = table.reader(byteOrder: file.byteOrder)
    let count = table.count / Int(ObjectFile.machOSymbolSize(wordSize: file.addressSize))
    for _ in 0..<count {
      guard let entry = try? StabEntry(&reader, wordSize: file.addressSize) else { break }
      switch entry.type {
      case StabEntry.sourceFile:
        hasObject = false
        start = nil
      case StabEntry.objectFile:
        start = nil
        // A table of more entries than 32 bits count there is not: `LC_SYMTAB` counts them so.
        hasObject = entry.isNamed(in: strings)
        guard hasObject else { continue }
        objects.append(ObjectEntry(pathOffset: entry.nameOffset, time: entry.value))
      case StabEntry.function where !entry.isNamed(in: strings):
        // The end of a function, with its size.
        guard hasObject, let (address, nameOffset) = start,
          let range = addressRange(start: address, size: entry.value), !range.isEmpty
        else { continue }
        entries.append(
          Entry(
            start: address, end: range.upperBound.value, nameOffset: nameOffset,
            object: UInt32(objects.count - 1)))
        start = nil
      case StabEntry.function: start = (entry.value, entry.nameOffset)
      default: continue
      }
    }
    guard !entries.isEmpty else { return nil }
    // Stable: of equals the first of the file comes first, by its object and then by its place.
    let order = entries.indices.sorted {
      (entries[$0].start, $0) < (entries[$1].start, $1)
    }
    var sorted: [Entry] = []
    sorted.reserveCapacity(order.count)
    for index in order where sorted.last?.start != entries[index].start {
      sorted.append(entries[index])
    }
    self.objects = objects
    self.entries = sorted
    self.strings = strings
  }
}

/// What an `nlist` or `nlist_64` for debuggers holds.
private struct StabEntry {
  /// N_SO
  static let sourceFile: UInt8 = 0x64
  /// N_OSO
  static let objectFile: UInt8 = 0x66
  /// N_FUN
  static let function: UInt8 = 0x24

  let nameOffset: UInt32
  let type: UInt8
  let value: UInt64

  init(_ reader: inout ByteReader, wordSize: Int) throws(ByteReadError) {
    nameOffset = try reader.read()
    type = try reader.read()
    try reader.skip(3)  // n_sect, n_desc
    value = try reader.readUnsigned(size: wordSize)
  }

  func isNamed(in strings: ByteRegion) -> Bool {
    guard nameOffset > 0, let first = strings.byte(at: UInt64(nameOffset)) else { return false }
    return first != 0
  }
}

extension ObjectFile {
  /// The image's debug map; nil where it has none, as an image that was linked without debug
  /// information, or was stripped of it, and whatever is no linked Mach-O image.
  ///
  /// Throws `truncated` where the symbol table or its names lie beyond the end of the file. Cost: the
  /// whole symbol table is read at each call.
  package func readDebugMap() throws(ObjectFileError) -> DebugMap? {
    guard fileType != .relocatable, fileType != .debugSymbols,
      let (table, strings) = try machOSymbolBytes()
    else { return nil }
    return DebugMap(table: table, strings: strings, of: self)
  }

  /// Where the symbols defined in code sections are that stand for one place each, by their names. Nil
  /// for a name that several places have.
  ///
  /// Names that share bytes of the string table to an extent that no writer comes near are left out in
  /// the end: a small file could hold very many very long ones.
  ///
  /// Throws as `readDebugMap()`. Cost: the whole symbol table is read at each call, and all names copied.
  package func codeSymbolAddresses() throws(ObjectFileError) -> [String: LinkAddress?] {
    guard let (table, strings) = try machOSymbolBytes() else { return [:] }
    var addresses: [String: LinkAddress?] = [:]
    var unreadBytes = 16 * UInt64(strings.count) + 1 << 20
    var reader = table.reader(byteOrder: byteOrder)
    let count = table.count / Int(Self.machOSymbolSize(wordSize: addressSize))
    for _ in 0..<count {
      guard let symbol = try? MachOSymbol(&reader, wordSize: addressSize) else { break }
      guard symbol.isDefinedInSection, symbol.section > 0,
        Int(symbol.section) <= sections.count
      else { continue }
      let section = sections[Int(symbol.section) - 1]
      let address = LinkAddress(symbol.value)
      guard section.holdsCode, section.addresses.contains(address),
        let name = strings.text(at: UInt64(symbol.nameOffset)), !name.isEmpty
      else { continue }
      let size = UInt64(name.utf8.count)
      guard size <= unreadBytes else { break }
      unreadBytes -= size
      if let known = addresses[name], known != address {
        addresses[name] = .some(nil)
      } else {
        addresses[name] = address
      }
    }
    return addresses
  }

  /// The symbol table and its names; nil of what is no Mach-O file or has none.
  private func machOSymbolBytes() throws(ObjectFileError) -> (
    table: ByteRegion, strings: ByteRegion
  )? {
    guard case .machO(let offset, let count, let stringsOffset, let stringsSize) = symbolTableSource
    else { return nil }
    let size = Self.machOSymbolSize(wordSize: addressSize)
    return (
      try bytes(of: .symbolTable, at: UInt64(offset)..<(UInt64(offset) + UInt64(count) * size)),
      try bytes(
        of: .stringTable, at: UInt64(stringsOffset)..<(UInt64(stringsOffset) + UInt64(stringsSize)))
    )
  }
}

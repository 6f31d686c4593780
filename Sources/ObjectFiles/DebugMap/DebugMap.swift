import BinaryInput
package import SymbolicationModel

/// The debug map of a Mach-O image: the object files that its functions were linked from. The
/// linker leaves the debug information in those files (`<mach-o/stab.h>`; `dsymutil` reads the same
/// map).
///
/// It consists of symbol table entries for debuggers (STABs). For each object file there are, in
/// this order: `N_SO` with the source file; `N_OSO` with the object file; for each linked function
/// an `N_FUN` with name and address and an `N_FUN` with no name and the size; and an `N_SO` with no
/// name. Functions that the linker left out, or took from another object file, have no entry.
/// Variables (`N_GSYM`, `N_STSYM`) and all other entries are skipped.
package struct DebugMap: Sendable {
  /// In file order.
  private let objects: [ObjectEntry]
  /// Ascending by start; starts are distinct. If functions were folded into one address, this is
  /// the first of them in the file.
  private let entries: [Entry]
  private let strings: ByteRegion

  /// An object file, as its `N_OSO` entry names it.
  package struct Object: Hashable, Sendable {
    /// The file's path, or `path/to/lib.a(member.o)` for a member of an archive. Bytes that are not
    /// UTF-8 are replaced by U+FFFD.
    package let path: String
    /// When the file or member was last changed, in seconds since 1970; 0 if the linker was told
    /// not to write it.
    package let modificationTime: Int64
  }

  /// A function that was linked.
  package struct Function: Hashable, Sendable {
    /// The name of the function's symbol, with the leading underscore.
    package let name: String
    /// The function's addresses in the image; not empty.
    package let addresses: Range<LinkAddress>
    /// The index of the function's object file.
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

  /// The number of object files.
  package var objectCount: Int { objects.count }

  /// The object file at `index`, in file order.
  ///
  /// - Parameter index: 0 or more, and less than `objectCount`.
  /// - Complexity: the path is copied.
  package func object(_ index: Int) -> Object {
    Object(
      path: strings.path(at: UInt64(objects[index].pathOffset)) ?? "",
      modificationTime: Int64(bitPattern: objects[index].time))
  }

  /// The number of functions.
  package var count: Int { entries.count }

  /// The function at `index`, in ascending order of address.
  ///
  /// - Parameter index: 0 or more, and less than `count`.
  /// - Complexity: the name is copied.
  package subscript(index: Int) -> Function {
    let entry = entries[index]
    return Function(
      name: strings.name(at: UInt64(entry.nameOffset)) ?? "",
      addresses: LinkAddress(entry.start)..<LinkAddress(entry.end), object: Int(entry.object))
  }

  /// The function that holds `address`, or nil. Cost: a binary search; the name is copied.
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
      guard let entry = try? MachOSymbol(&reader, wordSize: file.addressSize) else { break }
      switch entry.type {
      case Stab.sourceFile:
        hasObject = false
        start = nil
      case Stab.objectFile:
        start = nil
        // Their number fits in 32 bits, because `LC_SYMTAB` counts all entries in 32 bits.
        hasObject = entry.isNamed(in: strings)
        guard hasObject else { continue }
        objects.append(ObjectEntry(pathOffset: entry.nameOffset, time: entry.value))
      case Stab.function where !entry.isNamed(in: strings):
        // The entry without a name ends a function and states its size.
        guard hasObject, let (address, nameOffset) = start,
          let range = addressRange(start: address, size: entry.value), !range.isEmpty
        else { continue }
        entries.append(
          Entry(
            start: address, end: range.upperBound.value, nameOffset: nameOffset,
            object: UInt32(objects.count - 1)))
        start = nil
      case Stab.function: start = (entry.value, entry.nameOffset)
      default: continue
      }
    }
    guard !entries.isEmpty else { return nil }
    // Equal starts keep the order of the file.
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

/// The types of the entries that make a debug map.
private enum Stab {
  /// N_SO
  static let sourceFile: UInt8 = 0x64
  /// N_OSO
  static let objectFile: UInt8 = 0x66
  /// N_FUN
  static let function: UInt8 = 0x24
}

extension MachOSymbol {
  fileprivate func isNamed(in strings: ByteRegion) -> Bool {
    guard nameOffset > 0, let first = strings.byte(at: UInt64(nameOffset)) else { return false }
    return first != 0
  }
}

extension ObjectFile {
  /// The image's debug map. Nil if there is none: the image was linked without debug information or
  /// stripped of it, or the file is not a linked Mach-O image.
  ///
  /// Throws `truncated` if the symbol table or its names are beyond the end of the file. Cost: the
  /// whole symbol table is read at each call.
  package func readDebugMap() throws(ObjectFileError) -> DebugMap? {
    guard fileType != .relocatable, fileType != .debugSymbols,
      let (table, strings) = try machOSymbolBytes()
    else { return nil }
    return DebugMap(table: table, strings: strings, of: self)
  }

  /// The addresses of the symbols that are defined in code sections, by name; nil for a name with
  /// several addresses.
  ///
  /// The names together may be 16 times as long as the string table; the rest is left out. No real
  /// file comes near that, but names may share bytes, so a small file could hold very many very
  /// long ones.
  ///
  /// Throws as `readDebugMap()` does. Cost: the whole symbol table is read at each call, and all
  /// names are copied.
  package func codeSymbolAddresses() throws(ObjectFileError) -> [String: LinkAddress?] {
    guard let (table, strings) = try machOSymbolBytes() else { return [:] }
    var addresses: [String: LinkAddress?] = [:]
    var unreadBytes = 16 * UInt64(strings.count) + 1 << 20
    var reader = table.reader(byteOrder: byteOrder)
    let count = table.count / Int(Self.machOSymbolSize(wordSize: addressSize))
    for _ in 0..<count {
      guard let symbol = try? MachOSymbol(&reader, wordSize: addressSize) else { break }
      guard let index = symbol.sectionIndex(amongSections: sections.count) else { continue }
      let section = sections[index]
      let address = LinkAddress(symbol.value)
      guard section.holdsCode, section.addresses.contains(address),
        let name = strings.name(at: UInt64(symbol.nameOffset)), !name.isEmpty
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
}

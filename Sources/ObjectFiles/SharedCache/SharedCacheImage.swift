import BinaryInput
import SymbolicationModel

/// One library in a shared cache.
package struct SharedCacheImage: Sendable {
  package let cache: SharedCache
  let index: Int

  private var stated: SharedCacheFile.Image { cache.images[index] }
  /// Where it is installed, such as `/usr/lib/libobjc.A.dylib`.
  package var installName: String { stated.path }
  /// What errors call it.
  private var shownPath: String { "\(cache.main.path)(\(installName))" }

  /// What the list of images states about it, as a symbol file that answers alone. Nothing of the
  /// image is read, unless the list has no UUID.
  func objectFile() -> ObjectFile {
    var identity = stated.identity
    if identity == nil {
      let files = cache.files()
      identity = (try? image(in: files, files.allowance))?.identity
    }
    let text = addressRange(start: stated.address, size: stated.textSize)
    var file = ObjectFile(
      path: cache.main.path, format: .sharedCache, fileType: .dynamicLibrary,
      architecture: cache.main.architecture, identity: identity, byteOrder: .little,
      addressSize: cache.main.architecture.is32Bit ? 4 : 8,
      segments: text.map {
        [Segment(name: "__TEXT", addresses: $0, fileRange: 0..<0, isExecutable: true)]
      } ?? [], sections: [], faults: [], region: cache.main.region, symbolTableSource: .none)
    file.standaloneLinkBase = LinkAddress(stated.address)
    file.moduleName = installName.lastPathComponent
    file.sharedCacheImage = self
    return file
  }

  /// How many faults of the cache's other files are among those of an image.
  private static let shownFileFaults = 8

  /// The names of an image, and what could not be read.
  package struct Names: Sendable {
    package let table: SymbolTable
    package fileprivate(set) var faults: [ObjectFileError]
  }

  /// The code of the image by name: of its symbol table, its export trie, the symbols of
  /// compilation units that the cache keeps apart, and its Objective-C methods, in this order: of
  /// several names for an address, the first is kept.
  ///
  /// Throws if the image itself cannot be read. Cost: its tables are read and sorted.
  package func names() throws(ObjectFileError) -> Names {
    let files = cache.files()
    let allowance = cache.allowance(forImage: index, in: files)
    // Each image has them, and there may be thousands of images.
    var names = Names(
      table: SymbolTable(), faults: Array(files.faults.prefix(Self.shownFileFaults)))
    let image = try image(in: files, allowance)
    if let identity = stated.identity, image.identity != identity {
      names.faults.append(
        image.error(
          .sharedCache(
            .otherImage(found: image.identity, expected: identity))))
    }
    var starts: FunctionStarts?
    var parts: [SymbolTable] = []
    func add(_ read: () throws(ObjectFileError) -> SymbolTable?) {
      do throws(ObjectFileError) {
        guard let table = try read() else { return }
        names.faults += table.faults
        parts.append(table)
      } catch {
        names.faults.append(error)
      }
    }
    add { () throws(ObjectFileError) in
      try take(image.functionStarts, of: allowance)
      starts = try image.readFunctionStarts()
      return nil
    }
    add { () throws(ObjectFileError) in
      try take(image.machOSymbolBytes()?.table.count ?? 0, of: allowance)
      return try image.symbolTable(functionStarts: starts)
    }
    add { () throws(ObjectFileError) in
      try take(image.exportTrie, of: allowance)
      return try image.exportedSymbols(functionStarts: starts)
    }
    add { () throws(ObjectFileError) in
      let symbols = try cache.localSymbols(in: files)?.entry(
        at: stated.address, symbolSize: image.machOSymbolSize)
      try take(symbols?.table.count ?? 0, of: allowance)
      return symbols.map {
        image.machOSymbols(
          in: $0.table, strings: $0.strings, functionStarts: starts, faults: [])
      }
    }
    add { () throws(ObjectFileError) in
      SharedCacheMethods(of: image, in: files, cache: cache, allowance).table(
        functionStarts: starts)
    }
    return Names(table: SymbolTable(joining: parts), faults: names.faults)
  }

  private func take(
    _ count: Int, of allowance: SharedCache.Allowance
  ) throws(ObjectFileError) {
    guard allowance.takes(count) else {
      throw ObjectFileError(
        path: shownPath, architecture: cache.main.architecture,
        reason: .sharedCache(
          .malformed(
            structure: "size of the tables of all images", value: UInt64(clamping: count),
            expected: .atMost(0))))
    }
  }

  private func take(
    _ range: Range<UInt64>?, of allowance: SharedCache.Allowance
  ) throws(ObjectFileError) {
    guard let range else { return }
    try take(Int(clamping: range.upperBound - range.lowerBound), of: allowance)
  }

  // MARK: - Mach-O

  /// The image as a Mach-O file. Its offsets are those of the file of the cache in which its
  /// `__LINKEDIT` lies, with which symbol table, exports and function starts can be read.
  private func image(
    in files: SharedCache.Joined, _ allowance: SharedCache.Allowance
  ) throws(ObjectFileError) -> ObjectFile {
    guard let bytes = files.bytes(from: stated.address) else {
      // It may be in the file that cannot be used.
      throw files.faults.first
        ?? cache.main.error(
          .malformed(
            structure: "address of the image \(installName) in the shared cache",
            value: stated.address))
    }
    // The size of the load commands: many images may state one header.
    try take(
      Int(clamping: bytes.unsigned(at: 20, size: 4, byteOrder: .little) ?? 0), of: allowance)
    var image = try MachOParser.parse(
      bytes, path: shownPath, statedArchitecture: cache.main.architecture, sliceSize: .max)
    guard let linkEdit = image.segments.first(where: { $0.name == "__LINKEDIT" }) else {
      return image
    }
    guard let place = files.place(of: linkEdit.addresses.lowerBound.value) else {
      throw files.faults.first
        ?? image.error(
          .sharedCache(
            .malformed(
              structure: "vmaddr of the segment __LINKEDIT",
              value: linkEdit.addresses.lowerBound.value)))
    }
    image.region = place.file.region
    return image
  }

  /// The address of the section of that name; nil if there is none.
  func section(_ name: String, _ files: SharedCache.Joined) -> UInt64? {
    let sections = (try? image(in: files, files.allowance))?.sections
    return sections?.first { $0.name == name }?.addresses.lowerBound.value
  }
}

extension ObjectFile {
  fileprivate var machOSymbolSize: UInt64 { Self.machOSymbolSize(wordSize: addressSize) }
}

/// The symbols that are known in one compilation unit, and their names. The builder of the cache
/// moves them out of the images, to the end of the only file or to a file of their own
/// (`dyld_cache_local_symbols_info`: all offsets count from its start).
struct LocalSymbols: Sendable {
  private let file: SharedCacheFile
  private let region: ByteRegion
  /// Where the symbols of an image are, by its address: the index of the first, and their number.
  private var entries: [UInt64: (start: UInt64, count: UInt64)] = [:]

  /// Reads the entries of the images at `addresses`; of several for one image the first.
  ///
  /// - Parameter base: the address of the start of the cache, from which entries count.
  init(
    _ file: SharedCacheFile, hasLongEntries: Bool, addresses: Set<UInt64>, base: UInt64
  ) throws(ObjectFileError) {
    let offset = file.number(.localSymbolsOffset)
    let size = file.number(.localSymbolsSize)
    guard let region = try? file.region.subregion(offset: offset, count: size) else {
      throw file.error(
        .truncated(
          structure: SharedCacheField.localSymbolsOffset.term, offset: offset, wanted: size,
          available: UInt64(file.region.count)))
    }
    self.file = file
    self.region = region
    let offsetSize = hasLongEntries ? 8 : 4
    let entrySize = offsetSize + 8
    // Products of numbers of 32 bits and small ones do not overflow.
    let table = try part("entriesOffset", number(16), number(20) * UInt64(entrySize))
    for entry in stride(from: UInt64(0), to: UInt64(table.count), by: entrySize) {
      func number(_ place: Int, _ size: Int) -> UInt64 {
        table.unsigned(at: entry + UInt64(place), size: size, byteOrder: .little) ?? 0
      }
      let address = base &+ number(0, offsetSize)
      guard addresses.contains(address), entries[address] == nil else { continue }
      entries[address] = (number(offsetSize, 4), number(offsetSize + 4, 4))
    }
  }

  private func number(_ offset: UInt64) -> UInt64 {
    region.unsigned(at: offset, size: 4, byteOrder: .little) ?? 0
  }

  /// The bytes of a table. Throws with the name of the field that states where it is.
  private func part(
    _ name: String, _ offset: UInt64, _ size: UInt64
  ) throws(ObjectFileError) -> ByteRegion {
    guard let part = try? region.subregion(offset: offset, count: size) else {
      throw file.error(
        .truncated(
          structure: "\(name) in the local symbols of the shared cache", offset: offset,
          wanted: size, available: UInt64(region.count)))
    }
    return part
  }

  /// The symbols of the image at `address`; nil if it has none.
  func entry(
    at address: UInt64, symbolSize: UInt64
  ) throws(ObjectFileError) -> (table: ByteRegion, strings: ByteRegion)? {
    guard let (start, count) = entries[address] else { return nil }
    let symbols = try part("nlistOffset", number(0), number(4) * symbolSize)
    let strings = try part("stringsOffset", number(8), number(12))
    guard
      let own = try? symbols.subregion(offset: start * symbolSize, count: count * symbolSize)
    else {
      throw file.error(
        .truncated(
          structure: "nlistStartIndex in the local symbols of the shared cache",
          offset: start * symbolSize, wanted: count * symbolSize,
          available: UInt64(symbols.count)))
    }
    return (own, strings)
  }
}

extension ObjectFile {
  /// What to call it: `path`, with the path of the library if it is one in a shared cache.
  package func shownPath(ofFile path: String) -> String {
    sharedCacheImage.map { "\(path)(\($0.installName))" } ?? path
  }

  /// All names of code of a library, from every table that has some: `SharedCacheImage.names()`,
  /// and of a Mach-O file its symbol table and its exports.
  ///
  /// Throws if the file is of another format, or nothing can be read. Cost: all tables are read.
  package func allNames() throws(ObjectFileError) -> SharedCacheImage.Names {
    if let sharedCacheImage { return try sharedCacheImage.names() }
    let starts = try readFunctionStarts()
    let tables = [
      try symbolTable(functionStarts: starts), try exportedSymbols(functionStarts: starts),
    ].compactMap(\.self)
    let joined = SymbolTable(joining: tables)
    return SharedCacheImage.Names(table: joined, faults: joined.faults)
  }
}

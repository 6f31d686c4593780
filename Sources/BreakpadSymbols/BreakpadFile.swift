package import BinaryInput
package import SymbolicationModel

// Breakpad's symbol files: the functions, lines, inlined calls and symbols of one image as text,
// one record on a line.
//
//     MODULE mac arm64 1B2F…0 Electron Framework     which image, and its UUID
//     FILE 7 /src/main.cc                            a source file and its number
//     INLINE_ORIGIN 3 base::Run()                    the name of an inlined function and its number
//     FUNC m 1000 5c 0 main                          address, size, size of parameters, name
//     INLINE 0 12 7 3 1010 8 1020 4                  a call inlined into the function above
//     1000 10 11 7                                   a line row: address, size, line, file
//     PUBLIC m 2000 0 _start                         a symbol without a size
//     STACK CFI INIT …                               for unwinding; not read
//
// Addresses and sizes are hexadecimal and relative to the start of the image; all other numbers are
// decimal. Source: https://chromium.googlesource.com/breakpad/breakpad/+/HEAD/docs/symbol_files.md;
// what it leaves open follows Breakpad's own reader
// (`src/processor/basic_source_line_resolver.cc`).
//
// These files have hundreds of megabytes, and most questions are about a few functions. So the file
// is mapped, one fast pass finds the records that begin with a word (`BreakpadScan`), and keeps
// only their addresses and offsets (`BreakpadTables`). Lines and inlined calls are decoded for a
// function when something is asked about it (`BreakpadFunction`), and names when they are shown.

/// A Breakpad symbol file with the tables that its questions need.
///
/// Several threads may use it at once.
package struct BreakpadFile: Sendable {
  let region: ByteRegion
  let tables: BreakpadTables
  /// What could not be read in the pass over the file.
  package let faults: [BreakpadFault]

  /// Opens the file that fills `region`.
  ///
  /// Cost: one pass over the file, on up to `jobs` threads: about 0.1 s for 200 MB on one. The
  /// tables have at most 3 times the size of the records that they are made from.
  ///
  /// - Parameter partSize: the number of bytes that are worth a thread.
  package init(_ region: ByteRegion, jobs: Int = 1, partSize: Int = 8 << 20) {
    self.region = region
    let scan = BreakpadScan.perform(region, jobs: jobs, partSize: partSize)
    tables = BreakpadTables(scan)
    faults = scan.faults
  }

  /// Whether there is nothing to look up.
  package var isEmpty: Bool { tables.functions.isEmpty && tables.symbols.isEmpty }

  /// The addresses from the start of the image to the end of the last function (half-open). A
  /// symbol counts as one byte.
  package var extent: Range<LinkAddress> {
    LinkAddress(0)..<LinkAddress(tables.end)
  }

  /// What the file has at an address.
  package enum Place: Hashable, Sendable {
    /// The function with this index, in ascending order of address.
    case function(Int)
    /// The symbol with this index, in ascending order of address: no function holds the address.
    case symbol(Int)
  }

  /// The function or symbol at `address`; nil if there is none.
  ///
  /// If functions overlap, the one with the greatest start counts; of several with the same start,
  /// the first in the file. A symbol reaches to the next function or symbol.
  ///
  /// Cost: two binary searches.
  package func place(of address: LinkAddress) -> Place? {
    if let index = tables.function(at: address.value) { return .function(index) }
    return tables.symbol(at: address.value).map { .symbol($0) }
  }

  /// Whether the file has a function or a symbol for `address`.
  package func answers(_ address: LinkAddress) -> Bool { place(of: address) != nil }

  /// The name and the address of a symbol.
  package func symbol(_ index: Int) -> (name: String, start: LinkAddress) {
    let symbol = tables.symbols[index]
    return (name(ofRecordAt: symbol.offset), LinkAddress(symbol.address))
  }

  // MARK: - Texts

  /// The name in a `FUNC` or `PUBLIC` record; empty if it has none.
  func name(ofRecordAt offset: UInt64) -> String {
    var fields = BreakpadFields(region, at: offset)
    let isFunction = fields.skip(.function)
    if !isFunction { _ = fields.skip(.symbol) }
    fields.skipMultipleMark()
    for _ in 0..<(isFunction ? 3 : 2) { _ = fields.readHexadecimal() }
    return fields.readText()
  }

  /// The path of the file with this number; nil if there is no record for it.
  func path(ofFile number: UInt32) -> String? {
    guard let offset = tables.files.offset(of: number) else { return nil }
    var fields = BreakpadFields(region, at: offset)
    _ = fields.skip(.file)
    _ = fields.readDecimal()
    return fields.readPath()
  }

  /// The name of the inlined function with this number, and, in the older form of the record, the
  /// number of the file in which it is declared; and the offset of the record. Nil if there is no
  /// record for it.
  func origin(
    _ number: UInt32, _ texts: inout BreakpadTexts
  ) -> (name: String, file: UInt32?, record: UInt64)? {
    guard let offset = tables.origins.offset(of: number) else { return nil }
    var fields = BreakpadFields(region, at: offset)
    _ = fields.skip(.inlineOrigin)
    _ = fields.readDecimal()
    let file = fields.readLeadingFileNumber()
    return (texts.name(ofRecordAt: offset) { fields.readText() }, file, offset)
  }
}

/// Damage in a Breakpad symbol file that leaves the rest of it usable. Offsets are in bytes from
/// the start of the file.
package enum BreakpadFault: Hashable, Sendable {
  /// `count` records of this kind cannot be read; the first of them is at `offset`.
  case malformedRecords(Record, count: Int, offset: UInt64)
  /// The records of the function at `offset` have `count` bytes, more than the `limit` that is
  /// decoded for one function. It has no lines.
  case oversizedFunction(offset: UInt64, count: UInt64, limit: UInt64)
  /// The function at `offset` refers to a file for which there is no record.
  case unknownFile(UInt32, offset: UInt64)
  /// The function at `offset` refers to an inlined function for which there is no record.
  case unknownOrigin(UInt32, offset: UInt64)

  /// The kinds of records that are read after the head, by the word that they begin with.
  package enum Record: String, Hashable, Sendable, CaseIterable {
    case function = "FUNC"
    case symbol = "PUBLIC"
    case file = "FILE"
    case inlineOrigin = "INLINE_ORIGIN"
    case inlinedCall = "INLINE"
    /// A line row, which begins with no word.
    case line = "line"
  }
}

/// The names and paths that answers have needed. Each is copied from the file once, however many
/// frames have it.
///
/// Thousands of inlined calls may refer to one record, and their names together may be thousands of
/// times as long as the file.
package struct BreakpadTexts {
  /// By the offset of the record.
  private var names: [UInt64: String] = [:]
  /// By the number of the file; nil if there is no record for it.
  private var paths: [UInt32: String?] = [:]
  private var byteCount = 0

  /// Beyond this many bytes, all texts are forgotten, and copied again.
  private static let byteLimit = 16 << 20

  package init() {}

  mutating func name(ofRecordAt offset: UInt64, _ read: () -> String) -> String {
    if let known = names[offset] { return known }
    let name = read()
    makeRoom(for: name)
    names[offset] = name
    return name
  }

  mutating func path(ofFile number: UInt32, in file: BreakpadFile) -> String? {
    if let known = paths[number] { return known }
    let path = file.path(ofFile: number)
    makeRoom(for: path ?? "")
    paths[number] = .some(path)
    return path
  }

  private mutating func makeRoom(for text: String) {
    if byteCount > Self.byteLimit {
      names = [:]
      paths = [:]
      byteCount = 0
    }
    // An entry takes about 64 bytes besides.
    byteCount += text.utf8.count + 64
  }
}

import BinaryInput
import SymbolicationModel

/// The symbols of a CoreSymbolication file: a head and five tables, one after the other.
///
///      0  4  version: 1 or 7
///      4  4  size of everything, names included
///      8  4  number of segments
///     12  4  number of sections
///     16  4  number of symbols
///     20  4  number of symbols with a place in a source file
///     24  4  number of source lines
///     52 16  UUID
///     68  4  CPU type, and its subtype
///     84  4  if not 0, eight more bytes belong to the head
///
/// A segment is address (8), size (8), name (16). A section is address, size and name, each of the
/// size of an address; with 32 bits, 4 more bytes follow. A symbol is address, size, flags, name,
/// mangled name and −1, 4 bytes each. A source line is address, size, file, line and column. For
/// each symbol there are two numbers of 4 bytes that sort them by their names, and then come the
/// names. Addresses count from the start of `__TEXT`.
///
/// A name is an offset from the first name, so the first section's is 0; in files of 2020 and
/// earlier it is an offset from the record that refers to it.
struct SymbolTables: Sendable {
  private let region: ByteRegion
  private let origin: NameOrigin
  /// What is subtracted from the address of a record to get its distance from `__TEXT`.
  private let textAddress: UInt64
  let symbols: AddressTable
  let lines: AddressTable
  /// The symbols whose place in a source file may be that of a declaration or of a call. Nobody has
  /// found out, and they may be inlined functions, so they are not used.
  let unreadSymbolCount: UInt64

  /// From where names are counted.
  private enum NameOrigin {
    case names(start: UInt64)
    case record(start: UInt64)

    var start: UInt64 {
      switch self {
      case .names(let start), .record(let start): start
      }
    }
  }

  private static let headSize: UInt64 = 88
  /// The size of a CPU type's addresses: `CPU_ARCH_ABI64`.
  private static let abi64: UInt32 = 0x0100_0000

  /// Throws if the UUID and the CPU are not those of the signature, and if a table does not fit.
  init(
    _ file: FieldReader, uuid: [UInt8], cpuType: UInt32, cpuSubtype: UInt32
  ) throws(SymbolFileProblem) {
    let version = try file.number(at: 0)
    guard version == 1 || version == 7 else {
      throw file.problem(
        .unsupported(structure: "version of the CoreSymbolication symbols", value: UInt64(version)))
    }
    let size = UInt64(try file.number(at: 4))
    guard size >= Self.headSize, let region = try? file.region.subregion(offset: 0, count: size)
    else {
      throw file.problem(
        .malformed(
          structure: "size of the CoreSymbolication symbols", value: size,
          expected: size < Self.headSize ? .atLeast(Self.headSize) : .atMost(file.size)))
    }
    let head = FieldReader(region: region, path: file.path, structure: file.structure)
    guard try head.bytes(at: 52, count: 16) == uuid else {
      throw file.problem(.damaged(structure: "UUID of the CoreSymbolication symbols", offset: 52))
    }
    try head.expect(cpuType, at: 68, in: "CPU type of the CoreSymbolication symbols")
    try head.expect(cpuSubtype, at: 72, in: "CPU subtype of the CoreSymbolication symbols")
    let addressSize: UInt64 = cpuType & Self.abi64 == 0 ? 4 : 8
    var end = try head.number(at: 84) == 0 ? Self.headSize : Self.headSize + 8
    func table(
      _ countOffset: UInt64, _ stride: UInt64, _ field: String
    ) throws(SymbolFileProblem) -> (start: UInt64, count: UInt64) {
      let count = UInt64(try head.number(at: countOffset))
      let start = end
      end = try head.end(ofTableAt: start, count: count, stride: stride, "number of \(field)")
      return (start, count)
    }
    let segments = try table(8, CoreSymbolicationFile.segmentSize, "segments")
    let sections = try table(12, addressSize == 8 ? 24 : 16, "sections")
    let symbols = try table(16, SymbolRecord.size, "symbols")
    unreadSymbolCount = try table(20, 36, "symbols with a place").count
    let lines = try table(24, LineRecord.size, "source lines")
    let names = try head.end(
      ofTableAt: end, count: symbols.count, stride: 8, "number of symbols")

    guard
      let text = try Segment.all(
        in: head, at: segments.start, count: segments.count, nameIsLast: true
      ).first(where: { $0.name == Segment.text })
    else {
      throw file.problem(
        .damaged(structure: "segments of the CoreSymbolication symbols", offset: segments.start))
    }
    textAddress = text.address
    self.region = region
    origin = try Self.nameOrigin(
      head, sections: sections, addressSize: addressSize, names: names)
    self.symbols = AddressTable(
      region, start: symbols.start, count: symbols.count, stride: SymbolRecord.size)
    self.lines = AddressTable(
      region, start: lines.start, count: lines.count, stride: LineRecord.size)
  }

  /// Finds out from where names are counted. That all sections have a name shows that the tables
  /// are where they should be.
  private static func nameOrigin(
    _ head: FieldReader, sections: (start: UInt64, count: UInt64), addressSize: UInt64,
    names: UInt64
  ) throws(SymbolFileProblem) -> NameOrigin {
    let stride: UInt64 = addressSize == 8 ? 24 : 16
    var origin: NameOrigin?
    for index in 0..<sections.count {
      let record = sections.start + index * stride
      let field = record + 2 * addressSize
      let offset =
        addressSize == 8 ? try head.number64(at: field) : UInt64(try head.number(at: field))
      let known = origin ?? (offset == 0 ? .names(start: names) : .record(start: names))
      origin = known
      let start: UInt64 = if case .names(let start) = known { start } else { record }
      let (place, overflow) = start.addingReportingOverflow(offset)
      guard !overflow, place >= names, let first = head.region.byte(at: place), first != 0 else {
        throw head.problem(
          .malformed(
            structure: "name of section \(index) of the CoreSymbolication symbols", value: offset,
            expected: .below(head.size - min(head.size, start))))
      }
    }
    guard let origin else {
      throw head.problem(
        .malformed(structure: "number of sections", value: 0, expected: .atLeast(1)))
    }
    return origin
  }

  /// The distance of an address from `__TEXT` as records state it; nil if they cannot.
  func stated(_ distance: UInt64) -> UInt32? {
    let (sum, overflow) = distance.addingReportingOverflow(textAddress)
    return overflow ? nil : UInt32(exactly: sum)
  }

  /// The distance from `__TEXT` of an address that a record states; nil for one before it.
  func distance(_ stated: UInt32) -> UInt64? {
    let address = UInt64(stated)
    return address < textAddress ? nil : address - textAddress
  }

  /// The name that begins at `place`; nil if that is not in the file.
  func name(at place: UInt64) -> String? { region.name(at: place) }

  func path(at place: UInt64) -> String? { region.path(at: place) }

  /// Whether a text that begins there has a byte.
  func hasText(at place: UInt64) -> Bool { region.byte(at: place).map { $0 != 0 } ?? false }

  /// Where a name begins; nil if it lies outside the names.
  func place(_ offset: UInt32, of record: UInt64) -> UInt64? {
    let start: UInt64 = if case .names(let start) = origin { start } else { record }
    let place = start + UInt64(offset)
    return place >= origin.start && place < UInt64(region.count) ? place : nil
  }
}

/// Records of one size, each beginning with an address and a size of 4 bytes.
struct AddressTable: Sendable {
  let region: ByteRegion
  let start: UInt64
  let count: Int
  let stride: UInt64
  /// The records in ascending order of address; nil if they are in that order.
  private let order: [UInt32]?

  /// - Parameter count: so many records fit into the region.
  init(_ region: ByteRegion, start: UInt64, count: UInt64, stride: UInt64) {
    self.region = region
    self.start = start
    self.count = Int(clamping: count)
    self.stride = stride
    var last: UInt32 = 0
    var isAscending = true
    for index in 0..<self.count where isAscending {
      let address = Self.number(region, start + UInt64(index) * stride)
      isAscending = address >= last
      last = address
    }
    order =
      isAscending
      ? nil
      : (0..<UInt32(clamping: self.count)).sorted {
        let left = Self.number(region, start + UInt64($0) * stride)
        let right = Self.number(region, start + UInt64($1) * stride)
        return (left, $0) < (right, $1)
      }
  }

  private static func number(_ region: ByteRegion, _ offset: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: region.unsigned(at: offset, size: 4, byteOrder: .little) ?? 0)
  }

  /// The field at `offset` of the record at `record`.
  func number(_ record: UInt64, _ offset: UInt64) -> UInt32 {
    Self.number(region, record + offset)
  }

  /// The offsets of the records, in file order.
  var records: some Sequence<UInt64> { (0..<count).lazy.map { start + UInt64($0) * stride } }

  /// The offset of the record with the greatest address up to `address`, if it holds it.
  func record(holding address: UInt32) -> UInt64? {
    let next = (0..<count).partitionPoint { number(offset(ofRecord: $0), 0) > address }
    guard next > 0 else { return nil }
    let record = offset(ofRecord: next - 1)
    return address - number(record, 0) < number(record, 4) ? record : nil
  }

  /// - Parameter place: the place of the record in ascending order of address.
  private func offset(ofRecord place: Int) -> UInt64 {
    start + UInt64(order.map { $0[place] } ?? UInt32(clamping: place)) * stride
  }
}

enum SymbolRecord {
  static let size: UInt64 = 24
  static let name: UInt64 = 12
  static let mangledName: UInt64 = 16
}

enum LineRecord {
  static let size: UInt64 = 20
  static let file: UInt64 = 8
  static let line: UInt64 = 12
  static let column: UInt64 = 16
}

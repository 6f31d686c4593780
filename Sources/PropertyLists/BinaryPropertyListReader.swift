import BinaryInput

/// Reads the binary format `bplist00`, as `CFBinaryPList.c` of CoreFoundation describes it:
/// objects, a table of their offsets, and a trailer of 32 bytes. All numbers are big-endian.
struct BinaryPropertyListReader {
  private let bytes: ByteRegion
  private var reader: ByteReader
  private let trailer: Trailer
  private var budget: PropertyListBudget
  /// The texts and data that were read, by the places of the objects: any number of places may use
  /// one.
  private var leaves: [UInt64: PropertyList] = [:]

  private struct Trailer {
    let offsetSize: Int
    let referenceSize: Int
    let objectCount: UInt64
    let topObject: UInt64
    let tableOffset: UInt64

    static let size = 32
  }

  static func read(_ bytes: ByteRegion) throws(PropertyListError) -> PropertyList {
    guard bytes.holds(Array("bplist00".utf8), at: 0) else {
      throw PropertyListError(
        offset: 0, kind: .unsupportedVersion(Array(bytes.prefix(8).dropFirst(6))))
    }
    var reader = try Self(bytes)
    return try reader.object(at: reader.trailer.topObject, depth: 1)
  }

  private init(_ bytes: ByteRegion) throws(PropertyListError) {
    self.bytes = bytes
    self.reader = bytes.reader(byteOrder: .big)
    self.budget = PropertyListBudget(fileSize: bytes.count)
    let start = bytes.count - Trailer.size
    guard start >= 8 else { throw PropertyListError(offset: bytes.count, kind: .unexpectedEnd) }
    do {
      try reader.seek(to: UInt64(start) + 6)
      trailer = Trailer(
        offsetSize: Int(try reader.read(UInt8.self)),
        referenceSize: Int(try reader.read(UInt8.self)),
        objectCount: try reader.read(UInt64.self), topObject: try reader.read(UInt64.self),
        tableOffset: try reader.read(UInt64.self))
    } catch {
      throw PropertyListError(offset: start, kind: .unexpectedEnd)
    }
    func check(_ isPossible: Bool, _ value: UInt64) throws(PropertyListError) {
      guard isPossible else {
        throw PropertyListError(
          offset: start, kind: .malformed(structure: .trailer, value: value))
      }
    }
    try check((1...8).contains(trailer.offsetSize), UInt64(trailer.offsetSize))
    try check((1...8).contains(trailer.referenceSize), UInt64(trailer.referenceSize))
    try check(trailer.tableOffset <= UInt64(start), trailer.tableOffset)
    let room = (UInt64(start) - trailer.tableOffset) / UInt64(trailer.offsetSize)
    try check(trailer.objectCount <= room, trailer.objectCount)
  }

  // MARK: Objects

  private mutating func object(
    at index: UInt64, depth: Int
  ) throws(PropertyListError) -> PropertyList {
    try seek(to: index)
    let offset = reader.position
    guard depth <= PropertyListLimits.depth else {
      throw PropertyListError(offset: offset, kind: .tooDeep(limit: PropertyListLimits.depth))
    }
    try budget.spend(0, at: offset)
    let marker = try number(size: 1)
    let low = marker & 0xf
    switch marker >> 4 {
    case 0 where low == 8: return .boolean(false)
    case 0 where low == 9: return .boolean(true)
    case 1 where low <= 4: return .integer(try integer(size: 1 << Int(low)))
    case 2 where low == 2:
      return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: try number(size: 4)))))
    case 2 where low == 3: return .real(Double(bitPattern: try number(size: 8)))
    case 3 where low == 3: return try date()
    case 4, 5, 6:
      let count = try count(low)
      let size = try size(count: count, width: marker >> 4 == 6 ? 2 : 1)
      try budget.spend(Int(size), at: reader.position)
      if let known = leaves[index] { return known }
      let content = try content(size: size)
      let leaf: PropertyList =
        switch marker >> 4 {
        case 4: .data(content)
        case 5: .string(String(decoding: content, as: UTF8.self))
        default: .string(Self.utf16(content))
        }
      leaves[index] = leaf
      return leaf
    // A reference within an archive of objects, as XML spells it.
    case 8: return .dictionary(["CF$UID": .integer(try integer(size: Int(low) + 1))])
    case 10:
      let references = try references(count: try count(low))
      var elements: [PropertyList] = []
      for reference in references {
        elements.append(try object(at: reference, depth: depth + 1))
      }
      return .array(elements)
    case 13:
      let count = try count(low)
      let keys = try references(count: count)
      let values = try references(count: count)
      var members: [String: PropertyList] = [:]
      for (key, value) in zip(keys, values) {
        members[try self.key(at: key)] = try object(at: value, depth: depth + 1)
      }
      return .dictionary(members)
    default:
      throw PropertyListError(offset: offset, kind: .malformed(structure: .marker, value: marker))
    }
  }

  private mutating func key(at index: UInt64) throws(PropertyListError) -> String {
    try seek(to: index)
    let offset = reader.position
    let marker = try number(size: 1)
    guard [5, 6].contains(marker >> 4) else {
      throw PropertyListError(offset: offset, kind: .malformed(structure: .key, value: marker))
    }
    // A string holds no others: its depth does not matter.
    guard let text = try object(at: index, depth: 1).string else {
      throw PropertyListError(offset: offset, kind: .malformed(structure: .key, value: marker))
    }
    return text
  }

  private mutating func date() throws(PropertyListError) -> PropertyList {
    let offset = reader.position
    let bits = try number(size: 8)
    // Counted from 2001-01-01 00:00 UTC.
    guard let seconds = Int64(exactly: Double(bitPattern: bits).rounded(.down)),
      case let (sum, overflow) = seconds.addingReportingOverflow(978_307_200), !overflow,
      PropertyListDate.range.contains(sum)
    else {
      throw PropertyListError(offset: offset, kind: .malformed(structure: .date, value: bits))
    }
    return .date(secondsSince1970: sum)
  }

  private static func utf16(_ content: [UInt8]) -> String {
    let units = stride(from: 0, to: content.count - 1, by: 2).map {
      UInt16(content[$0]) << 8 | UInt16(content[$0 + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }

  // MARK: Parts

  /// Moves to the object that the table has at `index`.
  private mutating func seek(to index: UInt64) throws(PropertyListError) {
    let offset = reader.position
    guard index < trailer.objectCount else {
      throw PropertyListError(
        offset: offset, kind: .malformed(structure: .offsetTable, value: index))
    }
    try seek(offset: trailer.tableOffset + index * UInt64(trailer.offsetSize))
    let object = try number(size: trailer.offsetSize)
    guard object < trailer.tableOffset else {
      throw PropertyListError(
        offset: offset, kind: .malformed(structure: .offsetTable, value: object))
    }
    try seek(offset: object)
  }

  private mutating func seek(offset: UInt64) throws(PropertyListError) {
    do {
      try reader.seek(to: offset)
    } catch {
      throw PropertyListError(offset: bytes.count, kind: .unexpectedEnd)
    }
  }

  private mutating func number(size: Int) throws(PropertyListError) -> UInt64 {
    do {
      return try reader.readUnsigned(size: size)
    } catch {
      throw PropertyListError(offset: reader.position, kind: .unexpectedEnd)
    }
  }

  /// Numbers of up to 4 bytes are unsigned; longer ones are signed.
  private mutating func integer(size: Int) throws(PropertyListError) -> Int128 {
    switch size {
    case 8: return Int128(Int64(bitPattern: try number(size: 8)))
    case 16:
      let high = Int128(Int64(bitPattern: try number(size: 8)))
      return high << 64 | Int128(try number(size: 8))
    case 9...15:
      var value: Int128 = 0
      for _ in 0..<size { value = value << 8 | Int128(try number(size: 1)) }
      return value
    default: return Int128(try number(size: size))
    }
  }

  /// The count of an object: the low half of its marker, or the integer after it.
  private mutating func count(_ low: UInt64) throws(PropertyListError) -> UInt64 {
    guard low == 15 else { return low }
    let offset = reader.position
    let marker = try number(size: 1)
    guard marker >> 4 == 1, marker & 0xf <= 3 else {
      throw PropertyListError(offset: offset, kind: .malformed(structure: .count, value: marker))
    }
    return try number(size: 1 << Int(marker & 0xf))
  }

  private mutating func content(size: UInt64) throws(PropertyListError) -> [UInt8] {
    do {
      return try reader.readRegion(count: size).bytes
    } catch {
      throw PropertyListError(offset: reader.position, kind: .unexpectedEnd)
    }
  }

  private mutating func references(count: UInt64) throws(PropertyListError) -> [UInt64] {
    let size = try size(count: count, width: UInt64(trailer.referenceSize))
    try budget.spend(Int(size), at: reader.position)
    var references: [UInt64] = []
    references.reserveCapacity(Int(count))
    for _ in 0..<count { references.append(try number(size: trailer.referenceSize)) }
    return references
  }

  /// The size of `count` items, which are all there.
  private func size(count: UInt64, width: UInt64) throws(PropertyListError) -> UInt64 {
    let (size, overflows) = count.multipliedReportingOverflow(by: width)
    guard !overflows, size <= UInt64(reader.remaining) else {
      throw PropertyListError(
        offset: reader.position, kind: .malformed(structure: .count, value: count))
    }
    return size
  }
}

/// What may still be read.
struct PropertyListBudget {
  private var rest: Int

  init(fileSize: Int) { rest = PropertyListLimits.cost(ofFileSize: fileSize) }

  /// - Parameter byteCount: the size of the text or data of a value, or a part of it.
  mutating func spend(_ byteCount: Int, at offset: Int) throws(PropertyListError) {
    let cost = byteCount + 32
    guard cost <= rest else { throw PropertyListError(offset: offset, kind: .tooManyValues) }
    rest -= cost
  }
}

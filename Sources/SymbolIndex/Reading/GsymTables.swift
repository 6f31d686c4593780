import BinaryInput

/// Where the tables of a GSYM file are, and how wide the offsets in it are: all that distinguishes
/// the versions of the format. Everything that reads records and tables goes by this value.
///
/// Offsets count from the start of the file. All tables lie in the file.
struct GsymTables: Hashable, Sendable {
  let addressOffsetsStart: UInt64
  let recordOffsetsStart: UInt64
  /// The size of an entry of the table of record offsets, in bytes: 4 or 8.
  let recordOffsetSize: Int
  /// What record offsets are relative to: the start of the file, or of the records.
  let recordsBase: UInt64
  /// The first entry of the file table, after the number of files.
  let filesStart: UInt64
  /// The number of entries in the file table, including the empty entry 0.
  let fileCount: UInt32
  let strings: Range<UInt64>
  /// The size of an offset in the string table, in bytes: 4 or 8.
  let stringOffsetSize: Int
  /// The image's UUID or build-id; empty if there is none.
  let uuid: [UInt8]

  /// The size of an entry of the file table: the string offsets of directory and name.
  var fileEntrySize: Int { 2 * stringOffsetSize }

  /// Finds the tables of the file that fills `region`. Throws if one is missing or does not lie in
  /// the file.
  init(_ header: GsymHeader, in region: ByteRegion) throws(GsymError) {
    if header.version == GsymFormat.version {
      try self.init(version1: header, in: region)
    } else {
      try self.init(version2: header, in: region)
    }
  }

  /// Version 1: tables follow each other after the header, which states the string table's place.
  private init(version1 header: GsymHeader, in region: ByteRegion) throws(GsymError) {
    var cursor = region.cursor(at: 7, byteOrder: header.byteOrder)
    let uuidSize = cursor.readUInt8()
    guard uuidSize <= GsymFormat.maximumUuidSize else {
      throw .oversizedUuid(UInt64(uuidSize), limit: GsymFormat.maximumUuidSize)
    }
    cursor.seek(to: 20)
    let stringsStart = UInt64(cursor.readUInt32())
    let stringsSize = UInt64(cursor.readUInt32())
    let uuid = (0..<uuidSize).map { _ in cursor.readUInt8() }
    let functionCount = UInt64(header.functionCount)
    // All of these sums are below 2^36.
    let addressOffsetsStart = UInt64(GsymFormat.headerSize)
    let addressOffsetsSize = functionCount * UInt64(header.addressOffsetSize)
    try region.check(.addressOffsets, at: addressOffsetsStart, count: addressOffsetsSize)
    let recordOffsetsStart = (addressOffsetsStart + addressOffsetsSize + 3) / 4 * 4
    try region.check(.recordOffsets, at: recordOffsetsStart, count: functionCount * 4)
    let filesStart = recordOffsetsStart + functionCount * 4
    let fileCount = try region.fileCount(at: filesStart, entrySize: 8, byteOrder: header.byteOrder)
    try region.check(.strings, at: stringsStart, count: stringsSize)
    self.addressOffsetsStart = addressOffsetsStart
    self.recordOffsetsStart = recordOffsetsStart
    self.recordOffsetSize = 4
    self.recordsBase = 0
    self.filesStart = filesStart + 4
    self.fileCount = fileCount
    self.strings = stringsStart..<(stringsStart + stringsSize)
    self.stringOffsetSize = 4
    self.uuid = uuid
  }

  /// Version 2: a directory after the header states the place of each table.
  private init(version2 header: GsymHeader, in region: ByteRegion) throws(GsymError) {
    let encoding = region.byte(at: 7) ?? 0
    guard encoding == GsymFormat.Version2.defaultStringEncoding else {
      throw .unsupportedStringEncoding(encoding)
    }
    let directory = try GsymDirectory(region, byteOrder: header.byteOrder)
    let functionCount = UInt64(header.functionCount)
    let addressOffsets = try directory.table(
      .addressOffsets, size: functionCount * UInt64(header.addressOffsetSize))
    let recordOffsets = try directory.table(.recordOffsets, size: functionCount * 8)
    let files = try directory.table(.files)
    let fileCount = try region.fileCount(
      at: files.lowerBound, end: files.upperBound, entrySize: 16, byteOrder: header.byteOrder)
    let uuid = directory[.uuid] ?? 0..<0
    guard uuid.count <= GsymFormat.Version2.maximumUuidSize else {
      throw .oversizedUuid(UInt64(uuid.count), limit: GsymFormat.Version2.maximumUuidSize)
    }
    var cursor = region.cursor(at: uuid.lowerBound, byteOrder: header.byteOrder)
    self.uuid = uuid.map { _ in cursor.readUInt8() }
    self.addressOffsetsStart = addressOffsets.lowerBound
    self.recordOffsetsStart = recordOffsets.lowerBound
    self.recordOffsetSize = 8
    self.recordsBase = try directory.table(.records).lowerBound
    self.filesStart = files.lowerBound + 4
    self.fileCount = fileCount
    self.strings = try directory.table(.strings)
    self.stringOffsetSize = 8
  }
}

extension ByteRegion {
  /// Throws `outOfBounds` unless `count` bytes at `offset` lie before `end` and in the region.
  func check(
    _ table: GsymTable, at offset: UInt64, count: UInt64, end: UInt64 = .max
  ) throws(GsymError) {
    let available = min(end, UInt64(self.count))
    guard offset <= available, count <= available - offset else {
      throw .outOfBounds(table, offset: offset, count: count, available: available)
    }
  }

  /// The number of files that the file table at `start` states. Throws unless it has as many
  /// entries before `end`.
  fileprivate func fileCount(
    at start: UInt64, end: UInt64 = .max, entrySize: UInt64, byteOrder: ByteOrder
  ) throws(GsymError) -> UInt32 {
    try check(.files, at: start, count: 4, end: end)
    var cursor = cursor(at: start, byteOrder: byteOrder)
    let count = cursor.readUInt32()
    try check(.files, at: start + 4, count: UInt64(count) * entrySize, end: end)
    return count
  }
}

/// The directory of a GSYM file of version 2: the place of each table.
///
/// It follows the header. An entry has 20 bytes: the kind of the table (4 bytes), its offset from
/// the start of the file and its size (8 bytes each). An entry of kind 0 ends the directory. Tables
/// may lie anywhere and in any order (GlobalData.h and HeaderV2.h). If a kind occurs twice, the
/// last entry counts, and unknown kinds are skipped, as LLVM's reader does it.
struct GsymDirectory {
  private var tables: [GsymTable: Range<UInt64>] = [:]

  /// Reads the directory of the file that fills `region`.
  ///
  /// Throws `outOfBounds` if a table or the directory itself passes the end of the file, and
  /// `unendedDirectory`.
  init(_ region: ByteRegion, byteOrder: ByteOrder) throws(GsymError) {
    var offset = UInt64(GsymFormat.Version2.headerSize)
    for _ in 0..<GsymFormat.Version2.directoryLimit {
      try region.check(.directory, at: offset, count: GsymFormat.Version2.directoryEntrySize)
      var cursor = region.cursor(at: offset, byteOrder: byteOrder)
      let kind = cursor.readUInt32()
      let start = cursor.readUInt64()
      let size = cursor.readUInt64()
      guard kind != GsymFormat.Version2.endOfDirectory else { return }
      if let table = GsymTable(directoryKind: kind) {
        try region.check(table, at: start, count: size)
        tables[table] = start..<(start + size)
      }
      offset += GsymFormat.Version2.directoryEntrySize
    }
    throw .unendedDirectory(entries: GsymFormat.Version2.directoryLimit)
  }

  /// The place of a table; nil if the directory does not have it.
  subscript(table: GsymTable) -> Range<UInt64>? { tables[table] }

  /// The place of a table that every file has. Throws `missingTable`, and `tableSize` if it has
  /// another size than `size`.
  func table(_ table: GsymTable, size: UInt64? = nil) throws(GsymError) -> Range<UInt64> {
    guard let place = tables[table] else { throw .missingTable(table) }
    let found = place.upperBound - place.lowerBound
    if let size, found != size { throw .tableSize(table, stated: found, expected: size) }
    return place
  }
}

extension GsymTable {
  /// The numbers of `GlobalInfoType` (GlobalData.h); nil for any other.
  fileprivate init?(directoryKind kind: UInt32) {
    let fromOne: [GsymTable] = [.addressOffsets, .recordOffsets, .strings, .files, .records, .uuid]
    guard (1...6).contains(kind) else { return nil }
    self = fromOne[Int(kind) - 1]
  }
}

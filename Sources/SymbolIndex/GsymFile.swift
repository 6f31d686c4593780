package import BinaryInput

/// A GSYM file.
///
/// Opening it reads the header and the number of source files, and checks that all tables lie in
/// the file. Records are read when they are needed. Several threads may use it at once.
package struct GsymFile: Sendable {
  package let header: GsymHeader
  let region: ByteRegion
  let strings: ByteRegion
  let recordOffsetsStart: UInt64
  private let filesStart: UInt64
  /// The number of entries in the file table, including the empty entry 0.
  package let fileCount: UInt32

  /// Opens the GSYM file that fills `region`.
  ///
  /// Throws if the header is not one of a GSYM file that can be read, and `outOfBounds` if a table
  /// does not lie in the file.
  package init(_ region: ByteRegion) throws(GsymError) {
    let header = try GsymHeader(region)
    let functionCount = UInt64(header.functionCount)
    func check(_ table: GsymTable, at offset: UInt64, count: UInt64) throws(GsymError) {
      let available = UInt64(region.count)
      guard offset <= available, count <= available - offset else {
        throw .outOfBounds(table, offset: offset, count: count, available: available)
      }
    }
    // All of these sums are below 2^36.
    let addressesStart = UInt64(GsymFormat.headerSize)
    let addressesSize = functionCount * UInt64(header.addressOffsetSize)
    try check(.addressOffsets, at: addressesStart, count: addressesSize)
    let recordOffsetsStart = (addressesStart + addressesSize + 3) / 4 * 4
    try check(.recordOffsets, at: recordOffsetsStart, count: functionCount * 4)
    let filesStart = recordOffsetsStart + functionCount * 4
    try check(.files, at: filesStart, count: 4)
    var cursor = region.cursor(at: filesStart, byteOrder: header.byteOrder)
    let fileCount = cursor.readUInt32()
    try check(
      .files, at: filesStart + 4, count: UInt64(fileCount) * UInt64(GsymFormat.fileEntrySize))
    let stringTableOffset = UInt64(header.stringTableOffset)
    let stringTableSize = UInt64(header.stringTableSize)
    try check(.strings, at: stringTableOffset, count: stringTableSize)
    guard let strings = try? region.subregion(offset: stringTableOffset, count: stringTableSize)
    else {
      throw .outOfBounds(
        .strings, offset: stringTableOffset, count: stringTableSize,
        available: UInt64(region.count))
    }
    self.header = header
    self.region = region
    self.strings = strings
    self.recordOffsetsStart = recordOffsetsStart
    self.filesStart = filesStart + 4
    self.fileCount = fileCount
  }

  /// The number of functions. They are in ascending order of their start addresses.
  package var functionCount: Int { Int(header.functionCount) }

  /// The text at `offset` of the string table; nil beyond its end. Invalid UTF-8 is replaced by
  /// U+FFFD.
  package func name(at offset: UInt32) -> String? { strings.text(at: UInt64(offset)) }

  /// The bytes from `offset` of the string table to the next zero byte, not copied; nil beyond the
  /// end of the table.
  package func nameBytes(at offset: UInt32) -> ByteRegion? {
    let start = UInt64(offset)
    guard start < UInt64(strings.count) else { return nil }
    var cursor = strings.cursor(at: start, byteOrder: .little)
    cursor.skipCString()
    // A failed cursor is at the end of the table; the text ends there.
    let end = UInt64(cursor.position) - (cursor.hasFailed ? 0 : 1)
    return try? strings.subregion(offset: start, count: end - start)
  }

  /// The entry of the file table with this number; nil if there is none.
  package func file(at index: UInt32) -> GsymSourceFile? {
    guard index < fileCount else { return nil }
    var cursor = region.cursor(
      at: filesStart + UInt64(index) * UInt64(GsymFormat.fileEntrySize), byteOrder: header.byteOrder
    )
    return GsymSourceFile(directory: cursor.readUInt32(), name: cursor.readUInt32())
  }

  /// The path of the file with this number: its directory and name, joined with a slash. Nil if
  /// there is no such entry, if its strings are not in the string table, or if both are empty.
  package func path(ofFile index: UInt32) -> String? {
    guard let file = file(at: index), let directory = name(at: file.directory),
      let name = name(at: file.name), !(directory.isEmpty && name.isEmpty)
    else { return nil }
    return directory.isEmpty || directory.utf8.last == UInt8(ascii: "/")
      ? directory + name : directory + "/" + name
  }
}

/// An entry of the file table.
package struct GsymSourceFile: Hashable, Sendable {
  /// The offset of the directory in the string table; 0 if it is empty.
  package let directory: UInt32
  /// The offset of the file name in the string table; 0 if it is empty.
  package let name: UInt32
}

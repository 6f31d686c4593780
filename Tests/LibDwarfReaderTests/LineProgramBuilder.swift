import TestSupport

/// Builds a line table of any version, with `minimum_instruction_length` 1, `line_base` -3 and
/// `line_range` 12, as clang writes it.
struct LineProgramBuilder {
  private let version: UInt16
  private let addressSize: UInt8
  private let isBigEndian: Bool
  private var header: BinaryBuilder
  private var program: BinaryBuilder

  /// - Parameters:
  ///   - directories: the include directories; from version 5 on the first is the compilation
  ///     directory.
  ///   - files: names with the number of their directory.
  init(
    version: UInt16 = 4, addressSize: UInt8 = 8, directories: [String] = [],
    files: [(name: String, directory: UInt64)] = [("a.c", 0)], isBigEndian: Bool = false
  ) {
    self.version = version
    self.addressSize = addressSize
    self.isBigEndian = isBigEndian
    program = BinaryBuilder(bigEndian: isBigEndian)
    header = program
    header.u8(1)
    if version >= 4 { header.u8(1) }
    header.u8(1)
    header.append([UInt8(bitPattern: -3), 12, 13])
    header.append([0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1])
    if version >= 5 {
      // One format for directories: DW_LNCT_path as DW_FORM_string.
      header.append([1, 0x01, 0x08])
      header.uleb128(UInt64(directories.count))
      directories.forEach { header.cString($0) }
      // And for files with DW_LNCT_directory_index as DW_FORM_udata.
      header.append([2, 0x01, 0x08, 0x02, 0x0f])
      header.uleb128(UInt64(files.count))
      for file in files {
        header.cString(file.name)
        header.uleb128(file.directory)
      }
    } else {
      directories.forEach { header.cString($0) }
      header.u8(0)
      for file in files {
        header.cString(file.name)
        header.uleb128(file.directory)
        header.append([0, 0])
      }
      header.u8(0)
    }
  }

  mutating func setAddress(_ address: UInt64) {
    program.append([0, addressSize + 1, 2])
    if addressSize == 4 { program.u32(UInt32(address)) } else { program.u64(address) }
  }

  mutating func setFile(_ file: UInt64) {
    program.u8(4)
    program.uleb128(file)
  }

  mutating func setColumn(_ column: UInt64) {
    program.u8(5)
    program.uleb128(column)
  }

  mutating func beginEpilogue() { program.u8(11) }

  /// A row by a special opcode: `addressDelta` below 15, `lineDelta` -3 to 8.
  mutating func specialRow(addressDelta: Int, lineDelta: Int) {
    program.u8(UInt8((lineDelta + 3) + 12 * addressDelta + 13))
  }

  /// A row by `DW_LNS_advance_pc`, `DW_LNS_advance_line` (-64 to 63) and `DW_LNS_copy`.
  mutating func row(addressDelta: UInt64, lineDelta: Int8) {
    program.u8(2)
    program.uleb128(addressDelta)
    program.append([3, UInt8(bitPattern: lineDelta) & 0x7f])
    program.u8(1)
  }

  mutating func endSequence(addressDelta: UInt64) {
    program.u8(2)
    program.uleb128(addressDelta)
    program.append([0, 1, 1])
  }

  /// Appends the table to `.debug_line`; its offset there.
  func append(to image: DwarfImageBuilder) -> UInt64 {
    let offset = UInt64(image.line.count)
    var table = BinaryBuilder(bigEndian: isBigEndian)
    table.u16(version)
    if version >= 5 { table.append([addressSize, 0]) }
    table.u32(UInt32(header.count))
    table.append(header.bytes)
    table.append(program.bytes)
    image.line.u32(UInt32(table.count))
    image.line.append(table.bytes)
    return offset
  }
}

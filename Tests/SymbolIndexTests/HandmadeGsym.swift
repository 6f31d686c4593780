import BinaryInput
import TestSupport

/// A GSYM file composed byte by byte as LLVM's headers describe it (`llvm/DebugInfo/GSYM`:
/// Header.h, GsymCreator.h, FunctionInfo.h), without code of the project.
struct HandmadeGsym {
  var bigEndian = false
  var magic: UInt32 = 0x4753_594d
  var version: UInt16 = 1
  var addressOffsetSize: UInt8 = 2
  var uuid: [UInt8] = []
  var baseAddress: UInt64 = 0x1000
  /// The address offset and the record of each function.
  var functions: [(offset: UInt64, record: [UInt8])] = []
  /// The directory and name of each file, including the empty first one.
  var files: [(directory: UInt32, name: UInt32)] = [(0, 0)]
  private(set) var strings: [UInt8] = [0]

  mutating func string(_ text: String) -> UInt32 {
    defer { strings += Array(text.utf8) + [0] }
    return UInt32(strings.count)
  }

  mutating func file(_ directory: String, _ name: String) -> UInt32 {
    files.append((string(directory), string(name)))
    return UInt32(files.count - 1)
  }

  /// A record: size, name, and parts with their types.
  func record(size: UInt32, name: UInt32, parts: [(type: UInt32, bytes: [UInt8])] = []) -> [UInt8] {
    var builder = BinaryBuilder(bigEndian: bigEndian)
    builder.u32(size)
    builder.u32(name)
    for part in parts {
      builder.u32(part.type)
      builder.u32(UInt32(part.bytes.count))
      builder.append(part.bytes)
    }
    builder.u32(0)
    builder.u32(0)
    return builder.bytes
  }

  /// An entry of the inlined calls; `ranges` are pairs of offset and size.
  func inlined(
    ranges: [(UInt64, UInt64)], hasChildren: Bool, name: UInt32, file: UInt64, line: UInt64
  ) -> [UInt8] {
    var builder = BinaryBuilder(bigEndian: bigEndian)
    builder.uleb128(UInt64(ranges.count))
    for range in ranges {
      builder.uleb128(range.0)
      builder.uleb128(range.1)
    }
    builder.u8(hasChildren ? 1 : 0)
    builder.u32(name)
    builder.uleb128(file)
    builder.uleb128(line)
    return builder.bytes
  }

  var bytes: [UInt8] {
    var builder = BinaryBuilder(bigEndian: bigEndian)
    builder.u32(magic)
    builder.u16(version)
    builder.u8(addressOffsetSize)
    builder.u8(UInt8(uuid.count))
    builder.u64(baseAddress)
    builder.u32(UInt32(functions.count))
    let stringTableFields = builder.count
    builder.u32(0)
    builder.u32(UInt32(strings.count))
    builder.append(uuid)
    builder.pad(to: 48)
    for function in functions {
      switch addressOffsetSize {
      case 1: builder.u8(UInt8(function.offset))
      case 2: builder.u16(UInt16(function.offset))
      case 4: builder.u32(UInt32(function.offset))
      default: builder.u64(function.offset)
      }
    }
    builder.pad(to: (builder.count + 3) / 4 * 4)
    let recordOffsets = builder.count
    for _ in functions { builder.u32(0) }
    builder.u32(UInt32(files.count))
    for file in files {
      builder.u32(file.directory)
      builder.u32(file.name)
    }
    builder.patch(u32: UInt32(builder.count), at: stringTableFields)
    builder.append(strings)
    for (index, function) in functions.enumerated() {
      builder.pad(to: (builder.count + 3) / 4 * 4)
      builder.patch(u32: UInt32(builder.count), at: recordOffsets + 4 * index)
      builder.append(function.record)
    }
    return builder.bytes
  }

  var region: ByteRegion { ByteRegion(copying: bytes) }

  /// Three functions, the second with lines and calls inlined in each other:
  ///
  ///     0x1000..<0x1010  first
  ///     0x1020..<0x1040  outer   rows 0x1020 a.c:10, 0x1024 a.c:12, 0x1030 b.h:5, 0x1038 a.c:13
  ///       0x1024..<0x1028, 0x1030..<0x1038  middle, called at a.c:12
  ///         0x1030..<0x1034                 inner, called at b.h:7
  ///       0x1038..<0x103c                   other, called at a.c:13
  ///     0x1080           last, of unknown size
  static func sample(bigEndian: Bool = false, addressOffsetSize: UInt8 = 2) -> HandmadeGsym {
    var gsym = HandmadeGsym(bigEndian: bigEndian, addressOffsetSize: addressOffsetSize)
    gsym.uuid = [0xde, 0xad, 0xbe, 0xef]
    let first = gsym.string("first")
    let outer = gsym.string("outer")
    let middle = gsym.string("middle")
    let inner = gsym.string("inner")
    let other = gsym.string("other")
    let last = gsym.string("last")
    _ = gsym.file("/src", "a.c")
    _ = gsym.file("/inc", "b.h")
    // Deltas from -5 (0x7b) to 2, so 8 lines: special operation = 4 + (line + 5) + 8 * address.
    let lines: [UInt8] = [
      0x7b, 0x02, 10,  // minimum, maximum, first line
      0x09,  // 0x1020, line 10, file 1
      0x2b,  // +4, +2: 4 + 7 + 32
      0x01, 2,  // file 2
      0x03, 0x79,  // -7
      0x02, 0x0c,  // +12 and a row: 0x1030, line 5
      0x01, 1,  // file 1
      0x03, 8,  // line 13
      0x49,  // +8, +0: 4 + 5 + 64
      0x00,
    ]
    var inlines: [UInt8] = []
    inlines += gsym.inlined(
      ranges: [(0, 0x20)], hasChildren: true, name: outer, file: 0, line: 0)
    inlines += gsym.inlined(
      ranges: [(4, 4), (0x10, 8)], hasChildren: true, name: middle, file: 1, line: 12)
    // Relative to the first address of `middle`, 0x1024.
    inlines += gsym.inlined(
      ranges: [(0x0c, 4)], hasChildren: false, name: inner, file: 2, line: 7)
    inlines.append(0)
    inlines += gsym.inlined(
      ranges: [(0x18, 4)], hasChildren: false, name: other, file: 1, line: 13)
    inlines.append(0)
    gsym.functions = [
      (0, gsym.record(size: 0x10, name: first)),
      (0x20, gsym.record(size: 0x20, name: outer, parts: [(1, lines), (2, inlines)])),
      (0x80, gsym.record(size: 0, name: last)),
    ]
    return gsym
  }
}

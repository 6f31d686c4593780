// The index of an image: LLVM's GSYM format, version 1, read and written.
//
// A file is a header, the ascending offsets of all functions from a base address, for each the place
// of its record, a table of source files, a table of strings, and the records: the function's size
// and name, its line table and its inlined calls. A lookup is a binary search over the offsets, in
// the mapping, and one record decoded; nothing is read when a file is opened but the header and
// the number of source files.
//
// The format is described in LLVM's headers `llvm/DebugInfo/GSYM/*.h` (Header, GsymCreator,
// FunctionInfo, LineTable, InlineInfo). What they leave open is done as llvm-gsymutil 19 does it.
//
// Its limits, which the writer checks: 2^32 - 1 functions, offsets within 4 GiB (records begin at
// offsets of 32 bits, and so do strings), functions of less than 4 GiB, a UUID of at most 20 bytes.
// It has no columns, and one name for each range of code: of functions that the linker folded into
// one, one remains.
//
// Reading: `GsymFile` answers lookups (`GsymAnswer`) and decodes whole functions (`GsymFunction`).
//
// Long records have marks that let a lookup begin in their middle, where other readers of the format do
// not look (`GsymMarks`). What LLVM wrote has none and is read from the record's start on.
//
// Writing is made for several workers and gives the same bytes whatever their number:
//
// 1. Each unit of debug information becomes a `GsymUnit`, in any thread. Its functions are encoded at
//    once, with strings and files numbered within the unit. Where such a number stands there is a hole
//    in the bytes, because its final form has another size.
// 2. `GsymWriter` takes the units in the order of the file they come from and gives their strings and
//    files final numbers. This is the only sequential step; the strings come with their hashes, so it
//    costs a look into a table for each string of a unit.
// 3. `GsymLayout` orders the functions, drops the doubled ones, and deals them out in parts of a fixed
//    size, which are encoded in any thread: the unit's bytes are copied and the holes filled.
//
// Interning in one shared table while decoding would save step 2, but then the numbers, and with them
// the bytes, would depend on which worker came first. Keeping decoded rows until the numbers are
// known would need some ten times the memory of the encoded ones.

/// Numbers that the format fixes.
enum GsymFormat {
  /// `GSYM`, as a number (Header.h, `GSYM_MAGIC`).
  static let magic: UInt32 = 0x4753_594d
  static let version: UInt16 = 1
  static let headerSize = 48
  /// Header.h, `GSYM_MAX_UUID_SIZE`.
  static let maximumUuidSize = 20
  /// Each entry of the file table: string offsets of folder and name.
  static let fileEntrySize = 8
  /// Records are aligned to this many bytes.
  static let recordAlignment = 4

  /// What a part of a record holds (FunctionInfo.h). Any other number is passed over by its length:
  /// later versions of LLVM write merged functions (3) and call sites (4).
  enum InfoType {
    static let endOfList: UInt32 = 0
    static let lineTable: UInt32 = 1
    static let inlineInfo: UInt32 = 2
  }

  /// Operations of a line table (LineTable.h); all from `firstSpecial` on advance both the address
  /// and the line, and make a row.
  enum LineOperation {
    static let endSequence: UInt8 = 0
    static let setFile: UInt8 = 1
    static let advanceAddress: UInt8 = 2
    static let advanceLine: UInt8 = 3
    static let firstSpecial: UInt8 = 4
  }
}

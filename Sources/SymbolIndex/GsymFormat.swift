// The index of an image: LLVM's GSYM format. Versions 1 and 2 are read, version 1 is written.
//
// A file has a header, the address offsets of all functions from a base address in ascending order,
// the offset of each function's record, a file table, a string table, and the records. A record
// holds the function's size and name, its line table and its inlined calls. A lookup is a binary
// search in the mapped address offsets, and decodes one record. Opening a file reads only the
// header and the number of source files.
//
// LLVM's headers `llvm/DebugInfo/GSYM/*.h` describe the format (Header, GsymCreator, FunctionInfo,
// LineTable, InlineInfo). Where they leave something open, this does what llvm-gsymutil 19 does.
//
// Version 2 lifts the limits of 32-bit offsets: a directory after the header states where each
// table is (`GsymDirectory`), and offsets of records and strings have 64 bits. Records are the same
// apart from that. `GsymTables` is the one value that knows the difference. Its source is LLVM's
// HeaderV2.h and GlobalData.h, and the reader and writer beside them, as merged in April 2026
// (https://github.com/llvm/llvm-project/pull/190353).
//
// The writer checks the limits of version 1: 2^32 - 1 functions, 4 GiB for the file and for the
// string table (offsets have 32 bits), less than 4 GiB for a function, 20 bytes for the UUID. The
// format has no columns, and one name for each code range: if the linker folded functions into one,
// only one of them is kept.
//
// Reading: `GsymFile` answers lookups (`GsymAnswer`) and decodes whole functions (`GsymFunction`).
//
// Long records have marks that let a lookup begin in the middle of them (`GsymMarks`). Other
// readers of the format do not see the marks. Records that LLVM wrote have none and are read from
// the start.
//
// Several workers can write a file together; the bytes do not depend on their number:
//
// 1. Each unit of debug information becomes a `GsymUnit`, in any thread. Its functions are encoded
//    at once, with strings and files numbered within the unit. These numbers are left out of the
//    bytes, because the final numbers have other sizes: a `Hole` marks the position of each.
// 2. `GsymWriter` takes the units in the order of the debug information and gives their strings and
//    files final numbers. This is the only sequential step. The strings come with their hashes, so
//    it costs one hash table lookup for each string of a unit.
// 3. `GsymLayout` sorts the functions, drops duplicates, and deals them out in parts of a fixed
//    size. Each part is encoded in any thread: the unit's bytes are copied, and the holes are
//    filled.
//
// Two other ways were considered. One shared table of strings would save step 2, but the numbers,
// and so the bytes, would depend on which worker came first. Keeping the decoded rows until the
// final numbers are known would take about ten times the memory of the encoded rows.

/// Constants of the format. Those outside of `Version2` are of version 1, which is written, or of
/// both.
enum GsymFormat {
  static let version: UInt16 = 1
  static let headerSize = 48
  /// Header.h, `GSYM_MAX_UUID_SIZE`.
  static let maximumUuidSize = 20
  /// The size in bytes of an entry of the file table: the string offsets of directory and name.
  static let fileEntrySize = 8
  /// The alignment of records, in bytes.
  static let recordAlignment = 4

  /// Version 2 (HeaderV2.h, GlobalData.h).
  enum Version2 {
    static let number: UInt16 = 2
    static let headerSize = 20
    static let directoryEntrySize: UInt64 = 20
    /// `GlobalInfoType::EndOfList`
    static let endOfDirectory: UInt32 = 0
    /// More entries than this are damage: seven kinds are defined.
    static let directoryLimit = 1024
    /// `StringTableEncoding::Default`: zero-terminated strings, the empty one first.
    static let defaultStringEncoding: UInt8 = 0
    /// The format states no limit. No build-id is longer than a SHA-512 digest.
    static let maximumUuidSize = 64
  }

  /// The kinds of parts of a record (FunctionInfo.h). Parts of other kinds are skipped: later
  /// versions of LLVM write merged functions (3) and call sites (4).
  enum InfoType {
    static let endOfList: UInt32 = 0
    static let lineTable: UInt32 = 1
    static let inlineInfo: UInt32 = 2
  }

  /// The operations of a line table (LineTable.h). Those from `firstSpecial` on advance both the
  /// address and the line, and make a row.
  enum LineOperation {
    static let endSequence: UInt8 = 0
    static let setFile: UInt8 = 1
    static let advanceAddress: UInt8 = 2
    static let advanceLine: UInt8 = 3
    static let firstSpecial: UInt8 = 4
  }
}

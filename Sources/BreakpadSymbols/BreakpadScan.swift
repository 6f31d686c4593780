import BinaryInput
import SymbolicationModel
import Synchronization

/// What one pass over a file, or over a part of it, finds: the records that begin with a word.
///
/// Most lines are line rows and unwinding records. They are passed over eight bytes at a time,
/// without looking at their content.
struct BreakpadScan: Sendable {
  private(set) var functions: [Function] = []
  private(set) var symbols: [Symbol] = []
  private(set) var files: [Numbered] = []
  private(set) var origins: [Numbered] = []
  private var malformed: [BreakpadFault.Record: (count: Int, offset: UInt64)] = [:]

  /// A `FUNC` record.
  struct Function: Sendable {
    let start: UInt64
    /// Greater than `start`.
    let end: UInt64
    /// Of the record, in bytes from the start of the file.
    let offset: UInt64
  }

  /// A `PUBLIC` record, or a `FUNC` record that states no size.
  struct Symbol: Sendable {
    let address: UInt64
    let offset: UInt64
  }

  /// A record that other records refer to by number.
  struct Numbered: Sendable {
    let number: UInt32
    let offset: UInt64
  }

  /// The records that could not be read, in the order of `BreakpadFault.Record`.
  var faults: [BreakpadFault] {
    BreakpadFault.Record.allCases.compactMap { record in
      malformed[record].map { .malformedRecords(record, count: $0.count, offset: $0.offset) }
    }
  }

  /// The records of the file that fills `region`, in the order of the file.
  static func perform(_ region: ByteRegion, jobs: Int, partSize: Int) -> BreakpadScan {
    let partCount = max(1, min(jobs, region.count / max(1, partSize)))
    // A multiple of 8, so that no word belongs to two parts.
    let size = (region.count / partCount / 8 + 1) * 8
    let parts = Mutex<[(index: Int, scan: BreakpadScan)]>([])
    ParallelWork.perform(count: partCount, jobs: jobs) { index in
      var scan = BreakpadScan()
      let start = index * size
      scan.read(region, start..<max(start, min(start + size, region.count)))
      parts.withLock { $0.append((index, scan)) }
    }
    let sorted = parts.withLock { $0.sorted { $0.index < $1.index }.map(\.scan) }
    guard var whole = sorted.first else { return BreakpadScan() }
    for part in sorted.dropFirst() { whole.append(part) }
    return whole
  }

  private mutating func append(_ other: BreakpadScan) {
    functions += other.functions
    symbols += other.symbols
    files += other.files
    origins += other.origins
    for (record, found) in other.malformed {
      let known = malformed[record]
      malformed[record] = (
        (known?.count ?? 0) + found.count, min(known?.offset ?? .max, found.offset)
      )
    }
  }

  // MARK: - One part

  private static let lineFeeds: UInt64 = 0x0a0a_0a0a_0a0a_0a0a
  /// Capital letters are 0x41 to 0x5a: their three highest bits are 010.
  private static let capitalBits: UInt64 = 0xe0e0_e0e0_e0e0_e0e0
  private static let capitals: UInt64 = 0x4040_4040_4040_4040
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// The highest bit of each byte of `word` that is 0.
  @inline(__always)
  private static func zeroBytes(_ word: UInt64) -> UInt64 {
    ~(((word & ~highBits) &+ ~highBits) | word | ~highBits)
  }

  /// Reads the records that begin in `range`, whose bounds are multiples of 8 or the file's end.
  private mutating func read(_ region: ByteRegion, _ range: Range<Int>) {
    var words = region.cursor(at: UInt64(range.lowerBound), byteOrder: .little)
    var heads = words
    var fields = BreakpadFields(region, at: 0)
    let isLineStart =
      range.lowerBound == 0
      || region.byte(at: UInt64(range.lowerBound - 1)) == UInt8(ascii: "\n")
    // The highest bit of the first byte of the next word, if a line begins there.
    var carry: UInt64 = isLineStart ? 0x80 : 0
    var offset = range.lowerBound
    // No record that is read is shorter than a word.
    while offset < range.upperBound, words.remaining >= 8 {
      let word = words.readUInt64()
      let feeds = Self.zeroBytes(word ^ Self.lineFeeds)
      let starts = feeds << 8 | carry
      carry = feeds >> 56
      if starts != 0 {
        var found = starts & Self.zeroBytes((word & Self.capitalBits) ^ Self.capitals)
        while found != 0 {
          let start = UInt64(offset + found.trailingZeroBitCount / 8)
          found &= found - 1
          heads.seek(to: start)
          guard heads.remaining >= 8 else { break }
          readRecord(at: start, beginning: heads.readUInt64(), &fields)
        }
      }
      offset += 8
    }
  }

  /// Reads the record at `offset`, whose first bytes are `head`, if it is of a kind that is kept.
  private mutating func readRecord(
    at offset: UInt64, beginning head: UInt64, _ fields: inout BreakpadFields
  ) {
    switch head & 0xff_ffff_ffff {
    case Self.functionWord:
      fields.seek(to: offset + 5)
      readFunction(at: offset, &fields)
    case Self.fileWord:
      fields.seek(to: offset + 5)
      readNumber(.file, at: offset, &fields, \.files)
    default:
      if head & 0xff_ffff_ffff_ffff == Self.symbolWord {
        fields.seek(to: offset + 7)
        readSymbol(at: offset, &fields)
      } else if head == Self.originWord {
        fields.seek(to: offset)
        guard fields.skip(.inlineOrigin) else { return }
        readNumber(.inlineOrigin, at: offset, &fields, \.origins)
      }
    }
  }

  private mutating func readFunction(at offset: UInt64, _ fields: inout BreakpadFields) {
    fields.skipMultipleMark()
    guard let start = fields.readHexadecimal(), let size = fields.readHexadecimal(),
      fields.readHexadecimal() != nil
    else { return note(.function, at: offset) }
    let (end, overflow) = start.addingReportingOverflow(size)
    guard !overflow else { return note(.function, at: offset) }
    if size == 0 {
      symbols.append(Symbol(address: start, offset: offset))
    } else {
      functions.append(Function(start: start, end: end, offset: offset))
    }
  }

  private mutating func readSymbol(at offset: UInt64, _ fields: inout BreakpadFields) {
    fields.skipMultipleMark()
    guard let address = fields.readHexadecimal(), fields.readHexadecimal() != nil else {
      return note(.symbol, at: offset)
    }
    symbols.append(Symbol(address: address, offset: offset))
  }

  private mutating func readNumber(
    _ record: BreakpadFault.Record, at offset: UInt64, _ fields: inout BreakpadFields,
    _ table: WritableKeyPath<BreakpadScan, [Numbered]>
  ) {
    guard let number = fields.readDecimal(), !fields.isAtEnd else {
      return note(record, at: offset)
    }
    self[keyPath: table].append(Numbered(number: number, offset: offset))
  }

  private mutating func note(_ record: BreakpadFault.Record, at offset: UInt64) {
    let known = malformed[record]
    malformed[record] = ((known?.count ?? 0) + 1, known?.offset ?? offset)
  }

  // The words with which records begin, as little-endian numbers.
  private static let functionWord = number("FUNC ")
  private static let fileWord = number("FILE ")
  private static let symbolWord = number("PUBLIC ")
  private static let originWord = number("INLINE_O")

  private static func number(_ word: StaticString) -> UInt64 {
    word.description.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

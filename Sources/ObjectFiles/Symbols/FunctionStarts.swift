import BinaryInput
package import SymbolicationModel

/// The starts of the functions of a Mach-O image: `LC_FUNCTION_STARTS`, which stripping leaves.
///
/// The data are ULEB128 differences, the first one from the start of `__TEXT`. A difference of 0,
/// or the end of the data, ends the list. (`<mach-o/loader.h>` names the command; the format is the
/// one that ld64 writes and `llvm-objdump --function-starts` reads.) In 32-bit ARM images, the
/// lowest bit marks Thumb code.
///
/// The list stays in the file's form, with a mark for every 64th function, so that a large list
/// takes a fraction of its own size in memory.
package struct FunctionStarts: Sendable {
  /// `damagedFunctionStarts` if the list is damaged somewhere; the part before that is used.
  package let faults: [ObjectFileError]
  /// The number of functions.
  package let count: Int

  private let data: ByteRegion
  private let byteOrder: ByteOrder
  /// Ascending by address.
  private let marks: [Mark]
  /// The code sections, or the executable segments if there are none; ascending by start.
  private let codeRanges: [Range<LinkAddress>]
  /// The bit of a start that is not part of the address, or 0.
  private let thumbBit: UInt64

  /// The start of a function, and the offset of the difference to the next one.
  private struct Mark: Sendable {
    let start: UInt64
    let next: UInt64
  }

  private static let markDistance = 64

  /// The start of the function that holds `address`.
  ///
  /// A function reaches to the next start, or to the end of the code section that it begins in. Nil
  /// outside code, and before the first function of a section. Cost: two binary searches, and up to
  /// 63 numbers to decode.
  package func start(containing address: LinkAddress) -> LinkAddress? {
    guard
      let code = codeRanges.lastStarting(upTo: address, range: \.self), code.contains(address),
      let mark = marks[..<marks.partitionPoint { $0.start & ~thumbBit > address.value }].last
    else { return nil }
    var start = mark.start
    var reader = data.reader(byteOrder: byteOrder)
    do {
      try reader.seek(to: mark.next)
      for _ in 1..<Self.markDistance {
        guard let next = try Self.next(after: start, &reader),
          next & ~thumbBit <= address.value
        else { break }
        start = next
      }
    } catch {
      // The list is damaged here, which is among the faults.
    }
    let found = LinkAddress(start & ~thumbBit)
    return code.contains(found) ? found : nil
  }

  /// All starts, ascending. Cost: the list is decoded at each call.
  func all() -> [UInt64] {
    guard let first = marks.first else { return [] }
    var starts: [UInt64] = []
    starts.reserveCapacity(count)
    starts.append(first.start & ~thumbBit)
    var start = first.start
    var reader = data.reader(byteOrder: byteOrder)
    do {
      try reader.seek(to: first.next)
      while let next = try Self.next(after: start, &reader) {
        starts.append(next & ~thumbBit)
        start = next
      }
    } catch {
      // The list is damaged here, which is among the faults.
    }
    return starts
  }

  /// The next start; nil at the end of the list, or if it would not fit in 64 bits.
  private static func next(
    after start: UInt64, _ reader: inout ByteReader
  ) throws(ByteReadError) -> UInt64? {
    guard !reader.isAtEnd else { return nil }
    let difference = try reader.readUleb128()
    let (next, overflow) = start.addingReportingOverflow(difference)
    return difference == 0 || overflow ? nil : next
  }

  fileprivate init?(_ file: ObjectFile) throws(ObjectFileError) {
    guard let range = file.functionStarts, !range.isEmpty, let base = file.linkBase() else {
      return nil
    }
    data = try file.bytes(of: .functionStarts, at: range)
    byteOrder = file.byteOrder
    thumbBit = file.architecture.hasThumb ? 1 : 0
    let sections = file.sections.filter { $0.holdsCode && !$0.addresses.isEmpty }
    // Adjacent sections stay separate, because no function reaches from one into the next.
    codeRanges =
      sections.isEmpty
      ? file.codeRanges
      : sections.map(\.addresses).sorted { $0.lowerBound < $1.lowerBound }

    var marks: [Mark] = []
    var count = 0
    var faults: [ObjectFileError] = []
    var reader = data.reader(byteOrder: file.byteOrder)
    var start = base.value
    while !reader.isAtEnd {
      let offset = UInt64(reader.position)
      guard let difference = try? reader.readUleb128() else {
        faults.append(file.error(.damagedFunctionStarts(offset: offset)))
        break
      }
      if difference == 0 { break }
      let (next, overflow) = start.addingReportingOverflow(difference)
      guard !overflow else {
        faults.append(file.error(.damagedFunctionStarts(offset: offset)))
        break
      }
      start = next
      if count % Self.markDistance == 0 {
        marks.append(Mark(start: start, next: UInt64(reader.position)))
      }
      count += 1
    }
    self.marks = marks
    self.count = count
    self.faults = faults
  }
}

extension ObjectFile {
  /// The starts of the image's functions; nil if the file has no such list, as ELF files and dSYMs.
  ///
  /// Throws `truncated` if the data are beyond the end of the file. Cost: the list is decoded at
  /// each call.
  package func readFunctionStarts() throws(ObjectFileError) -> FunctionStarts? {
    try FunctionStarts(self)
  }
}

extension RandomAccessCollection where Index == Int {
  /// The last element whose range starts at `address` or before it, of elements that ascend by the
  /// starts of their ranges.
  func lastStarting(
    upTo address: LinkAddress, range: (Element) -> Range<LinkAddress>
  ) -> Element? {
    self[..<partitionPoint { range($0).lowerBound > address }].last
  }
}

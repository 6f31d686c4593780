package import BinaryInput
import SymbolIndex
package import SymbolicationModel

/// The file of a `LearntImage`. Numbers are little-endian:
///
///      0  8  `LearntNm`
///      8  4  version: 1
///     12  4  number of functions
///     16 16  UUID of the image
///     32  4  number of names
///     36  4  number of reports that it was learnt from
///     40  4  size of the texts
///     44  4  size of the architecture's name, with which the texts begin
///     48  4  size of the image's name after it
///     52  4  number of functions with several names
///     56  8  checksum of everything else (`IndexChecksum`)
///     64  …  functions, ascending: start (8), bytes known to be the function's (8), index of the
///            first name (4), number of names (4)
///      …  …  names, the most frequent of a function first: offset in the texts (4), size (4),
///            number of reports (4)
///      …  …  hashes of the reports (8 each), ascending
///      …  …  texts, UTF-8
package struct LearntFile: Sendable {
  package let identity: ImageIdentity?
  package let architecture: String
  package let imageName: String
  /// How many reports it was learnt from, up to `LearntImage.reportLimit`.
  package let reportCount: Int
  package let conflictCount: Int
  let region: ByteRegion
  let layout: Layout

  static let magic = Array("LearntNm".utf8)
  static let version: UInt32 = 1
  static let headSize: UInt64 = 64
  package static let checksumOffset: UInt64 = 56

  /// Where the tables are.
  struct Layout {
    let functionCount: UInt64
    let nameCount: UInt64
    let reportCount: UInt64
    let textSize: UInt64

    static let functionSize: UInt64 = 24
    static let nameSize: UInt64 = 12

    var names: UInt64 { LearntFile.headSize + functionCount * Self.functionSize }
    var reports: UInt64 { names + nameCount * Self.nameSize }
    var texts: UInt64 { reports + reportCount * 8 }
    /// The counts have 32 bits, so this does not overflow.
    var end: UInt64 { texts + textSize }
  }

  /// Opens the file that fills `region`. Throws if a field of the head is impossible, or if the
  /// file does not have the size that follows from it. The tables are looked at by lookups, and as
  /// a whole by `checkContent`.
  package init(_ region: ByteRegion, path: String) throws(SymbolFileProblem) {
    func problem(_ kind: SymbolFileProblem.Kind) -> SymbolFileProblem {
      SymbolFileProblem(path: path, kind: kind)
    }
    guard region.count >= Int(Self.headSize) else {
      throw problem(
        .truncated(
          structure: "head of the learnt names", offset: 0, wanted: Self.headSize,
          available: UInt64(region.count)))
    }
    guard region.holds(Self.magic, at: 0) else {
      throw problem(.notASymbolFile(firstBytes: region.prefix(8)))
    }
    func number(_ offset: UInt64) -> UInt64 {
      region.unsigned(at: offset, size: 4, byteOrder: .little) ?? 0
    }
    guard number(8) == UInt64(Self.version) else {
      throw problem(.unsupported(structure: "version of the learnt names", value: number(8)))
    }
    let layout = Layout(
      functionCount: number(12), nameCount: number(32), reportCount: number(36),
      textSize: number(40))
    guard layout.end == UInt64(region.count) else {
      throw problem(
        .malformed(
          structure: "size of the learnt names", value: UInt64(region.count),
          expected: .exactly(layout.end)))
    }
    let (architectureSize, nameSize) = (number(44), number(48))
    guard architectureSize + nameSize <= layout.textSize else {
      throw problem(
        .malformed(
          structure: "size of the image's name in the learnt names",
          value: architectureSize + nameSize, expected: .atMost(layout.textSize)))
    }
    identity = ImageIdentity(
      bytes: (try? region.subregion(offset: 16, count: 16).bytes) ?? [])
    architecture = region.text(at: layout.texts, count: Int(architectureSize)) ?? ""
    imageName =
      region.text(at: layout.texts + architectureSize, count: Int(nameSize)) ?? ""
    reportCount = Int(layout.reportCount)
    conflictCount = Int(number(52))
    self.region = region
    self.layout = layout
  }

  /// Whether there is nothing to look up.
  package var isEmpty: Bool { layout.functionCount == 0 }

  /// Where the code that may have names ends.
  package var end: UInt64 {
    guard layout.functionCount > 0 else { return 0 }
    let last = function(layout.functionCount - 1)
    return last.start.addingReportingOverflow(max(last.reach, 1)).partialValue
  }

  /// A function and its most frequent name.
  package struct Answer: Hashable, Sendable {
    package let name: String
    package let start: UInt64
  }

  /// The function that holds an address, as a distance from the start of the image; nil if no
  /// report has shown that one does.
  ///
  /// A function that reaches to the start of the next one contradicts it: some report did not know
  /// the next. Then only its first byte is certain, and nothing of the next one, unless at least as
  /// many reports know that.
  ///
  /// Cost: a binary search, and a look at the functions that may reach to the one that is found.
  package func answer(at address: UInt64) -> Answer? {
    let next = (0..<Int(layout.functionCount)).partitionPoint {
      function(UInt64($0)).start > address
    }
    guard next > 0 else { return nil }
    let found = function(UInt64(next - 1))
    let distance = address - found.start
    guard distance < found.reach else { return nil }
    if distance > 0, next < Int(layout.functionCount),
      function(UInt64(next)).start &- found.start < found.reach
    {
      return nil
    }
    guard found.nameCount > 0, let name = name(found.firstName) else { return nil }
    for index in (0..<(next - 1)).reversed().prefix(Self.mostOverlapping) {
      let before = function(UInt64(index))
      // In a file that was not checked, the functions may have any order.
      let between = found.start &- before.start
      guard between < LearntImage.Observation.longestReach else { break }
      if before.reach > between, before.nameCount > 0,
        let other = self.name(before.firstName), other.votes > name.votes
      {
        return nil
      }
    }
    guard let text = region.text(at: name.start, count: name.size), !text.isEmpty else {
      return nil
    }
    return Answer(name: text, start: found.start)
  }

  /// How many functions before an address are looked at.
  private static let mostOverlapping = 256

  struct FunctionRecord {
    let start: UInt64
    let reach: UInt64
    let firstName: UInt64
    let nameCount: UInt64
  }

  func function(_ index: UInt64) -> FunctionRecord {
    let offset = Self.headSize + index * Layout.functionSize
    func number(_ field: UInt64, _ size: Int) -> UInt64 {
      region.unsigned(at: offset + field, size: size, byteOrder: .little) ?? 0
    }
    return FunctionRecord(
      start: number(0, 8), reach: number(8, 8), firstName: number(16, 4), nameCount: number(20, 4))
  }

  /// Where a name is, and how many reports have it. Nil if there is no such name, if its text is
  /// not in the texts, and if it is longer than those that are learnt.
  private func name(_ index: UInt64) -> (start: UInt64, size: Int, votes: UInt32)? {
    guard index < layout.nameCount else { return nil }
    let offset = layout.names + index * Layout.nameSize
    func number(_ field: UInt64) -> UInt64 {
      region.unsigned(at: offset + field, size: 4, byteOrder: .little) ?? 0
    }
    let (start, size) = (number(0), number(4))
    guard start <= layout.textSize, size <= layout.textSize - start,
      size <= UInt64(LearntImage.longestName)
    else { return nil }
    return (layout.texts + start, Int(size), UInt32(truncatingIfNeeded: number(8)))
  }

  /// A name, and how many reports have it; nil if there is no such name.
  func vote(_ index: UInt64) -> (name: String, count: UInt32)? {
    guard let name = name(index), let text = region.text(at: name.start, count: name.size) else {
      return nil
    }
    return (text, name.votes)
  }

  /// Throws if the bytes are not those that were written, or if the functions do not ascend. Cost:
  /// reads the file.
  package func checkContent(path: String) throws(SymbolFileProblem) {
    let stated =
      region.unsigned(at: Self.checksumOffset, size: 8, byteOrder: .little) ?? 0
    guard Self.checksum(of: region) == stated else {
      throw SymbolFileProblem(
        path: path,
        kind: .damaged(structure: "checksum of the learnt names", offset: Self.checksumOffset))
    }
    var least: UInt64 = 0
    for index in 0..<layout.functionCount {
      let start = function(index).start
      guard start >= least else {
        throw SymbolFileProblem(
          path: path,
          kind: .malformed(
            structure: "start of a learnt function", value: start, expected: .atLeast(least)))
      }
      least = start == .max ? start : start + 1
    }
  }

  package static func checksum(of region: ByteRegion) -> UInt64 {
    var checksum = IndexChecksum()
    region.withRawSpan { span in
      checksum.add(span.extracting(0..<Int(checksumOffset)))
      checksum.add(span.extracting(Int(headSize)..<span.byteCount))
    }
    return checksum.value
  }
}

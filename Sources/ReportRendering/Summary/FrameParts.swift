import CrashLogParser
import SymbolicationModel

/// Where the parts of a frame stand in the text of a report.
struct FrameParts {
  let range: Range<Int>
  /// What follows the address.
  let content: Range<Int>?
  /// The function, or what stands for it.
  let name: Range<Int>?
  /// Whether the name is that of a function, and not `0x1c646c000 + 395220`.
  let isNamed: Bool
  /// Whether it is in a call tree, where spaces in front show the depth.
  let isInTree: Bool
  /// The file and its line.
  var place: Range<Int>?

  /// Nil if the frame has no text of its own.
  init?(_ frame: StackFrame, in text: [UInt8]) {
    guard let range = frame.byteRange, range.upperBound <= text.count else { return nil }
    let symbol = frame.symbol
    self.range = range
    let content =
      frame.line?.contentRange ?? frame.values?.parts?.content ?? frame.values?.treeParts?.function
    self.content = content.flatMap { $0.upperBound <= text.count ? $0 : nil }
    name = self.content.flatMap { Self.nameRange(of: symbol, in: $0, text) }
    isNamed = symbol != nil
    isInTree = frame.values?.treeParts != nil
    place = symbol.flatMap { Self.placeRange(of: $0, in: text[range]) }
  }

  /// The name is at the start of the content, or in it: `0x34f09000 + 574120 (__CFRunLoopRun + 8)`.
  private static func nameRange(
    of symbol: FrameSymbol?, in content: Range<Int>, _ text: [UInt8]
  ) -> Range<Int>? {
    guard let symbol else { return content.isEmpty ? nil : content }
    let name = Array(symbol.name.utf8)
    guard !name.isEmpty else { return nil }
    if text[content].starts(with: name) {
      return content.lowerBound..<content.lowerBound + name.count
    }
    guard content.count <= longestTail else { return nil }
    return text[content].firstRange(of: name).flatMap { range in
      " (".utf8.contains(text[range.lowerBound - 1]) ? range : nil
    }
  }

  /// In bytes. Whoever made a report may have made a line of any length.
  private static let longestPlace = 4096
  /// The bytes that may follow a place: a spindump has the image and the address there.
  private static let longestTail = 1024

  /// Where the frame shows its file and line: the last `file:`, with the numbers behind it.
  private static func placeRange(
    of symbol: FrameSymbol, in line: ArraySlice<UInt8>
  ) -> Range<Int>? {
    guard let file = symbol.file, symbol.line != nil else { return nil }
    let wanted = Array("\(file):".utf8)
    guard line.count >= wanted.count, wanted.count <= longestPlace else { return nil }
    var start = line.endIndex - wanted.count
    let first = max(line.startIndex, start - longestTail)
    while start >= first {
      if line[start] == wanted[0], line[start...].starts(with: wanted) {
        let numbers = line[(start + wanted.count)...].prefix {
          (UInt8(ascii: "0")...UInt8(ascii: ":")).contains($0)
        }
        return start..<start + wanted.count + numbers.count
      }
      start -= 1
    }
    return nil
  }
}

import JsonReading
import ReportModel
import SymbolicationModel

/// A frame of a sanitizer's report, and where its parts are.
struct SanitizerFrame {
  /// The digits behind the `#`.
  let index: Range<Int>
  let number: Int?
  /// With its `0x`; nil in reports of ThreadSanitizer.
  let address: (value: UInt64, range: Range<Int>)?
  var content: SanitizerFrameContent

  /// Reads `#0 0x1042e3f5c in f(int) a.cc:12:3 (App:arm64+0x100003f5c)`; nil for any other line.
  init?(_ source: TextSource, _ line: TextLine) {
    let start = source.skipSeparators(from: line.start, limit: line.end)
    let textEnd = source.trimEnd(from: start, to: line.end)
    guard source[start] == UInt8(ascii: "#"),
      let (number, end) = source.decimal(at: start + 1, limit: textEnd),
      source[end] == Ascii.space
    else { return nil }
    index = start + 1..<end
    self.number = number.flatMap { Int(exactly: $0) }
    var position = source.skipSeparators(from: end, limit: textEnd)
    if let (value, addressEnd) = source.hexadecimal(at: position, limit: textEnd),
      source[addressEnd] == Ascii.space || addressEnd == textEnd
    {
      address = (value, position..<addressEnd)
      // One space; a frame without a name has two.
      position = min(addressEnd + 1, textEnd)
    } else {
      address = nil
    }
    content = SanitizerFrameContent(source, position..<textEnd, hasAddress: address != nil)
  }
}

/// What follows the number and the address: the function, the place in its source, the module.
struct SanitizerFrameContent {
  let range: Range<Int>
  /// Without `in `; nil if it is not known.
  private(set) var function: Range<Int>?
  /// Of `main+0x1c`.
  private(set) var functionOffset: Int64?
  private(set) var file: Range<Int>?
  private(set) var line: Int?
  private(set) var column: Int?
  private(set) var module: Module?
  /// Whether the rest of the path is on the next line.
  private(set) var isCutInPath = false

  struct Module {
    /// From its bracket on, with the build-id behind it.
    let range: Range<Int>
    let path: Range<Int>
    let architecture: Range<Int>?
    /// The distance from the start of the module, or what the module calls the address.
    let offset: UInt64
    let buildId: Range<Int>?
  }

  init(_ source: TextSource, _ range: Range<Int>, hasAddress: Bool) {
    self.range = range
    module = Self.module(source, range)
    var text = source.trimmed(range.lowerBound..<(module?.range.lowerBound ?? range.upperBound))
    if hasAddress {
      guard source.has("in ", at: text.lowerBound, limit: text.upperBound) else { return }
      text = source.trimmed(text.lowerBound + 3..<text.upperBound)
    }
    // asan_symbolize.py writes it in the place of a file of the sanitizer's own.
    if let mark = source.find(" _asan_rtl_", from: text.lowerBound, limit: text.upperBound) {
      text = text.lowerBound..<source.trimEnd(from: text.lowerBound, to: mark)
    }
    guard !text.isEmpty else { return }
    readFunction(source, text, hasAddress: hasAddress)
  }

  // MARK: The module

  /// Reads `(/path/App:arm64+0x100003f5c) (BuildId: 0123…)` at the end.
  private static func module(_ source: TextSource, _ range: Range<Int>) -> Module? {
    var end = range.upperBound
    var buildId: Range<Int>?
    guard end > range.lowerBound, source[end - 1] == Ascii.closeParenthesis else { return nil }
    if let open = openingBracket(source, range.lowerBound..<end),
      source.has("(BuildId: ", at: open, limit: end)
    {
      buildId = open + 10..<end - 1
      end = source.trimEnd(from: range.lowerBound, to: open)
    }
    guard let open = openingBracket(source, range.lowerBound..<end) else { return nil }
    let inside = open + 1..<end - 1
    guard let plus = source.bytes[inside].lastIndex(of: Ascii.plus),
      let (offset, offsetEnd) = source.hexadecimal(at: plus + 1, limit: inside.upperBound),
      offsetEnd == inside.upperBound, plus > inside.lowerBound
    else { return nil }
    var path = inside.lowerBound..<plus
    var architecture: Range<Int>?
    if let colon = source.bytes[path].lastIndex(of: Ascii.colon),
      architectures.contains(source.string(colon + 1..<plus))
    {
      architecture = colon + 1..<plus
      path = path.lowerBound..<colon
    }
    return Module(
      range: open..<range.upperBound, path: path, architecture: architecture, offset: offset,
      buildId: buildId)
  }

  /// The bracket that the last byte of a range closes.
  private static func openingBracket(_ source: TextSource, _ range: Range<Int>) -> Int? {
    var depth = 0
    for position in range.reversed() {
      if source[position] == Ascii.closeParenthesis { depth += 1 }
      if source[position] == Ascii.openParenthesis {
        depth -= 1
        if depth == 0 { return position }
      }
      if depth == 0 { return nil }
    }
    return nil
  }

  /// The names in `ModuleArchToString` of sanitizer_common.h.
  private static let architectures: Set = [
    "i386", "x86_64", "x86_64h", "armv6", "armv7", "armv7s", "armv7k", "arm64", "arm64e",
    "loongarch64", "riscv64", "hexagon",
  ]

  // MARK: The function

  /// ThreadSanitizer always writes a place behind the name, `<null>` if it knows none. The others
  /// write a distance behind the name instead.
  private mutating func readFunction(_ source: TextSource, _ text: Range<Int>, hasAddress: Bool) {
    var name = text
    if let place = Self.place(source, text, isCertain: !hasAddress) {
      name = text.lowerBound..<source.trimEnd(from: text.lowerBound, to: place.range.lowerBound)
      // `addr2line` writes `??`, or a file of the linker's that the function is not in. Of C it is
      // the file of the function, unless it is that of the compiler's start files.
      let isOfC =
        source.has(".c", at: place.file.upperBound - 2, limit: place.file.upperBound)
        && source.string(place.file) != "crtstuff.c"
      if source[place.file.lowerBound] != Ascii.less, !place.isUnknown || isOfC,
        !source.has("??", at: place.file.lowerBound, limit: place.file.upperBound)
      {
        (file, line, column) = (place.file, place.line, place.column)
      }
    } else if let plus = source.bytes[text].lastIndex(of: Ascii.plus),
      let (offset, end) = source.hexadecimal(at: plus + 1, limit: text.upperBound),
      end == text.upperBound, plus > text.lowerBound
    {
      name = text.lowerBound..<plus
      functionOffset = Int64(exactly: offset)
    } else if hasAddress,
      let path = source.find(" /", from: text.lowerBound, limit: text.upperBound)
    {
      // A mail program broke the line in the path.
      name = text.lowerBound..<path
      isCutInPath = true
    }
    guard !name.isEmpty, !source.has("<null>", at: name.lowerBound, limit: name.upperBound) else {
      return
    }
    function = name
  }

  /// `/path/a.cc:12:3` at the end of a text.
  ///
  /// - Parameters:
  ///   - isCertain: whether the last word is a place even without a line.
  ///   - before: what is before it, if that is no space.
  private static func place(
    _ source: TextSource, _ text: Range<Int>, isCertain: Bool, before: Int? = nil
  ) -> (range: Range<Int>, file: Range<Int>, line: Int?, column: Int?, isUnknown: Bool)? {
    guard let space = before ?? source.bytes[text].lastIndex(of: Ascii.space) else { return nil }
    var numbers: [Int] = []
    var end = text.upperBound
    let isUnknown = end - space > 3 && source.has(":?", at: end - 2, limit: end)
    if isUnknown { end -= 2 }
    while numbers.count < 2 {
      var digits = end
      while digits > space, Ascii.isDigit(source[digits - 1]) { digits -= 1 }
      guard digits < end, source[digits - 1] == Ascii.colon,
        let number = source.number(at: digits, limit: end).flatMap({ Int(exactly: $0.value) })
      else { break }
      numbers.insert(number, at: 0)
      end = digits - 1
    }
    guard isCertain || isUnknown || !numbers.isEmpty, end > space + 1 else { return nil }
    var start = space + 1
    // A path may have spaces in it. It begins where the last one with a slash at its front does.
    if source[start] != Ascii.slash {
      var position = start
      while position > text.lowerBound + 1 {
        position -= 1
        if source[position] == Ascii.slash, source[position - 1] == Ascii.space {
          start = position
          break
        }
      }
    }
    return (
      start..<text.upperBound, start..<end, numbers.first,
      numbers.count > 1 && numbers[1] > 0 ? numbers[1] : nil, isUnknown
    )
  }

  /// Takes the rest of the path from the line below, with the numbers behind it; nil if it is none.
  func takingPath(_ source: TextSource, _ line: TextLine) -> SanitizerFrameContent? {
    let rest = source.trimmed(line.start..<line.end)
    guard isCutInPath, !rest.isEmpty,
      source.find(" ", from: rest.lowerBound, limit: rest.upperBound) == nil,
      let place = Self.place(source, rest, isCertain: false, before: rest.lowerBound - 1)
    else { return nil }
    var content = self
    (content.file, content.line, content.column) = (place.file, place.line, place.column)
    return content
  }

  /// What the line says about the function.
  func symbol(_ source: TextSource) -> FrameSymbol? {
    guard let function else { return nil }
    return FrameSymbol(
      name: source.string(function), offset: functionOffset, file: file.map { source.string($0) },
      line: file == nil ? nil : line ?? 0, column: column)
  }
}

/// Writes frames as sanitizers do, with the module behind every place:
/// `in f(int) a.cc:12:3 (App:arm64+0x100003f5c)`. So a report that was written still says where
/// each frame is, and can be looked up again.
struct SanitizerFrameWriter: FrameLineWriter {
  func content(for call: FrameLineCall, of frame: FrameValues, in bytes: [UInt8]) -> String {
    guard let parts = frame.parts else { return "" }
    let source = TextSource(bytes: bytes)
    let hasAddress = parts.address != nil
    let content = SanitizerFrameContent(source, parts.content, hasAddress: hasAddress)
    var text = hasAddress ? "in \(call.function)" : call.function
    if let file = call.file {
      text += " \(file)"
      if call.line > 0 {
        text += ":\(call.line)"
        if let column = call.column, column > 0 { text += ":\(column)" }
      }
    } else {
      text += hasAddress ? "+0x\(String(call.offset, radix: 16))" : " <null>"
    }
    return content.module.map { "\(text) \(source.string($0.range))" } ?? text
  }
}

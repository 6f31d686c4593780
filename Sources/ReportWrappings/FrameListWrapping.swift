import JsonReading
import ReportFormats
import ReportModel
import RuntimeReports
import SymbolicationModel

/// The frames of a stack as an array on one line, as `print(Thread.callStackSymbols)` shows them in
/// Swift:
///
/// ```text
/// ["0   App  0x0000000104a1c2f0 $s3App4PageV4loadyyF + 84", "1   App  0x0000000104a1c100 …"]
/// ```
struct FrameListWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    // What is between two elements is the end of a line, also of one that is added.
    var text = UnwrappedText(of: source.bytes) { text in
      text.flatMap { [Ascii.quote, Ascii.backslash].contains($0) ? [Ascii.backslash, $0] : [$0] }
    }
    var copied = source.textStart
    var position = source.textStart
    var isInList = false
    while position < source.count {
      let quote = source.bytes.span.firstOffset(of: Ascii.quote, from: position)
      guard quote < source.count else { break }
      position = quote + 1
      let isStart = source[quote - 1] == Ascii.openBracket && source.beginsNumbered(at: quote + 1)
      let next = source.has("\", \"", at: quote, limit: source.count)
      let isEnd = source[quote + 1] == Ascii.closeBracket
      guard isStart || isInList && (next && source.beginsNumbered(at: quote + 4) || isEnd) else {
        continue
      }
      text.copy(copied..<quote)
      copied = quote + (isInList && next ? 4 : 1)
      text.put([Ascii.lineFeed], for: quote..<copied)
      isInList = !isEnd || isStart
      position = copied
    }
    guard copied > source.textStart else { return nil }
    text.copy(copied..<source.count)
    return text
  }
}

/// Frames like Apple's that a program's own handler of crashes numbered as debuggers do, with
/// addresses in its own letters:
///
/// ```text
/// #0  Board               0X00137B9F +[Reports signalHandler:]
/// #1  libsystem_platform  0X39324063 _sigtramp()
/// ```
///
/// Of debuggers' frames the address is right behind the number. Source: the program in
/// github.com/lionheart/openradar-mirror, issue 4172; printf(3) for `%#X`.
struct NumberSignWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    guard source.find("#0", from: source.textStart, limit: source.count) != nil else {
      return source.joiningFrameNumbers()
    }
    var text = UnwrappedText(of: source.bytes)
    var copied = source.textStart
    var next = source.textStart
    while next < source.count {
      let line = source.line(at: next)
      next = line.next
      guard let (sign, address) = frame(source, line) else { continue }
      text.copy(copied..<sign)
      text.put([], for: sign..<sign + 1)
      copied = sign + 1
      if source[address + 1] == UInt8(ascii: "X") {
        text.copy(copied..<address)
        text.put("0x".utf8, for: address..<address + 2)
        copied = address + 2
      }
    }
    guard copied > source.textStart else { return nil }
    text.copy(copied..<source.count)
    return text
  }

  /// Where the number sign and the address are; nil if the line is no such frame.
  private func frame(_ source: TextSource, _ line: TextLine) -> (sign: Int, address: Int)? {
    var sign = source.skipSeparators(from: line.start, limit: line.end)
    // In a list of JSON.
    if source[sign] == Ascii.quote { sign += 1 }
    guard source[sign] == UInt8(ascii: "#"),
      let (_, numberEnd) = source.decimal(at: sign + 1, limit: line.end)
    else { return nil }
    let name = source.skipSeparators(from: numberEnd, limit: line.end)
    guard name > numberEnd, name < line.end, !Ascii.isDigit(source[name]) else { return nil }
    let limit = min(line.end, name + 128)
    guard
      let address = source.find(" 0X", from: name, limit: limit)
        ?? source.find(" 0x", from: name, limit: limit),
      // `in turn () at 0x…` is a debugger's.
      source.bytes[name..<address].allSatisfy({ !"()".utf8.contains($0) })
    else { return nil }
    return (sign, address + 1)
  }
}

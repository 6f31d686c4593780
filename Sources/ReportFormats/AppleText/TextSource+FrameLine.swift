import JsonReading
package import ReportModel
package import SymbolicationModel

/// How a line among frames was read.
package enum FrameLineReading {
  case frame(FrameLine, LoadAddress)
  /// It begins with a number and separators, as a frame does, but is not one.
  case damaged
  /// It is not a frame.
  case other
}

extension TextSource {
  /// Reads `index  image name  address  content`.
  ///
  /// Columns may be separated by one space only, and image names may contain spaces. So the address
  /// is the first word that looks like one, after at least one word for the image.
  package func frameLine(_ line: TextLine) -> FrameLineReading {
    let end = line.end
    let indexStart = skipSeparators(from: line.start, limit: end)
    guard indexStart < end, Ascii.isDigit(self[indexStart]),
      let (indexValue, indexEnd) = decimal(at: indexStart, limit: end)
    else { return .other }
    var nameStart = skipSeparators(from: endOfRange(indexEnd, limit: end), limit: end)
    // CrashReporter, of jailbroken devices, marks images that are not Apple's.
    if nameStart < end, self[nameStart] == Ascii.plus, nameStart > indexEnd {
      let name = skipSeparators(from: nameStart + 1, limit: end)
      if name > nameStart + 1 { nameStart = name }
    }
    if nameStart == indexEnd, nameStart < end {
      switch self[nameStart] {
      case Ascii.colon:
        return markedFrame(line, name: skipSeparators(from: indexEnd + 1, limit: end))
      // A list of Markdown.
      case UInt8(ascii: "."), Ascii.closeParenthesis:
        return markedFrame(line, name: skipSeparators(from: indexEnd + 1, limit: end))
      default: break
      }
    }
    guard nameStart > indexEnd, nameStart < end else { return .other }
    guard let value = indexValue, Int(exactly: value) != nil else { return .damaged }
    guard frameAddress(at: nameStart, limit: end) == nil else { return .damaged }

    var position = nameStart
    while position < end {
      if separatorLength(at: position, limit: end) == 0 {
        position += 1
        continue
      }
      position = skipSeparators(from: position, limit: end)
      guard position < end, self[position] == Ascii.zero,
        let (address, addressEnd) = frameAddress(at: position, limit: end)
      else { continue }
      // Of a table, which is none of Apple's.
      let nameEnd = trimEnd(from: nameStart, to: position)
      if self[nameEnd - 1] == UInt8(ascii: "|"), nameEnd - nameStart > 1 { return .damaged }
      return .frame(
        FrameLine(
          source: self, line: ByteSpan(line.start, end), name: nameStart,
          address: position..<addressEnd),
        LoadAddress(address))
    }
    return .damaged
  }

  /// Reads a frame as `ipsw symbolicate` writes it, with a colon behind the index and the slide of
  /// the image before the address, behind it, or nowhere:
  ///
  /// ```text
  ///   3: CoreFoundation          (slide=0x27010000) 0x1a734e76c -[__NSDictionaryM count] + 184
  ///  04: Game 0x1a734e76c (slide=0x27010000) turn + 12
  /// ```
  ///
  /// Source: github.com/blacktop/ipsw, cmd/ipsw/cmd/symbolicate.go and pkg/crashlog/ips.go.
  ///
  /// People put a colon, a dot or a bracket behind the index, too, above all if the lines are to be
  /// a list of Markdown. Then what is behind the address tells the line from others with a number.
  ///
  /// - Parameter name: where the name of the image begins.
  private func markedFrame(_ line: TextLine, name: Int) -> FrameLineReading {
    let end = line.end
    guard name < end, separatorLength(at: name - 1, limit: end) > 0,
      frameAddress(at: name, limit: end) == nil,
      let sign = addressInColumn(from: name, limit: min(end, name + 256)),
      let (address, addressEnd) = frameAddress(at: sign + 1, limit: end)
    else { return .other }
    // Of other lines with a number and a colon, such as those of a panic of Rust.
    let image = name..<trimEnd(from: name, to: sign)
    let hasSlide =
      find(Self.slideMark, from: name, limit: sign) != nil
      || has(Self.slideMark, at: addressEnd + 1, limit: end)
    let frame = FrameLine(
      source: self, line: ByteSpan(line.start, end), name: name, address: sign + 1..<addressEnd)
    guard !image.isEmpty, self[image.upperBound - 1] != UInt8(ascii: "|"),
      hasSlide
        || bytes[image].allSatisfy({ $0 != Ascii.colon })
          && (has(":", at: name - 2, limit: name)
            && bytes[image].allSatisfy({ $0 > Ascii.space })
            || frame.isUnmistakable(LoadAddress(address)) || frame.content.symbol?.offset != nil)
    else { return .other }
    return .frame(frame, LoadAddress(address))
  }

  /// Where the blank or the tab in front of the first word is that begins with `0x`.
  func addressInColumn(from start: Int, limit: Int) -> Int? {
    var next = start
    while let sign = find("0x", from: next, limit: limit) {
      if sign > start, self[sign - 1] == Ascii.space || self[sign - 1] == Ascii.tab {
        return sign - 1
      }
      next = sign + 2
    }
    return nil
  }

  /// Where the numbers end of several frames that somebody made one of: `9-15   Board   0x…`.
  private func endOfRange(_ end: Int, limit: Int) -> Int {
    guard end < limit, self[end] == Ascii.minus, Ascii.isDigit(self[end + 1]) else { return end }
    var position = end + 1
    while position < limit, Ascii.isDigit(self[position]) { position += 1 }
    return separatorLength(at: position, limit: limit) > 0 ? position : end
  }

  /// An address followed by a separator: `0x` and 1 to 16 digits, or 18 zeros, which is how C's
  /// `%#018llx` prints a null program counter, or 10 in reports of 32 bits (`%#010llx`).
  @inline(__always)
  package func frameAddress(at offset: Int, limit: Int) -> (value: UInt64, end: Int)? {
    if let address = hexadecimal(at: offset, limit: limit) {
      return separatorLength(at: address.end, limit: limit) > 0 ? address : nil
    }
    guard limit - offset > 10, self[offset] == Ascii.zero, self[offset + 1] == Ascii.zero else {
      return nil
    }
    var end = offset + 2
    while end - offset < 19, self[end] == Ascii.zero { end += 1 }
    guard end - offset == 18 || end - offset == 10 else { return nil }
    return separatorLength(at: end, limit: limit) > 0 ? (0, end) : nil
  }
}

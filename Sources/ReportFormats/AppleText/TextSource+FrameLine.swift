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

  /// Where the numbers end of several frames that somebody made one of: `9-15   Board   0x…`.
  private func endOfRange(_ end: Int, limit: Int) -> Int {
    guard end < limit, self[end] == Ascii.minus, Ascii.isDigit(self[end + 1]) else { return end }
    var position = end + 1
    while position < limit, Ascii.isDigit(self[position]) { position += 1 }
    return separatorLength(at: position, limit: limit) > 0 ? position : end
  }

  /// An address followed by a separator: `0x` and 1 to 16 digits, or 18 zeros, which is how C's
  /// `%#018llx` prints a null program counter.
  @inline(__always)
  package func frameAddress(at offset: Int, limit: Int) -> (value: UInt64, end: Int)? {
    if let address = hexadecimal(at: offset, limit: limit) {
      return separatorLength(at: address.end, limit: limit) > 0 ? address : nil
    }
    guard limit - offset > 18, self[offset] == Ascii.zero, self[offset + 1] == Ascii.zero else {
      return nil
    }
    let end = offset + 18
    for position in offset..<end where self[position] != Ascii.zero { return nil }
    return separatorLength(at: end, limit: limit) > 0 ? (0, end) : nil
  }
}

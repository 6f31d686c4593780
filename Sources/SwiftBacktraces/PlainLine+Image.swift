import JsonReading
import ReportModel
import SymbolicationModel

/// How a line among the images of a Swift backtrace was read.
enum SwiftImageReading {
  case image(BinaryImage, hasReadableIdentity: Bool)
  /// It begins with an address, as an image does, but is not one.
  case damaged
  case other
}

extension PlainLine {
  /// Reads `first–end identity name path`: padded columns, a dash (U+2013) between the addresses,
  /// and `<no build ID>` if there is no identity. Programs that people write with replace the dash
  /// by another one.
  func image() -> SwiftImageReading {
    guard let (first, firstEnd) = text.hexadecimal(at: start, limit: end) else { return .other }
    let dash = dashLength(at: firstEnd)
    guard dash > 0, let (last, lastEnd) = text.hexadecimal(at: firstEnd + dash, limit: end) else {
      return .damaged
    }
    let identity = text.skipSeparators(from: lastEnd, limit: end)
    guard identity > lastEnd, identity < end else { return .damaged }
    let identityEnd: Int
    if text.has("<no build ID>", at: identity, limit: end) {
      identityEnd = identity + 13
    } else {
      identityEnd = text.find(" ", from: identity, limit: end) ?? end
    }
    let name = text.skipSeparators(from: identityEnd, limit: end)
    guard name > identityEnd, name < end else { return .damaged }
    let path = pathStart(after: name)
    let digits = text.bytes[identity..<identityEnd]
    let pathText = text.string(path..<end)
    var values = BinaryImage.Values(byteRange: byteRange)
    values.identity = ImageIdentity(hexadecimal: digits)
    values.name = text.string(name..<text.trimEnd(from: name, to: path))
    values.path = pathText.isEmpty || pathText == "<unknown>" ? nil : pathText
    let image = BinaryImage(
      loadAddress: LoadAddress(first), endAddress: LoadAddress(last), values)
    let isReadable =
      text[identity] == Ascii.less
      || digits.count.isMultiple(of: 2) && digits.allSatisfy { hexadecimalDigitValue($0) != nil }
    return .image(image, hasReadableIdentity: isReadable)
  }

  /// The length in bytes of a hyphen, a dash (U+2010 to U+2015) or a minus sign (U+2212); 0 for
  /// anything else.
  private func dashLength(at offset: Int) -> Int {
    switch (text[offset], text[offset + 1], text[offset + 2]) {
    case (Ascii.minus, _, _): 1
    case (0xe2, 0x80, 0x90...0x95), (0xe2, 0x88, 0x92): 3
    default: 0
    }
  }

  /// A name has no slash but may have spaces, so the path begins at ` /` or with a drive letter.
  private func pathStart(after name: Int) -> Int {
    var position = name
    while position < end {
      let separator = text.separatorLength(at: position, limit: end)
      guard separator > 0 else {
        position += 1
        continue
      }
      position += separator
      let isDrive =
        Ascii.isUppercase(text[position]) && text[position + 1] == Ascii.colon
        && (text[position + 2] == Ascii.backslash || text[position + 2] == Ascii.slash)
      if text[position] == Ascii.slash || isDrive || text.has("<unknown>", at: position, limit: end)
      {
        return position
      }
    }
    return end
  }
}

/// Reads a property list as XML: Apple's PropertyList-1.0.dtd.
///
/// Only what property lists consist of is understood: eleven elements, text with references to
/// characters, CDATA sections, comments and processing instructions. Attributes are skipped.
struct XmlPropertyListReader {
  private let bytes: [UInt8]
  private var offset = 0
  private var budget: PropertyListBudget

  private enum Tag {
    case start(String, isEmpty: Bool)
    case end(String)
  }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    budget = PropertyListBudget(fileSize: bytes.count)
  }

  mutating func read() throws(PropertyListError) -> PropertyList {
    if has("\u{FEFF}") { offset += 3 }
    skipSpace()
    guard current == UInt8(ascii: "<") else {
      throw error(.notAPropertyList(firstBytes: Array(bytes.prefix(16))))
    }
    let first = try nextTag()
    let value: PropertyList
    if case .start("plist", isEmpty: false) = first {
      value = try self.value(try nextTag(), depth: 1)
      try expectEnd(of: "plist")
    } else {
      value = try self.value(first, depth: 1)
    }
    try skipBetweenTags()
    guard offset == bytes.count else { throw unexpectedByte() }
    return value
  }

  // MARK: Values

  private mutating func value(_ tag: Tag, depth: Int) throws(PropertyListError) -> PropertyList {
    guard depth <= PropertyListLimits.depth else {
      throw error(.tooDeep(limit: PropertyListLimits.depth))
    }
    try budget.spend(0, at: offset)
    guard case .start(let name, let isEmpty) = tag else { throw unexpected(tag) }
    switch name {
    case "dict": return .dictionary(isEmpty ? [:] : try members(depth: depth))
    case "array": return .array(isEmpty ? [] : try elements(depth: depth))
    case "true", "false":
      if !isEmpty { try expectEnd(of: name) }
      return .boolean(name == "true")
    case "string": return .string(isEmpty ? "" : try text(in: name))
    case "integer", "real", "date", "data":
      let start = offset
      let text = isEmpty ? "" : try text(in: name)
      guard let value = Self.scalar(text, element: name) else {
        throw PropertyListError(
          offset: start, kind: .invalidText(String(text.prefix(100)), element: name))
      }
      return value
    default: throw unexpected(tag)
    }
  }

  private mutating func members(depth: Int) throws(PropertyListError) -> [String: PropertyList] {
    var members: [String: PropertyList] = [:]
    while true {
      let tag = try nextTag()
      switch tag {
      case .end("dict"): return members
      case .end(let name):
        throw error(.unexpectedEndOfElement(found: name, expected: "dict"))
      case .start("key", let isEmpty):
        try budget.spend(0, at: offset)
        let key = isEmpty ? "" : try text(in: "key")
        members[key] = try value(try nextTag(), depth: depth + 1)
      case .start: throw unexpected(tag)
      }
    }
  }

  private mutating func elements(depth: Int) throws(PropertyListError) -> [PropertyList] {
    var elements: [PropertyList] = []
    while true {
      let tag = try nextTag()
      switch tag {
      case .end("array"): return elements
      case .end(let name):
        throw error(.unexpectedEndOfElement(found: name, expected: "array"))
      case .start: elements.append(try value(tag, depth: depth + 1))
      }
    }
  }

  /// The number, date or data that `text` spells; nil if it spells none.
  private static func scalar(_ text: String, element: String) -> PropertyList? {
    let word = text.utf8.split(whereSeparator: isSpace)
    if element == "data" { return Base64.bytes(of: text.utf8).map { .data($0) } }
    guard word.count == 1, let word = word.first.map({ String(Substring($0)) }) else { return nil }
    switch element {
    case "integer": return integer(word).map { .integer($0) }
    case "real": return Double(word).map { .real($0) }
    default: return PropertyListDate.secondsSince1970(word).map { .date(secondsSince1970: $0) }
    }
  }

  private static func integer(_ word: String) -> Int128? {
    let isNegative = word.utf8.first == UInt8(ascii: "-")
    let digits = ["-", "+"].contains { word.hasPrefix($0) } ? word.dropFirst() : word[...]
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    guard let first = digits.utf8.dropFirst(isHexadecimal ? 2 : 0).first,
      first != UInt8(ascii: "-"), first != UInt8(ascii: "+"),
      let number = isHexadecimal ? Int128(digits.dropFirst(2), radix: 16) : Int128(digits)
    else { return nil }
    return isNegative ? -number : number
  }

  // MARK: Tags

  /// The next tag. Only space, comments and instructions may come before it.
  private mutating func nextTag() throws(PropertyListError) -> Tag {
    try skipBetweenTags()
    guard current == UInt8(ascii: "<") else { throw unexpectedByte() }
    offset += 1
    let isEnd = current == UInt8(ascii: "/")
    if isEnd { offset += 1 }
    let start = offset
    while let byte = current, Self.isName(byte) { offset += 1 }
    guard offset > start, offset - start <= 64 else { throw unexpectedByte() }
    let name = String(decoding: bytes[start..<offset], as: UTF8.self)
    var quote: UInt8?
    while let byte = current {
      offset += 1
      if byte == quote {
        quote = nil
      } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if quote == nil, byte == UInt8(ascii: ">") {
        if isEnd { return .end(name) }
        return .start(name, isEmpty: bytes[offset - 2] == UInt8(ascii: "/"))
      }
    }
    throw error(.unexpectedEnd)
  }

  private mutating func expectEnd(of name: String) throws(PropertyListError) {
    let tag = try nextTag()
    guard case .end(name) = tag else {
      if case .end(let other) = tag {
        throw error(.unexpectedEndOfElement(found: other, expected: name))
      }
      throw unexpected(tag)
    }
  }

  /// Skips space, comments, processing instructions and the document type.
  private mutating func skipBetweenTags() throws(PropertyListError) {
    while true {
      skipSpace()
      if has("<!--") {
        try skip(past: "-->")
      } else if has("<?") {
        try skip(past: "?>")
      } else if has("<!DOCTYPE") {
        // Declarations in the document (`[…]`) are refused.
        let start = offset
        try skip(past: ">")
        if let bracket = bytes[start..<offset].firstIndex(of: UInt8(ascii: "[")) {
          throw PropertyListError(offset: bracket, kind: .unexpectedByte(UInt8(ascii: "[")))
        }
      } else {
        return
      }
    }
  }

  // MARK: Text

  /// The text up to the end of the element.
  private mutating func text(in element: String) throws(PropertyListError) -> String {
    var text: [UInt8] = []
    let start = offset
    while let byte = current {
      switch byte {
      case UInt8(ascii: "<") where has("<!--"): try skip(past: "-->")
      case UInt8(ascii: "<") where has("<![CDATA["):
        let content = offset + 9
        try skip(past: "]]>")
        text += bytes[content..<max(content, offset - 3)]
      case UInt8(ascii: "<"):
        try expectEnd(of: element)
        try budget.spend(text.count, at: start)
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "&"): text += Array(String(try reference()).utf8)
      default:
        text.append(byte)
        offset += 1
      }
    }
    throw error(.unexpectedEnd)
  }

  /// Reads `&amp;`, `&#38;`, `&#x26;` and the like.
  private mutating func reference() throws(PropertyListError) -> Unicode.Scalar {
    let start = offset
    let longest = 12
    guard
      let end = bytes[start...].prefix(longest).firstIndex(of: UInt8(ascii: ";"))
    else {
      throw error(
        .unknownEntity(String(decoding: bytes[start...].prefix(longest), as: UTF8.self)))
    }
    let name = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
    let scalar: Unicode.Scalar? =
      switch name {
      case "amp": "&"
      case "lt": "<"
      case "gt": ">"
      case "quot": "\""
      case "apos": "'"
      default:
        if name.hasPrefix("#x") {
          UInt32(name.dropFirst(2), radix: 16).flatMap { Unicode.Scalar($0) }
        } else if name.hasPrefix("#") {
          UInt32(name.dropFirst()).flatMap { Unicode.Scalar($0) }
        } else {
          nil
        }
      }
    guard let scalar else { throw error(.unknownEntity(name)) }
    offset = end + 1
    return scalar
  }

  // MARK: Bytes

  private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private func has(_ text: String) -> Bool { bytes[offset...].starts(with: text.utf8) }

  /// Moves past the next `mark`.
  private mutating func skip(past mark: String) throws(PropertyListError) {
    let mark = Array(mark.utf8)
    while offset + mark.count <= bytes.count {
      if bytes[offset..<(offset + mark.count)].elementsEqual(mark) {
        offset += mark.count
        return
      }
      offset += 1
    }
    offset = bytes.count
    throw error(.unexpectedEnd)
  }

  private mutating func skipSpace() {
    while let byte = current, Self.isSpace(byte) { offset += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: ":"):
      true
    default: false
    }
  }

  // MARK: Errors

  private func error(_ kind: PropertyListError.Kind) -> PropertyListError {
    PropertyListError(offset: offset, kind: kind)
  }

  private func unexpected(_ tag: Tag) -> PropertyListError {
    switch tag {
    case .start(let name, _): error(.unexpectedElement(name))
    case .end(let name): error(.unexpectedElement("/" + name))
    }
  }

  private func unexpectedByte() -> PropertyListError {
    error(current.map { .unexpectedByte($0) } ?? .unexpectedEnd)
  }
}

/// Checks that a page is well-formed, in a strict form of HTML: every element that is opened is
/// closed in order, attributes are quoted, only the known characters are escaped, and there is
/// nothing in it that a browser would load, run or hide.
func checkPage(_ output: [UInt8]) throws(Violation) {
  guard let text = String(validating: output, as: UTF8.self) else {
    throw Violation(statement: "a page is UTF-8", file: #fileID, line: #line)
  }
  try require(text.hasPrefix("<!DOCTYPE html>\n"), "a page has a document type")
  try require(
    !text.unicodeScalars.contains { isUnseen($0) }, "no character of a page is unseen")
  var checker = PageChecker(bytes: output[...].dropFirst("<!DOCTYPE html>\n".utf8.count))
  try checker.check()
}

/// Controls apart from the ends of lines, and characters that change the direction of text.
private func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x0a: false
  case 0..<0x20, 0x7f...0x9f, 0x200b...0x200f, 0x2028...0x202e, 0x2060...0x2069, 0xfeff,
    0xfffe...0xffff:
    true
  default: false
  }
}

private struct PageChecker {
  private var rest: ArraySlice<UInt8>
  private var open: [String] = []
  private var counts: [String: Int] = [:]

  init(bytes: ArraySlice<UInt8>) { rest = bytes }

  private static let withoutEnd: Set = ["meta", "link", "input", "wbr"]
  private static let entities = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"]
  /// Elements that a page has exactly once.
  private static let single = ["html", "head", "title", "style", "body", "main", "h1", "script"]
  private static let attributes: Set = [
    "class", "id", "href", "for", "type", "role", "lang", "charset", "name", "content",
    "http-equiv", "rel", "aria-label", "aria-live", "aria-describedby", "autocomplete",
    "spellcheck", "open", "hidden", "scope", "viewBox", "preserveAspectRatio", "x", "y", "width",
    "height", "data-v", "data-s", "value",
  ]

  mutating func check() throws(Violation) {
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: "<"): try tag()
      case UInt8(ascii: "&"): try entity()
      case UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"):
        try fail("text is escaped")
      default: rest = rest.dropFirst()
      }
    }
    try require(open.isEmpty, "every element is closed: \(open)")
    for name in Self.single {
      try require(counts[name] == 1, "a page has one \(name), not \(counts[name] ?? 0)")
    }
  }

  private func fail(_ statement: String) throws(Violation) {
    let place = String(decoding: rest.prefix(60), as: UTF8.self)
    throw Violation(statement: "\(statement): \(place)", file: #fileID, line: #line)
  }

  private mutating func entity() throws(Violation) {
    guard let found = Self.entities.first(where: { rest.starts(with: $0.utf8) }) else {
      return try fail("an & begins a known character")
    }
    rest = rest.dropFirst(found.utf8.count)
  }

  private mutating func tag() throws(Violation) {
    guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else {
      return try fail("a tag has an end")
    }
    var inside = rest[rest.startIndex + 1..<end]
    let isEnd = inside.first == UInt8(ascii: "/")
    if isEnd { inside = inside.dropFirst() }
    let name = String(decoding: inside.prefix { isNamePart($0) }, as: UTF8.self)
    inside = inside.dropFirst(name.utf8.count)
    guard !name.isEmpty else { return try fail("a < begins a tag") }
    if isEnd {
      guard inside.isEmpty, open.popLast() == name else { return try fail("elements nest") }
    } else {
      try attributes(inside)
      counts[name, default: 0] += 1
      if !Self.withoutEnd.contains(name) { open.append(name) }
    }
    rest = rest[(end + 1)...]
    // Their content is no HTML.
    if !isEnd, name == "style" || name == "script" {
      let close = "</\(name)>"
      while !rest.isEmpty, !rest.starts(with: close.utf8) { rest = rest.dropFirst() }
    }
  }

  private mutating func attributes(_ text: ArraySlice<UInt8>) throws(Violation) {
    var text = text
    while !text.isEmpty {
      guard text.first == UInt8(ascii: " ") else { return try fail("attributes are separated") }
      text = text.dropFirst()
      let name = String(decoding: text.prefix { isNamePart($0) }, as: UTF8.self)
      guard Self.attributes.contains(name) else { return try fail("\(name) is an attribute") }
      text = text.dropFirst(name.utf8.count)
      guard text.first == UInt8(ascii: "=") else { continue }
      text = text.dropFirst()
      guard text.first == UInt8(ascii: "\"") else { return try fail("values are quoted") }
      let value = text.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
      if name == "href" {
        guard value.first == UInt8(ascii: "#") || value.elementsEqual("data:,".utf8) else {
          return try fail("a link leads into the page")
        }
      }
      text = text.dropFirst(value.count + 2)
    }
  }

  private func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

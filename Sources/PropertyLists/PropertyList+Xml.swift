extension PropertyList {
  /// The property list as XML, with a line feed at the end, spelt as Apple's tools spell it: tabs,
  /// and keys in the order of their bytes.
  ///
  /// Characters that XML cannot hold are replaced by U+FFFD.
  package var xml: String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """
    append(to: &text, indentation: "")
    return text + "</plist>\n"
  }

  private func append(to text: inout String, indentation: String) {
    text += indentation
    switch self {
    case .dictionary(let members) where members.isEmpty: text += "<dict/>"
    case .dictionary(let members):
      text += "<dict>\n"
      // Keys with characters that XML cannot have may be written alike: the first one stays.
      let keys = members.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      let written = Dictionary(keys.map { (Self.escaped($0), $0) }) { first, _ in first }
      for key in written.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
        text += "\(indentation)\t<key>\(key)</key>\n"
        written[key].flatMap { members[$0] }?
          .append(to: &text, indentation: indentation + "\t")
      }
      text += indentation + "</dict>"
    case .array(let elements) where elements.isEmpty: text += "<array/>"
    case .array(let elements):
      text += "<array>\n"
      for element in elements { element.append(to: &text, indentation: indentation + "\t") }
      text += indentation + "</array>"
    case .string(let string): text += "<string>\(Self.escaped(string))</string>"
    case .integer(let number): text += "<integer>\(number)</integer>"
    case .real(let number): text += "<real>\(number)</real>"
    case .boolean(let value): text += value ? "<true/>" : "<false/>"
    case .data(let bytes): text += "<data>\(Base64.text(of: bytes))</data>"
    case .date(let seconds):
      text += "<date>\(PropertyListDate.text(secondsSince1970: seconds))</date>"
    }
    text += "\n"
  }

  private static func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
      case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
      case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
      case "\t", "\n": escaped.append(scalar)
      // Readers turn a carriage return into a line feed.
      case "\r": escaped.append(contentsOf: "&#13;".unicodeScalars)
      case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": escaped.append("\u{FFFD}")
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }
}

import Wording

/// The elements of pages.
package enum HtmlTag: String {
  case html, head, meta, link, title, style, script, body
  case header, nav, main, section, footer, div, p, pre, details, summary
  case heading1 = "h1"
  case heading2 = "h2"
  case heading3 = "h3"
  case span, b, a, code, small, label, input, output, select, option
  case ol, ul, li, dl, dt, dd
  case table, thead, tbody, tr, th, td
  case svg, rect

  /// Whether a line ends after the element. Between elements in a line it would show as a space.
  var endsLine: Bool {
    switch self {
    case .span, .b, .a, .code, .small, .label, .output, .select, .option: false
    default: true
    }
  }
}

/// Attributes of an element. Only a few have values from outside, but all values are escaped.
package enum HtmlAttribute: Sendable {
  /// How many callers a frame of a call tree has is a class too.
  case classes([HtmlClass], depth: Int? = nil)
  case named(KeyValuePairs<String, String>)
  case flag(String)

  package static func id(_ anchor: HtmlAnchor) -> Self { .named(["id": anchor.text]) }
  /// A link within the page.
  package static func link(_ anchor: HtmlAnchor) -> Self { .named(["href": "#" + anchor.text]) }
  static func describedBy(_ anchor: HtmlAnchor) -> Self {
    .named(["aria-describedby": anchor.text])
  }
  package static func `for`(_ anchor: HtmlAnchor) -> Self { .named(["for": anchor.text]) }
  package static func label(_ text: String) -> Self { .named(["aria-label": text]) }
  /// A list stays a list for readers that judge by its style.
  package static let listRole = Self.named(["role": "list"])
  package static let searchRole = Self.named(["role": "search"])
  static let open = Self.flag("open")
  package static let hidden = Self.flag("hidden")
  static func inputType(_ name: String) -> Self { .named(["type": name]) }
  static let noAutocompletion = Self.named(["autocomplete": "off", "spellcheck": "false"])
  package static let politelyLive = Self.named(["aria-live": "polite"])
  static let language = Self.named(["lang": "en"])
  static let characterSet = Self.named(["charset": "utf-8"])
  static func meta(name: String, content: String) -> Self {
    .named(["name": name, "content": content])
  }
  static func policy(_ policy: String) -> Self {
    .named(["http-equiv": "Content-Security-Policy", "content": policy])
  }
  /// An icon without content, so that no browser asks a server for one.
  static let emptyIcon = Self.named(["rel": "icon", "href": "data:,"])
  package static let rowScope = Self.named(["scope": "row"])
  package static let columnScope = Self.named(["scope": "col"])
  /// A link to the page of a report: 16 hexadecimal digits, or a word of this program.
  package static func page(_ name: String) -> Self { .named(["href": "pages/\(name).html"]) }
  /// What the script filters and sorts the rows of a table by: indices of options.
  package static func filterKeys(versions: [Int], systems: [Int]) -> Self {
    func list(_ indices: [Int]) -> String { indices.map(String.init).joined(separator: " ") }
    return .named(["data-v": list(versions), "data-s": list(systems)])
  }
  package static func value(_ text: String) -> Self { .named(["value": text]) }
  /// A picture that its label describes.
  package static let imageRole = Self.named(["role": "img"])
  package static func viewBox(width: Int, height: Int) -> Self {
    .named(["viewBox": "0 0 \(width) \(height)"])
  }
  /// The picture fills its place, whatever its shape.
  package static let stretched = Self.named(["preserveAspectRatio": "none"])
  package static func box(x: Int, y: Int, width: Int, height: Int) -> Self {
    .named(["x": "\(x)", "y": "\(y)", "width": "\(width)", "height": "\(height)"])
  }

  func write(to bytes: inout [UInt8]) {
    switch self {
    case .classes(let classes, let depth):
      guard !classes.isEmpty || depth != nil else { return }
      bytes.append(contentsOf: " class=\"".utf8)
      for (index, name) in classes.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: " ")) }
        bytes.append(contentsOf: name.rawValue.utf8)
      }
      if let depth {
        bytes.append(contentsOf: (classes.isEmpty ? "d" : " d").utf8)
        bytes.append(decimal: min(max(0, depth), HtmlClass.greatestDepth))
      }
      bytes.append(UInt8(ascii: "\""))
    case .named(let values):
      for (name, value) in values {
        bytes.append(contentsOf: " \(name)=\"".utf8)
        HtmlText.append(value, to: &bytes, .plain)
        bytes.append(UInt8(ascii: "\""))
      }
    case .flag(let name): bytes.append(contentsOf: " \(name)".utf8)
    }
  }
}

/// What the style sheet and the script call elements.
package enum HtmlClass: String, Sendable {
  case meta, tools
  /// The box that says why and where, and how sure that is.
  case headline, why, `where`, facts, certainty
  case notice, command
  case frames, tree, thread
  /// The further rounds of frames that repeat.
  case again
  /// A frame that was inlined into the next one, and the frame of the headline.
  case inlined, site
  /// A frame of a library, or of the operating system.
  case library, system
  case number = "no"
  case image = "im"
  case function = "fn"
  case place = "at"
  case address = "ad"
  case tag, source
  case sourceLine = "hit"
  case images, good, bad, detail, registers, fields
  /// Bars, over the whole page or in a table, and what is below them.
  case chart, wide, mini, axis
  case groups, versions, day
  /// The heading of a column, before a cell: for phones.
  case cellName = "cn"

  /// Deeper frames are not indented any further: lines would have no room.
  static let greatestDepth = 40
}

/// The name of a place in a page, made of words of this program and numbers.
package struct HtmlAnchor {
  let text: String

  private init(_ text: String) { self.text = text }

  package static let tools = HtmlAnchor("tools")
  static let filter = HtmlAnchor("filter")
  package static let found = HtmlAnchor("found")
  static let addresses = HtmlAnchor("addresses")
  package static let missing = HtmlAnchor("missing")
  package static let versions = HtmlAnchor("versions")
  package static let systems = HtmlAnchor("systems")

  /// A part of a report, by the report's index in the page.
  package static func report(_ index: Int, _ part: Part? = nil) -> HtmlAnchor {
    HtmlAnchor("r\(index + 1)" + (part.map { "-\($0.rawValue)" } ?? ""))
  }

  package enum Part: String {
    case headline, crash, threads, registers, images, report, site
  }
}

import Wording

/// The elements of pages.
package enum HtmlTag: String {
  case html, head, meta, link, title, style, script, body
  case header, nav, main, section, footer, div, p, pre, details, summary
  case heading1 = "h1"
  case heading2 = "h2"
  case heading3 = "h3"
  case span, b, a, code, small, label, input, output
  case ol, ul, li, dl, dt, dd
  case table, thead, tbody, tr, th, td
  case svg, rect

  /// Whether a line ends after the element. Between elements in a line it would show as a space.
  var endsLine: Bool {
    switch self {
    case .span, .b, .a, .code, .small, .label, .output: false
    default: true
    }
  }
}

/// An attribute of an element. Only a few have values from outside, which are escaped.
package enum HtmlAttribute {
  case classes([HtmlClass])
  case id(HtmlAnchor)
  /// A link within the page.
  case link(HtmlAnchor)
  case labelledBy(HtmlAnchor)
  case describedBy(HtmlAnchor)
  case `for`(HtmlAnchor)
  case label(String)
  /// A list stays a list for readers that judge by its style.
  case listRole
  case searchRole
  case open
  case hidden
  case inputType(InputType)
  case noAutocompletion
  case politelyLive
  case language
  case characterSet
  case meta(name: MetaName, content: String)
  case policy(String)
  /// An icon without content, so that no browser asks a server for one.
  case emptyIcon
  case rowScope
  case columnScope
  /// A link to the page of a report: 16 hexadecimal digits, or a word of this program.
  case page(String)
  /// A picture that its label describes.
  case imageRole
  case viewBox(width: Int, height: Int)
  /// The picture fills its place, whatever its shape.
  case stretched
  case box(x: Int, y: Int, width: Int, height: Int)

  package enum InputType: String {
    case search, checkbox
  }

  package enum MetaName: String {
    case viewport, referrer
    case colorScheme = "color-scheme"
  }

  package func write(to bytes: inout [UInt8]) {
    switch self {
    case .classes(let classes):
      guard !classes.isEmpty else { return }
      bytes.append(contentsOf: " class=\"".utf8)
      for (index, name) in classes.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: " ")) }
        name.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "\""))
    case .id(let anchor): Self.write(" id", anchor, to: &bytes)
    case .link(let anchor): Self.write(" href", anchor, prefix: "#", to: &bytes)
    case .labelledBy(let anchor): Self.write(" aria-labelledby", anchor, to: &bytes)
    case .describedBy(let anchor): Self.write(" aria-describedby", anchor, to: &bytes)
    case .for(let anchor): Self.write(" for", anchor, to: &bytes)
    case .label(let text): Self.write(" aria-label", text, to: &bytes)
    case .listRole: bytes.append(contentsOf: " role=\"list\"".utf8)
    case .searchRole: bytes.append(contentsOf: " role=\"search\"".utf8)
    case .open: bytes.append(contentsOf: " open".utf8)
    case .hidden: bytes.append(contentsOf: " hidden".utf8)
    case .inputType(let type): Self.write(" type", type.rawValue, to: &bytes)
    case .noAutocompletion:
      bytes.append(contentsOf: " autocomplete=\"off\" spellcheck=\"false\"".utf8)
    case .politelyLive: bytes.append(contentsOf: " aria-live=\"polite\"".utf8)
    case .language: bytes.append(contentsOf: " lang=\"en\"".utf8)
    case .characterSet: bytes.append(contentsOf: " charset=\"utf-8\"".utf8)
    case .meta(let name, let content):
      Self.write(" name", name.rawValue, to: &bytes)
      Self.write(" content", content, to: &bytes)
    case .policy(let policy):
      bytes.append(contentsOf: " http-equiv=\"Content-Security-Policy\"".utf8)
      Self.write(" content", policy, to: &bytes)
    case .rowScope: Self.write(" scope", "row", to: &bytes)
    case .columnScope: Self.write(" scope", "col", to: &bytes)
    case .page(let name): Self.write(" href", "pages/\(name).html", to: &bytes)
    case .imageRole: Self.write(" role", "img", to: &bytes)
    case .viewBox(let width, let height):
      Self.write(" viewBox", "0 0 \(width) \(height)", to: &bytes)
    case .stretched: Self.write(" preserveAspectRatio", "none", to: &bytes)
    case .box(let x, let y, let width, let height):
      for (name, value) in [(" x", x), (" y", y), (" width", width), (" height", height)] {
        Self.write(name, String(value), to: &bytes)
      }
    case .emptyIcon: bytes.append(contentsOf: " rel=\"icon\" href=\"data:,\"".utf8)
    }
  }

  private static func write(_ name: String, _ value: String, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: name.utf8)
    bytes.append(contentsOf: "=\"".utf8)
    HtmlText.append(value, to: &bytes, .plain)
    bytes.append(UInt8(ascii: "\""))
  }

  private static func write(
    _ name: String, _ anchor: HtmlAnchor, prefix: String = "", to bytes: inout [UInt8]
  ) {
    bytes.append(contentsOf: name.utf8)
    bytes.append(contentsOf: "=\"\(prefix)\(anchor.text)\"".utf8)
  }
}

/// What the style sheet and the script call elements.
package enum HtmlClass {
  case meta, tools, toggle, summaryLine
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
  /// How many callers a frame of a call tree has.
  case depth(Int)
  case number, image, function, place, address, tag
  case source, sourceLine
  case images, good, bad, detail, registers, fields
  /// Bars, over the whole page or in a table, and what is below them.
  case chart, wide, mini, axis
  case groups, versions, day
  /// The heading of a column, before a cell: for phones.
  case cellName
  /// What stands for a character that is not shown.
  case character

  /// Deeper frames are not indented any further: lines would have no room.
  static let greatestDepth = 40

  package func write(to bytes: inout [UInt8]) {
    if case .depth(let depth) = self {
      bytes.append(UInt8(ascii: "d"))
      bytes.append(decimal: min(max(0, depth), Self.greatestDepth))
    } else {
      bytes.append(contentsOf: name.utf8)
    }
  }

  private var name: String {
    switch self {
    case .meta: "meta"
    case .tools: "tools"
    case .toggle: "toggle"
    case .summaryLine: "line"
    case .headline: "headline"
    case .why: "why"
    case .where: "where"
    case .facts: "facts"
    case .certainty: "certainty"
    case .notice: "notice"
    case .command: "command"
    case .frames: "frames"
    case .tree: "tree"
    case .thread: "thread"
    case .again: "again"
    case .inlined: "inlined"
    case .site: "site"
    case .library: "library"
    case .system: "system"
    case .depth: "d"
    case .number: "no"
    case .image: "im"
    case .function: "fn"
    case .place: "at"
    case .address: "ad"
    case .tag: "tag"
    case .source: "source"
    case .sourceLine: "hit"
    case .images: "images"
    case .good: "good"
    case .bad: "bad"
    case .detail: "detail"
    case .registers: "registers"
    case .fields: "fields"
    case .chart: "chart"
    case .wide: "wide"
    case .mini: "mini"
    case .axis: "axis"
    case .groups: "groups"
    case .versions: "versions"
    case .day: "day"
    case .cellName: "cn"
    case .character: "ch"
    }
  }
}

/// The name of a place in a page, made of words of this program and numbers.
package struct HtmlAnchor {
  package let text: String

  private init(_ text: String) { self.text = text }

  static let tools = HtmlAnchor("tools")
  static let filter = HtmlAnchor("filter")
  static let found = HtmlAnchor("found")
  static let addresses = HtmlAnchor("addresses")
  static let contents = HtmlAnchor("contents")
  package static let missing = HtmlAnchor("missing")

  /// A part of a report, by the report's index in the page.
  package static func report(_ index: Int, _ part: Part? = nil) -> HtmlAnchor {
    HtmlAnchor("r\(index + 1)" + (part.map { "-\($0.rawValue)" } ?? ""))
  }

  package enum Part: String {
    case headline, crash, threads, registers, images, report, site
  }
}

/// The frame of a page: what every page has around its content.
///
/// A page is one file. It loads nothing, and it is complete without a script.
package struct HtmlPage {
  /// What a browser shows in its tab.
  let title: String
  /// The last words of the page.
  let legend: String

  package init(title: String, legend: String = PageWords.legend) {
    self.title = title
    self.legend = legend
  }

  /// Writes the page.
  ///
  /// - Parameters:
  ///   - header: what is at the top: the heading and the contents.
  ///   - main: everything else.
  package func write(
    to writer: inout HtmlWriter, header: (inout HtmlWriter) -> Void,
    main: (inout HtmlWriter) -> Void
  ) {
    writer.documentType()
    writer.element(.html, .language) { writer in
      writer.newline()
      writer.element(.head) { head(&$0) }
      writer.element(.body) { writer in
        writer.newline()
        writer.element(.header, content: header)
        writer.element(.main, content: main)
        writer.element(.footer) { $0.text(legend) }
        writer.inline(.script)
      }
    }
    writer.finish()
  }

  private func head(_ writer: inout HtmlWriter) {
    writer.newline()
    writer.empty(.meta, .characterSet)
    writer.newline()
    writer.empty(.meta, .policy(HtmlResource.policy))
    writer.newline()
    writer.empty(.meta, .meta(name: "viewport", content: "width=device-width, initial-scale=1"))
    writer.newline()
    writer.empty(.meta, .meta(name: "referrer", content: "no-referrer"))
    writer.newline()
    writer.empty(.meta, .meta(name: "color-scheme", content: "light dark"))
    writer.newline()
    writer.element(.title) { $0.plainText(title) }
    writer.empty(.link, .emptyIcon)
    writer.newline()
    writer.inline(.style)
  }
}

extension HtmlWriter {
  /// Writes a heading of the page (1), a section (2) or a part of one (3).
  package mutating func heading(
    _ level: Int, _ attributes: HtmlAttribute..., content: (inout HtmlWriter) -> Void
  ) {
    let tag: HtmlTag =
      switch level {
      case ...1: .heading1
      case 2: .heading2
      default: .heading3
      }
    element(tag, attributes, content: content)
  }

  /// Writes the box that filters frames, which the script makes visible, and the switch for
  /// addresses, which needs none.
  mutating func frameTools() {
    element(.div, .classes([.tools])) { writer in
      writer.element(.div, .searchRole, .id(.tools), .hidden) { writer in
        writer.element(.label, .for(.filter), text: PageWords.filter)
        writer.empty(
          .input, .inputType("search"), .id(.filter), .describedBy(.found), .noAutocompletion)
        writer.element(.output, .id(.found), .for(.filter), .politelyLive, text: "")
      }
      writer.element(.label) { writer in
        writer.empty(.input, .inputType("checkbox"), .id(.addresses))
        writer.text(PageWords.addresses)
      }
    }
  }
}

/// What a page has in itself besides its content: the style sheet and the script.
///
/// The page's policy allows exactly these two, by their hashes, and nothing else. So even if a text
/// got into the page unescaped, no browser would run it.
struct HtmlResource {
  let tag: HtmlTag
  package let text: String
  /// The SHA-256 of `text` in base 64 (Content Security Policy Level 3, section 2.3.1). A test
  /// compares it.
  let hash: String
}

extension HtmlResource {
  /// Nothing is loaded or sent, and only the page's own style and script count.
  static let policy = [
    "default-src 'none'", "style-src 'sha256-\(style.hash)'", "script-src 'sha256-\(script.hash)'",
    "img-src data:", "base-uri 'none'", "form-action 'none'",
  ].joined(separator: "; ")
}

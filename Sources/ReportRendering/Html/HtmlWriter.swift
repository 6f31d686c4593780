import Wording

/// Writes a page as a tree of elements.
///
/// Nothing can be written unescaped: tags and attributes are values of this program
/// (``HtmlTag``, ``HtmlAttribute``), and text from a report or a symbol file goes through
/// ``HtmlText``. Every element that is opened is closed.
package struct HtmlWriter {
  package private(set) var bytes: [UInt8] = []
  private let take: ((inout [UInt8]) -> Void)?

  /// - Parameter take: takes away what has been written, from time to time; nil to keep everything
  ///   in `bytes`.
  package init(take: ((inout [UInt8]) -> Void)? = nil) { self.take = take }

  /// Writes an element that has only text.
  package mutating func element(_ tag: HtmlTag, _ attributes: HtmlAttribute..., text: String) {
    start(tag, attributes)
    self.text(text)
    end(tag)
  }

  /// Writes an element.
  package mutating func element(
    _ tag: HtmlTag, _ attributes: HtmlAttribute..., content: (inout HtmlWriter) -> Void
  ) {
    element(tag, attributes, content: content)
  }

  /// Writes an element.
  package mutating func element(
    _ tag: HtmlTag, _ attributes: [HtmlAttribute], content: (inout HtmlWriter) -> Void
  ) {
    start(tag, attributes)
    content(&self)
    end(tag)
  }

  /// Writes an element without content and end: `meta`, `link`, `input`.
  mutating func empty(_ tag: HtmlTag, _ attributes: HtmlAttribute...) { start(tag, attributes) }

  private mutating func start(_ tag: HtmlTag, _ attributes: [HtmlAttribute]) {
    if bytes.count >= Self.pieceSize { take?(&bytes) }
    bytes.append(UInt8(ascii: "<"))
    bytes.append(contentsOf: tag.rawValue.utf8)
    for attribute in attributes { attribute.write(to: &bytes) }
    bytes.append(UInt8(ascii: ">"))
  }

  /// Large enough that a system call for each costs nothing.
  private static let pieceSize = 1 << 18

  private mutating func end(_ tag: HtmlTag) {
    bytes.append(contentsOf: "</".utf8)
    bytes.append(contentsOf: tag.rawValue.utf8)
    bytes.append(UInt8(ascii: ">"))
    // Lines for people who look at the source.
    if tag.endsLine { bytes.append(UInt8(ascii: "\n")) }
  }

  // MARK: Text

  /// Writes text: characters that HTML or a reader would take for something else are replaced.
  package mutating func text(_ text: String) { HtmlText.append(text, to: &bytes, .content) }

  /// Writes a name, which a browser may break at the separators in it.
  package mutating func name(_ name: String) {
    HtmlText.append(name, to: &bytes, .breakableContent)
  }

  /// Writes text in `title` or `option`, where no elements are.
  package mutating func plainText(_ text: String) { HtmlText.append(text, to: &bytes, .plain) }

  package mutating func number(_ number: Int) { bytes.append(decimal: number) }

  /// Writes an address such as `0x000000010024f19c`.
  mutating func address(_ address: UInt64) {
    bytes.append(contentsOf: "0x".utf8)
    bytes.append(hexadecimal: address, digitCount: 16)
  }

  /// Separates two elements in a line, for those who copy it.
  package mutating func space() { bytes.append(UInt8(ascii: " ")) }

  mutating func newline() { bytes.append(UInt8(ascii: "\n")) }

  // MARK: The page

  /// Writes what precedes all elements.
  mutating func documentType() { bytes.append(contentsOf: "<!DOCTYPE html>\n".utf8) }

  /// Writes the style sheet or the script of all pages.
  mutating func inline(_ resource: HtmlResource) {
    start(resource.tag, [])
    bytes.append(contentsOf: resource.text.utf8)
    end(resource.tag)
  }

  /// Gives away everything that was written.
  mutating func finish() { take?(&bytes) }
}

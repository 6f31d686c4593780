import JsonReading

/// What an input has around its reports: a quoted mail, a web page, UTF-16 and the like, several of
/// them one in the other.
///
/// All ranges in the reports of such an input are offsets in ``text``, in which the reports stand
/// as they were written. ``inputRange(of:)`` says where that is in the input.
public struct ReportWrapping: Sendable {
  /// The input without its wrappings. It may hold other text than reports.
  public let text: [UInt8]
  /// The outermost first; never empty.
  private let layers: [UnwrappedText]

  package init?(_ layers: [UnwrappedText]) {
    guard let last = layers.last else { return nil }
    self.text = last.text
    self.layers = layers
  }

  /// Whether the text is what binary data stand for: changes of it have no place in the input.
  package var isTranslation: Bool { layers.contains(where: \.isTranslation) }

  /// The bytes of the input that a range of ``text`` was read from: for an empty range the place
  /// where it is.
  public func inputRange(of range: Range<Int>) -> Range<Int> {
    var range = range
    for layer in layers.reversed() { range = layer.map.outerRange(of: range) }
    return range
  }

  /// The edits of the input that edits of ``text`` come to. Nil if one would damage a wrapping, as
  /// text that is in several groups of an RTF file would.
  package func inputEdits(_ edits: [TextEdit]) -> [TextEdit]? {
    guard !isTranslation else { return nil }
    var edits = edits
    for layer in layers.reversed() {
      guard let outer = layer.outerEdits(edits) else { return nil }
      edits = outer
    }
    return edits
  }
}

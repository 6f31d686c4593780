package import ReportFormats
package import ReportModel

/// Recognises one way of wrapping a report, and takes the text out of it.
///
/// A new wrapping is a type in this module that conforms to this protocol, and an entry in
/// ``Wrappings/all``.
package protocol WrappingReader: Sendable {
  /// The text in the wrapping, with a piece for each part of it; nil if the input is not wrapped in
  /// this way. A reader may be wrong: the text counts only if a report is found in it.
  ///
  /// Its time must be proportional to the size of the input, and the text must not be larger than
  /// twice the input.
  func unwrap(_ source: TextSource) -> UnwrappedText?
}

/// The wrappings that are read.
package struct Wrappings: Sendable {
  /// All of them, in the order in which they are tried. Those that are certain come first; those
  /// that change single characters come after those that change lines.
  package let all: [any WrappingReader]

  /// - Parameter formats: what the formats that are read are recognised by.
  package init(_ formats: FormatSigns) {
    all = [
      Utf16Wrapping(), RtfWrapping(), CarriageReturnWrapping(), EncodedMailWrapping(),
      TelemetryWrapping(), JsonPartsWrapping(), JsonStringWrapping(), ColourWrapping(),
      SamplePieceWrapping(), LineNumberWrapping(), MarkdownPartsWrapping(), FrameListWrapping(),
      FlutterLogWrapping(),
      LinePrefixWrapping(formats: formats), HtmlWrapping(), FenceWrapping(), HardBreakWrapping(),
      DoubledLineEndWrapping(), PaddedLinesWrapping(), SyslogWrapping(), MarkdownWrapping(),
      LinkedNumberWrapping(), NumberSignWrapping(), TypographyWrapping(), PropertyListWrapping(),
      JsonBreakWrapping(), JsonPieceWrapping(), BrokenFrameWrapping(), CellWrapping(),
      RunOnWrapping(),
    ]
  }

  /// Those that damaged JSON may have.
  package static let ofDamagedJson: [any WrappingReader] = [
    HtmlWrapping(), TypographyWrapping(), JsonBreakWrapping(),
  ]

  /// Those that single lines about a crash may have, one in another.
  package static let ofStatements: [any WrappingReader] = [
    HtmlWrapping(), MarkdownWrapping(), MarkdownPartsWrapping(), RunOnWrapping(),
  ]
}

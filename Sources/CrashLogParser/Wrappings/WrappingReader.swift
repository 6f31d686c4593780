import ReportModel

/// Recognises one way of wrapping a report, and takes the text out of it.
///
/// A new wrapping is a type in `Wrappings/` that conforms to this protocol, and an
/// entry in ``CrashLogParser/wrappings``.
protocol WrappingReader: Sendable {
  /// The text in the wrapping, with a piece for each part of it; nil if the input is not wrapped in
  /// this way. A reader may be wrong: the text counts only if a report is found in it.
  ///
  /// Its time must be proportional to the size of the input, and the text must not be larger than
  /// twice the input.
  func unwrap(_ source: TextSource) -> UnwrappedText?
}

extension CrashLogParser {
  /// The wrappings, in the order in which they are tried. Those that are certain come first; those
  /// that change single characters come after those that change lines.
  static let wrappings: [any WrappingReader] = [
    Utf16Wrapping(), RtfWrapping(), CarriageReturnWrapping(), EncodedMailWrapping(),
    TelemetryWrapping(), JsonPartsWrapping(), JsonStringWrapping(), ColourWrapping(),
    SamplePieceWrapping(), MarkdownPartsWrapping(), FrameListWrapping(), FlutterLogWrapping(),
    LinePrefixWrapping(), HtmlWrapping(), FenceWrapping(), HardBreakWrapping(),
    DoubledLineEndWrapping(), PaddedLinesWrapping(), SyslogWrapping(), MarkdownWrapping(),
    LinkedNumberWrapping(), NumberSignWrapping(), TypographyWrapping(), PropertyListWrapping(),
    JsonBreakWrapping(), JsonPieceWrapping(), BrokenFrameWrapping(), CellWrapping(),
    RunOnWrapping(),
  ]
}

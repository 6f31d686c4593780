import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

extension TextSource {
  /// A message with what the line below says, if the message ends in a colon, and that line begins
  /// with a path, or is indented and no frame of JavaScript. Of paths it has the last names, which
  /// leave room for the rest.
  ///
  /// ```text
  /// Error: dlopen(/tmp/board.node, 1): no suitable image found.  Did find:
  ///     /tmp/board.node: code signature not valid for use in process using Library Validation
  ///     at process.func [as dlopen] (electron/js2c/asar_bundle.js:5:1812)
  /// ```
  ///
  /// Source: apple-oss-distributions/dyld, src/dyld2.cpp (`no suitable image found.  Did find:`).
  ///
  /// - Parameters:
  ///   - words: of the message, maybe without the colon.
  ///   - message: where it stands.
  ///   - line: on which it ends.
  func continued(_ words: String, _ message: Range<Int>, _ line: TextLine) -> String {
    let end = trimEnd(from: message.lowerBound, to: message.upperBound)
    guard end - message.lowerBound > 8, self[end - 1] == Ascii.colon else { return words }
    let below = self.line(at: line.next)
    let text = trimmed(below.start..<below.end)
    guard (9..<1024).contains(text.count), !has("at ", at: text.lowerBound, limit: text.upperBound)
    else { return words }
    let isIndented = text.lowerBound > below.start && Ascii.isWord(self[text.lowerBound])
    guard
      self[text.lowerBound] == Ascii.slash
        || isIndented && find("rror: ", from: message.lowerBound, limit: end) != nil
    else { return words }
    return "\(words)\(words.hasSuffix(":") ? "" : ":") \(string(text))".withShortPaths
  }
}

extension String {
  /// With the last names of paths in the place of them.
  fileprivate var withShortPaths: String {
    var text: [UInt8] = []
    var isPath = false
    /// Where the name of the path begins that is being read.
    var nameStart = 0
    for byte in utf8 {
      let isStart = text.last.map { " ('\"".utf8.contains($0) } ?? true
      if byte == UInt8(ascii: "/"), isPath || isStart {
        if isPath { text.removeSubrange(nameStart...) }
        (isPath, nameStart) = (true, text.count)
        continue
      }
      if " ,:)'\"".utf8.contains(byte) { isPath = false }
      text.append(byte)
    }
    return String(decoding: text, as: UTF8.self)
  }
}

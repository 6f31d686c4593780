import JsonReading
import ReportFormats
import ReportModel

/// The source file in the parentheses of a spindump's frame: `App.swift:31,1 in App + 17460019`.
package enum SpindumpFile {
  /// Whether a text before ` in ` is a file, and not the start of an image's name: it ends with a
  /// line (`vector:512`) or an extension, or is something like `<compiler-generated>`.
  ///
  /// Time: in proportion to the number or extension at the end, not to the text.
  package static func isRecognised(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first, let last = text.last else { return false }
    if first == Ascii.less, last == Ascii.greater { return true }
    var rest = text
    if Ascii.isDigit(last) {
      while let byte = rest.last, Ascii.isDigit(byte) || byte == Ascii.comma { rest.removeLast() }
      if rest.last == Ascii.colon, rest.count > 1 { return true }
      rest = text
    }
    var length = 0
    while let byte = rest.last, Ascii.isWord(byte) || byte == Ascii.plus, length < 16 {
      rest.removeLast()
      length += 1
    }
    return length > 0 && rest.last == UInt8(ascii: ".") && rest.count > 1
  }
}

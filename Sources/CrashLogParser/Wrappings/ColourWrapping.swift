import JsonReading
import ReportFormats
import ReportModel
import RuntimeReports
import SampledReports
import SdkReports
import SymbolicationModel

/// Text with the codes by which terminals colour it (`ESC [ 31 m`).
struct ColourWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    let bytes = source.bytes
    guard bytes.contains(TextSource.escape) else { return nil }
    var text = UnwrappedText(of: bytes, dress: .repeated)
    text.reserve(bytes.count)
    var copied = 0
    var position = bytes.span.firstOffset(of: TextSource.escape, from: 0)
    while position < bytes.count {
      if let end = source.colourEnd(at: position) {
        text.copy(copied..<position)
        copied = end
        position = end
      } else {
        position += 1
      }
      position = bytes.span.firstOffset(of: TextSource.escape, from: position)
    }
    text.copy(copied..<bytes.count)
    return text
  }
}

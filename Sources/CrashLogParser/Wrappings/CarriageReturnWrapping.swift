import JsonReading
import ReportFormats
import ReportModel
import RuntimeReports
import SampledReports
import SdkReports

/// Text whose lines end with CR alone, as classic Mac OS wrote it and some forms on web pages do.
struct CarriageReturnWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    let bytes = source.bytes
    guard bytes.prefix(Self.headLength).contains(Ascii.carriageReturn),
      !bytes.contains(Ascii.lineFeed)
    else { return nil }
    var text = UnwrappedText(of: bytes) { Array($0) }
    text.put(
      bytes.map { $0 == Ascii.carriageReturn ? Ascii.lineFeed : $0 }, for: bytes.indices)
    return text
  }

  private static let headLength = 16 << 10
}

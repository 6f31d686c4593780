import CrashLogParser
import SymbolicationModel

/// The images of a report with their places in the list that is written.
struct JsonImages {
  struct Entry {
    let image: ReportImage
    /// Inclusive; nil where the report does not tell it.
    let lastAddress: LoadAddress?
  }

  /// Those that the report lists, in its order and without the entries that stand for no image of their
  /// own; then those that only frames tell of.
  private(set) var entries: [Entry] = []
  private var places: [ReportImage: Int] = [:]

  init(_ report: SymbolicatedReport) {
    let architecture = report.source.architecture
    switch report.source {
    case .text(let text):
      for image in text.images where !image.isAbsolutePseudoImage {
        append(
          ReportImage(image, reportArchitecture: architecture),
          image.byteCount > 0 ? image.lastAddress : nil)
      }
    case .ips(let ips):
      for image in ips.images {
        guard let shown = ReportImage(image, reportArchitecture: architecture) else { continue }
        append(shown, image.byteCount > 0 ? image.lastAddress : nil)
      }
    case .swiftBacktrace(let backtrace):
      for image in backtrace.images {
        append(
          ReportImage(image, reportArchitecture: architecture),
          image.endAddress > image.loadAddress
            ? LoadAddress(image.endAddress.value &- 1) : nil)
      }
    }
    for backtrace in report.backtraces {
      for frame in backtrace.frames {
        if let image = frame.image, places[image] == nil { append(image, nil) }
      }
    }
  }

  /// Where an image stands in `entries`.
  func place(of image: ReportImage) -> Int? { places[image] }

  private mutating func append(_ image: ReportImage, _ lastAddress: LoadAddress?) {
    if places[image] == nil { places[image] = entries.count }
    entries.append(Entry(image: image, lastAddress: lastAddress))
  }
}

import CrashLogParser
import SymbolicationModel

/// The images of a report as JSON lists them, and their indices in that list.
struct JsonImages {
  struct Entry {
    let image: ReportImage
    /// Inclusive; nil if the report does not state it.
    let lastAddress: LoadAddress?
  }

  /// The images that the report lists, in its order, without entries that stand for no image of
  /// their own; then those that only frames mention.
  private(set) var entries: [Entry] = []
  private var indices: [ReportImage: Int] = [:]

  init(_ report: SymbolicatedReport) {
    for image in report.source.images {
      guard
        let shown = ReportImage(image, reportArchitecture: report.source.facts.architecture)
      else { continue }
      append(shown, image.byteCount > 0 ? image.lastAddress : nil)
    }
    for backtrace in report.backtraces {
      for frame in backtrace.frames {
        if let image = frame.image, indices[image] == nil { append(image, nil) }
      }
    }
  }

  /// The index of an image in `entries`.
  func index(of image: ReportImage) -> Int? { indices[image] }

  private mutating func append(_ image: ReportImage, _ lastAddress: LoadAddress?) {
    if indices[image] == nil { indices[image] = entries.count }
    entries.append(Entry(image: image, lastAddress: lastAddress))
  }
}

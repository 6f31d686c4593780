import CrashLogParser
package import SymbolicationModel

/// The images of a report as JSON lists them, and their indices in that list.
package struct JsonImages {
  package struct Entry {
    package let image: ReportImage
    /// Inclusive; nil if the report does not state it.
    package let lastAddress: LoadAddress?
  }

  /// The images that the report lists, in its order, without entries that stand for no image of
  /// their own; then those that only frames mention.
  package private(set) var entries: [Entry] = []
  private var indices: [ReportImage: Int] = [:]

  package init(_ report: SymbolicatedReport) {
    entries.reserveCapacity(report.source.images.count)
    indices.reserveCapacity(report.source.images.count)
    let architecture = report.source.architecture
    let allListed = report.source.images
    let listed = allListed.span
    for index in listed.indices {
      let known = report.knownImages[index]
      guard let shown = known ?? ReportImage(listed[index], reportArchitecture: architecture)
      else { continue }
      append(shown, listed[index].byteCount > 0 ? listed[index].lastAddress : nil)
    }
    var last: ReportImage?
    for backtrace in report.backtraces.indices {
      for frame in report.backtraces[backtrace].frames.indices {
        guard let image = report.backtraces[backtrace].frames[frame].image, image !== last
        else { continue }
        if let index = indices[image] {
          // The frames' object is the one to look up, which then needs no look at its content.
          if entries[index].image !== image { replace(at: index, with: image) }
        } else {
          append(image, nil)
        }
        last = image
      }
    }
  }

  /// The index of an image in `entries`.
  package func index(of image: ReportImage) -> Int? { indices[image] }

  private mutating func append(_ image: ReportImage, _ lastAddress: LoadAddress?) {
    let index = entries.count
    if let first = indices.updateValue(index, forKey: image) { indices[image] = first }
    entries.append(Entry(image: image, lastAddress: lastAddress))
  }

  /// Puts an equal object in place of an image.
  private mutating func replace(at index: Int, with image: ReportImage) {
    entries[index] = Entry(image: image, lastAddress: entries[index].lastAddress)
    indices.removeValue(forKey: image)
    indices[image] = index
  }
}

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
  /// Of the images that the report lists: their indices in `entries`, by those in the report; -1
  /// for an entry that stands for no image.
  private var listedIndices: [Int] = []
  /// Of the images that only frames mention.
  private var otherIndices: [ReportImage: Int] = [:]

  package init(_ report: SymbolicatedReport) {
    let architecture = report.source.architecture
    let allListed = report.source.images
    let listed = allListed.span
    entries.reserveCapacity(listed.count)
    listedIndices.reserveCapacity(listed.count)
    for index in listed.indices {
      let known = report.knownImages[index]
      let shown = known ?? ReportImage(listed[index], at: index, reportArchitecture: architecture)
      listedIndices.append(shown == nil ? -1 : entries.count)
      guard let shown else { continue }
      let lastAddress = listed[index].byteCount > 0 ? listed[index].lastAddress : nil
      entries.append(Entry(image: shown, lastAddress: lastAddress))
    }
    var last: ReportImage?
    for backtrace in report.backtraces.indices {
      for frame in report.backtraces[backtrace].frames.indices {
        guard let image = report.backtraces[backtrace].frames[frame].image, image !== last
        else { continue }
        last = image
        guard image.listIndex == nil, otherIndices[image] == nil else { continue }
        otherIndices[image] = entries.count
        entries.append(Entry(image: image, lastAddress: nil))
      }
    }
  }

  /// The index of an image in `entries`.
  package func index(of image: ReportImage) -> Int? {
    guard let index = image.listIndex else { return otherIndices[image] }
    return listedIndices[index]
  }
}

import CrashLogParser
package import SymbolicationModel

/// The images of a report as JSON lists them, and their indices in that list.
package struct JsonImages {
  package struct Entry {
    package let image: ReportImage
    /// Inclusive; nil if the report does not state it.
    package let lastAddress: LoadAddress?
    /// Whether frames lie in it. Only then may it have a symbol file.
    package let isOfFrames: Bool
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
      // Each look into the list is a copy.
      let image = listed[index]
      let known = report.knownImages[index]
      let shown =
        known
        ?? ReportImage(
          image, at: index, reportArchitecture: architecture, isOfFrames: false)
      listedIndices.append(shown == nil ? -1 : entries.count)
      guard let shown else { continue }
      entries.append(
        Entry(
          image: shown, lastAddress: image.byteCount > 0 ? image.lastAddress : nil,
          isOfFrames: known != nil))
    }
    var last: ReportImage?
    for backtrace in report.backtraces.indices {
      for frame in report.backtraces[backtrace].frames.indices {
        guard let image = report.backtraces[backtrace].frames[frame].image, image !== last
        else { continue }
        last = image
        if let index = image.listIndex {
          noteFrames(in: image, at: listedIndices[index])
          continue
        }
        guard otherIndices[image] == nil else { continue }
        otherIndices[image] = entries.count
        entries.append(Entry(image: image, lastAddress: nil, isOfFrames: true))
      }
    }
  }

  /// A frame that was looked up again, as another kind of address, may lie in an image that no
  /// frame was in before.
  private mutating func noteFrames(in image: ReportImage, at index: Int) {
    guard entries.indices.contains(index), !entries[index].isOfFrames else { return }
    entries[index] = Entry(
      image: image, lastAddress: entries[index].lastAddress, isOfFrames: true)
  }

  /// The index of an image in `entries`.
  package func index(of image: ReportImage) -> Int? {
    guard let index = image.listIndex else { return otherIndices[image] }
    return listedIndices[index]
  }
}

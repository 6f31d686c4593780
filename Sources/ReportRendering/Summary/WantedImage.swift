import CrashReading
import ReportSymbolication

/// The image whose symbols would improve the reading of a crash most: of those without symbols, the
/// user's own come first, then the one with the most frames of the crash, then the one that is
/// nearest to it.
struct WantedImage {
  let image: ReportImage
  /// How many frames of the crash have no name for want of its symbols.
  let frameCount: Int

  /// Nil if no frame of the crash lacks a name, or if the report does not say where it crashed.
  ///
  /// - Parameter options: whether frames of the system are shown.
  init?(
    _ report: SymbolicatedReport, _ reading: CrashReading, _ options: SymbolicationOptions
  ) {
    let images = report.missingImages.map(\.image)
    // Symbols of the system are found by UUID alone.
    let missing = Set(
      images.filter { image in
        !image.belongsToSystem || !options.onlyUserCode && image.identity != nil
      })
    guard !missing.isEmpty, let (index, _) = report.crashBacktrace() else { return nil }
    var counts: [ReportImage: Int] = [:]
    var order: [ReportImage] = []
    for frame in reading.frames(ofBacktrace: index) where frame.function == nil {
      guard let image = frame.image, missing.contains(image) else { continue }
      if counts[image] == nil { order.append(image) }
      counts[image, default: 0] += 1
    }
    func isBetter(_ one: ReportImage, than other: ReportImage) -> Bool {
      if one.belongsToSystem != other.belongsToSystem { return other.belongsToSystem }
      return counts[one, default: 0] > counts[other, default: 0]
    }
    // The nearest of several comes first.
    guard var best = order.first else { return nil }
    for image in order.dropFirst() where isBetter(image, than: best) { best = image }
    image = best
    frameCount = counts[best, default: 0]
  }
}

package import CrashLogParser
package import ReportSymbolication
package import SymbolicationModel

/// The images of a report in which frames lie, with the UUIDs or build-ids by which their symbol
/// files are found.
package struct ReportIdentities: Hashable, Sendable {
  /// The path of the report, or `standard input`.
  package let path: String
  /// Images of the app first, then those of the operating system; both in the order of the report.
  package let images: [NeededImage]
  /// The limits that left a part of the report out.
  let exceededLimits: [ResourceLimit]

  /// Throws if `bytes` hold no report.
  init(
    _ bytes: [UInt8], shownPath: String, limits: ResourceLimits = ResourceLimits()
  ) throws(CrashLogParseError) {
    self.path = shownPath
    let parsed = try CrashLogParser.parse(bytes, limits: limits)
    if let format = parsed.formatWithoutStacks { throw .noReportFound(format) }
    exceededLimits = parsed.flatMap(\.exceededLimits).withoutRepetitions
    let reports = parsed.map { report in
      var reader = BacktraceReader(report: report)
      return reader.read(SymbolicationOptions())
    }
    var images: [NeededImage] = []
    var indices: [NeededImage.Key: Int] = [:]
    // A text and the JSON that it was made from count once.
    for report in reports.ofDistinctIncidents {
      for image in NeededImage.images(of: report) {
        images.merge(image, image.key, &indices) { $0.add(image) }
      }
    }
    self.images =
      images.filter { !$0.image.belongsToSystem } + images.filter { $0.image.belongsToSystem }
  }
}

/// An image of a report with frames in it.
package struct NeededImage: Hashable, Sendable {
  package let image: ReportImage
  /// Inclusive; nil if the report does not state it.
  package let lastAddress: LoadAddress?
  /// The backtraces with frames in it, in the order of the report.
  package private(set) var backtraces: [BacktraceShare]

  /// The frames of an image in one backtrace.
  package struct BacktraceShare: Hashable, Sendable {
    package let kind: Backtrace.Kind
    /// Nil if the report has none.
    package let number: Int?
    package let isCrashed: Bool
    package internal(set) var frameCount: Int
    /// The frames without a function name.
    package internal(set) var namelessCount: Int
  }

  package var frameCount: Int { backtraces.reduce(0) { $0 + $1.frameCount } }
  package var namelessCount: Int { backtraces.reduce(0) { $0 + $1.namelessCount } }

  /// Images with equal keys are the same image in several reports of an input.
  struct Key: Hashable {
    let identity: ImageIdentity?
    let architecture: Architecture?
    let name: String
    let loadAddress: LoadAddress
  }

  var key: Key {
    Key(
      identity: image.identity, architecture: image.architecture, name: image.name,
      loadAddress: image.loadAddress)
  }

  mutating func add(_ other: NeededImage) { backtraces += other.backtraces }

  /// In the order of the report's list; images that only frames mention come last.
  static func images(of report: SymbolicatedReport) -> [NeededImage] {
    var shares: [ReportImage: [BacktraceShare]] = [:]
    for backtrace in report.backtraces {
      var own: [ReportImage: BacktraceShare] = [:]
      for index in backtrace.frames.indices {
        guard let image = backtrace.frames[index].image else { continue }
        own[
          image,
          default: BacktraceShare(
            kind: backtrace.source.kind, number: backtrace.source.number,
            isCrashed: backtrace.source.isCrashed, frameCount: 0, namelessCount: 0)
        ].count(isNameless: backtrace.frames[index].stated == nil)
      }
      for (image, share) in own { shares[image, default: []].append(share) }
    }
    var images: [NeededImage] = []
    for entry in JsonImages(report).entries {
      guard let shares = shares.removeValue(forKey: entry.image) else { continue }
      images.append(
        NeededImage(image: entry.image, lastAddress: entry.lastAddress, backtraces: shares))
    }
    return images
  }
}

extension NeededImage.BacktraceShare {
  fileprivate mutating func count(isNameless: Bool) {
    frameCount += 1
    if isNameless { namelessCount += 1 }
  }
}

import CrashLogParser
package import ReportSymbolication
package import SymbolStore
import SymbolicationModel

/// The images whose symbols a set of reports, or a list, needs.
package struct NeededImages: Sendable {
  /// In the order in which they were first needed.
  package private(set) var images: [Image] = []
  private var places: [Key: Int] = [:]
  /// The reports, and the inputs that hold them.
  package private(set) var inputCount = 0

  package struct Image: Sendable {
    package let description: ImageDescription
    let wanted: WantedSymbols.Image
    /// How many inputs have frames without a name in it, and how many such frames they have.
    fileprivate(set) var inputCount: Int
    fileprivate(set) var frameCount: Int
    /// Whether it stands in a list.
    fileprivate(set) var isListed = false

    /// Whether its symbols are missed if there are none: in reports, some frames only want lines.
    var isMissed: Bool { isListed || frameCount > 0 }
  }

  /// The identity says which image it is; without one, a name and an architecture.
  private enum Key: Hashable, Sendable {
    case identity(ImageIdentity)
    case description(ImageDescription)

    init(_ description: ImageDescription) {
      self = description.identity.map(Key.identity) ?? .description(description)
    }
  }

  package init() {}

  /// Adds the images that a run over the input would look up frames in.
  package mutating func add(_ input: PreparedInput) {
    inputCount += 1
    var frames: [Key: Int] = [:]
    var order: [(ReportImage, ImageDescription)] = []
    for report in input.reports {
      for (questions, description) in zip(report.questions, report.images) {
        let key = Key(description)
        if frames[key] == nil { order.append((questions.image, description)) }
        frames[key, default: 0] += questions.namelessCount
      }
    }
    for (image, description) in order {
      let count = frames[Key(description)] ?? 0
      add(
        Image(
          description: description, wanted: WantedSymbols.Image(image),
          inputCount: count > 0 ? 1 : 0, frameCount: count))
    }
  }

  /// Adds the images of a list.
  package mutating func add(_ list: UuidList) {
    for entry in list.entries {
      let identity = entry.identity.identity
      add(
        Image(
          description: ImageDescription(
            identity: identity, architecture: entry.architecture,
            names: Set([entry.name].compactMap(\.self))),
          wanted: WantedSymbols.Image(
            name: entry.name ?? "", identity: identity, architecture: entry.architecture),
          inputCount: 0, frameCount: 0, isListed: true))
    }
  }

  /// Adds what other inputs need, as if they were added one after the other.
  package mutating func add(_ other: NeededImages) {
    inputCount += other.inputCount
    for image in other.images { add(image) }
  }

  private mutating func add(_ image: Image) {
    images.merge(image, Key(image.description), &places) { known in
      known.inputCount += image.inputCount
      known.frameCount += image.frameCount
      if image.isListed { known.isListed = true }
    }
  }
}

import CrashLogParser
import SymbolicationModel

/// What a run over many inputs counts of one of them.
package struct InputTally: Sendable {
  /// The formats of its reports, in the order of the input. A text that was made from a JSON of the
  /// input does not count.
  var formats: [ReportFormat] = []
  var counts = FrameCounts()
  /// Each image without symbols once.
  var missing: [WantedSymbols] = []
  /// Whether a part of it cannot be read or was left out.
  var isDamaged = false

  init() {}

  /// Frames without a name.
  package var unresolved: Int { counts.unresolved }
  /// The part of them that the app's developer could have symbols for.
  package var unresolvedOutsideSystem: Int { counts.unresolved - counts.unresolvedOfSystem }

  init(_ input: SymbolicatedInput) {
    formats = input.shownReports.map(\.source.format)
    counts = input.outcome.counts
    isDamaged =
      input.outcome.damage != nil || input.outcome.broken != nil
      || !input.outcome.breakOffsets.isEmpty || !input.outcome.exceededLimits.isEmpty
    var frames: [WantedSymbols.Image: Int] = [:]
    var order: [WantedSymbols.Image] = []
    for image in input.outcome.missingImages {
      let key = WantedSymbols.Image(image.image)
      if frames[key] == nil { order.append(key) }
      frames[key, default: 0] += image.frameCount
    }
    missing = order.map { WantedSymbols(image: $0, frameCount: frames[$0] ?? 0) }
  }
}

/// The symbols of an image that were wanted and not found.
package struct WantedSymbols: Hashable, Sendable {
  let image: Image
  /// The frames that stayed without a name for it.
  var frameCount: Int

  /// What makes symbols the same in several reports: the identity, or else the name; and whether
  /// the report says that they are the system's.
  package struct Image: Hashable, Sendable {
    let name: String
    let identity: ImageIdentity?
    let architecture: Architecture?
    let isOfSystem: Bool

    init(
      name: String, identity: ImageIdentity?, architecture: Architecture?, isOfSystem: Bool = false
    ) {
      self.name = name
      self.identity = identity
      self.architecture = architecture
      self.isOfSystem = isOfSystem
    }

    init(_ image: ReportImage) {
      self.init(
        name: image.name, identity: image.identity, architecture: image.architecture,
        isOfSystem: image.belongsToSystem)
    }

    package static func == (left: Image, right: Image) -> Bool {
      left.identity == right.identity && (left.identity != nil || left.name == right.name)
        && left.isOfSystem == right.isOfSystem
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(identity)
      if identity == nil { hasher.combine(name) }
    }
  }
}

/// The symbols that are missing in a run, and how many reports want them.
struct WantedSymbolsCount {
  struct Entry {
    let image: WantedSymbols.Image
    /// The inputs that want them.
    var inputCount: Int
    var frameCount: Int
  }

  private var entries: [WantedSymbols.Image: Entry] = [:]

  /// The symbols that one input wants, each once.
  mutating func add(_ missing: [WantedSymbols]) {
    for wanted in missing {
      entries[
        wanted.image, default: Entry(image: wanted.image, inputCount: 0, frameCount: 0)
      ].add(wanted.frameCount)
    }
  }

  /// An image that several inputs want.
  mutating func add(_ image: NeededImages.Image) {
    var entry = entries[image.wanted] ?? Entry(image: image.wanted, inputCount: 0, frameCount: 0)
    entry.inputCount += image.inputCount
    entry.frameCount += image.frameCount
    entries[image.wanted] = entry
  }

  func hasImages(ofSystem: Bool) -> Bool {
    entries.keys.contains { $0.isOfSystem == ofSystem }
  }

  /// The most wanted first. What as many inputs want is in the order of frames, names and
  /// identities, so that the order is the same in every run.
  func sorted(ofSystem: Bool) -> [Entry] {
    entries.values.filter { $0.image.isOfSystem == ofSystem }
      .map { (entry: $0, identity: $0.image.identity.map { "\($0)" } ?? "") }
      .sorted { left, right in
        if left.entry.inputCount != right.entry.inputCount {
          return left.entry.inputCount > right.entry.inputCount
        }
        if left.entry.frameCount != right.entry.frameCount {
          return left.entry.frameCount > right.entry.frameCount
        }
        return (left.entry.image.name, left.identity) < (right.entry.image.name, right.identity)
      }.map(\.entry)
  }
}

extension WantedSymbolsCount.Entry {
  fileprivate mutating func add(_ frames: Int) {
    inputCount += 1
    frameCount += frames
  }
}

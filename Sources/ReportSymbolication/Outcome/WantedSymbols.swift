package import CrashLogParser
package import SymbolicationModel
package import Wording

/// The symbols of an image that were wanted and not found.
package struct WantedSymbols: Hashable, Sendable {
  package let image: Image
  /// The frames that stayed without a name for it.
  package var frameCount: Int

  /// What makes symbols the same in several reports: the identity, or else the name; and whether
  /// the report says that they are the system's.
  package struct Image: Hashable, Sendable {
    package let name: String
    package let identity: ImageIdentity?
    package let architecture: Architecture?
    let isOfSystem: Bool

    package init(
      name: String, identity: ImageIdentity?, architecture: Architecture?, isOfSystem: Bool = false
    ) {
      self.name = name
      self.identity = identity
      self.architecture = architecture
      self.isOfSystem = isOfSystem
    }

    package init(_ image: ReportImage) {
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
package struct WantedSymbolsCount {
  package struct Entry {
    package let image: WantedSymbols.Image
    /// The inputs that want them.
    package var inputCount: Int
    package var frameCount: Int
  }

  private var entries: [WantedSymbols.Image: Entry] = [:]

  package init() {}

  /// The symbols that one input wants, each once.
  package mutating func add(_ missing: [WantedSymbols]) {
    for wanted in missing {
      add(wanted.image, inputCount: 1, frameCount: wanted.frameCount)
    }
  }

  /// An image that several inputs want.
  package mutating func add(_ image: WantedSymbols.Image, inputCount: Int, frameCount: Int) {
    var entry = entries[image] ?? Entry(image: image, inputCount: 0, frameCount: 0)
    entry.inputCount += inputCount
    entry.frameCount += frameCount
    entries[image] = entry
  }

  package func hasImages(ofSystem: Bool) -> Bool {
    entries.keys.contains { $0.isOfSystem == ofSystem }
  }

  /// The most wanted first. What as many inputs want is in the order of frames, names and
  /// identities, so that the order is the same in every run.
  package func sorted(ofSystem: Bool) -> [Entry] {
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

extension WantedSymbolsCount {
  /// How many images without symbols are listed.
  private static let imagesShown = 20

  /// A headline and a line for each image, the most wanted first; then one line for all images of
  /// the operating system.
  ///
  /// - Parameter remedy: what to do about the images of the app.
  package func messages(remedy: String) -> [Message] {
    var messages: [Message] = []
    let images = sorted(ofSystem: false)
    if !images.isEmpty {
      messages.append(
        .warning("no symbols for \(counted(images.count, "image")); \(remedy):"))
      // One more takes no more room than saying so.
      let shown = images.count == Self.imagesShown + 1 ? images.count : Self.imagesShown
      messages += images.prefix(shown).map { .plain("  \($0.message)") }
      if images.count > shown { messages.append(.plain("  and \(images.count - shown) more")) }
    }
    let system = sorted(ofSystem: true)
    if !system.isEmpty {
      let most = system.map(\.inputCount).max() ?? 0
      let libraries =
        system.count == 1 ? "1 system library" : "\(system.count) system libraries"
      let wanting = most > 1 ? ", wanted by up to \(most) reports" : ""
      messages.append(
        .note(
          "no symbols for \(libraries)\(wanting): this is normal, because an app's dSYMs do not have them"
        ))
    }
    return messages
  }
}

extension WantedSymbolsCount.Entry {
  /// `UUID A4B1DE49-… (arm64) Letter Shuffle: 12 reports, 340 frames`.
  fileprivate var message: String {
    let kind = image.identity.map { $0.bytes.count == 16 ? "UUID" : "build-id" } ?? "UUID"
    let identity = image.identity.map { "\($0)" } ?? "unknown"
    let architecture = image.architecture.map { " (\($0.name))" } ?? ""
    let name = image.name.isEmpty ? "" : " \(image.name)"
    let shown = "\(kind) \(identity)\(architecture)\(name)"
    // A list of UUIDs does not say which reports want them.
    guard inputCount > 0 else { return shown }
    return "\(shown): \(counted(inputCount, "report")), \(counted(frameCount, "frame"))"
  }
}

/// What a run over many inputs counts of one of them.
package struct InputTally: Sendable {
  /// The formats of its reports, in the order of the input. A text that was made from a JSON of the
  /// input does not count.
  package var formats: [ReportFormat] = []
  package var counts = FrameCounts()
  /// Each image without symbols once.
  package var missing: [WantedSymbols] = []
  /// Whether a part of it cannot be read or was left out.
  package var isDamaged = false

  package init() {}

  /// Frames without a name.
  package var unresolved: Int { counts.unresolved }
  /// The part of them that the app's developer could have symbols for.
  package var unresolvedOutsideSystem: Int { counts.unresolved - counts.unresolvedOfSystem }

  package init(_ input: SymbolicatedInput) {
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

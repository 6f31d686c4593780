package import CrashLogParser
import SymbolicationModel

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

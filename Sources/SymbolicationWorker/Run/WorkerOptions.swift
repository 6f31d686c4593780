package import ReportSymbolication
import SymbolicationModel
import Wording

/// How a worker answers.
package struct WorkerOptions: Sendable {
  package var symbolication = SymbolicationOptions()
  package var output = WorkerOutput.json
  /// How many bytes a line may have.
  package var recordSize: UInt64 = 64 << 20
  /// How many records may be under way.
  package var window = 4
  /// How many seconds a record may take; 0 for any number.
  package var timeout = 60
  /// After how many seconds symbols that were missing are looked for again.
  package var retryInterval = 60

  package init() {}

  /// The size that an option states; nil for anything but a size above 0.
  package static func recordSize(_ text: String) -> UInt64? {
    CacheLimit.size(text).flatMap { $0 > 0 ? $0 : nil }
  }

  /// About how many bytes the answers may take that are kept for later records.
  var answerMemory: UInt64 { min(256 << 20, symbolication.limits.decodedSize / 4) }
}

/// What the answer to a record carries.
package enum WorkerOutput: String, CaseIterable, Sendable {
  /// The completed report as a text.
  case report
  /// The document of docs/json.md.
  case json
  /// A few lines for people.
  case summary
}

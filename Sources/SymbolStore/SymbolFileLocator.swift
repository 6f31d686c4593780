package import ObjectFiles
package import SymbolicationModel

/// One kind of place where symbol files lie.
///
/// Each kind is a type of its own in `Locators/`, and `SymbolStore` asks them in the order of one
/// list. A locator knows a file by its identity (UUID, build-id, checksum) and never by its name
/// alone, unless a report states no identity. It answers requests that its place may serve and
/// passes on all others with an empty answer. It may be asked from several threads.
///
/// Cost: nothing is opened before the first request that the place may serve. Answers are
/// remembered by the store, so the same request is usually asked once; two threads may ask the same
/// request at the same time.
package protocol SymbolFileLocator: Sendable {
  /// Looks for the file.
  ///
  /// - Parameter known: paths that other places named for the same request and that were refused.
  ///   They are neither looked at nor reported again.
  func locate(_ request: SymbolFileRequest, skipping known: Set<String>) -> SymbolFileAnswer
}

/// What was found for a `SymbolFileRequest`.
package struct SymbolFileAnswer: Sendable {
  /// The files that fit, opened, in the order of the places. Several only for the image of a
  /// report, whose best file `SymbolStore.symbolFile(for:)` selects. Empty if nothing fits.
  package internal(set) var files: [ObjectFile] = []
  /// The candidates that were refused, or are absent, in the order in which they were looked at.
  package internal(set) var refused: [DebugFileSearch.Attempt] = []

  /// The file that fits; nil if none does.
  package var file: ObjectFile? { files.first }

  /// Whether a candidate was refused only because it lacks a section.
  var hasRefusedForMissingSection: Bool {
    refused.contains { if case .missingSection = $0.finding { true } else { false } }
  }
}

/// A place in which the path of a wanted file follows from the request alone.
protocol PathLocator: SymbolFileLocator {
  /// The paths at which the file may lie, best first; empty for requests that the place does not
  /// serve. Nothing is looked at. A path may occur twice.
  func paths(for request: SymbolFileRequest) -> [String]
}

extension PathLocator {
  package func locate(
    _ request: SymbolFileRequest, skipping known: Set<String>
  ) -> SymbolFileAnswer {
    request.firstFile(at: paths(for: request), skipping: known)
  }
}

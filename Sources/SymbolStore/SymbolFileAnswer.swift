package import ObjectFiles
package import SymbolicationModel

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

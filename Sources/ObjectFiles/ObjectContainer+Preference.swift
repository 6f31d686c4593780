package import SymbolicationModel

extension ObjectContainer {
  /// `open(path:)`, with the error as a `SymbolFileProblem`.
  package static func openForUse(path: String) throws(SymbolFileProblem) -> ObjectContainer {
    do {
      return try open(path: path)
    } catch {
      throw SymbolFileProblem(error)
    }
  }

  /// The object file to use if only one can be.
  ///
  /// With an architecture, this is the one of `objectFile(for:)`; throws `missingArchitecture` if
  /// there is none. Without one, it is the first that the file has of arm64, arm64e, x86_64 and
  /// x86_64h, in this order, or else the file's first. (Apple's tools take the architecture of the
  /// Mac they run on, which does not help here.)
  package func preferredObjectFile(
    for architecture: Architecture?
  ) throws(SymbolFileProblem) -> ObjectFile {
    let candidates = architecture.map { [$0] } ?? [.arm64, .arm64e, .x86_64, .x86_64h]
    for candidate in candidates {
      if let objectFile = objectFile(for: candidate) { return objectFile }
    }
    guard let architecture else {
      guard let first = objectFiles.first else {
        throw SymbolFileProblem(
          path: path,
          kind: .malformed(structure: "number of slices", value: 0, expected: .atLeast(1)))
      }
      return first
    }
    throw SymbolFileProblem(
      path: path,
      kind: .missingArchitecture(wanted: architecture, found: objectFiles.map(\.architecture)))
  }
}

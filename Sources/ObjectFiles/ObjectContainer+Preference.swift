package import SymbolicationModel

extension ObjectContainer {
  /// `open(path:)`, with the error in the terms that all parts share.
  package static func openForUse(path: String) throws(SymbolFileProblem) -> ObjectContainer {
    do {
      return try open(path: path)
    } catch {
      throw SymbolFileProblem(error)
    }
  }

  /// The object file to take where one has to be chosen.
  ///
  /// For an architecture it is that of `objectFile(for:)`. Without one it is the file's only slice, or
  /// the first there is of arm64, arm64e, x86_64 and x86_64h, or the first of all: Apple's tools take
  /// the architecture of the Mac they run on, and a crash on a machine without a Mac says nothing.
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
          path: path, kind: .malformed(structure: "number of slices", value: 0))
      }
      return first
    }
    throw SymbolFileProblem(
      path: path,
      kind: .missingArchitecture(wanted: architecture, found: objectFiles.map(\.architecture)))
  }
}

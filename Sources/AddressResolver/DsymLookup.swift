import ObjectFiles
package import SymbolStore
package import SymbolicationModel

/// Finds the debug information of an image alone, without looking anything up in it: what LLDB asks
/// `dsymForUUID`.
package struct DsymLookup {
  private let store: SymbolStore

  package init(_ store: SymbolStore) { self.store = store }

  /// The files of one image.
  package struct Finding: Sendable {
    /// Nil if the image states none.
    package let identity: ImageIdentity?
    package let architecture: Architecture
    /// The file with the identity: the debug file, the program, or an index.
    package let path: String
    /// The file with the debug information: in a dSYM, the DWARF file. Nil if none was found.
    package let debugFile: String?
    /// The program or library, if it is known.
    package let program: String?
    /// What the dSYM records; nil if it has no such list, or that cannot be read.
    package let propertyList: DsymPropertyList?
  }

  /// The files of the image with this UUID or build-id; nil if there is none.
  package func find(_ identity: ImageIdentity) -> Finding? {
    let image = ImageDescription(identity: identity, architecture: nil, names: [])
    guard let match = store.symbolFile(for: image) else { return nil }
    return finding(match.objectFile, program: match.program)
  }

  /// The files of each image in the program, library or bundle at `path`. Throws if there is none.
  package func find(programAt path: String) throws(SymbolFileProblem) -> [Finding] {
    try SymbolFile.objectFiles(at: path).files.map { slice in
      guard !slice.hasDebugInfo, let identity = slice.identity else {
        return finding(slice, program: nil)
      }
      let own = finding(slice, program: slice)
      guard own.debugFile == nil else { return own }
      let image = ImageDescription(identity: identity, architecture: nil, names: [])
      return store.symbolFile(for: image).map { finding($0.objectFile, program: slice) } ?? own
    }
  }

  private func finding(_ found: ObjectFile, program: ObjectFile?) -> Finding {
    let debugFile =
      found.hasDebugInfo ? found : SeparateDebugFile.find(for: found, in: store).objectFile
    let usable = debugFile.flatMap { $0.hasDebugInfo ? $0 : nil }
    return Finding(
      identity: found.identity, architecture: found.architecture, path: found.path,
      debugFile: usable?.path, program: program?.path ?? (found.isProgram ? found.path : nil),
      propertyList: usable.flatMap { (try? DsymPropertyList.read(for: AskingFile($0))) ?? nil })
  }
}

extension ObjectFile {
  /// A separate debug file of ELF has the type of its program, but also debug information.
  fileprivate var isProgram: Bool {
    switch fileType {
    case .executable, .dynamicLibrary, .bundle, .dynamicLinker, .kernelExtension: !hasDebugInfo
    case .relocatable, .debugSymbols, .index, .core, .other: false
    }
  }
}

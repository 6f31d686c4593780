import Demangling
import ObjectFiles
public import SymbolicationModel
import SymbolStore

extension ImageResolver {
  /// Opens a symbol file. Files that it needs besides (its separate debug file, split units, object
  /// files, an index) are looked for where the command looks for them.
  ///
  /// - Parameters:
  ///   - path: a Mach-O, ELF, GSYM or Breakpad file, a `.dSYM` bundle, or a bundle named after the
  ///     binary in it (`X.app`, `X.framework`, …).
  ///   - architecture: the slice wanted from a file with several, with Apple's fall-backs
  ///     (`Architecture.fallback`). Nil takes the first of arm64, arm64e, x86_64 and x86_64h that
  ///     the file has, else its first.
  ///   - dwarfReader: what decodes DWARF.
  ///   - indexUse: whether an index that was made before may answer.
  ///   - demangling: how names are shown.
  /// - Throws: if the file cannot be read, is not a symbol file, or has no such slice.
  public convenience init(
    symbolFile path: String, architecture: Architecture? = nil,
    dwarfReader: DwarfReaderChoice = .builtIn, indexUse: IndexUse = .never,
    demangling: DemanglingStyle = .simplified
  ) throws(SymbolFileProblem) {
    self.init(
      try SymbolFile.open(path: path, architecture: architecture).objectFile,
      dwarfReader: dwarfReader, indexUse: indexUse, demangling: demangling)
    try checkIsUsable(for: architecture)
  }

  /// Finds the symbol file of an image by its UUID or build-id.
  ///
  /// - Parameters:
  ///   - identity: the UUID or build-id.
  ///   - paths: symbol files, bundles, and directories to search, the most wanted first.
  ///   - dwarfReader: what decodes DWARF.
  ///   - indexUse: whether an index that was made before may answer.
  ///   - demangling: how names are shown.
  /// - Returns: nil if none of the files is of this image.
  public convenience init?(
    identity: ImageIdentity, in paths: [String], dwarfReader: DwarfReaderChoice = .builtIn,
    indexUse: IndexUse = .never, demangling: DemanglingStyle = .simplified
  ) {
    let store = SymbolStore(paths: paths)
    let image = ImageDescription(identity: identity, architecture: nil, names: [])
    guard let match = store.symbolFile(for: image) else { return nil }
    self.init(
      match.objectFile, program: match.program, dwarfReader: dwarfReader, indexUse: indexUse,
      demangling: demangling, store: store)
  }

  /// The functions at an address in a process.
  ///
  /// - Parameters:
  ///   - address: the address of a frame, as a report or debugger gives it.
  ///   - loadAddress: the address that the image was loaded at.
  ///   - kind: what the address is. A return address is looked up one byte before, inside the call.
  /// - Returns: nil if nothing names the address, or if the file does not state where the image
  ///   begins.
  public func resolve(
    _ address: LoadAddress, loadAddress: LoadAddress, kind: FrameAddressKind
  ) -> ResolvedAddress? {
    guard let linkBase = linkBase() else { return nil }
    let slide = Slide(loadAddress: loadAddress, linkBase: linkBase)
    return resolve(
      slide.linkAddress(of: kind.lookupAddress(for: address, architecture: architecture)))
  }
}

extension ImageResolver {
  /// The addresses of functions, and of data that is code, by their names as a symbol table or a
  /// demangler has them. A name that stands for several addresses is left out.
  ///
  /// - Complexity: reads the whole symbol table; if names are missing that are not mangled, all its
  ///   names are demangled.
  package func functions(named names: Set<String>) -> [String: Range<LinkAddress>] {
    guard !names.isEmpty, let table = try? objectFile.symbolTableWithObjects() else { return [:] }
    var functions: [String: Range<LinkAddress>] = [:]
    var ambiguous: Set<String> = []
    func take(_ name: String, _ addresses: Range<LinkAddress>) {
      guard names.contains(name) else { return }
      if let known = functions.updateValue(addresses, forKey: name),
        known.lowerBound != addresses.lowerBound
      {
        ambiguous.insert(name)
      }
    }
    let isMachO = objectFile.format == .machO
    for index in 0..<table.count {
      let symbol = table[index]
      let raw = symbol.rawName
      let name = isMachO && raw.hasPrefix("_") ? String(raw.dropFirst()) : raw
      take(name, symbol.addresses)
    }
    if names.contains(where: { functions[$0] == nil && ManglingScheme(of: $0) == nil }) {
      var demangler = SymbolDemangler()
      for index in 0..<table.count {
        let symbol = table[index]
        let name = demangler.shownName(of: symbol.rawName, isMachOSymbol: isMachO)
        if functions[name]?.lowerBound != symbol.addresses.lowerBound {
          take(name, symbol.addresses)
        }
      }
    }
    for name in ambiguous { functions[name] = nil }
    return functions
  }
}

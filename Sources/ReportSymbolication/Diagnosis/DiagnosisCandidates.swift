import FileSystem
import SymbolStore
import SymbolicationModel

/// The files that might be those of an image and are not. This is the one place where a diagnosis
/// asks for candidates.
struct DiagnosisCandidates {
  private let inventories: [SymbolFileInventory]

  /// Cost: the headers of all symbol files in `places` are read.
  init(_ places: SymbolPlaces) {
    inventories = (places.paths + places.searchDirectories).withoutRepetitions.compactMap { path in
      (try? FileTrees.open(path: path)).map { SymbolFileInventory($0) }
    }
  }

  /// Why no file is the image's own.
  func cause(for image: ReportImage) -> ImageDiagnosis.Cause {
    let names = image.description.names
    let slices = inventories.flatMap(\.slices).filter { names.contains($0.candidate.name) }
    let served = slices.filter { slice in
      guard let architecture = image.architecture else { return true }
      return [architecture, architecture.fallback, .unknown].contains(slice.candidate.architecture)
    }
    if !served.isEmpty, image.identity != nil {
      return .otherBuilds(
        served.withoutRepeatedIdentities.map {
          DiagnosedCandidate(candidate: $0.candidate, origin: BuildOrigin(ofFileAt: $0.shownPath))
        })
    }
    if let first = slices.first, image.identity != nil {
      return .otherSlices(
        path: first.shownPath,
        found: slices.filter { $0.shownPath == first.shownPath }.map(\.candidate.architecture)
          .withoutRepetitions)
    }
    if let broken = brokenDsym(named: names) { return broken }
    if image.belongsToSystem {
      return .systemLibrary(image.system)
    }
    return image.identity == nil ? .unknownIdentity : .noCandidate
  }

  /// A dSYM of one of these names without a usable DWARF file.
  private func brokenDsym(named names: Set<String>) -> ImageDiagnosis.Cause? {
    for inventory in inventories {
      if let file = inventory.unusableFiles.first(where: {
        names.contains($0.path.lastPathComponent)
      }) {
        return file.problem.kind == .empty
          ? .emptyDsym(path: file.problem.path) : .unreadable(file.problem)
      }
      let full = Set(
        (inventory.slices.map(\.treePath) + inventory.unusableFiles.map(\.path)).compactMap {
          SymbolFileInventory.dsymBundle(of: $0)
        })
      for bundle in inventory.dsymBundles where !full.contains(bundle) {
        if names.contains(BundleName.binaryName(ofBundle: bundle.lastPathComponent)) {
          return .emptyDsym(path: inventory.path.appendingPath(bundle))
        }
      }
    }
    return nil
  }

  /// Whether the BCSymbolMap of this name is in one of the places.
  func hasMap(_ name: String) -> Bool {
    inventories.contains { $0.filePaths.contains { $0.lastPathComponent == name } }
  }
}

extension [SymbolFileInventory.Slice] {
  /// A program and its dSYM are one candidate: the dSYM, if it is there.
  fileprivate var withoutRepeatedIdentities: [SymbolFileInventory.Slice] {
    var known: Set<ImageIdentity> = []
    return (filter(\.hasDebugInfo) + filter { !$0.hasDebugInfo }).filter { slice in
      slice.candidate.identity.map { known.insert($0).inserted } ?? true
    }
  }
}

extension ReportImage {
  /// The system that it is part of, if it is part of one.
  var system: ImageDiagnosis.System { isFromLinux ? .linux : .apple }

  /// Whether it is an ELF library: its name, or the size of its build-id, says so.
  var isFromLinux: Bool {
    name.contains(".so") || identity.map { $0.bytes.count != 16 } == true
      || path.map { $0.hasPrefix("/lib") || $0.contains(".so") } == true
  }
}

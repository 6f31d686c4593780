import AddressResolver
import FileSystem
import ReportSymbolication
import SymbolStore
import SymbolicationModel

/// The dSYMs and BCSymbolMaps of a release.
struct ReleaseDsyms {
  private let slices: [SymbolFileInventory.Slice]
  private let byIdentity: [ImageIdentity: [SymbolFileInventory.Slice]]
  /// By the path of the file, as shown.
  private let byFile: [String: [SymbolFileInventory.Slice]]
  /// Bundles without a DWARF file, and those whose DWARF file cannot be used. The problem is nil if
  /// there is nothing in the bundle.
  private let broken: [(bundle: String, shownPath: String, problem: SymbolFileProblem?)]
  /// The UUIDs of the BCSymbolMaps that are there.
  private let maps: Set<ImageIdentity>
  /// `DBGOriginalUUID` of the images whose dSYM states one: their maps have that UUID.
  private let originalIdentities: [ImageIdentity: ImageIdentity]
  /// The paths of the programs and libraries in xcframeworks.
  private let xcframeworkFiles: [ImageIdentity: String]
  private var origins: BuildOrigins
  /// Further places, which are searched for what is not in the inventories.
  private let store: SymbolStore

  init(_ inventories: [SymbolFileInventory], searched store: SymbolStore) {
    self.store = store
    origins = BuildOrigins(limits: store.limits)
    originalIdentities = inventories.reduce(into: [:]) { known, inventory in
      known.merge(inventory.originalIdentities) { first, _ in first }
    }
    slices = inventories.flatMap(\.slices).filter { $0.role == .debugSymbols }
    let candidates = inventories.flatMap(\.slices).filter {
      $0.isMachO && ($0.role == .debugSymbols || $0.hasDebugInfo) && $0.role != .relocatable
    }
    var byIdentity: [ImageIdentity: [SymbolFileInventory.Slice]] = [:]
    for slice in candidates {
      if let identity = slice.candidate.identity { byIdentity[identity, default: []].append(slice) }
    }
    self.byIdentity = byIdentity
    byFile = Dictionary(grouping: slices, by: \.shownPath)
    xcframeworkFiles = inventories.flatMap(\.slices).reduce(into: [:]) { known, slice in
      guard let identity = slice.candidate.identity, known[identity] == nil,
        [.executable, .library].contains(slice.role),
        XcframeworkGap.Place(ofFileAt: slice.shownPath) != nil
      else { return }
      known[identity] = slice.shownPath
    }
    var broken: [(bundle: String, shownPath: String, problem: SymbolFileProblem?)] = []
    for inventory in inventories {
      let full = Set(
        inventory.slices.compactMap { SymbolFileInventory.dsymBundle(of: $0.treePath) })
      for bundle in inventory.dsymBundles where !full.contains(bundle) {
        let problem = inventory.unusableFiles.first {
          SymbolFileInventory.dsymBundle(of: $0.path) == bundle
        }?.problem
        broken.append((bundle, inventory.path.appendingPath(bundle), problem))
      }
    }
    self.broken = broken
    maps = Set(
      inventories.flatMap(\.filePaths).filter { $0.hasSuffix(Self.mapSuffix) }.compactMap { path in
        ImageIdentity(hexadecimal: path.lastPathComponent.dropLast(Self.mapSuffix.count).utf8)
      })
  }

  private static let mapSuffix = ".bcsymbolmap"

  /// A defect as an error.
  struct Incomplete: Error {
    let defect: CheckedImage.Defect
  }

  /// The path of the file with the complete debug information of `image`, or what is wrong.
  mutating func finding(for image: SymbolFileInventory.Slice) -> Result<String, Incomplete> {
    guard let identity = image.candidate.identity else {
      return .failure(Incomplete(defect: .noUuid))
    }
    var firstDefect: CheckedImage.Defect?
    for slice in byIdentity[identity] ?? [] {
      guard let defect = defect(of: slice, identity) else { return .success(slice.shownPath) }
      firstDefect = firstDefect ?? defect
    }
    let description = ImageDescription(
      identity: identity, architecture: image.candidate.architecture,
      names: [image.treePath.lastPathComponent])
    let match = store.symbolFile(for: description)
    // Copies of the program itself may lie in the same places.
    if let match, match.hasDebugInfo {
      let defect = defect(of: match, identity)
      guard let defect else { return .success(match.candidate.path) }
      firstDefect = firstDefect ?? defect
    }
    let copy = xcframeworkFiles[identity] ?? match?.candidate.path
    return .failure(
      Incomplete(defect: firstDefect ?? absence(for: image, copy: copy ?? image.shownPath)))
  }

  /// What is wrong with the debug information of the right UUID; nil if it is complete.
  private func defect(
    of slice: SymbolFileInventory.Slice, _ identity: ImageIdentity
  ) -> CheckedImage.Defect? {
    let path = slice.shownPath
    guard slice.hasDebugInfo else { return .noDebugInformation(path: path) }
    let summary = DebugInfoSummary(of: slice.objectFile, limits: store.limits)
    return defect(of: summary, path: path) {
      let mapIdentity = originalIdentities[identity] ?? identity
      return maps.contains(mapIdentity) || maps.contains(identity)
        ? nil : "BCSymbolMaps/\(mapIdentity)\(Self.mapSuffix)"
    }
  }

  /// What is wrong with a file from a search directory.
  private func defect(
    of match: SymbolMatch, _ identity: ImageIdentity
  ) -> CheckedImage.Defect? {
    let summary = DebugInfoSummary(of: match.objectFile, limits: store.limits)
    return defect(of: summary, path: match.candidate.path) {
      maps.contains(identity)
        ? nil : store.missingSymbolMap(for: AskingFile(match.objectFile))?.mapPath
    }
  }

  /// - Parameter missingMap: the symbol map that is missing for hidden names.
  private func defect(
    of summary: DebugInfoSummary, path: String, missingMap: () -> String?
  ) -> CheckedImage.Defect? {
    if !summary.hasLineRows {
      if let problem = summary.problem { return .damagedDebugInformation(path: path, problem) }
      return summary.hasUnits ? .noLines(path: path) : .noDebugInformation(path: path)
    }
    if summary.hasHiddenNames, let map = missingMap() {
      return .hiddenNames(path: path, map: map)
    }
    return nil
  }

  /// Why there is no debug information of the right UUID.
  ///
  /// - Parameter copy: the path of the image in an xcframework, or any of its paths.
  private mutating func absence(
    for image: SymbolFileInventory.Slice, copy: String
  ) -> CheckedImage.Defect {
    let name = image.treePath.lastPathComponent
    if let sibling = siblingFile(of: image) {
      return .otherSlices(
        path: sibling, found: (byFile[sibling] ?? []).map(\.candidate.architecture))
    }
    let namesakes = slices.filter {
      $0.candidate.name == name && !Self.isOfOtherLibrary($0.shownPath, than: copy)
    }
    if let other = namesakes.first(where: {
      $0.candidate.architecture == image.candidate.architecture
    }) ?? namesakes.first {
      return .otherBuild(path: other.shownPath, found: other.candidate.identity)
    }
    let dsymNames = Set(
      ReleaseFiles.names(of: image.treePath).map { $0 + BundleName.dsymSuffix })
    if let bundle = broken.first(where: {
      dsymNames.contains($0.bundle.lastPathComponent)
        && !Self.isOfOtherLibrary($0.shownPath, than: copy)
    }) {
      guard let problem = bundle.problem, problem.kind != .empty else {
        return .emptyDsym(path: bundle.shownPath)
      }
      return .unreadable(problem)
    }
    return origins.xcframeworkGap(ofFileAt: copy).map { .noDsymInXcframework($0) } ?? .noDsym
  }

  /// Whether both lie in an xcframework, which has libraries and dSYMs of one name for each system.
  /// Those are not other builds.
  private static func isOfOtherLibrary(_ path: String, than image: String) -> Bool {
    guard let place = XcframeworkGap.Place(ofFileAt: path),
      let own = XcframeworkGap.Place(ofFileAt: image)
    else { return false }
    return place.xcframework == own.xcframework && place.identifier != own.identifier
  }

  /// The dSYM of another slice of the image's file.
  private func siblingFile(of image: SymbolFileInventory.Slice) -> String? {
    let name = image.treePath.lastPathComponent
    return slices.first { slice in
      slice.candidate.name == name
        && slice.candidate.identity.map(image.siblingIdentities.contains) == true
    }?.shownPath
  }

  /// The dSYMs in `release` that belong to none of `images`.
  func strays(
    in release: SymbolFileInventory, images: Set<ImageIdentity>
  ) -> [ReleaseCheck.StrayDsym] {
    let own = release.slices.filter { $0.role == .debugSymbols }
    var paths: [String] = []
    var identities: [String: [ImageIdentity]] = [:]
    for slice in own {
      if identities[slice.treePath] == nil { paths.append(slice.treePath) }
      identities[slice.treePath, default: []] += [slice.candidate.identity].compactMap(\.self)
    }
    return paths.filter { path in
      (identities[path] ?? []).allSatisfy { !images.contains($0) }
    }.map { path in
      ReleaseCheck.StrayDsym(path: path, identities: identities[path] ?? [])
    }
  }
}

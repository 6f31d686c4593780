import FileSystem
import ReportSymbolication
package import SymbolicationModel
import SymbolStore
import Wording

/// Checks that the crashes of a release can be symbolicated: that every Mach-O slice in it has
/// complete debug information.
///
/// Programs, frameworks, libraries and extensions count; object files and static libraries do not.
/// dSYMs count if there is nothing else: what they hold is checked.
package struct ReleaseCheck {
  /// As given.
  package let path: String
  /// In the order of their paths; in a file, in the order of its slices.
  package let images: [CheckedImage]
  /// The dSYMs in the release that belong to no image of it: their paths, sorted.
  package let strayDsyms: [StrayDsym]
  /// The names that are allowed and that no image has, as given.
  package let unusedAllowances: [String]
  /// Whether the images are dSYMs, without the programs that they belong to.
  package let isOfDsymsAlone: Bool
  /// Whether it is an `.ipa`: its programs are in `Payload`.
  package let isIpa: Bool
  /// What could not be read, sorted as found.
  package let problems: [SymbolFileProblem]
  /// If there are no images in a directory: one of the archives in it, which are not read.
  let unreadArchive: String?
  /// What could not be read in search directories, where other files than those of the release lie.
  package let searchProblems: [SymbolFileProblem]

  package struct StrayDsym: Hashable, Sendable {
    package let path: String
    /// One for each slice, in the order of the file.
    package let identities: [ImageIdentity]
  }

  /// Whether there is an image, and each has complete debug information or is excused.
  package var isComplete: Bool { !images.isEmpty && images.allSatisfy { $0.defect == nil } }

  /// - Parameters:
  ///   - path: an archive of Xcode, an app, a directory, or a zip or tar archive of one.
  ///   - places: where else dSYMs and BCSymbolMaps may be.
  ///   - allowedNames: images that need no dSYM: `Kit`, `Kit.framework`.
  ///   - progress: as of `ReportJob`.
  ///
  /// Throws if `path` cannot be read. Problems with the paths of `places` are among `problems`.
  package init(
    path: String, places: SymbolPlaces = SymbolPlaces(), allowedNames: [String] = [],
    progress: (@Sendable (Int?) -> Void)? = nil
  ) throws(SymbolFileProblem) {
    let release = try SymbolFileInventory(forUserAt: path, limits: places.limits)
    var problems = release.problems
    var inventories = [release]
    for symbolPath in places.paths {
      do throws(SymbolFileProblem) {
        inventories.append(try SymbolFileInventory(forUserAt: symbolPath, limits: places.limits))
      } catch {
        problems.append(error)
      }
    }
    problems += inventories.dropFirst().flatMap { $0.problems }
    var searched = places
    searched.paths = []
    searched.usesIndexes = false
    let store = SymbolStore(forUser: searched, progress: progress)
    var dsyms = ReleaseDsyms(inventories, searched: store)
    let files = ReleaseFiles(release)
    var images: [CheckedImage] = []
    var known: Set<ImageKey> = []
    var unused = Set(allowedNames)
    let released = release.slices.filter(\.isReleased)
    isOfDsymsAlone = released.isEmpty
    for slice in released.isEmpty ? release.slices.filter(\.isDsym) : released {
      guard known.insert(ImageKey(slice)).inserted else { continue }
      let names = ReleaseFiles.names(of: slice.treePath)
      let isAllowed = names.contains { allowedNames.contains($0) }
      unused.subtract(names)
      images.append(
        CheckedImage(
          name: slice.treePath.lastPathComponent, path: slice.treePath,
          architecture: slice.candidate.architecture, identity: slice.candidate.identity,
          verdict: Self.verdict(on: slice, &dsyms, isAllowed: isAllowed),
          symbolsFile: slice.candidate.identity.flatMap { files.symbolsFile(of: $0) }))
    }
    // A damaged dSYM shows in the verdict on its image. One that cannot be read is nobody's dSYM.
    let unusable = release.unusableFiles.filter { file in
      if case .inaccessible = file.problem.kind { return true }
      return SymbolFileInventory.dsymBundle(of: file.path) == nil
    }
    self.path = path
    self.images = images
    self.unreadArchive = images.isEmpty ? release.archivePaths.first : nil
    self.strayDsyms = dsyms.strays(in: release, images: Set(images.compactMap(\.identity)))
    self.unusedAllowances = allowedNames.withoutRepetitions.filter { unused.contains($0) }
    self.isIpa = files.isIpa
    self.problems = (unusable.map(\.problem) + problems).withoutRepetitions
    self.searchProblems = store.searchProblems.filter { $0.severity != .partial }
  }

  /// What is said of a release that cannot be read.
  package init(path: String, unreadable problem: SymbolFileProblem) {
    self.path = path
    images = []
    unreadArchive = nil
    strayDsyms = []
    unusedAllowances = []
    isOfDsymsAlone = false
    isIpa = false
    problems = [problem]
    searchProblems = []
  }

  private static func verdict(
    on slice: SymbolFileInventory.Slice, _ dsyms: inout ReleaseDsyms, isAllowed: Bool
  ) -> CheckedImage.Verdict {
    let defect: CheckedImage.Defect
    switch dsyms.finding(for: slice) {
    case .success(let path): return .complete(path: path)
    case .failure(let found): defect = found.defect
    }
    if isAllowed { return .allowed(defect) }
    if defect == .noDsym, AppleBinaries.contains(slice.treePath) { return .apple }
    return .incomplete(defect)
  }

  /// Archives have some binaries twice: Swift's libraries in the app and in `SwiftSupport`.
  private struct ImageKey: Hashable {
    let identity: ImageIdentity?
    let architecture: Architecture
    let path: String?

    init(_ slice: SymbolFileInventory.Slice) {
      identity = slice.candidate.identity
      architecture = slice.candidate.architecture
      path = slice.candidate.identity == nil ? slice.treePath : nil
    }
  }
}

extension SymbolFileInventory.Slice {
  /// Whether it is a program or library that is delivered, and not a part of a dSYM.
  fileprivate var isReleased: Bool {
    isMachO && [.executable, .library].contains(role)
      && SymbolFileInventory.dsymBundle(of: treePath) == nil
  }

  fileprivate var isDsym: Bool { isMachO && role == .debugSymbols }
}

extension ReleaseCheck {
  /// What else is worth saying, one sentence each. None of it keeps the release from passing.
  var notes: [String] {
    let strays = strayDsyms.map { stray -> String in
      let identities = stray.identities.map { "\($0)" }.joined(separator: ", ")
      let shown = identities.isEmpty ? "" : " (UUID \(identities))"
      return "\(stray.path)\(shown) belongs to no image here."
    }
    let allowances = unusedAllowances.map { "No image is called \($0), which --allow names." }
    let dsymsAlone =
      isOfDsymsAlone && !images.isEmpty
      ? [
        "Only dSYMs are here. Give the .xcarchive, .ipa or app to check that each program has one."
      ] : []
    return strays + allowances + symbolsFileNotes + dsymsAlone
  }

  /// Why nothing was checked; nil if something was.
  var failure: String? {
    guard images.isEmpty else { return nil }
    return problems.first?.message
      ?? "There is no Mach-O program, library or dSYM in it. Give an .xcarchive, an .ipa, an app or a dSYM"
      + archiveNote + "."
  }

  private var archiveNote: String {
    unreadArchive.map { "; \(UuidMessages.archives($0))" } ?? ""
  }

  private var symbolsFileNotes: [String] {
    guard isIpa else { return [] }
    let missing = images.filter {
      $0.symbolsFile == nil && $0.identity != nil && $0.verdict != .apple
    }
    guard !missing.isEmpty else { return [] }
    if missing.count == images.count(where: { $0.identity != nil && $0.verdict != .apple }) {
      return [
        "The .ipa has no Symbols folder: App Store Connect gets no symbols with it. Export it with uploadSymbols to include them."
      ]
    }
    return missing.map {
      "Symbols/\($0.identity.map { "\($0)" } ?? "").symbols is missing for \($0.shownName)."
    }
  }

  /// `2 of 3 images have complete debug information, 1 does not`
  var tally: String {
    guard !images.isEmpty else {
      return
        "\(path): there is no Mach-O program, library or dSYM in it; give an .xcarchive, an .ipa, an app or a dSYM\(archiveNote)"
    }
    let complete = images.count { if case .complete = $0.verdict { true } else { false } }
    let allowed = images.count { if case .allowed = $0.verdict { true } else { false } }
    let apple = images.count { $0.verdict == .apple }
    let failed = images.count { $0.defect != nil }
    var parts = [
      images.count == 1
        ? "\(complete) of 1 image has complete debug information"
        : "\(complete) of \(images.count) images have complete debug information"
    ]
    if failed > 0 { parts.append(failed == 1 ? "1 does not" : "\(failed) do not") }
    if allowed > 0 { parts.append("\(allowed) allowed without it") }
    if apple > 0 { parts.append("\(apple) from Apple, without dSYMs") }
    return "\(path): " + parts.joined(separator: "; ")
  }
}

/// What the paths in a release say.
struct ReleaseFiles {
  /// Whether the release is an `.ipa`, or the folder that one was unpacked to.
  let isIpa: Bool
  /// `Symbols/<UUID>.symbols`, by the UUID in lower case without dashes.
  private let symbolsFiles: [String: String]

  init(_ inventory: SymbolFileInventory) {
    isIpa = inventory.filePaths.contains { $0.hasPrefix("Payload/") }
    var symbolsFiles: [String: String] = [:]
    for path in inventory.filePaths where path.hasSuffix(Self.symbolsSuffix) {
      let name = path.lastPathComponent.dropLast(Self.symbolsSuffix.count)
      guard let identity = ImageIdentity(hexadecimal: name.utf8) else { continue }
      symbolsFiles["\(identity)"] = symbolsFiles["\(identity)"] ?? path
    }
    self.symbolsFiles = symbolsFiles
  }

  private static let symbolsSuffix = ".symbols"

  /// The file in which Xcode puts the names of the image's symbols for App Store Connect.
  func symbolsFile(of identity: ImageIdentity) -> String? { symbolsFiles["\(identity)"] }

  /// The names by which a user knows the image at `path`: that of its file, and that of the bundle
  /// whose binary it is, `Kit.framework` for `Kit.framework/Versions/A/Kit`.
  static func names(of path: String) -> Set<String> {
    var folders = path.split(separator: "/").map(String.init)
    guard let name = folders.popLast() else { return [] }
    // `Contents/MacOS`, or `Versions/A`.
    if folders.count > 2, ["Contents", "Versions"].contains(folders[folders.count - 2]) {
      folders.removeLast(2)
    }
    guard let bundle = folders.last, BundleName.isOfCode(bundle) else { return [name] }
    return [name, bundle]
  }
}

/// Binaries that Apple delivers with its tools, and that Xcode copies into apps and archives. There
/// are no dSYMs of these for anyone outside of Apple, and no release engineer misses them.
enum AppleBinaries {
  /// - Parameter path: the path in the release.
  static func contains(_ path: String) -> Bool {
    let parts = path.split(separator: "/").map(String.init)
    guard let name = parts.last else { return false }
    // Swift's runtime and overlays, for systems before iOS 12.2 and macOS 10.14.4, or back-deployed
    // (`libswift_Concurrency.dylib`).
    if name.hasPrefix("libswift"), name.hasSuffix(".dylib"), parts.count > 1 {
      return parts.dropLast().contains { ["Frameworks", "SwiftSupport"].contains($0) }
    }
    // Stubs that the system replaces: of watch apps, and of sticker packs for Messages.
    return parts.dropLast().contains { folders.contains($0) }
  }

  private static let folders: Set = [
    "_WatchKitStub", "WatchKitSupport", "WatchKitSupport2", "MessagesApplicationSupport",
    "MessagesApplicationExtensionSupport",
  ]
}

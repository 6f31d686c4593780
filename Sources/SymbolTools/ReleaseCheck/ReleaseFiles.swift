import FileSystem
import SymbolStore
import SymbolicationModel

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

import FileSystem
package import PropertyLists
import SymbolicationModel

/// Which build a symbol file belongs to, as the `Info.plist` files around it state it.
package struct BuildOrigin: Hashable, Sendable {
  /// The identifier of the bundle: `com.example.App`.
  package var bundleIdentifier: String?
  /// `CFBundleShortVersionString`: `1.3`.
  package var version: String?
  /// `CFBundleVersion`: `6`.
  package var build: String?
  /// The path of the archive that the file lies in.
  package var archivePath: String?
  /// When the archive was made, in seconds since 1970-01-01 00:00 UTC.
  package var archiveDate: Int64?

  /// What the folders of the file at `path` state; nil if they state nothing. The innermost bundle
  /// decides, and the archive that holds it says what the bundle does not.
  ///
  /// Cost: a few small files are read. Damaged ones are passed over: nothing depends on them.
  package init?(ofFileAt path: String) {
    self.init(ofFileAt: path) { try? PropertyList(contentsOfFile: $0) }
  }

  /// - Parameter list: the property list at a path; nil if there is none.
  package init?(ofFileAt path: String, list: (String) -> PropertyList?) {
    var folders = path.folder.split(separator: "/", omittingEmptySubsequences: false)
    while let name = folders.last {
      let folder = folders.joined(separator: "/")
      if name.hasSuffix(BundleName.dsymSuffix) {
        take(list(folder.appendingPath("Contents/Info.plist")))
      } else if name.hasSuffix(BundleName.archiveSuffix) {
        archivePath = folder
        let archive = list(folder.appendingPath("Info.plist"))
        archiveDate = archive?["CreationDate"]?.secondsSince1970
        take(archive?["ApplicationProperties"])
        break
      }
      folders.removeLast()
    }
    guard bundleIdentifier != nil || version != nil || build != nil || archivePath != nil else {
      return nil
    }
  }

  private mutating func take(_ list: PropertyList?) {
    // A dSYM's identifier is that of the bundle behind this prefix.
    let prefix = "com.apple.xcode.dsym."
    let identifier = list?["CFBundleIdentifier"]?.string.map {
      $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0
    }
    bundleIdentifier = bundleIdentifier ?? identifier
    version = version ?? list?["CFBundleShortVersionString"]?.string
    build = build ?? list?["CFBundleVersion"]?.string
  }
}

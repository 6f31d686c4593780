import Archives
import FileSystem
package import PropertyLists
package import SymbolicationModel

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

/// What the property lists around symbol files state, on disk and in archives. Each archive is read
/// once.
package struct BuildOrigins {
  private var archives: [String: ArchivedLists] = [:]
  private var gaps: [XcframeworkGap.Place: XcframeworkGap?] = [:]

  /// The property lists of an archive that may be about a build, by their paths.
  private struct ArchivedLists {
    let tree: any FileTree
    let entries: [String: FileTreeContent.Entry]
    /// The paths of the files of each library in an xcframework.
    let libraryFiles: [XcframeworkGap.Place: [String]]

    func list(_ path: String) -> PropertyList? {
      entries[path].flatMap { tree.propertyList(of: $0) }
    }

    /// Archives have no empty folders: a folder is there if a file is in it.
    func names(in folder: String, of place: XcframeworkGap.Place) -> [String]? {
      let names = (libraryFiles[place] ?? []).filter { $0.hasPrefix(folder + "/") }
        .compactMap { $0.dropFirst(folder.count + 1).split(separator: "/").first.map(String.init) }
      return names.isEmpty ? nil : names
    }
  }

  private let limits: ResourceLimits

  package init(limits: ResourceLimits = ResourceLimits()) { self.limits = limits }

  /// What `BuildOrigin` says of a file; `path` may be that of a member of an archive
  /// (`dSYMs.zip/App.dSYM/…`).
  package mutating func origin(ofFileAt path: String) -> BuildOrigin? {
    guard let lists = archivedLists(around: path) else { return BuildOrigin(ofFileAt: path) }
    return BuildOrigin(ofFileAt: path, list: lists.list)
  }

  /// Why the xcframework that a file lies in has no dSYMs for it; `path` as of `origin`. Nil if it
  /// lies in none, or has dSYMs.
  package mutating func xcframeworkGap(ofFileAt path: String) -> XcframeworkGap? {
    guard let place = XcframeworkGap.Place(ofFileAt: path) else { return nil }
    if let known = gaps[place] { return known }
    let gap: XcframeworkGap? =
      if let lists = archivedLists(around: path) {
        XcframeworkGap(
          ofFileAt: path, list: lists.list, names: { lists.names(in: $0, of: place) })
      } else {
        XcframeworkGap(
          ofFileAt: path, list: { try? PropertyList(contentsOfFile: $0) },
          names: { folder in
            FileKind(path: folder) == .directory
              ? ((try? Directory.entries(of: folder)) ?? []).map(\.name) : nil
          })
      }
    gaps[place] = .some(gap)
    return gap
  }

  /// Nil if the file at `path` is on disk.
  private mutating func archivedLists(around path: String) -> ArchivedLists? {
    guard FileKind(path: path) == nil, let archivePath = Self.archive(holding: path) else {
      return nil
    }
    let lists = archives[archivePath] ?? Self.lists(of: archivePath, limits)
    archives[archivePath] = lists
    return lists
  }

  /// The file among the folders of `path`, which is no folder at all.
  private static func archive(holding path: String) -> String? {
    var folder = path.folder
    while folder != ".", folder != "/" {
      if let kind = FileKind(path: folder) { return kind == .regularFile ? folder : nil }
      folder = folder.folder
    }
    return nil
  }

  private static func lists(of archivePath: String, _ limits: ResourceLimits) -> ArchivedLists {
    let tree =
      (try? FileTrees.open(path: archivePath, limits: limits)) ?? SingleFileTree(path: archivePath)
    let content = tree.content().entries
    let suffixes = [
      BundleName.dsymSuffix + "/Contents", BundleName.archiveSuffix, BundleName.xcframeworkSuffix,
    ]
    let entries = content.filter { entry in
      entry.path.lastPathComponent == "Info.plist"
        && suffixes.contains { entry.path.folder.hasSuffix($0) }
    }
    var libraryFiles: [XcframeworkGap.Place: [String]] = [:]
    for path in content.map(\.shownPath) {
      if let place = XcframeworkGap.Place(ofFileAt: path) {
        libraryFiles[place, default: []].append(path)
      }
    }
    return ArchivedLists(
      tree: tree,
      entries: Dictionary(
        entries.map { ($0.shownPath, $0) }, uniquingKeysWith: { first, _ in first }),
      libraryFiles: libraryFiles)
  }
}

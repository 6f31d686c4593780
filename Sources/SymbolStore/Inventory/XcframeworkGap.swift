import FileSystem
package import PropertyLists

/// Why a library of an `.xcframework` has no dSYM there, as the `Info.plist` of the xcframework
/// states it.
///
/// `AvailableLibraries` has a dictionary for each library. Its `DebugSymbolsPath` is the folder of
/// the dSYMs, relative to the folder that `LibraryIdentifier` names. `xcodebuild
/// -create-xcframework` writes it if the dSYMs are given with `-debug-symbols`.
package struct XcframeworkGap: Hashable, Sendable {
  package let xcframeworkPath: String
  /// `LibraryIdentifier`: `ios-arm64`.
  package let identifier: String
  package let reason: Reason

  /// Paths are those that `DebugSymbolsPath` states.
  package enum Reason: Hashable, Sendable {
    /// There is no `DebugSymbolsPath`.
    case unstated
    /// The path is absolute or has `..` in it.
    case leadsOut(String)
    case noFolder(String)
    case noDsyms(String)
  }

  /// - Parameters:
  ///   - path: of a file of the library.
  ///   - list: the property list at a path; nil if there is none.
  ///   - names: what lies in the folder at a path; nil if there is no such folder.
  ///
  /// Nil if the file lies in no xcframework, or if there are dSYMs where the `Info.plist` says, or
  /// if that cannot be told.
  package init?(
    ofFileAt path: String, list: (String) -> PropertyList?, names: (String) -> [String]?
  ) {
    guard let place = Place(ofFileAt: path),
      let libraries = list(place.xcframework.appendingPath("Info.plist"))?["AvailableLibraries"],
      let library = libraries.array?.first(where: {
        $0["LibraryIdentifier"]?.string == place.identifier
      })
    else { return nil }
    xcframeworkPath = place.xcframework
    identifier = place.identifier
    guard let stated = library["DebugSymbolsPath"]?.string else {
      reason = .unstated
      return
    }
    let parts = stated.split(separator: "/").filter { $0 != "." }
    guard !stated.isAbsolutePath, !parts.contains("..") else {
      reason = .leadsOut(stated)
      return
    }
    guard let found = names(([place.folder] + parts.map(String.init)).joined(separator: "/")) else {
      reason = .noFolder(stated)
      return
    }
    guard !found.contains(where: BundleName.isDsym) else { return nil }
    reason = .noDsyms(stated)
  }

  /// The library of an xcframework that a file belongs to, by its path alone.
  package struct Place: Hashable, Sendable {
    package let xcframework: String
    package let identifier: String

    /// Nil if the file does not lie in the folder of a library in an xcframework.
    package init?(ofFileAt path: String) {
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      guard
        let index = parts.lastIndex(where: {
          $0.hasSuffix(BundleName.xcframeworkSuffix) && $0 != BundleName.xcframeworkSuffix
        })
      else { return nil }
      let inside = parts[(index + 1)...].filter { !$0.isEmpty && $0 != "." }
      guard let identifier = inside.first, inside.count > 1 else { return nil }
      xcframework = parts[...index].joined(separator: "/")
      self.identifier = String(identifier)
    }

    /// The path of the library's folder.
    package var folder: String { xcframework.appendingPath(identifier) }
  }
}

/// The kind of a place in which a symbol file lies.
package enum SymbolPlace: Hashable, CaseIterable, Sendable {
  /// A file or bundle that the user gave by name.
  case given
  /// Somewhere below a directory that the user gave by name (`-d`).
  case givenDirectory
  /// Somewhere below a search directory (`-s`, or the environment).
  case searchDirectory
  /// A member of an archive (zip, tar) that the user gave by name.
  case givenArchive
  /// A member of an archive that was found in a directory.
  case foundArchive
  /// At a path in a given directory or search directory that follows from the identity.
  case layout
  /// The folder of a report.
  case reportFolder
  /// The folders of build-ids in the system's debug directories.
  case systemDebugDirectory
  /// What a server delivered, now or earlier.
  case server
  /// Near another symbol file of the image, or at a path that it states: its dSYM or its separate
  /// debug file.
  case companion
  /// The user's cache of indexes.
  case indexCache
}

/// A place that may have the symbol file of an image, and can say what it has for one.
protocol ImagePlace: SymbolFileLocator {
  /// Everything in the place that could be meant for the image. Cost: that of `locate`; a place
  /// that was not searched yet is searched.
  func findings(for image: ImageDescription) -> [SymbolFinding]
}

/// The names of the directories that Apple's tools treat as one file.
package enum BundleName {
  /// The suffixes of bundles with code in them.
  package static let codeSuffixes = [
    ".app", ".framework", xcframeworkSuffix, ".appex", ".xctest", ".bundle", ".xpc", ".kext",
    ".plugin",
    ".qlgenerator", ".systemextension", ".dext", ".prefPane",
  ]

  /// The suffix of a bundle with a framework or library for each system: its folders are named
  /// `ios-arm64`, `ios-arm64_x86_64-simulator`.
  package static let xcframeworkSuffix = ".xcframework"

  /// The suffix of a bundle of debug information: `Contents/Resources/DWARF` holds one file for
  /// each binary.
  package static let dsymSuffix = ".dSYM"

  /// The folder in a dSYM that holds its DWARF files.
  package static let dsymContent = "Contents/Resources/DWARF"

  /// The suffix of Xcode's archives: `Products` holds the programs, `dSYMs` their dSYMs.
  package static let archiveSuffix = ".xcarchive"

  /// Whether `path` has the name of a dSYM. Slashes at its end do not count.
  package static func isDsym(_ path: String) -> Bool {
    var name = path[...]
    while name.utf8.last == UInt8(ascii: "/") { name.removeLast() }
    return name.hasSuffix(dsymSuffix)
  }

  /// Whether `name` is that of a bundle with code in it. A suffix alone is not a name.
  package static func isOfCode(_ name: String) -> Bool {
    codeSuffixes.contains { name.hasSuffix($0) && name != $0 }
  }

  /// Whether `name` is that of a bundle of any kind: a dSYM, an archive, or one with code in it.
  package static func isBundle(_ name: String) -> Bool {
    [dsymSuffix, archiveSuffix].contains { name.hasSuffix($0) && name != $0 } || isOfCode(name)
  }

  /// The name that the binary in a bundle, or its DWARF file in a dSYM, most likely has: `Shuffle`
  /// for `Shuffle.app.dSYM`, `Shuffle.dSYM` and `Shuffle.app`.
  package static func binaryName(ofBundle name: String) -> String {
    var name = name
    if name.hasSuffix(dsymSuffix) { name.removeLast(dsymSuffix.count) }
    if let suffix = codeSuffixes.first(where: { name.hasSuffix($0) }) {
      name.removeLast(suffix.count)
    }
    return name
  }
}

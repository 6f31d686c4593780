import PropertyLists
import ReportSymbolication
import SymbolStore
import SymbolicationModel

/// Reads the input as a property list, and takes it for each that lies beside symbol files: the
/// `UUID.plist` and `Info.plist` of a dSYM, the `Info.plist` of an xcarchive and an xcframework.
func exerciseBundleRecords(_ bytes: [UInt8]) throws(Violation) {
  guard let list = try? PropertyList(bytes) else { return }
  try checkRecord(DsymPropertyList(path: "UUID.plist", content: list))
  let path = "/a/B.xcarchive/dSYMs/C.app.dSYM/Contents/Resources/DWARF/C"
  if let origin = BuildOrigin(ofFileAt: path, list: { _ in list }) {
    try require(origin.archivePath == "/a/B.xcarchive", "the path alone names the archive")
  }
  let libraries = list["AvailableLibraries"]?.array ?? []
  let stated = libraries.prefix(8).compactMap { $0["LibraryIdentifier"]?.string }
  for identifier in ["ios-arm64"] + stated {
    try checkXcframework(list, "/k/K.xcframework/\(identifier)/K.framework/K")
  }
}

private func checkRecord(_ record: DsymPropertyList) throws(Violation) {
  if let identity = record.originalIdentity {
    try require(WrittenIdentity("\(identity)") != nil, "an identity is one when it is written")
  }
  let mappings = record.sourceMappings
  let stated = record.content["DBGSourcePathRemapping"]?.dictionary?.count ?? 0
  try require(mappings.count <= 2 * stated + 1, "there are as many mappings as are stated")
  try require(Set(mappings).count == mappings.count, "no mapping is there twice")
  for recorded in mappings.prefix(100) {
    try require(!recorded.old.isEmpty && !recorded.new.isEmpty, "both sides have a path")
    guard let mapping = PathMapping(from: recorded.old, to: recorded.new) else {
      throw Violation(statement: "a mapping can be applied", file: #fileID, line: #line)
    }
    for path in [recorded.old, recorded.old + "/file.swift", "file.swift", "/file.swift"] {
      guard let mapped = mapping.applied(to: path) else { continue }
      try require(!mapped.isEmpty, "a path is never replaced with nothing")
      try require(
        mapped.utf8.count <= path.utf8.count + recorded.new.utf8.count + 1,
        "a path grows by what replaces its folders")
    }
  }
}

/// Wherever the property list says that dSYMs are, only the library's own folder is looked into.
private func checkXcframework(_ list: PropertyList, _ path: String) throws(Violation) {
  guard let place = XcframeworkGap.Place(ofFileAt: path) else { return }
  for names in [nil, [], ["K.framework.dSYM"]] as [[String]?] {
    var folders: [String] = []
    let gap = XcframeworkGap(
      ofFileAt: path, list: { _ in list },
      names: { folder in
        folders.append(folder)
        return names
      })
    for folder in folders {
      try require(
        folder == place.folder || folder.hasPrefix(place.folder + "/"),
        "only the library's folder is looked into: \(folder)")
      try require(
        !folder.dropFirst(place.folder.count).split(separator: "/").contains(".."),
        "no folder leads out: \(folder)")
    }
    try require(
      gap == nil || names?.isEmpty != false || folders.isEmpty, "dSYMs that are there are seen")
  }
}

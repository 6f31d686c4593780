import ObjectFiles
import SymbolStore
import SymbolicationModel
import TestSupport
import Testing

/// The places where the symbol map of a build with bitcode is looked for.
struct SymbolMapPlacesTests {
  private let directory: TemporaryDirectory

  private static let bundle = "X.xcarchive/dSYMs/Inlines.dSYM"
  private static let own = "0B17C0DE-5555-3144-A174-35F176083CD8.bcsymbolmap"
  private static let originalName = "0B17C0DE-0000-3000-8000-00000000C0DE.bcsymbolmap"

  init() throws {
    directory = try TemporaryDirectory()
    try directory.makeDirectory("X.xcarchive/dSYMs")
    try directory.copy(
      Fixtures.path("Bitcode/Inlines.xcarchive/dSYMs/Inlines.dSYM"), to: Self.bundle)
  }

  private func write(_ path: String, _ name: String = "found") throws -> String {
    if let slash = path.lastIndex(of: "/") { try directory.makeDirectory(String(path[..<slash])) }
    return try directory.write("BCSymbolMap Version: 2.0\n\(name)\n".utf8, to: path)
  }

  private func answer(
    paths: [String] = [], isOriginalKnown: Bool = true
  ) throws -> SymbolMapAnswer {
    let file = try SymbolFile.open(path: directory.path(Self.bundle), architecture: nil).objectFile
    let original = try require(
      ImageIdentity(hexadecimal: "0B17C0DE-0000-3000-8000-00000000C0DE".utf8))
    return SymbolStore(paths: paths).symbolMap(
      for: AskingFile(file), originalIdentity: isOriginalKnown ? original : nil)
  }

  private func foundPath(
    paths: [String] = [], isOriginalKnown: Bool = true
  ) throws -> String? {
    guard case .found(let map) = try answer(paths: paths, isOriginalKnown: isOriginalKnown) else {
      return nil
    }
    return map.path
  }

  @Test(arguments: [
    "X.xcarchive/dSYMs/\(originalName)", "X.xcarchive/BCSymbolMaps/\(originalName)",
    "X.xcarchive/dSYMs/Inlines.dSYM/Contents/Resources/\(originalName)",
    "X.xcarchive/dSYMs/BCSymbolMaps/\(originalName)",
    "X.xcarchive/BCSymbolMaps/\(originalName.lowercased())", "X.xcarchive/BCSymbolMaps/\(own)",
  ])
  func nearTheDsym(_ place: String) throws {
    let path = try write(place)
    try expectEqual(foundPath(), path)
  }

  @Test(arguments: ["maps/\(originalName)", "maps/BCSymbolMaps/\(originalName)"])
  func inADirectoryGiven(_ place: String) throws {
    let path = try write(place)
    try expectNil(foundPath())
    try expectEqual(foundPath(paths: [directory.path("maps")]), path)
  }

  /// A folder of maps, or a map, is not searched for symbol files, and so is not a problem.
  @Test func aMapOrItsFolderIsGiven() throws {
    let path = try write("BCSymbolMaps/\(Self.originalName)")
    for given in [path, directory.path("BCSymbolMaps")] {
      try expectEqual(foundPath(paths: [given]), path)
      expectEmpty(SymbolStore(paths: [given]).problems)
      let store = SymbolStore(paths: [given])
      _ = store.symbolFile(
        for: ImageDescription(
          identity: ImageIdentity(bytes: [1]), architecture: nil, names: []))
      expectEmpty(store.searchProblems)
    }
  }

  @Test func theOriginalUuidComesFirst() throws {
    let own = try write("X.xcarchive/BCSymbolMaps/\(Self.own)")
    let original = try write("X.xcarchive/BCSymbolMaps/\(Self.originalName)")
    try expectEqual(foundPath(), original)
    try expectEqual(foundPath(isOriginalKnown: false), own)
  }

  @Test func anAbsentMapIsNamed() throws {
    guard case .missing(let finding) = try answer() else {
      Issue.record("found")
      return
    }
    expectEqual(finding, .absent(name: Self.originalName))
    guard case .missing(let other) = try answer(isOriginalKnown: false) else {
      Issue.record("found")
      return
    }
    expectEqual(other, .absent(name: Self.own))
  }

  @Test func anUnusableMapIsReportedUnlessThereIsAnother() throws {
    let broken = try write("X.xcarchive/dSYMs/\(Self.originalName)")
    try directory.write("<html>".utf8, to: "X.xcarchive/dSYMs/\(Self.originalName)")
    guard case .missing(let finding) = try answer() else {
      Issue.record("found")
      return
    }
    expectEqual(finding, .unusable(path: broken, .noHeader(firstBytes: Array("<html>".utf8))))
    let sound = try write("X.xcarchive/BCSymbolMaps/\(Self.originalName)")
    try expectEqual(foundPath(), sound)
  }
}
